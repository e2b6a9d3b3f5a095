// The page's side of every widget: one module in every front end, and on the website.
//
// Python says what there is (`_about`, which never changes) and how it stands (`_shown`, `_still`
// and `_moving`, after each event). The page says what its reader did (`_asked`), and decides
// nothing. Texts are set as text; HTML comes from Python alone, which has escaped what people typed.

/**
 * @typedef {Record<string, any>} Says what a part shows at present
 * @typedef {{kind: string, name?: string, parts?: About[], [key: string]: any}} About
 * @typedef {{node: HTMLElement, show?: (says: Says, late: boolean) => void}} Part
 * @typedef {{
 *   get(name: string): any, set(name: string, value: any): void, save_changes(): void,
 *   on(event: string, callback: () => void): void, off(event: string, callback: () => void): void,
 * }} Model the front end's, or the website's
 * @typedef {{
 *   model: Model, host?: any, signal?: AbortSignal,
 *   ask(name: string | undefined, event: Says): void, build(about: About): HTMLElement, id(): string,
 * }} Page
 */

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Says} [props]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, props = {}, ...children) {
  const { aria = {}, ...own } = props;
  const node = Object.assign(document.createElement(tag), own);
  for (const [name, value] of Object.entries(aria)) node.setAttribute(`aria-${name}`, String(value));
  node.append(...children);
  return node;
}

/**
 * JupyterLab keeps some keys from what has the focus, except where the element itself says so.
 * @param {HTMLElement} node
 */
const keepKeys = (node) => (node.dataset.lmSuppressShortcuts = "true");

/**
 * A message beside what it is about, announced when it comes.
 * @param {string} id
 */
function complaint(id) {
  const node = make("div", { className: "dpw-message", id, role: "alert" });
  return { node, show: (/** @type {string} */ words = "") => {
    if (node.textContent !== words) node.textContent = words;
  } };
}

/**
 * A box whose text is passed on when its reader is done with it: by Enter, or by leaving it. What
 * stands there stays until Python has another text for it.
 * @param {HTMLInputElement | HTMLTextAreaElement} box
 * @param {(text: string) => void} pass
 */
function typing(box, pass) {
  let known = box.value;
  const done = () => {
    if (box.value !== known) pass((known = box.value));
  };
  keepKeys(box);
  box.addEventListener("change", done);
  box.addEventListener("keydown", (event) => {
    // JupyterLab keeps Enter from a field, so "change" alone would come too late.
    if (/** @type {KeyboardEvent} */ (event).key === "Enter" && box instanceof HTMLInputElement) done();
  });
  return (/** @type {string} */ text) => {
    if (text !== known) box.value = known = text;
  };
}

/**
 * @param {HTMLElement} node
 * @param {Says} says
 */
const hide = (node, says) => (node.hidden = Boolean(says.hidden));

