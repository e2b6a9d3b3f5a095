// The page's side of every widget: one module in every front end, and on the website.
//
// Python says what there is (`_about`, which never changes) and how it stands (`_shown`, `_still`
// and `_moving`, after each event). The page says what its reader did (`_asked`), and decides
// nothing. Texts are set as text; HTML comes from Python alone, which has escaped what people
// typed.

/**
 * What never changes about a part. Which of it there is depends on the kind of the part.
 * @typedef {{
 *   kind: string, name?: string, look?: string, label: string, help?: string, hint?: string,
 *   parts?: About[], open?: boolean, live?: boolean, text?: string, html?: string, trait: string,
 *   placeholder?: string, rows?: number, ends: [string, string], options: string[],
 *   labels: string[], padding: string, accept: string, most: number,
 * }} About
 *
 * What a part shows at present; that of the page itself, whose name is empty, has turn and look.
 * @typedef {{
 *   hidden?: boolean, disabled?: boolean, solved?: boolean, slow?: boolean, stale?: boolean,
 *   text: string, message?: string, remark?: string, spoken: string, alt: string, html: string,
 *   place: number, max: number, only?: number[], handles: Says[], items: string[], options: any[],
 *   files?: [name: string, type: string, text: string][], turn?: string, look?: number,
 * }} Says
 *
 * What a reader did.
 * @typedef {{text?: string, place?: number, at?: number, pressed?: true, file?: string}} Deed
 * @typedef {{node: HTMLElement, show?: (says: Says, late: boolean) => void}} Part
 *
 * The front end's, or the website's.
 * @typedef {{
 *   get(name: string): any, set(name: string, value: any): void, save_changes(): void,
 *   on(event: string, callback: () => void): void, off(event: string, callback: () => void): void,
 * }} Model
 * @typedef {{model: Model, el: HTMLElement, host?: any, signal?: AbortSignal}} Place
 *
 * What a part knows of the page that it stands on.
 * @typedef {Place & {
 *   id(): string, build(about: About): HTMLElement, follow(trait: string, show: () => void): void,
 *   ask(name: string | undefined, deed: Deed): void,
 * }} Page
 */

/**
 * Make an element. JupyterLab keeps some keys from what has the focus, except where that says so.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Partial<HTMLElementTagNameMap[Tag]>} [props]
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
function make(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  if (node.tabIndex >= 0) node.setAttribute("data-lm-suppress-shortcuts", "");
  node.append(...children);
  return node;
}

/**
 * @param {string} label
 * @param {() => void} onclick
 * @param {Partial<HTMLButtonElement>} [more]
 */
const button = (label, onclick, more) =>
  make("button", { type: "button", className: "dpw-button", onclick, ...more }, label);

/**
 * A message beside what it is about, announced when it comes.
 * @param {string} id
 */
function complaint(id) {
  const node = make("div", { className: "dpw-message", id, role: "alert" });
  return { node, show: (words = "") => {
    if (node.textContent !== words) node.textContent = words;
  } };
}

/**
 * A box with its name, what it is, and what is wrong with it. Its text is passed on when its reader
 * is done with it: by Enter, or by leaving it. It stays until Python has another text for it.
 * @param {About} about
 * @param {Page} page
 * @param {HTMLInputElement | HTMLTextAreaElement} box
 * @param {...HTMLElement} more what stands beside the box
 */
function field(about, page, box, ...more) {
  const hint = make("div", { className: "dpw-hint", id: page.id() });
  const message = complaint(page.id());
  const { help: title = "", placeholder = "" } = about;
  Object.assign(box, { className: "dpw-field", id: page.id(), title, placeholder });
  box.setAttribute("aria-describedby", `${hint.id} ${message.node.id}`);
  let known = box.value;
  const done = () => {
    if (box.value !== known) page.ask(about.name, { text: (known = box.value) });
  };
  box.onchange = done;
  box.onkeydown = (event) => {
    // JupyterLab keeps Enter from a field, so "change" alone would come too late.
    if (event.key === "Enter" && box instanceof HTMLInputElement) done();
  };
  const label = make("label", { htmlFor: box.id }, about.label);
  const className = `dpw-control dpw-${about.kind}`;
  const node = make("div", { className }, label, box, ...more, hint, message.node);
  return { node, show: (/** @type {Says} */ says, /** @type {boolean} */ late) => {
    const { text = "" } = says;
    if (!late && text !== known) box.value = known = text;
    box.ariaInvalid = String(Boolean(says.message));
    hint.textContent = [about.hint, says.remark].filter(Boolean).join(" · ");
    message.show(says.message);
  } };
}

