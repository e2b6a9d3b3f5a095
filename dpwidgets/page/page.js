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
 *   labels: string[], several?: boolean, most: number,
 * }} About
 *
 * What a part shows at present; that of the page itself, whose name is empty, has turn and look.
 * @typedef {{
 *   hidden?: boolean, disabled?: boolean, solved?: boolean, slow?: boolean, stale?: boolean,
 *   text: string, head?: string, message?: string, remark?: string, spoken: string, alt: string, html: string,
 *   place: number, max: number, only?: number[], handles?: Held[], items: string[], options: any[],
 *   narrow?: boolean, rows?: Row[], rest?: string, label?: string,
 *   files?: [name: string, type: string, text: string][], turn?: string, look?: number,
 * }} Says
 *
 * Where the name of a row of a picture stands, in shares of the picture: its top, its height, and
 * where it ends; then the name, and the sentence to which it opens.
 * @typedef {[top: number, high: number, end: number, name: string, words: string]} Row
 *
 * Where a picture has a parameter: the line along which it is moved, and how far on it stands.
 * @typedef {{words: string, upright: boolean, style: string, at: number}} Held
 *
 * What a reader did.
 * @typedef {{
 *   text?: string, place?: number, share?: number, handle?: number, pressed?: true,
 *   files?: [name: string, content: string][], move?: string,
 * }} Deed
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
 *   root: HTMLElement, id(): string, build(about: About): HTMLElement,
 *   follow(trait: string, show: () => void): void,
 *   ask(name: string | undefined, deed: Deed): void, waits(name: string | undefined): boolean,
 *   move(): string, say(words: string): void,
 * }} Page
 */

// No line ends between a number and the sign before it, or within "1 in 5".
/** @type {(words: string) => string} */
const together = (words) =>
  words.replace(/ (?:[=±]|(?<=\d )in(?= \d)) /g, (sign) => sign.replaceAll(" ", "\u00a0"));

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
  node.append(...children.map((one) => (typeof one === "string" ? together(one) : one)));
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
    const fold = node.closest("details"); // where nobody would read it
    if (words && fold) fold.open = true;
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
    if (box.value !== known) event.stopPropagation(); // to undo is the box's own while one types
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

/**
 * What a file holds, in base64: a data URL ends with it. Of one that cannot be read, nothing.
 * @param {File} file
 * @param {About} about
 * @returns {Promise<string>}
 */
