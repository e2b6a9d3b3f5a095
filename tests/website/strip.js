// Moves the strips: shows frames that were drawn when the site was built, and computes nothing.
// A file of frames is a script, since a page that was opened from a folder may not read files.
(() => {
  const here = document.currentScript.src;
  const files = new Map();
  const waiting = new Map();

  window.dpwidgetsFrames = (file, frames) => files.set(file, frames);

  // Calls back with a file's frames, at once if they are here already; with nothing if they fail.
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

  function begin(figure) {
    const about = JSON.parse(figure.querySelector("script").textContent);
    const [word, query] = about.link.slice(1).split("?");
    const [still, moving] = figure.querySelectorAll(".dpwidgets-picture > div");
    const [notes, code] = figure.querySelectorAll("output ~ div");
    const said = figure.querySelector("output");
    const told = figure.querySelector(".dpwidgets-told");
    const controls = [...figure.querySelectorAll("[data-name]")].map((part) => ({
      name: part.dataset.name,
      views: part.dataset.views.split(" "),
      part,
      slider: part.querySelector("[type=range]"),
      words: part.querySelector("span"),
      radios: [...part.querySelectorAll("[type=radio]")],
    }));
    const starts = new Map(
      controls.map(({ name, slider, words, radios }) => [
        name,
        slider
          ? [slider.valueAsNumber, slider.max, words.textContent]
          : radios.findIndex((radio) => radio.checked),
      ]),
    );
    const views = about.values.view ?? [controls[0].views[0]];
    const state = { view: starts.get("view") ?? 0, name: "", place: -1 };
    let shownStill = "";

    function stand({ slider, words }, [place, max, text]) {
      slider.max = max;
      slider.value = place;
      slider.style.setProperty("--share", place / (max || 1));
      slider.setAttribute("aria-valuetext", text);
      words.textContent = text;
    }

    // The parameter that is moved in this view, or any other: each file has the view's start too.
    const file = () => {
      const view = views[state.view];
      const used = controls.filter((one) => one.name !== "view" && one.views.includes(view));
      const one = used.find(({ name }) => name === state.name) ?? used[0];
      if (one.name !== state.name) Object.assign(state, { name: one.name, place: -1 });
      return `${figure.dataset.strip}/${view}-${one.name}`;
    };

    function show() {
      const asked = file();
      const { name, place } = state;
      fetchFrames(asked, (frames) => {
        if (asked !== file() || place !== state.place) return; // moved on in the meantime
        if (!frames) return void (told.textContent = "This picture could not be loaded.");
        const text = (lines) => lines.map((line) => frames.lines[line]).join("\n");
        const [lower, upper, sentence, list, python, moved] =
          place < 0 ? frames.start : frames.frames[place];
        if (shownStill !== (shownStill = asked + lower)) still.innerHTML = text(lower);
        moving.firstChild.innerHTML = text(upper);
        moving.firstChild.setAttribute("aria-label", text(sentence));
        said.textContent = text(sentence);
        notes.innerHTML = text(list);
        code.innerHTML = text(python);
        for (const one of controls) {
          if (one.slider) stand(one, moved[one.name] ?? starts.get(one.name));
          else if (one.name !== "view")
            one.radios[one.name === name && place >= 0 ? place : starts.get(one.name)].checked = true;
          one.part.hidden = !one.views.includes(views[state.view]);
        }
        const detail = { name, view: views[state.view], value: about.values[name][place] };
        figure.dispatchEvent(new CustomEvent("dpwidgets-moved", { bubbles: true, detail }));
      });
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
      Object.assign(state, { view: starts.get("view") ?? 0, name: "", place: -1 });
      for (const [name, value] of given) {
        const all = about.values[name];
        const exact = all ? all.map(String).indexOf(value) : -1;
        if (start.get(name) === value) continue;
        if (name === "view" && exact >= 0) state.view = exact;
        else if (!state.name && exact >= 0) Object.assign(state, { name, place: exact });
        else if (!state.name && typeof all?.[0] === "number" && value && isFinite(value)) {
          const far = all.map((stop) => Math.abs(stop - value));
          Object.assign(state, { name, place: far.indexOf(Math.min(...far)) });
        } else left.push(`${name} = ${value}`);
      }
      if (about.values.view) controls[0].radios[state.view].checked = true;
      told.textContent = left.length ? `Not shown here, from the link: ${left.join(", ")}.` : "";
      show();
      figure.scrollIntoView();
    }

    for (const control of controls) {
      const { name, part, slider } = control;
      const touch = () =>
        name !== "view" && fetchFrames(`${figure.dataset.strip}/${views[state.view]}-${name}`, () => {});
      part.addEventListener("pointerenter", touch);
      part.addEventListener("focusin", touch);
      part.addEventListener("input", ({ target }) => {
        if (name === "view") state.view = Number(target.value);
        else Object.assign(state, { name, place: Number(target.value) });
        told.textContent = "";
        if (slider) slider.style.setProperty("--share", slider.value / (slider.max || 1));
        show();
      });
      part.addEventListener("change", () => history.replaceState(null, "", link()));
      if (slider) stand(control, starts.get(name));
      part.hidden = !control.views.includes(views[state.view]);
    }
    figure.dataset.word = word;
    figure.querySelector(".dpwidgets-controls").hidden = false;
    addEventListener("hashchange", follow);
    follow();
  }

  document.addEventListener("DOMContentLoaded", () =>
    document.querySelectorAll(".dpwidgets-strip").forEach(begin),
  );
})();