/** @type {Record<string, (about: About, page: Page) => Part>} */
const kinds = {
  box: ({ look, label, parts = [] }, { build }) => {
    const node = make("div", { className: `dpw-${look}` }, ...parts.map(build));
    if (label) Object.assign(node, { role: "group", ariaLabel: label });
    return { node };
  },

  fold: ({ label, open, parts = [] }, { build }) => ({
    node: make("details", { className: "dpw-fold", open: Boolean(open) },
      make("summary", {}, label), ...parts.map(build)),
  }),

  number: (about, page) => {
    const box = make("input", { type: "text" });
    const [slider, move] = range(about, page);
    const [low, high] = about.ends;
    const ends = [make("span", {}, low), make("span", {}, high)];
    const line = make("div", { className: "dpw-line" }, slider,
      make("div", { className: "dpw-ends" }, ...ends));
    const { node, show } = field(about, page, box, line);
    return { node, show: (says, late) => {
      show(says, late);
      move(says, late);
      box.disabled = Boolean(says.solved);
      node.classList.toggle("dpw-result", box.disabled);
    } };
  },

  text: (about, page) => {
    const { rows = 1 } = about;
    const box = rows > 1 ? make("textarea", { rows }) : make("input", { type: "text" });
    return field(about, page, box);
  },

  choice: (about, page) => {
    const name = page.id();
    const message = complaint(page.id());
    const radios = about.options.map((_, place) =>
      make("input", { type: "radio", name, onchange: () => page.ask(about.name, { place }) }));
    const labels = about.options.map((label, place) =>
      make("label", {}, radios[place], label));
    const node = make("fieldset", { className: "dpw-control dpw-choice", title: about.help ?? "" },
      make("legend", {}, about.label),
      make("div", { className: about.look ?? "dpw-options" }, ...labels), message.node);
    return { node, show: (says, late) => {
      if (!late) radios.forEach((radio, place) => (radio.checked = place === says.place));
      labels.forEach((label, place) => (label.hidden = says.only?.includes(place) === false));
      message.show(says.message);
    } };
  },

  switch: (about, page) => {
    const box = make("input", { type: "checkbox", title: about.help ?? "" });
    box.onchange = () => page.ask(about.name, { place: box.checked ? 0 : 1 });
    const node = make("label", { className: "dpw-switch" }, box, about.label);
    return { node, show: (says, late) => {
      if (!late) box.checked = says.place === 0;
    } };
  },

  press: ({ name, label, help = "" }, page) => {
    const node = button(label, () => page.ask(name, { pressed: true }), { title: help });
    return { node, show: (says) => (node.disabled = Boolean(says.disabled)) };
  },

  // Buttons that come and go, each with what it does beside it: in words, or as the rows of a table.
  // Of those that answer a question one is pressed.
  presses: ({ name, label }, page) => {
    const rows = make("div", { className: "dpw-presses" });
    const title = make("div", { className: "dpw-title" }, label);
    const node = make("div", { role: "group", ariaLabel: label }, title, rows);
    let known = "";
    return { node, show: ({ options, place }) => {
      node.hidden = !options.length;
      if (known !== (known = JSON.stringify(options))) {
        rows.replaceChildren(...options.flatMap(([press, makes], at) => [
          button(press, () => page.ask(name, { place: at })),
          typeof makes === "string" ? make("span", {}, makes) : table(makes),
        ]));
      }
      if (place === undefined) return;
      const buttons = rows.querySelectorAll("button");
      buttons.forEach((press, at) => (press.ariaPressed = String(at === place)));
    } };
  },

  // The lines of a program, each a button; the one that answers is pressed.
  lines: ({ name, label, options }, page) => {
    const presses = options.map((ariaLabel, place) => {
      const [, indent = "", code = ""] = ariaLabel.match(/^line \d+: ( *)(.*)$/) ?? [];
      const press = button(code, () => page.ask(name, { place }), { ariaLabel });
      press.style.paddingLeft = `calc(6px + ${indent.length + 2}ch)`; // 2 of them hang
      return press;
    });
    const lines = presses.map((press) => make("li", {}, press));
    const list = make("ol", { className: "dpw-program" }, ...lines);
    const node = make("div", { role: "group", ariaLabel: label }, list);
    return { node, show: (says) =>
      presses.forEach((press, at) => (press.ariaPressed = String(at === says.place))) };
  },

  file: (about, page) => {
    const input = make("input", { type: "file", accept: about.accept });
    const node = button(about.label, () => input.click());
    input.onchange = () => {
      const [file] = input.files ?? [];
      if (!file) return;
      const reader = new FileReader();
      // A data URL ends with what the file holds, in base64.
      reader.onload = () =>
        page.ask(about.name, { file: String(reader.result).split(",")[1] ?? "" });
      reader.readAsDataURL(file.slice(0, about.most + 1));
      input.value = ""; // to choose the same again is a choice too
    };
    return { node };
  },

  // Files to take away: what they hold travels when they are asked for.
  links: (about) => {
    const node = make("div", { className: "dpw-row" });
    return { node, show: ({ files = [] }) => {
      const links = files.map(([download, type, text]) => {
        const file = new Blob([text], { type: `${type};charset=utf-8` });
        return make("a", { download, href: URL.createObjectURL(file) }, download);
      });
      node.replaceChildren(...(links.length ? [`${about.label} `] : []), ...links);
    } };
  },

  words: ({ look = "plain", live, text = "" }) => {
    const said = look === "sentence" || look === "verdict";
    const node = make(said ? "output" : "div", { className: `dpw-words dpw-${look}` }, text);
    if (live) node.ariaLive = "polite";
    return { node, show: (says) => {
      if ("text" in says && node.textContent !== says.text) node.textContent = says.text;
    } };
  },

  complaint: (_, page) => {
    const { node, show } = complaint(page.id());
    return { node, show: (says) => show(says.text) };
  },

  list: () => {
    const node = make("ul", { className: "dpw-list" });
    return { node, show: ({ items }) =>
      node.replaceChildren(...items.map((item) => make("li", {}, item))) };
  },

  code: () => {
    const pre = make("pre", { tabIndex: 0, ariaLabel: "Python" });
    const copy = button("Copy", async () => {
      try {
        await navigator.clipboard.writeText(pre.textContent ?? "");
        copy.textContent = "Copied";
      } catch {
        getSelection()?.selectAllChildren(pre); // a page that may not copy
        copy.textContent = "Selected";
      }
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    }, { className: "dpw-button dpw-small" });
    const node = make("div", { className: "dpw-code" }, pre, copy);
    return { node, show: (says) => (pre.textContent = says.text) };
  },

  html: ({ html = "" }) => {
    const node = make("div", { innerHTML: html });
    return { node, show: (says) => {
      if ("html" in says && node.innerHTML !== says.html) node.innerHTML = says.html;
    } };
  },

  // Two layers in one place; a step of a slider sends the moving one alone.
  picture: ({ parts = [] }, { model, build, follow }) => {
    const [still, moving] = ["_still", "_moving"].map((trait) => {
      const layer = make("div");
      follow(trait, () => (layer.innerHTML = model.get(trait)));
      return layer;
    });
    moving.role = "img";
    const className = "dpwidgets-picture dpw-picture";
    const node = make("div", { className }, still, moving, ...parts.map(build));
    return { node, show: (says) => {
      moving.ariaLabel = says.alt;
      node.classList.toggle("dpwidgets-stale", Boolean(says.stale));
    } };
  },

  // Sliders that stand upright over a picture's frame.
  handles: ({ name, labels, padding }, page) => {
    const sliders = labels.map((label, at) => range({ name, label, at }, page));
    const node = make("div", { className: "dpw-handles" }, ...sliders.map(([slider]) => slider));
    node.style.padding = padding;
    return { node, show: ({ handles }, late) =>
      sliders.forEach(([, move], at) => move(handles[at], late)) };
  },

  // Another widget, which appears where this one says so.
  child: ({ trait, look }, { model, host, signal, follow }) => {
    const node = make("div", { className: `dpw-child ${look ?? ""}` });
    follow(trait, async () => {
      const ref = model.get(trait);
      node.replaceChildren();
      if (ref) await (await host.getWidget(ref)).render({ el: node, signal });
    });
    return { node };
  },
};