function contents(file, about) {
  return new Promise((done) => {
    const reader = new FileReader();
    reader.onloadend = () => done(String(reader.result ?? "").split(",")[1] ?? "");
    reader.readAsDataURL(file.slice(0, about.most + 1));
  });
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
    const { slider, tell } = range(about, page, () => ({ place: slider.valueAsNumber }));
    const ends = about.ends.map((end) => make("span", {}, end));
    const line = make("div", { className: "dpw-line" }, slider,
      make("div", { className: "dpw-ends" }, ...ends));
    const { node, show } = field(about, page, box, line);
    return { node, show: (says, late) => {
      show(says, late);
      tell(says);
      if (!late) Object.assign(slider, { max: says.max, value: says.place });
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

  // Where there is nothing to do it says so and keeps the focus, which a disabled one would lose.
  press: ({ name, label, help = "" }, page) => {
    const node = button(label, () => {
      if (node.ariaDisabled !== "true") page.ask(name, { pressed: true });
    }, { title: help });
    return { node, show: (says) => (node.ariaDisabled = String(Boolean(says.disabled))) };
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
      const written = JSON.stringify(options);
      if (written !== known) {
        known = written;
        rows.replaceChildren(...options.flatMap(([press, makes], at) => [
          button(press, () => page.ask(name, { place: at })),
          make("span", {}, makes),
        ]));
      }
      if (place === undefined) return;
      const buttons = rows.querySelectorAll("button");
      buttons.forEach((press, at) => (press.ariaPressed = String(at === place)));
    } };
  },

  file: (about, page) => {
    const input = make("input", { type: "file", multiple: Boolean(about.several) });
    const node = button(about.label, () => input.click());
    input.onchange = async () => {
      const chosen = [...(input.files ?? [])];
      input.value = ""; // to choose the same again is a choice too
      if (!chosen.length) return;
      const read = await Promise.all(chosen.map((file) => contents(file, about)));
      page.ask(about.name, { files: chosen.map(({ name }, at) => [name, read[at]]) });
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

  // A sentence follows each step, and is told to a screen reader when the hand rests.
  words: ({ look = "plain", live, text = "" }, page) => {
    const [follows, judges] = [look === "sentence", look === "verdict"];
    const node = make(judges ? "output" : "div", { className: `dpw-words dpw-${look}` }, text);
    if (live && !follows) node.ariaLive = "polite";
    return { node, show: (says) => {
      if (says.text === undefined) return;
      const [before, now] = [node.textContent ?? "", together(says.text)];
      if (before === now) return;
      const { head = "" } = says; // it stands above the picture, and here for a screen reader
      const below = now.slice(head.length);
      node.replaceChildren(...((follows || judges) && before ? marked(before, below) : [below]));
      if (head) node.prepend(make("span", { className: "dpw-head" }, head));
      if (live && follows && before) page.say(now);
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
    const rest = make("pre", { tabIndex: 0, ariaLabel: "The rest of the call" });
    const summary = make("summary");
    const more = make("details", {}, summary, rest);
    const shown = make("div", {}, pre, more);
    const copy = button("Copy", async () => {
      try {
        const text = [pre, rest].map((one) => one.textContent).filter(Boolean).join("\n");
        await navigator.clipboard.writeText(text);
        copy.textContent = "Copied";
      } catch {
        more.open = true;
        getSelection()?.selectAllChildren(shown); // a page that may not copy
        copy.textContent = "Selected";
      }
      setTimeout(() => (copy.textContent = "Copy"), 1500);
    }, { className: "dpw-button dpw-small" });
    const node = make("div", { className: "dpw-code" }, shown, copy);
    return { node, show: (says) => {
      pre.textContent = says.text;
      rest.textContent = says.rest ?? "";
      summary.textContent = says.label ?? "";
      more.hidden = !says.rest;
    } };
  },

  // Where it has a place it can be pressed.
  html: ({ name, html = "" }, page) => {
    const node = make("div", { innerHTML: html });
    node.onclick = ({ target }) => {
      const pressed = /** @type {Element} */ (target).closest("[data-place]");
      if (pressed) page.ask(name, { place: Number(pressed.getAttribute("data-place")) });
    };
    return { node, show: (says) => {
      if ("html" in says && node.innerHTML !== says.html) node.innerHTML = says.html;
    } };
  },

  // Two layers in one place; a step of a slider sends the moving one alone. Between them a trace of
  // how it was before the last move, if it lay in the same frame, with ids of its own.
  picture: ({ name, parts = [] }, page) => {
    const { model, root, build, follow, ask, move } = page;
    const [still, trace, moving] = ["", "dpw-trace", ""].map((className) =>
      make("div", { className }));
    let frame = "", last = move();
    follow("_moving", () => {
      if (frame !== model.get("_still")) trace.replaceChildren();
      else if (last !== move())
        trace.innerHTML = moving.innerHTML.replaceAll(/(?<=id="|#)(?=\w{10})/g, "trace");
      [frame, last] = [model.get("_still"), move()];
      moving.innerHTML = model.get("_moving");
    });
    follow("_still", () => (still.innerHTML = model.get("_still")));
    moving.role = "img";
    const className = "dpwidgets-picture dpw-picture";
    const rows = make("div", { className: "dpw-rows" });
    const node = make("div", { className }, still, trace, moving, rows, ...parts.map(build));
    // Where it has less than 560 px it is drawn anew, for letters that can be read.
    let narrow = false;
    new ResizeObserver(([{ contentRect: { width } }]) => {
      if (!width || narrow === (width < 560)) return;
      narrow = !narrow;
      ask(name, { place: Number(narrow), move: move() }); // which no hand has made
    }).observe(root);
    new ResizeObserver(() => root.style.setProperty("--high", `${node.offsetHeight}px`)).observe(node);
    // A browser scrolls to the caret of a large box, whatever margin the box asks for.
    root.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLTextAreaElement) target.scrollIntoView({ block: "nearest" });
    });
    const group = page.id();
    return { node, show: (says, late) => {
      moving.ariaLabel = says.alt;
      node.classList.toggle("dpwidgets-stale", Boolean(says.stale));
      node.classList.toggle("dpw-narrow", Boolean(says.narrow));
      if (!late) narrow = Boolean(says.narrow);
      openTo(rows, says.rows ?? [], group);
    } };
  },

  // What can be moved in a picture: a slider wherever it has the parameter.
  handles: (about, page) => {
    const node = make("div", { className: "dpw-handles" });
    /** @type {NonNullable<Part["show"]>[]} */
    const all = [];
    return { node, show: (says, late) => {
      while (all.length < (says.handles?.length ?? 0)) {
        const one = handle(about, page, all.length);
        node.append(one.node);
        all.push(one.show);
      }
      all.forEach((show) => show(says, late));
    } };
  },

  // Another widget, which appears where this one says so; parts of ours stand below its picture.
  child: ({ trait, parts = [] }, { model, host, signal, build, follow }) => {
    const node = make("div", { className: "dpw-child" });
    const own = parts.map(build);
    follow(trait, async () => {
      const ref = model.get(trait);
      node.replaceChildren(...own);
      if (ref) await (await host.getWidget(ref)).render({ el: node, signal });
      const sentence = node.querySelector(".dpw-picture ~ .dpw-sentence");
      sentence?.after(...own);
    });
    return { node };
  },
};

const SILENCE = "Python does not answer. If nothing else runs there, run the cell or load the page again.";
const NUMBER = /(−?\d+(?:[.,]\d+)*(?:e-?\d+)?%?)/;

/**
 * Words in which the numbers are marked that the words before did not have.
 * @param {string} before
 * @param {string} now
 */
function marked(before, now) {
  const known = before.split(NUMBER);
  return now.split(NUMBER).map((part, at) =>
    at % 2 && !known.includes(part) ? make("span", { className: "dpw-new" }, part) : part);
}

/**
 * The browser's own slider.
 * @param {About} about
 * @param {Page} page
 * @param {() => Deed} deed what its reader has done
 */
function range({ name, label: ariaLabel }, page, deed) {
  const slider = make("input", { type: "range", className: "dpwidgets-slider", ariaLabel });
  let slow = false, first = false, owed = false, start = "";
  const pass = () => page.ask(name, deed());
  slider.addEventListener("pointerdown", ({ pointerType }) => {
    [first, start] = [pointerType === "touch", slider.value]; // a finger may be about to scroll
  });
  slider.oninput = () => {
    [owed, first] = [slow || first, false];
    if (!owed) pass();
  };
  slider.onchange = () => {
    if (owed) pass(); // it is let go, or moved by a key
  };
  slider.onpointercancel = () => {
    if (owed) [slider.value, owed] = [start, false];
  };
  return { slider, tell: (/** @type {Says} */ says) => {
    slow = Boolean(says.slow);
    slider.disabled = Boolean(says.solved);
    slider.ariaValueText = says.spoken;
  } };
}

const FINE = 10000; // steps of a handle: so many that only an arrow key moves it by a single one

/**
 * A slider over a picture: its thumb stands where the picture has the parameter. A hand moves it to
 * any share of its way, and an arrow key to the parameter's next stop.
 * @param {About} about
 * @param {Page} page
 * @param {number} at its place among those of the parameter
 */
function handle(about, page, at) {
  let place = 0, last = 0, rest = 0, grip = false;
  const { slider, tell } = range(about, page, () => {
    const moved = slider.valueAsNumber - last;
    last = slider.valueAsNumber;
    return Math.abs(moved) === 1 ? { place: (place += moved) } : { share: last / FINE, handle: at };
  });
  const settle = () => (slider.valueAsNumber = last = rest);
  slider.className = "dpw-handle";
  slider.max = String(FINE);
  const release = () => (grip = false);
  slider.onpointerdown = () => {
    grip = true;
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { once: true });
  };
  slider.addEventListener("change", () => {
    if (!page.waits(about.name)) settle();
  });
  return { node: slider, show: (/** @type {Says} */ says, /** @type {boolean} */ late) => {
    const held = says.handles?.[at];
    slider.hidden = !held || Boolean(says.solved);
    if (!held) return;
    tell(says);
    slider.ariaOrientation = held.upright ? "vertical" : "horizontal";
    slider.ariaLabel = [about.label, held.words].filter(Boolean).join(": ");
    slider.style.cssText = held.style;
    rest = Math.round(held.at * FINE);
    if (late) return;
    place = says.place;
    if (!grip) settle();
  } };
}

/**
 * Let the rows of a picture open to their sentences, one at a time; an open one stays so.
 * @param {HTMLElement} node
 * @param {Row[]} rows
 * @param {string} group
 */
function openTo(node, rows, group) {
  if (node.childElementCount !== rows.length) {
    node.replaceChildren(...rows.map(() =>
      make("details", { name: group }, make("summary"), make("p"))));
  }
  rows.forEach(([top, high, end, name, words], at) => {
    const row = /** @type {HTMLElement} */ (node.children[at]);
    const [summary, says] = /** @type {HTMLCollectionOf<HTMLElement>} */ (row.children);
    row.style.cssText = `height: ${100 * high}%; top: ${100 * top}%`;
    summary.style.width = `${100 * end}%`;
    summary.ariaLabel = name;
    says.textContent = together(words);
  });
}

/** @param {Place} where */
function render({ model, el, host, signal }) {
  /** @type {Map<string, NonNullable<Part["show"]>[]>} */
  const parts = new Map();
  const whole = model.get("_about"), own = Math.random().toString(36).slice(2);
  let ids = 0, turns = 0, waiting = "", dims = 0, ends = 0, lost = false, rests = 0;
  // What one control does until the hand leaves it is one move, however long that takes.
  let moves = 0, mover = "", left = true;
  // What the reader did and Python has not answered, the first of it being on its way: one message
  // at a time, so that none overtakes or replaces another.
  /** @type {(Deed & {name: string})[]} */
  let done = [];
  const send = () => {
    waiting = done.length ? `${own} ${(turns += 1)}` : "";
    root.ariaBusy = String(Boolean(waiting));
    wait();
    if (!waiting) return;
    model.set("_asked", { ...done[0], turn: waiting });
    model.save_changes();
  };
  // What is shown is old after a second without an answer, and until all is answered; after ten
  // Python may be gone, which nothing but its silence tells.
  const wait = () => {
    [dims, ends].forEach(clearTimeout);
    if (!waiting) return root.classList.remove("dpw-late");
    dims = setTimeout(() => root.classList.add("dpw-late"), 1000);
    ends = setTimeout(() => {
      lost = true;
      root.ariaBusy = "false";
      silence.show(SILENCE);
    }, 10000);
  };
  /** @type {Page} */
  const page = {
    model, el, host, signal,
    root: make("div", { className: `dpw dpw-${whole.look}`, role: "group", ariaLabel: whole.label, tabIndex: -1 }),
    id: () => `dpw-${own}-${(ids += 1)}`,
    ask: (name = "", deed) => {
      // Of a control that moves, only the newest place is of use.
      const goes = "place" in deed || "share" in deed;
      done = done.filter((one, place) => !place || one.name !== name || !goes);
      if (!deed.move && (left || mover !== name)) moves += 1;
      if (!deed.move) [mover, left] = [name, false];
      done.push({ name, move: page.move(), ...deed });
      if (waiting && !lost) return;
      if (waiting) done.shift(); // it was lost with its connection, or takes very long
      send();
    },
    move: () => `${own} ${moves}`,
    waits: (name) => done.some((one) => one.name === name),
    say: (words) => {
      clearTimeout(rests);
      rests = setTimeout(() => {
        told.textContent = words;
        rests = setTimeout(() => told.replaceChildren(), 5000); // or it would be met twice
      }, 500);
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
  const { root } = page;
  const silence = complaint(page.id());
  const told = make("div", { className: "dpw-spoken", ariaLive: "polite" });
  root.append(silence.node, told, ...whole.parts.map(page.build));
  // A click beside a control is the page's too: JupyterLab would take the next key, and x the cell.
  root.setAttribute("data-lm-suppress-shortcuts", "");
  const begins = (/** @type {Event} */ event) => (left ||= !("repeat" in event && event.repeat));
  for (const one of ["pointerdown", "keydown", "focusin", "click"])
    root.addEventListener(one, begins, { capture: true });
  root.onkeydown = (event) => {
    const undoes = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === "z";
    if (!undoes || !parts.has("undo")) return;
    event.preventDefault();
    event.stopPropagation();
    page.ask("undo", { pressed: true });
  };
  /** @type {Record<string, string>} */
  const known = {};
  let looked = model.get("_shown")[""]?.look;
  page.follow("_shown", () => {
    /** @type {Record<string, Says>} */
    const shown = model.get("_shown");
    const { look, turn } = shown[""] ?? {};
    if (look !== looked) { // it has changed where nobody looked
      looked = look;
      root.scrollIntoView({ block: "nearest" });
      root.animate({ outline: ["3px solid var(--brand)", "3px solid transparent"] }, 1500);
    }
    const answered = waiting && turn === waiting;
    if (answered) done.shift();
    lost = false;
    silence.show();
    wait();
    const { activeElement } = /** @type {Document | ShadowRoot} */ (root.getRootNode());
    const focused = activeElement && root.contains(activeElement) ? activeElement : root;
    for (const [name, says] of Object.entries(shown)) {
      // What the reader moves now is not set back to where it was a moment ago.
      const late = page.waits(name);
      const written = JSON.stringify(says);
      if (known[name] === written) continue;
      known[name] = late ? "" : written;
      parts.get(name)?.forEach((part) => part(says, late));
    }
    // What had the focus and is hidden now, or follows from the others, leaves it in the page.
    if (focused.matches(":disabled") || !focused.getClientRects().length) root.focus({ preventScroll: true });
    if (answered) send();
  });
  el.append(root);
}

export default { render };
