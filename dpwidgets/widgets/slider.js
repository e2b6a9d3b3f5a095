// The page's side of slider.py: a native slider, so that keys, pointers and fingers work as
// everywhere in the browser.

function render({ model, el }) {
  const input = document.createElement("input");
  input.type = "range";
  input.className = "dpwidgets-slider";
  if (model.get("upright")) {
    input.classList.add("dpwidgets-upright");
    input.setAttribute("aria-orientation", "vertical");
    el.style.position = "relative";
  }
  // JupyterLab and Notebook leave the keys alone where the focused element itself says so.
  input.dataset.lmSuppressShortcuts = "true";

  const fill = () => input.style.setProperty("--share", input.value / (input.max || 1));
  const describe = () => {
    input.disabled = model.get("disabled");
    input.setAttribute("aria-label", model.get("label"));
    input.setAttribute("aria-valuetext", model.get("words"));
  };
  // Not at every change: a slider that waits for the release must not jump back during a drag.
  const place = () => {
    input.max = model.get("max");
    input.value = model.get("value");
    fill();
  };
  // The widgets' own model keeps one message in flight, in JupyterLab, Notebook and Voila alike:
  // until the kernel has said that it is done with one, the next waits, and a newer replaces it.
  const send = () => {
    model.set("value", input.valueAsNumber);
    model.save_changes();
  };

  input.addEventListener("input", () => {
    fill();
    if (model.get("continuous_update")) send();
  });
  input.addEventListener("change", send); // it is let go, or moved by a key
  model.on("change:value change:max", place);
  model.on("change:disabled change:label change:words", describe);
  describe();
  place();
  el.append(input);
}

export default { render };