/**
 * The browser's own slider over the places that Python has counted. It stands upright if it is one
 * of several, at this place among them.
 * @param {{name?: string, label: string, at?: number}} about
 * @param {Page} page
 * @returns {[HTMLInputElement, (says: Says, late: boolean) => void]}
 */
function range({ name, label, at }, page) {
  const upright = at !== undefined;
  const slider = make("input", { type: "range", className: "dpwidgets-slider", ariaLabel: label });
  slider.classList.toggle("dpwidgets-upright", upright);
  if (upright) slider.ariaOrientation = "vertical";
  let slow = false;
  const pass = () => page.ask(name, { place: slider.valueAsNumber, ...(upright && { at }) });
  slider.oninput = () => {
    if (!slow) pass();
  };
  slider.onchange = () => {
    if (slow) pass(); // it is let go, or moved by a key
  };
  return [slider, (says, late) => {
    slow = Boolean(says.slow);
    slider.disabled = Boolean(says.solved);
    slider.ariaValueText = says.spoken;
    if (late) return;
    slider.max = String(says.max);
    slider.value = String(says.place);
  }];
}

/**
 * A table, whose first row has the names of its columns. It may be wider than its place.
 * @param {string[][]} rows
 */
function table([names, ...rows]) {
  const head = make("tr", {}, ...names.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
  const whole = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
  return make("div", { className: "dpw-table", tabIndex: 0 }, whole);
}

/**
 * Bring a page into view and mark it for a while, since it has changed where nobody looked.
 * @param {HTMLElement} root
 */
function attract(root) {
  root.scrollIntoView({ block: "nearest" });
  root.animate({ outline: ["3px solid var(--brand)", "3px solid transparent"] }, 1500);
}

/** @param {Place} where */
function render({ model, el, host, signal }) {
  /** @type {Map<string, NonNullable<Part["show"]>[]>} */
  const parts = new Map();
  const own = Math.random().toString(36).slice(2);
  let ids = 0, turns = 0, sent = 0, waiting = "";
  // What the reader did and Python has not answered, the first of it being on its way: one message
  // at a time, so that none overtakes or replaces another.
  /** @type {(Deed & {name: string})[]} */
  let done = [];
  const send = () => {
    waiting = done.length ? `${own} ${(turns += 1)}` : "";
    sent = Date.now();
    root.ariaBusy = String(Boolean(waiting));
    if (!waiting) return;
    model.set("_asked", { ...done[0], turn: waiting });
    model.save_changes();
  };
  /** @type {Page} */
  const page = {
    model, el, host, signal,
    id: () => `dpw-${own}-${(ids += 1)}`,
    ask: (name = "", deed) => {
      // Of a control that moves, only the newest place is of use.
      done = done.filter((one, place) =>
        !place || one.name !== name || !("place" in deed) || one.at !== deed.at);
      done.push({ name, ...deed });
      if (waiting && Date.now() - sent < 10000) return;
      if (waiting) done.shift(); // it was lost with its connection, or takes very long
      send();
    },
    build: (about) => {
      const { node, show } = kinds[about.kind](about, page);
      if (!about.name) return node;
      node.dataset.name = about.name;
      parts.set(about.name, [...(parts.get(about.name) ?? []), (says, late) => {
        node.hidden = Boolean(says.hidden);
        show?.(says, late);
      }]);
      return node;
    },
    follow: (trait, callback) => {
      model.on(`change:${trait}`, callback);
      signal?.addEventListener("abort", () => model.off(`change:${trait}`, callback));
      callback();
    },
  };
  const about = model.get("_about");
  const root = make("div", { className: `dpw dpw-${about.look}` });
  root.append(...about.parts.map(page.build));
  /** @type {Record<string, string>} */
  const known = {};
  let look = model.get("_shown")[""]?.look;
  page.follow("_shown", () => {
    /** @type {Record<string, Says>} */
    const shown = model.get("_shown");
    if (shown[""]?.look !== look) {
      look = shown[""]?.look;
      attract(root);
    }
    const answered = waiting && shown[""]?.turn === waiting;
    if (answered) done.shift();
    for (const [name, says] of Object.entries(shown)) {
      // What the reader moves now is not set back to where it was a moment ago.
      const late = done.some((one) => one.name === name);
      const written = JSON.stringify(says);
      if (known[name] === written) continue;
      known[name] = late ? "" : written;
      parts.get(name)?.forEach((part) => part(says, late));
    }
    if (answered) send();
  });
  el.append(root);
}

export default { render };