/** @type {Record<string, (about: About, page: Page) => Part>} */
const kinds = {
  box: ({ look, label, parts = [] }, { build }) => {
    const props = label ? { role: "group", aria: { label } } : {};
    const node = make("div", { className: `dpw-${look}`, ...props }, ...parts.map(build));
    return { node, show: (says) => hide(node, says) };
  },

  fold: ({ label, open, parts = [] }, { build }) => ({
    node: make("details", { className: "dpw-fold", open: Boolean(open) },
      make("summary", {}, label), ...parts.map(build)),
  }),

  number: (about, page) => {
    const box = make("input", { type: "text", className: "dpw-field", id: page.id(), title: about.help });
    const hint = make("div", { className: "dpw-hint", id: page.id() });
    const message = complaint(page.id());
    box.setAttribute("aria-describedby", `${hint.id} ${message.node.id}`);
    const write = typing(box, (text) => page.ask(about.name, { text }));
    const [slider, move] = range(about, page);
    const [low, high] = about.ends;
    const ends = make("div", { className: "dpw-ends" }, make("span", {}, low), make("span", {}, high));
    const node = make("div", { className: "dpw-number" },
      make("label", { htmlFor: box.id }, about.label), box,
      make("div", { className: "dpw-line" }, slider, ends), hint, message.node);
    return { node, show: (says, late) => {
      hide(node, says);
      if (!late) write(says.text);
      move(says, late);
      box.disabled = Boolean(says.solved);
      box.setAttribute("aria-invalid", String(Boolean(says.message)));
      node.classList.toggle("dpw-result", Boolean(says.solved));
      hint.textContent = [about.hint, says.remark].filter(Boolean).join(" · ");
      message.show(says.message);
    } };
  },

  text: (about, page) => {
    const many = about.rows > 1;
    const box = many ? make("textarea", { rows: about.rows }) : make("input", { type: "text" });
    Object.assign(box, { className: "dpw-field", id: page.id(), title: about.help ?? "",
      placeholder: about.placeholder ?? "" });
    const hint = make("div", { className: "dpw-hint", id: page.id() });
    const message = complaint(page.id());
    box.setAttribute("aria-describedby", `${hint.id} ${message.node.id}`);
    const write = typing(box, (text) => page.ask(about.name, { text }));
    const node = make("div", { className: "dpw-text" },
      make("label", { htmlFor: box.id }, about.label), box, hint, message.node);
    return { node, show: (says, late) => {
      hide(node, says);
      if (!late) write(says.text ?? "");
      box.setAttribute("aria-invalid", String(Boolean(says.message)));
      hint.textContent = says.remark ?? "";
      message.show(says.message);
    } };
  },

  choice: (about, page) => {
    const name = page.id();
    const radios = about.options.map((/** @type {string} */ _, /** @type {number} */ place) =>
      make("input", { type: "radio", name, onchange: () => page.ask(about.name, { place }) }));
    radios.forEach(keepKeys);
    const message = complaint(page.id());
    const labels = about.options.map((/** @type {string} */ label, /** @type {number} */ place) =>
      make("label", {}, radios[place], make("span", {}, label)));
    const node = make("fieldset", { className: `dpw-choice ${about.look ?? ""}`, title: about.help ?? "" },
      make("legend", {}, about.label), make("div", {}, ...labels), message.node);
    return { node, show: (says, late) => {
      hide(node, says);
      if (!late) radios.forEach((/** @type {HTMLInputElement} */ radio, /** @type {number} */ place) =>
        (radio.checked = place === says.place));
      message.show(says.message);
    } };
  },

  select: (about, page) => {
    const options = about.options.map((/** @type {string} */ label) => make("option", {}, label));
    const select = make("select", { className: "dpw-field", id: page.id(), title: about.help ?? "" }, ...options);
    select.onchange = () => page.ask(about.name, { place: select.selectedIndex });
    keepKeys(select);
    const node = make("div", { className: "dpw-select" }, make("label", { htmlFor: select.id }, about.label), select);
    return { node, show: (says, late) => {
      hide(node, says);
      if (says.options) select.replaceChildren(...says.options.map((/** @type {string} */ label) => make("option", {}, label)));
      if (!late) select.selectedIndex = says.place;
    } };
  },

  switch: (about, page) => {
    const box = make("input", { type: "checkbox", title: about.help ?? "" });
    box.onchange = () => page.ask(about.name, { place: box.checked ? 0 : 1 });
    keepKeys(box);
    const node = make("label", { className: "dpw-switch" }, box, about.label);
    return { node, show: (says, late) => {
      hide(node, says);
      if (!late) box.checked = says.place === 0;
    } };
  },

  press: (about, page) => {
    const node = make("button", { type: "button", className: "dpw-button", title: about.help ?? "" }, about.label);
    node.onclick = () => page.ask(about.name, { pressed: true });
    keepKeys(node);
    return { node, show: (says) => {
      hide(node, says);
      node.disabled = Boolean(says.disabled);
    } };
  },

  // Buttons that come and go, each with what it does in words beside it.
  presses: (about, page) => {
    const rows = make("div", { className: "dpw-presses" });
    const node = make("div", { role: "group", aria: { label: about.label } },
      make("div", { className: "dpw-title" }, about.label), rows);
    return { node, show: (says) => {
      node.hidden = !says.options.length;
      while (rows.childElementCount > says.options.length) rows.lastElementChild?.remove();
      says.options.forEach((/** @type {[string, string]} */ [label, words], /** @type {number} */ place) => {
        if (!rows.children[place]) {
          const button = make("button", { type: "button", className: "dpw-button" });
          button.onclick = () => page.ask(about.name, { place });
          keepKeys(button);
          rows.append(make("div", {}, button, make("span", {})));
        }
        const [button, said] = rows.children[place].children;
        button.textContent = label;
        said.textContent = words;
      });
    } };
  },

  file: (about, page) => {
    const input = make("input", { type: "file", accept: about.accept });
    input.onchange = async () => {
      const [file] = input.files ?? [];
      if (!file) return;
      const bytes = new Uint8Array(await file.slice(0, about.most + 1).arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
      page.ask(about.name, { file: btoa(text) });
      input.value = ""; // to choose the same again is a choice too
    };
    keepKeys(input);
    return { node: make("label", { className: "dpw-file" }, make("span", { className: "dpw-button" }, about.label), input) };
  },

  // Files to take away: what they hold travels when they are asked for.
  links: (about) => {
    const node = make("div", { className: "dpw-links" });
    return { node, show: (says) => {
      const links = (says.files ?? []).map((/** @type {[string, string, string]} */ [name, type, text]) => make("a",
        { download: name, href: URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` })) }, name));
      node.replaceChildren(...(links.length ? [`${about.label} `] : []), ...links);
    } };
  },

  words: (about) => {
    const said = about.look === "sentence" || about.look === "verdict";
    const node = make(said ? "output" : "div", { className: `dpw-words dpw-${about.look ?? "plain"}` });
    if (about.live) node.setAttribute("aria-live", "polite");
    if (about.text) node.textContent = about.text;
    return { node, show: (says) => {
      hide(node, says);
      if ("text" in says && node.textContent !== says.text) node.textContent = says.text;
    } };
  },

  complaint: (_, page) => {
    const { node, show } = complaint(page.id());
    return { node, show: (says) => show(says.text) };
  },

  list: () => {
    const node = make("ul", { className: "dpw-list" });
    return { node, show: (says) => node.replaceChildren(...says.items.map((/** @type {string} */ item) => make("li", {}, item))) };
  },

  code: () => {
    const pre = make("pre", { tabIndex: 0, aria: { label: "Python" } }), whole = { text: "" };
    const button = make("button", { type: "button", className: "dpw-button dpw-quiet" }, "Copy");
    button.onclick = async () => {
      await navigator.clipboard?.writeText(whole.text).catch(() => getSelection()?.selectAllChildren(pre));
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    };
    return { node: make("div", { className: "dpw-code" }, pre, button), show: (says) => {
      if (pre.textContent !== says.text) pre.textContent = says.text;
      whole.text = says.whole ?? says.text;
    } };
  },

  html: ({ html }) => {
    const node = make("div", { className: "dpw-html", innerHTML: html ?? "" });
    return { node, show: (says) => {
      hide(node, says);
      if ("html" in says && node.innerHTML !== says.html) node.innerHTML = says.html;
    } };
  },

  // Two layers in one place; a step of a slider sends the moving one alone.
  picture: (about, { model, build, signal }) => {
    const layers = ["_still", "_moving"].map((trait) => {
      const layer = make("div");
      const draw = () => (layer.innerHTML = model.get(trait));
      model.on(`change:${trait}`, draw);
      signal?.addEventListener("abort", () => model.off(`change:${trait}`, draw));
      draw();
      return layer;
    });
    layers[1].setAttribute("role", "img");
    const over = (about.parts ?? []).map(build);
    const node = make("div", { className: "dpwidgets-picture dpw-picture" }, ...layers, ...over);
    return { node, show: (says) => {
      layers[1].setAttribute("aria-label", says.alt);
      node.classList.toggle("dpwidgets-stale", Boolean(says.stale));
    } };
  },

  // Sliders that stand upright over a picture's frame.
  handles: (about, page) => {
    const sliders = about.labels.map((/** @type {string} */ label, /** @type {number} */ at) =>
      range({ kind: "handle", name: about.name, label, at }, page));
    const node = make("div", { className: "dpw-handles" },
      ...sliders.map((/** @type {[HTMLElement]} */ [slider]) => make("div", {}, slider)));
    node.style.padding = about.padding;
    return { node, show: (says, late) => sliders.forEach((/** @type {[any, Function]} */ [, move], /** @type {number} */ at) =>
      move(says.handles[at], late)) };
  },

  // Another widget, which appears where this one says so.
  child: ({ trait, look }, { model, host, signal }) => {
    const node = make("div", { className: `dpw-child ${look ?? ""}` });
    let present = "";
    const place = async () => {
      const ref = model.get(trait) ?? "";
      if (ref === present) return;
      present = ref;
      node.replaceChildren();
      if (ref) await (await host.getWidget(ref)).render({ el: node, signal });
    };
    model.on(`change:${trait}`, place);
    signal?.addEventListener("abort", () => model.off(`change:${trait}`, place));
    place();
    return { node };
  },
};

/**
 * The browser's own slider over the places that Python has counted.
 * @param {About} about
 * @param {Page} page
 * @returns {[HTMLInputElement, (says: Says, late: boolean) => void]}
 */
function range(about, page) {
  const slider = make("input", { type: "range", className: "dpwidgets-slider", aria: { label: about.label } });
  const { at } = about; // which of several handles it is, that stand upright
  if (at !== undefined) {
    slider.classList.add("dpwidgets-upright");
    slider.setAttribute("aria-orientation", "vertical");
  }
  keepKeys(slider);
  let slow = false;
  const fill = () => slider.style.setProperty("--share", String(slider.valueAsNumber / (Number(slider.max) || 1)));
  const pass = () => page.ask(about.name, { place: slider.valueAsNumber, ...(at === undefined ? {} : { at }) });
  slider.addEventListener("input", () => {
    fill();
    if (!slow) pass();
  });
  slider.addEventListener("change", () => slow && pass()); // it is let go, or moved by a key
  return [slider, (says, late) => {
    slow = Boolean(says.slow);
    slider.disabled = Boolean(says.solved);
    slider.setAttribute("aria-valuetext", says.spoken);
    if (late) return;
    slider.max = says.max;
    slider.value = says.place;
    fill();
  }];
}

/**
 * Bring a page into view and mark it for a while, since it has changed where nobody looked.
 * @param {HTMLElement} root
 */
function attract(root) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
  root.classList.add("dpw-attracts");
  setTimeout(() => root.classList.remove("dpw-attracts"), 1500);
}

/** @param {{model: Model, el: HTMLElement, host?: any, signal?: AbortSignal}} where */
function render({ model, el, host, signal }) {
  /** @type {Map<string, ((says: Says, late: boolean) => void)[]>} */
  const parts = new Map();
  const own = Math.random().toString(36).slice(2);
  let ids = 0, turns = 0, sent = 0, waiting = "";
  // What the reader did and Python has not answered, the first of it being on its way: one message
  // at a time, so that none overtakes or replaces another.
  /** @type {Says[]} */
  let done = [];
  const send = () => {
    waiting = done.length ? `${own} ${(turns += 1)}` : "";
    sent = Date.now();
    root.setAttribute("aria-busy", String(Boolean(waiting)));
    if (!waiting) return;
    model.set("_asked", { ...done[0], turn: waiting });
    model.save_changes();
  };
  /** @type {Page} */
  const page = {
    model, host, signal,
    id: () => `dpw-${own}-${(ids += 1)}`,
    ask: (name = "", event) => {
      // Of a control that moves, only the newest place is of use.
      const moves = (/** @type {Says} */ one, /** @type {number} */ place) =>
        place && one.name === name && "place" in event && one.at === event.at;
      done = [...done.filter((one, place) => !moves(one, place)), { name, ...event }];
      if (waiting && Date.now() - sent < 10000) return;
      if (waiting) done.shift(); // it was lost with its connection, or takes very long
      send();
    },
    build: (about) => {
      const { node, show } = kinds[about.kind](about, page);
      if (about.name) node.dataset.name = about.name;
      if (about.name && show) parts.set(about.name, [...(parts.get(about.name) ?? []), show]);
      return node;
    },
  };
  const about = model.get("_about");
  const root = make("div", { className: `dpw dpw-${about.look}` });
  root.append(...about.parts.map(page.build));
  const known = /** @type {Record<string, string>} */ ({});
  let look = model.get("_shown")[""]?.look;
  const show = () => {
    const shown = model.get("_shown");
    if (shown[""]?.look !== look) {
      look = shown[""]?.look;
      attract(root);
    }
    const answered = waiting && shown[""]?.turn === waiting;
    if (answered) done.shift();
    for (const [name, says] of Object.entries(shown)) {
      // What the reader moves now is not set back to where it was a moment ago.
      const late = done.some((one) => one.name === name), written = JSON.stringify(says);
      if (known[name] === written) continue;
      known[name] = late ? "" : written;
      parts.get(name)?.forEach((part) => part(says, late));
    }
    if (answered) send();
  };
  show();
  model.on("change:_shown", show);
  signal?.addEventListener("abort", () => model.off("change:_shown", show));
  el.append(root);
}

export default { render };
