// The front end of a page without a kernel: `page.js` draws it, as in a notebook, and the models
// here answer it. An explorer's model shows frames that were drawn when the site was built, until
// its reader wants more: then Python comes into the page, and answers from there on (live.js). A
// question's model knows what is right, since that stands in the page.

/**
 * @typedef {import("../dpwidgets/page/page.js").Place} Place
 * @typedef {[lower: number[], upper: number[], moved: Shown]} Frame
 * @typedef {{lines: string[], shown: Shown, start: Frame, frames: Frame[]}} Frames
 * @typedef {(frames?: Frames) => void} Then
 *
 * What stands in the page: of an explorer; of a question what `Checks` in teaching/asking.py
 * explains.
 * @typedef {{
 *   link: string, values: Record<string, any[]>, views: Record<string, string[]>,
 *   only: string[], controls: string[], about: object, shown: Shown,
 * }} Strip
 * @typedef {[what: any, right: boolean, words: string]} Judged
 * @typedef {{
 *   numbers: boolean, judged: Judged[], tolerance: number, zero: number,
 *   below: string, above: string, rounded: string, percent: string,
 * }} Question
 */
(() => {
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  /** @type {{dpwidgetsRender: (place: Place) => void}} */
  const { dpwidgetsRender: render } = /** @type {any} */ (window); // page.js has put it there
  /** @type {Map<string, Promise<Frames>>} */
  const packed = new Map();
  /** @type {Map<string, Frames>} */
  const files = new Map();
  /** @type {Map<string, Then[]>} */
  const waiting = new Map();

  /**
   * Called by each file of frames.
   * @param {string} file
   * @param {string} text gzip, in base64
   */
  function dpwidgetsFrames(file, text) {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    packed.set(file, new Response(plain).json());
  }

  /**
   * Calls back with a file's frames, at once if they are here already; with nothing if they fail.
   * A file is a script, since a page that was opened from a folder may not read files.
   * @param {string} file
   * @param {Then} then
   */
  function fetchFrames(file, then) {
    if (files.has(file)) return then(files.get(file));
    if (waiting.has(file)) return waiting.get(file)?.push(then);
    const all = [then];
    waiting.set(file, all);
    const arrive = async () => {
      const frames = await packed.get(file);
      if (frames) files.set(file, frames);
      for (const one of all) one(frames);
      waiting.delete(file);
    };
    if (packed.has(file)) return arrive(); // slides have them in the page
    const script = document.createElement("script");
    script.src = new URL(`strips/${file}.js`, here).href;
    script.onload = script.onerror = arrive;
    document.head.append(script);
  }

  /**
   * What stands in a page for these scripts to read.
   * @param {Element} place
   */
  function written(place) {
    return JSON.parse(found(place, ":scope > script", HTMLScriptElement).text);
  }

  /**
   * What the site was built with.
   * @template {Element} Kind
   * @param {Element} place
   * @param {string} selector
   * @param {new () => Kind} kind
   */
  function found(place, selector, kind) {
    const one = place.querySelector(selector);
    if (one instanceof kind) return one;
    throw new Error(`a page of this site has no ${selector}`);
  }

  /** @param {HTMLElement} figure */
  function beginStrip(figure) {
    /** @type {Strip} */
    const about = written(figure);
    const [word, query = ""] = about.link.slice(1).split("?");
    const place = found(figure, ".dpwidgets-still", HTMLElement);
    const [still, moving] = place.querySelectorAll(".dpwidgets-picture > div");
    const told = found(figure, ".dpwidgets-told", HTMLElement);
    const views = about.values.view;
    const first = about.shown.view.place;
    // Frames show one control away from the start. What else was moved is held where it was put, and
    // waits for Python.
    /** @typedef {{value: any, place: number, says: Shown}} Held */
    const begin = { view: first, name: "", place: -1, held: /** @type {Record<string, Held>} */ ({}) };
    const state = { ...begin, narrow: false };
    /** @type {(typeof begin)[]} */
    const past = []; // before each of the reader's moves
    let timer = 0, last = "";
    const names = Object.keys(about.views).filter((name) => name !== "view");
    const moves = (/** @type {string} */ name) =>
      names.includes(name) && about.views[name].includes(views[state.view]);
    const used = () => names.filter(moves);
    const waits = () => Object.keys(state.held).length > 0;
    const isStart = (/** @type {string} */ name, /** @type {number} */ at) => {
      const { text, place: start } = about.shown[name];
      return text === undefined ? at === start : about.values[name][at] === read(text);
    };

    // What Python would show, but for the controls that move nothing in this view. Where there are
    // no frames of a view, to touch a control is to ask for Python.
    const only = (/** @type {Shown} */ shown) => {
      const all = { ...shown };
      const asks = !used().length && dpwidgetsLive.possible;
      for (const name of about.controls) {
        const framed = name === "view" ? views.length > 1 && !shown.view.hidden : moves(name);
        const hidden = !framed && !(asks && names.includes(name) && !shown[name].hidden);
        all[name] = { ...all[name], hidden };
      }
      all.all = { hidden: !dpwidgetsLive.possible };
      all.undo = { disabled: !past.length };
      all.over = { disabled: state.view === first && state.place < 0 && !waits() };
      const message = dpwidgetsLive.possible
        ? "Not in the picture yet: this takes Python."
        : "Not in the picture: this takes Python, which cannot come here.";
      for (const [name, { says }] of Object.entries(state.held))
        all[name] = { ...all[name], ...says, message, hidden: false };
      all.picture = { ...all.picture, stale: waits() };
      return all;
    };
    const layers = { _still: still.innerHTML, _moving: moving.innerHTML };
    const model = new DpwidgetsModel(
      { _about: about.about, _shown: only(about.shown), ...layers }, answer);
    const alive = dpwidgetsAlive(figure, {
      render, link, past: () => [begin, ...past].map((one) => link(one)), only: about.only, told, above: !names.length });

    const framesOf = (/** @type {string} */ name) =>
      `${figure.dataset.strip}/${views[state.view]}-${name}${state.narrow ? "-narrow" : ""}`;

    // The parameter that is moved in this view, or any other: each file has the view's start too.
    const file = () => {
      const name = moves(state.name) ? state.name : (used()[0] ?? "view");
      if (name !== state.name) Object.assign(state, { name, place: -1 });
      return framesOf(name);
    };

    function show() {
      const asked = file();
      const { place: at } = state;
      fetchFrames(asked, (frames) => {
        if (asked !== file() || at !== state.place) return; // moved on in the meantime
        if (!frames) {
          told.textContent = "This picture could not be loaded.";
          return model.show({ _shown: model.get("_shown") });
        }
        const text = (/** @type {number[]} */ lines) =>
          lines.map((line) => frames.lines[line]).join("\n");
        const [lower, upper, moved] = at < 0 ? frames.start : frames.frames[at];
        const shown = only({ ...frames.shown, ...moved });
        model.show({ _still: text(lower), _moving: text(upper), _shown: shown });
      });
    }

    /**
     * @param {string} name
     * @param {number} value
     */
    function nearest(name, value) {
      const far = about.values[name].map((stop) => Math.abs(stop - value));
      return far.indexOf(Math.min(...far));
    }

    // Moved in the picture, a parameter goes to the stop of which its frame stands nearest. Where the next one stands back,
    // frames with other limits begin: they lie beyond the end of the way, where the first of them stands.
    /**
     * @param {Asked} asked
     * @returns {void | Promise<void>}
     */
    function find({ name, move, share = 0, handle = 0 }) {
      const now = model.get("_shown");
      if (!moves(name)) return answer({ name, move, place: now[name].place });
      fetchFrames(framesOf(name), (frames) => {
        const all = (frames?.frames ?? []).map(([, , moved]) => ({ ...frames?.shown, ...moved }));
        const stands = all.map((one) => one[name].handles[handle]?.at ?? Infinity);
        const steps = stands.map((at, stop) => Math.sign(at - (stands[stop - 1] ?? at)));
        const onwards = Math.sign(steps.reduce((sum, step) => sum + step, 0));
        let limits = 0;
        const within = steps.map((step) => (limits += Number(step * onwards < 0)));
        const own = within[now[name].place];
        const ends = onwards > 0 ? [0, 1] : [1, 0];
        const [left, right] = [within.indexOf(own) - 1, within.lastIndexOf(own) + 1];
        const far = stands.map((at, stop) => {
          if (stop < left || stop > right) return Infinity;
          return Math.abs((within[stop] === own ? at : ends[Number(stop === right)]) - share);
        });
        answer({ name, move, place: far.indexOf(Math.min(...far)) });
      });
    }

    /**
     * Goes on to another state, or back to one that its reader has left.
     * @param {typeof begin | undefined} there
     * @param {string} move
     */
    function go(there, move) {
      const { view, name, place: at, held } = state;
      if (there && move !== last) past.push({ view, name, place: at, held });
      last = move;
      Object.assign(state, there ?? past.pop());
      show();
      alive.moved();
      clearTimeout(timer);
      timer = setTimeout(tellAddress, 300);
    }

    /**
     * @param {Partial<Asked> & {name: string}} asked
     * @returns {void | Promise<void>}
     */
    function answer(asked) {
      const { name, text, move = "", place: at = -1 } = asked;
      if (name === "picture") {
        state.narrow = at === 1;
        return show();
      }
      told.textContent = "";
      if (asked.share !== undefined) return find(/** @type {Asked} */ (asked));
      if (name === "all") return alive.compute(link(), []);
      if (name === "undo") return past.length ? go(undefined, move) : show();
      if (name === "over") return go(begin, move);
      if (text !== undefined && isNaN(read(text))) {
        const shown = model.get("_shown");
        const says = { ...shown[name], text, message: "Type a number, like 0.08, 1/3 or ln 3." };
        return model.show({ _shown: { ...shown, [name]: says } });
      }
      const stop = text === undefined ? at : nearest(name, read(text));
      go(name === "view" ? seenIn(stop) : movedTo(name, stop, text), move);
      if (waits()) alive.compute(link());
    }

    /**
     * Where a control leads. The frames go to it if no other one is away from its start.
     * @param {string} name
     * @param {number} stop
     * @param {string} [text] what was typed
     */
    function movedTo(name, stop, text) {
      const { [name]: _, ...held } = state.held;
      const near = about.values[name][stop];
      const between = text !== undefined && Math.abs(near - read(text)) > 1e-9 * Math.abs(near);
      const alone = state.place < 0 || state.name === name || isStart(state.name, state.place);
      const framed = moves(name) && alone;
      if (between || (!framed && !isStart(name, stop))) {
        const frame = files.get(framesOf(name))?.frames[stop]?.[2][name];
        const says = { ...model.get("_shown")[name], ...frame, place: stop, text: text ?? String(near) };
        held[name] = { value: text ?? near, place: stop, says };
      }
      return { ...state, ...(framed ? { name, place: stop } : {}), held };
    }

    /**
     * Another view of all that was moved.
     * @param {number} view
     */
    function seenIn(view) {
      const { name, place: at, held: others } = state;
      if (at < 0 || isStart(name, at) || about.views[name].includes(views[view])) return { ...state, view };
      const held = { [name]: { value: about.values[name][at], place: at, says: model.get("_shown")[name] }, ...others };
      return { ...begin, view, held };
    }

    // A browser takes no more than a few addresses a second.
    function tellAddress() {
      if (!alive.is()) history.replaceState(null, "", link());
    }

    /**
     * A state as a link.
     * @param {typeof begin} there the one that is shown, or waits to be, if no other is given
     */
    function link(there = state) {
      const { view, name, place: at, held } = there;
      const given = new URLSearchParams(query);
      given.delete("view");
      if (at >= 0) given.set(name, about.values[name][at]);
      for (const [other, { value }] of Object.entries(held)) given.set(other, value);
      if (views[view] !== views[0]) given.set("view", views[view]);
      const text = given.toString().replaceAll("+", "%20");
      return `#${word}${text && "?"}${text}`;
    }

    // Goes to the nearest stop of the first parameter that an address moves, and to all of it with
    // Python.
    function follow() {
      const [asked, values = ""] = location.hash.slice(1).split("?");
      if (asked !== word || document.querySelector(`[data-word="${word}"]`) !== figure) return;
      figure.scrollIntoView();
      if (alive.is()) {
        alive.compute(location.hash, []);
        return;
      }
      const given = new URLSearchParams(values.replaceAll("+", "%2B"));
      const start = new URLSearchParams(query);
      const left = [];
      let between = false;
      Object.assign(state, begin);
      for (const [name, value] of given) {
        const all = Object.hasOwn(about.values, name) ? about.values[name] : [];
        const exact = all.map(String).indexOf(value);
        if (start.get(name) === value) continue;
        const shows = exact >= 0 && about.shown.view.only?.includes(exact) !== false;
        if (name === "view" && shows) state.view = exact;
        else if (name === "view") left.push(name);
        else if (!state.name && exact >= 0) Object.assign(state, { name, place: exact });
        else if (!state.name && typeof all[0] === "number" && !isNaN(read(value))) {
          Object.assign(state, { name, place: nearest(name, read(value)) });
          between = true;
        } else left.push(name);
      }
      if (state.name && !moves(state.name)) left.push(state.name);
      const shown = left.map((name) => `${name} = ${given.get(name)}`).join(", ");
      told.textContent = shown && `Not shown here, from the link: ${shown}.`;
      show();
      const known = left.every((name) => about.controls.includes(name));
      if (known && (between || left.length)) alive.compute(location.hash, []);
    }

    const touch = (/** @type {Event} */ { target }) => {
      const control = target instanceof Element ? target.closest("[data-name]") : null;
      const name = control?.getAttribute("data-name");
      if (name && name !== "view" && moves(name) && !alive.is())
        fetchFrames(framesOf(name), () => {});
    };
    figure.addEventListener("pointerover", touch);
    figure.addEventListener("focusin", touch);
    figure.dataset.word = word;
    place.replaceChildren();
    render({ model, el: place });
    addEventListener("hashchange", follow);
    follow();
  }

  // As in Python: 2020-01-31, 31/1/2020.
  const DATE = /^(?:\d{4}([-/.])\d\d?\1\d\d?|\d\d?([-/.])\d\d?\2(?:\d\d){1,2})$/;

  /**
   * Reads a number as a person writes it: 0.08, 0,08, 80%, 1/3, ln 3, e^-0.1; NaN for all else.
   * @param {string} text
   */
  function read(text) {
    if (/\d,\d{3}(?!\d)/.test(text) && !/(^|\D)0,/.test(text)) return NaN; // 1,000 may mean two
    const plain = text.replace(/^\s*±/, "").replace(/[−–]/g, "-").replaceAll(",", ".");
    if (DATE.test(plain.trim())) return NaN;
    if (/(?:ln|exp|sqrt|√)\s*[\d.]+\s*%?\s*\^/.test(plain)) return NaN; // ln 2^3 may mean two
    if (/\d+·\d+(?!\d|\s*\^)|\d+(?!e[-+]\d)\s*e\s*[-+]\s*\d/.test(plain)) return NaN; // 0·8 and 8 e-1 too
    const tokens = plain.match(/(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|[a-z]+|√|\S/g) ?? [];
    let at = 0;
    const takes = (/** @type {string[]} */ ...all) => all.includes(tokens[at]) && tokens[at++];
    /** @returns {number} */
    const sum = () => {
      let value = product();
      for (let sign; (sign = takes("+", "-")); ) value += sign === "+" ? product() : -product();
      return value;
    };
    /** @returns {number} */
    const product = () => {
      let value = signed();
      for (;;) {
        if (takes("*", "·", "×")) value *= signed();
        else if (takes("/")) value /= signed();
        else if (/^(ln|exp|sqrt|√|e)$/.test(tokens[at])) value *= power();
        else return value;
      }
    };
    /** @returns {number} */
    const signed = () => (takes("-") ? -signed() : takes("+") ? signed() : power());
    /** @returns {number} */
    const power = () => {
      let value = unit();
      if (takes("^")) value **= signed();
      return takes("%") ? value / 100 : value;
    };
    /** @returns {number} */
    const unit = () => {
      const token = tokens[at++];
      if (token === "ln") return Math.log(signed());
      if (token === "exp") return Math.exp(signed());
      if (token === "sqrt" || token === "√") return Math.sqrt(signed());
      if (token === "e") return Math.E;
      if (token !== "(") return /^[\d.]/.test(token) ? Number(token) : NaN;
      const value = sum();
      return takes(")") ? value : NaN;
    };
    const value = sum();
    return at === tokens.length && isFinite(value) ? value : NaN;
  }

  /**
   * Half a unit of the last digit of a decimal number that has so many digits or more; else 0.
   * @param {string} text
   * @param {number} digits
   */
  function halfADigit(text, digits) {
    const [, whole = "", rest = "", power = "0", percent] =
      text.match(/^\s*±?\s*[-+−–]?(\d*)[.,]?(\d*)(?:[eE]([-+−–]?\d+))?\s*(%?)\s*$/) ?? [];
    if ((whole + rest).replace(/^0+/, "").length < digits) return 0;
    const last = Number(power.replace(/[−–]/, "-")) - rest.length;
    return 10 ** last / (percent ? 200 : 2);
  }

  /**
   * @param {Question} question
   * @param {string} text
   * @returns {[right: boolean, words: string]}
   */
  function judge({ judged, tolerance, zero, below, above, rounded, percent }, text) {
    const value = read(text);
    const near = (/** @type {number} */ one) => {
      const scale = Math.max(Math.abs(one), Math.abs(value));
      return Math.abs(one - value) <= (one === 0 ? zero : tolerance * scale);
    };
    const [right] = judged[0];
    const exact = near(right) ? judged[0] : judged.find(([one]) => one === value);
    if (exact) return [exact[1], exact[2]];
    const off = Math.abs(value - right) / (1 + 1e-9);
    if (off <= halfADigit(text, 2)) return [false, rounded];
    const known = judged.find(([one]) => near(one));
    if (known) return [known[1], known[2]];
    if (right > 0 && right < 1 && near(100 * right)) return [false, percent];
    if (off <= halfADigit(text, 1)) return [false, rounded];
    return [false, value < right ? below : above];
  }

  /** @param {HTMLElement} question */
  function beginQuestion(question) {
    /** @type {Question} */
    const about = written(question);
    const held = question.querySelector(".dpwidgets-held");
    if (held instanceof HTMLElement) held.hidden = true;
    const reveal = () => held && Object.assign(held, { hidden: false, open: true });
    const field = about.numbers
      ? { kind: "text", placeholder: "0.08, 0,08, 1/3, ln 3" }
      : {
        kind: "choice",
        look: "dpw-answers",
        options: about.judged.map(([choice]) => choice),
      };
    const check = { kind: "press", name: "check", label: "Check" };
    const parts = [
      { label: "Your answer", ...field, name: "answer" },
      { kind: "box", look: "row", parts: [check] },
      { kind: "words", name: "verdict", look: "verdict", live: true },
    ];
    const given = { text: "", place: -1 };
    let tries = 0;
    /** @type {string | number | null} */
    let judged = null; // the same answer again is no second try
    const shown = (/** @type {string} */ verdict, message = "") => ({
      answer: { ...given, message },
      verdict: { text: verdict },
    });
    const model = new DpwidgetsModel({ _about: { look: "answer", parts }, _shown: shown("") }, (asked) => {
      const { name, text = given.text, place = given.place } = asked;
      Object.assign(given, { text, place });
      if (name === "answer" && !about.numbers) return model.show({ _shown: shown("") });
      if (about.numbers ? isNaN(read(text)) : place < 0) {
        const what = about.numbers ? "Type a number, like 0.08, 1/3 or ln 3." : "Choose one.";
        return model.show({ _shown: shown("", what) });
      }
      const answer = about.numbers ? text : place;
      const [right, words] = about.numbers ? judge(about, text) : about.judged[place].slice(1);
      model.show({ _shown: shown(`${right ? "✓" : "✗"} ${words}`) });
      if (answer !== judged) tries += 1;
      judged = answer;
      if (right || tries > 1) reveal();
    });
    const place = document.createElement("div");
    const list = about.numbers ? null : question.querySelector("ul");
    if (list) list.replaceWith(place);
    else found(question, "p", HTMLElement).after(place);
    render({ model, el: place });
  }

  // Paper is light.
  addEventListener("beforeprint", () => {
    const { dataset } = document.documentElement;
    const { theme } = dataset;
    dataset.theme = "light";
    addEventListener("afterprint", () => (dataset.theme = theme), { once: true });
  });
  document.addEventListener("DOMContentLoaded", () => {
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dpwidgets-strip"))
      .forEach(beginStrip);
    /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".dpwidgets-question"))
      .forEach(beginQuestion);
  });
  Object.assign(window, { dpwidgetsFrames, dpwidgetsNumber: read });
})();
