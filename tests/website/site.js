// The front end of a page without a kernel: `page.js` draws it, as in a notebook, and the models
// here answer it. An explorer's model shows frames that were drawn when the site was built; a
// question's knows what is right, since that stands in the page. Nothing is computed.
(() => {
  const here = document.currentScript.src;
  const files = new Map();
  const waiting = new Map();

  window.dpwidgetsFrames = (file, frames) => files.set(file, frames);

  // Calls back with a file's frames, at once if they are here already; with nothing if they fail.
  // A file is a script, since a page that was opened from a folder may not read files.
  function fetchFrames(file, then) {
    if (files.has(file)) return then(files.get(file));
    if (waiting.has(file)) return waiting.get(file).push(then);
    waiting.set(file, [then]);
    const script = document.createElement("script");
    script.src = new URL(`strips/${file}.js`, here);
    script.onload = script.onerror = () => {
      for (const one of waiting.get(file)) one(files.get(file));
      waiting.delete(file);
    };
    document.head.append(script);
  }

  // What page.js asks of a front end; `answer` takes what the reader has done.
  class Model {
    constructor(state, answer) {
      Object.assign(this, { state, answer, heard: new Map() });
    }
    get(name) {
      return this.state[name];
    }
    set(name, value) {
      this.state[name] = value;
    }
    save_changes() {
      this.answer(this.state._asked);
    }
    on(event, callback) {
      this.heard.set(event, [...(this.heard.get(event) ?? []), callback]);
    }
    off() {}
    // Lets the page show something else.
    show(changes) {
      const turn = { turn: this.state._asked?.turn ?? "" };
      if (changes._shown) changes._shown = { ...changes._shown, "": turn };
      Object.assign(this.state, changes);
      for (const name of Object.keys(changes))
        for (const callback of this.heard.get(`change:${name}`) ?? []) callback();
    }
  }

  function beginStrip(figure) {
    const about = JSON.parse(figure.querySelector("script").textContent);
    const [word, query] = about.link.slice(1).split("?");
    const place = figure.querySelector(".dpwidgets-still");
    const [still, moving] = place.querySelectorAll(".dpwidgets-picture > div");
    const told = figure.querySelector(".dpwidgets-told");
    const views = about.values.view;
    const first = about.shown.view.place;
    const state = { view: first, name: "", place: -1 };
    const names = Object.keys(about.views);
    const inView = (name) => (about.views[name] ?? []).includes(views[state.view]);

    // What Python would show, but for the controls that move nothing in this view.
    const only = (shown) =>
      about.controls.reduce((all, name) => {
        const hidden = !inView(name) || (name === "view" && views.length < 2);
        return { ...all, [name]: { ...all[name], hidden } };
      }, shown);
    const model = new Model(
      { _about: about.about, _shown: only(about.shown), _still: still.innerHTML, _moving: moving.innerHTML },
      answer,
    );

    // The parameter that is moved in this view, or any other: each file has the view's start too.
    const file = () => {
      const used = names.filter((name) => name !== "view" && inView(name));
      const name = used.includes(state.name) ? state.name : used[0];
      if (name !== state.name) Object.assign(state, { name, place: -1 });
      return `${figure.dataset.strip}/${views[state.view]}-${name}`;
    };

    function show() {
      const asked = file();
      const { name, place: at } = state;
      fetchFrames(asked, (frames) => {
        if (asked !== file() || at !== state.place) return; // moved on in the meantime
        if (!frames) {
          told.textContent = "This picture could not be loaded.";
          return model.show({ _shown: model.get("_shown") });
        }
        const text = (lines) => lines.map((line) => frames.lines[line]).join("\n");
        const [lower, upper, moved] = at < 0 ? frames.start : frames.frames[at];
        model.show({ _still: text(lower), _moving: text(upper), _shown: only({ ...frames.shown, ...moved }) });
        const detail = { name, view: views[state.view], value: about.values[name][at] };
        figure.dispatchEvent(new CustomEvent("dpwidgets-moved", { bubbles: true, detail }));
      });
    }

    function nearest(name, value) {
      const far = about.values[name].map((stop) => Math.abs(stop - value));
      return far.indexOf(Math.min(...far));
    }

    function answer({ name, text, place: at }) {
      told.textContent = "";
      if (text !== undefined && isNaN(read(text))) {
        const shown = model.get("_shown");
        const says = { ...shown[name], text, message: "Type a number, like 0.08, 1/3 or ln 3." };
        return model.show({ _shown: { ...shown, [name]: says } });
      }
      if (name === "view") state.view = at;
      else Object.assign(state, { name, place: text === undefined ? at : nearest(name, read(text)) });
      show();
    }

    function link() {
      const given = new URLSearchParams(query);
      given.delete("view");
      if (state.place >= 0) given.set(state.name, about.values[state.name][state.place]);
      if (views[state.view] !== views[0]) given.set("view", views[state.view]);
      const text = given.toString().replaceAll("+", "%20");
      return `#${word}${text && "?"}${text}`;
    }

    // Goes to the nearest stop of the first parameter that an address moves.
    function follow() {
      const [asked, values = ""] = location.hash.slice(1).split("?");
      if (asked !== word || document.querySelector(`[data-word="${word}"]`) !== figure) return;
      const given = new URLSearchParams(values.replaceAll("+", "%2B"));
      const start = new URLSearchParams(query);
      const left = [];
      Object.assign(state, { view: first, name: "", place: -1 });
      for (const [name, value] of given) {
        const all = Object.hasOwn(about.values, name) ? about.values[name] : [];
        const exact = all.map(String).indexOf(value);
        if (start.get(name) === value) continue;
        if (name === "view" && exact >= 0) state.view = exact;
        else if (!state.name && exact >= 0) Object.assign(state, { name, place: exact });
        else if (!state.name && typeof all[0] === "number" && value && isFinite(value))
          Object.assign(state, { name, place: nearest(name, value) });
        else left.push(`${name} = ${value}`);
      }
      told.textContent = left.length ? `Not shown here, from the link: ${left.join(", ")}.` : "";
      show();
      figure.scrollIntoView();
    }

    const touch = ({ target }) => {
      const { name } = target.closest?.("[data-name]")?.dataset ?? {};
      if (name && name !== "view" && inView(name))
        fetchFrames(`${figure.dataset.strip}/${views[state.view]}-${name}`, () => {});
    };
    figure.addEventListener("pointerover", touch);
    figure.addEventListener("focusin", touch);
    // When a control is let go: a browser takes no more than a few addresses a second.
    figure.addEventListener("change", () => history.replaceState(null, "", link()));
    figure.dataset.word = word;
    place.replaceChildren();
    window.dpwidgetsRender({ model, el: place });
    addEventListener("hashchange", follow);
    follow();
  }

  // Reads a number as a person writes it: 0.08, 0,08, 80%, 1/3, ln 3, e^-0.1; NaN for all else.
  function read(text) {
    if (/\d,\d{3}(?!\d)/.test(text) && !/(^|\D)0,/.test(text)) return NaN; // 1,000 may mean two
    const plain = text.toLowerCase().replaceAll("−", "-").replace(/(\d),(\d)/g, "$1.$2");
    const tokens = plain.match(/(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[a-z]+|√|\S/g) ?? [];
    let at = 0;
    const takes = (...all) => all.includes(tokens[at]) && tokens[at++];
    const sum = () => {
      let value = product();
      for (let sign; (sign = takes("+", "-")); ) value += sign === "+" ? product() : -product();
      return value;
    };
    const product = () => {
      let value = signed();
      for (;;) {
        if (takes("*", "·", "×")) value *= signed();
        else if (takes("/")) value /= signed();
        else if (/^(ln|sqrt|√|e)$/.test(tokens[at])) value *= power();
        else return value;
      }
    };
    const signed = () => (takes("-") ? -signed() : takes("+") ? signed() : power());
    const power = () => {
      let value = unit();
      if (takes("^")) value **= signed();
      return takes("%") ? value / 100 : value;
    };
    const unit = () => {
      const token = tokens[at++];
      if (token === "ln") return Math.log(signed());
      if (token === "sqrt" || token === "√") return Math.sqrt(signed());
      if (token === "e") return Math.E;
      if (token !== "(") return /^[\d.]/.test(token) ? Number(token) : NaN;
      const value = sum();
      return takes(")") ? value : NaN;
    };
    const value = sum();
    return at === tokens.length && isFinite(value) ? value : NaN;
  }

  // Half a unit of the last digit of a decimal number that has two digits or more; else 0.
  function halfADigit(text) {
    const found = text.match(/^\s*[-+−–]?(\d*)[.,]?(\d*)\s*(%?)\s*$/);
    if (!found || (found[1] + found[2]).replace(/^0+/, "").length < 2) return 0;
    return 10 ** -found[2].length / (found[3] ? 200 : 2);
  }

  function judge({ judged, tolerance, zero, below, above, rounded }, text) {
    const value = read(text);
    const near = (one) => {
      const scale = Math.max(Math.abs(one), Math.abs(value));
      return Math.abs(one - value) <= (one === 0 ? zero : tolerance * scale);
    };
    const [right] = judged[0];
    const exact = near(right) ? judged[0] : judged.find(([one]) => one === value);
    if (exact) return exact.slice(1);
    if (Math.abs(value - right) <= halfADigit(text) * (1 + 1e-9)) return [false, rounded];
    const known = judged.find(([one]) => near(one));
    return known?.slice(1) ?? [false, value < right ? below : above];
  }

  function beginQuestion(question) {
    const about = JSON.parse(question.querySelector(":scope > script").textContent);
    const held = question.querySelector(".dpwidgets-held");
    if (held) held.hidden = true;
    const reveal = () => held && Object.assign(held, { hidden: false, open: true });
    if (about.reached) return watch(question, about, reveal);
    const field = about.numbers
      ? { kind: "text", placeholder: "0.08, 0,08, 1/3, ln 3" }
      : { kind: "choice", look: "dpw-answers", options: about.judged.map(([choice]) => choice) };
    const check = { kind: "press", name: "check", label: "Check" };
    const parts = [
      { ...field, name: "answer", label: "Your answer" },
      { kind: "box", look: "row", parts: [check] },
      { kind: "words", name: "verdict", look: "verdict", live: true },
    ];
    let given = about.numbers ? "" : -1;
    const shown = (verdict, message = "") => ({
      answer: { [about.numbers ? "text" : "place"]: given, message },
      verdict: { text: verdict },
    });
    const model = new Model({ _about: { look: "answer", parts }, _shown: shown("") }, (asked) => {
      if (asked.name === "answer") given = asked.text ?? asked.place;
      if (asked.name === "answer" && !about.numbers) return model.show({ _shown: shown("") });
      if (about.numbers ? isNaN(read(given)) : given < 0) {
        const what = about.numbers ? "Type a number, like 0.08, 1/3 or ln 3." : "Choose one.";
        return model.show({ _shown: shown("", what) });
      }
      const [right, words] = about.numbers ? judge(about, given) : about.judged[given].slice(1);
      model.show({ _shown: shown(`${right ? "✓" : "✗"} ${words}`) });
      reveal();
    });
    const place = document.createElement("div");
    const list = about.numbers ? null : question.querySelector("ul");
    if (list) list.replaceWith(place);
    else question.querySelector("p").after(place);
    window.dpwidgetsRender({ model, el: place });
  }

  // A task looks at each move of its picture, on this page.
  function watch(question, { strip, name, label, view, reached }, reveal) {
    const said = document.createElement("output");
    said.textContent = `Move the control “${label}” alone.`;
    question.querySelector("p").after(said);
    document.addEventListener("dpwidgets-moved", ({ target, detail }) => {
      if (target.dataset.strip !== strip || detail.name !== name || detail.view !== view) return;
      const there = reached.includes(detail.value);
      said.textContent = there ? "✓ Reached." : "✗ Not there yet.";
      if (there) reveal();
    });
  }

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll(".dpwidgets-strip").forEach(beginStrip);
    document.querySelectorAll(".dpwidgets-question").forEach(beginQuestion);
  });
  window.dpwidgetsNumber = read;
})();
