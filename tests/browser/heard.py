"""What a screen reader is told of a page, a line for each thing, in the order of reading."""

from itertools import pairwise

#: Roles that say nothing by themselves: what is in them is read.
SILENT = {
    "RootWebArea", "generic", "none", "paragraph", "ScrollArea", "LabelText", "Section",
    "DescriptionList", "emphasis", "strong", "ListMarker", "LineBreak", "Legend", "code",
    "InlineTextBox", "list", "sectionfooter", "sectionheader", "rowgroup", "LayoutTable",
    "LayoutTableRow", "LayoutTableCell", "figcaption", "Figcaption",
}  # fmt: skip
#: Roles whose name is made of what is in them, which is then not read again.
NAMED_BY_CONTENT = {
    "button", "cell", "checkbox", "columnheader", "heading", "image", "link", "MathMLMath",
    "DisclosureTriangle", "math", "meter", "option", "radio", "row", "rowheader", "slider",
    "spinbutton", "textbox",
}  # fmt: skip
#: What can be operated, and so needs a name.
OPERATED = {
    "DisclosureTriangle", "button", "checkbox", "combobox", "link", "option", "radio", "slider",
    "spinbutton", "textbox",
}  # fmt: skip
STATES = (
    "checked",
    "disabled",
    "expanded",
    "invalid",
    "pressed",
    "readonly",
    "required",
)


def heard(page, selector: str) -> list[str]:
    """Return what is told of a part of a page, a line for each thing.

    A line holds the role, the name, the value, the states and the description,
    as far as there are.
    """
    session = page.context.new_cdp_session(page)
    document = session.send("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
    found = session.send(
        "DOM.querySelector", {"nodeId": document, "selector": selector}
    )
    part = session.send("DOM.describeNode", {"nodeId": found["nodeId"]})[
        "node"
    ]
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    for node in nodes:
        if node["role"]["value"] == "slider":
            node["value"]["value"] = (
                _spoken(session, node) or node["value"]["value"]
            )
    session.detach()
    tree = {node["nodeId"]: node for node in nodes}
    top = next(
        node
        for node in nodes
        if node.get("backendDOMNodeId") == part["backendNodeId"]
    )
    lines = list(_lines(tree, top))
    return lines[:1] + [line for last, line in pairwise(lines) if line != last]


def _spoken(session, slider):
    """Return `aria-valuetext`, which the tree that Chromium shows leaves out."""
    known = {"backendNodeId": slider["backendDOMNodeId"]}
    attributes = session.send("DOM.describeNode", known)["node"]["attributes"]
    return dict(zip(attributes[::2], attributes[1::2], strict=True)).get(
        "aria-valuetext"
    )


def _lines(tree, node):
    role = node["role"]["value"]
    name = _value(node, "name")
    below = True
    if not node["ignored"] and role == "StaticText":
        yield f"text: {name}"
        below = False
    elif (
        not node["ignored"]
        and role not in SILENT
        and (name or role != "group")
    ):
        yield _line(node, role, name)
        below = role not in NAMED_BY_CONTENT
    for child in node.get("childIds", []) if below else []:
        if child in tree:
            yield from _lines(tree, tree[child])


def _line(node, role, name):
    properties = {
        one["name"]: one["value"].get("value")
        for one in node.get("properties", [])
    }
    said = [role if not name else f"{role}: {name}"]
    value = _value(node, "value")
    if value:
        said.append(f"is {value}")
    states = [
        state
        for state in STATES
        if properties.get(state) not in (None, False, "false")
    ]
    if "checked" in states and properties["checked"] == "mixed":
        states.append("mixed")
    said += states
    described = _value(node, "description")
    if described and described != name:
        said.append(f"({described})")
    return ", ".join(said)


def _value(node, what):
    return " ".join(str(node.get(what, {}).get("value", "")).split())


def nameless(lines: list[str]) -> list[str]:
    """Return the lines of what can be operated and has no name."""
    return [line for line in lines if line.split(",")[0] in OPERATED]
