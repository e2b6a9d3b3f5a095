// Lets questions be answered on a page without a kernel. What is right stands in the page, and so
// does what is said to each answer; it is Python's.
(() => {
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

  function begin(question, place) {
    const about = JSON.parse(question.querySelector(":scope > script").textContent);
    const said = document.createElement("output");
    const held = question.querySelector(".dpwidgets-held");
    if (held) held.hidden = true;
    const reveal = () => held && Object.assign(held, { hidden: false, open: true });
    if (about.reached) return watch(question, about, said, reveal);
    const form = document.createElement("form");
    const label = (words, type, value) => {
      const [one, input] = [document.createElement("label"), document.createElement("input")];
      Object.assign(input, { type, name: `question-${place}`, value });
      one.append(...(type === "radio" ? [input, ` ${words}`] : [`${words} `, input]));
      return one;
    };
    if (about.numbers) form.append(label("Your answer", "text", ""));
    else {
      question.querySelector("ul").replaceWith(form);
      form.append(...about.judged.map(([choice], at) => label(choice, "radio", at)));
    }
    const button = document.createElement("button");
    button.textContent = "Check";
    form.append(button, said);
    if (about.numbers) question.querySelector("p").after(form);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const given = new FormData(form).get(`question-${place}`);
      if (about.numbers ? Number.isNaN(read(given)) : given === null) {
        said.textContent = about.numbers ? "Type a number, like 0.08, 1/3 or ln 3." : "Choose one.";
        return;
      }
      const [right, words] = about.numbers
        ? judge(about, given)
        : about.judged[given].slice(1);
      said.textContent = `${right ? "✓" : "✗"} ${words}`;
      reveal();
    });
  }

  // A task looks at each move of its picture, on this page.
  function watch(question, { strip, name, label, view, reached }, said, reveal) {
    said.textContent = `Move the control “${label}” alone.`;
    question.querySelector("p").after(said);
    document.addEventListener("dpwidgets-moved", ({ target, detail }) => {
      if (target.dataset.strip !== strip || detail.name !== name || detail.view !== view) return;
      const there = reached.includes(detail.value);
      said.textContent = there ? "✓ Reached." : "✗ Not there yet.";
      if (there) reveal();
    });
  }

  document.addEventListener("DOMContentLoaded", () =>
    document.querySelectorAll(".dpwidgets-question").forEach(begin),
  );
  window.dpwidgetsNumber = read;
})();
