// The first page's picture. A world is the noise that it has at ε = 1, as Python drew it; at another ε it has that noise
// divided by ε. So every ε and every line are a matter of counting, and no picture waits for Python.

/**
 * @typedef {{inside: boolean, noise: number}} World
 * @typedef {{
 *   at: number, wide: number, high: number, zero: number, columns: number, cell: number, reach: number, step: number,
 *   peak: number, up: number, stands: number,
 * }} Sight what all places follow from: ε; the picture's size, and where its heaps meet; the columns to each side of the
 *   middle; how wide one is, how far all reach and how far one does; how many dots the laws are high, and how high a dot
 *   is; the column at whose upper end the line stands
 */
const Dots = {
  circle: (/** @type {number} */ r) => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  square: (/** @type {number} */ r) => `m${-r} ${-r}h${2 * r}v${2 * r}h${-2 * r}z`,
  cross: (/** @type {number} */ r) => `m${-r} ${-r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`,
};
const Worlds = {
  middle: 0.5, // between the counts with and without, as answers are told

  /** @type {(value: number) => string} */
  written: (value) => String(Number(value.toPrecision(3))).replace("-", "−"),

  /** @type {(world: World, now: Sight) => number} */
  answer: ({ inside, noise }, { at }) => Number(inside) + noise / at,

  /** @type {(world: World, now: Sight) => number} */
  column: (world, now) => Math.ceil((Worlds.answer(world, now) - Worlds.middle) / now.step),

  /** @type {(world: World, now: Sight) => boolean} */
  isRight: (world, now) => Worlds.column(world, now) > now.stands === world.inside,

  /**
   * A length of 1, 2, 5, 10, … that is no less.
   * @type {(least: number) => number}
   */
  ruler: (least) => {
    const decade = 10 ** Math.floor(Math.log10(least));
    return decade * ([1, 2, 5].find((length) => length * decade >= least) ?? 10);
  },
};

(() => {
  const figure = /** @type {HTMLElement} */ (document.querySelector(".dpwidgets-worlds"));
  /**
   * @template {Element} Kind
   * @param {string} selector
   * @param {new () => Kind} kind
   */
  function part(selector, kind) {
    const found = figure.querySelector(selector);
    if (found instanceof kind) return found;
    throw new Error(`the first page has no ${selector}`);
  }
  const svg = part("svg", SVGSVGElement);
  const line = part("[name=line]", HTMLInputElement), epsilon = part("[name=epsilon]", HTMLInputElement);
  const says = part(".dpwidgets-says", HTMLElement), told = part(".dpwidgets-published", HTMLElement);
  const heard = part(".visually-hidden", HTMLElement), output = part("output", HTMLOutputElement);
  /** @type {{noise: number[], says: string, inside: string, outside: string}} */
  const about = JSON.parse(part("script", HTMLScriptElement).text);
  const each = about.noise.length / 2;
  const worlds = about.noise.map((noise, at) => ({ inside: at < each, noise }));
  /** @type {World[]} */
  let published = []; // at this ε and line
  let share = 0; // of the way from the middle to the right end, where the line stands
  let timer = 0;

  /**
   * @param {string} selector
   * @param {Record<string, string | number>} values
   */
  function set(selector, values) {
    for (const [name, value] of Object.entries(values)) part(selector, SVGElement).setAttribute(name, String(value));
  }

  // As wide as the noise at every ε, so that ε moves the heaps apart.
  /** @returns {Sight} */
  function frame() {
    const at = Number((10 ** epsilon.valueAsNumber).toPrecision(3));
    const [wide, high] = [svg.clientWidth, svg.clientHeight - 46]; // below are the line's words and the numbers
    svg.setAttribute("viewBox", `0 0 ${wide} ${high + 46}`); // on paper there is less room
    const columns = wide < 560 ? 20 : 40;
    const reach = (5 + at / 2) / at;
    const [zero, cell, step] = [high / 2 - 22, wide / columns / 2, reach / columns]; // below are the lengths
    const peak = (each / 2) * step * at;
    const up = Math.min(cell, zero / (peak + 4)); // no heap has more above its law's peak, at any ε
    return { at, wide, high, zero, columns, cell, reach, step, peak, up, stands: Math.round(share * columns) };
  }

  /**
   * Draws all worlds and what was published last; returns how many worlds lie right of the line.
   * @param {Sight} now
   */
  function drawDots(now) {
    const { wide, zero, columns, cell, up } = now;
    const r = 0.42 * Math.min(cell, up);
    const dots = { inside: "", outside: "", wrong: "" }, beyond = { inside: 0, outside: 0 };
    /** @type {Record<string, number>} */
    const heaps = {};
    set(".last", { d: "" });
    for (const world of [...worlds, ...published.slice(-1)]) {
      const kind = world.inside ? "inside" : "outside";
      const inSight = Math.max(1 - columns, Math.min(columns, Worlds.column(world, now)));
      const heap = kind + inSight;
      heaps[heap] = (heaps[heap] ?? 0) + 1;
      const away = (heaps[heap] - 0.5) * up;
      const place = `${wide / 2 + (inSight - 0.5) * cell} ${world.inside ? zero - away : zero + away}`;
      const right = Worlds.isRight(world, now);
      const whole = world.inside ? Dots.circle(r) : Dots.square(0.85 * r);
      const dot = right ? whole : Dots.cross(0.75 * r);
      if (published.includes(world)) {
        set(".last", { d: `M0 0${dot}M0 0${Dots.circle(6)}`, transform: `translate(${place})` });
      } else {
        if (right === world.inside) beyond[kind] += 1;
        dots[right ? kind : "wrong"] += `M${place}${dot}`;
      }
    }
    for (const [name, path] of Object.entries(dots)) set(`path.${name}:not(.law)`, { d: path });
    return beyond;
  }

  /**
   * Draws both laws, the axis, and the line.
   * @param {Sight} now
   */
  function drawFrame({ at, wide, high, zero, cell, reach, step, peak, up, stands }) {
    for (const inside of [true, false]) {
      const most = (inside ? -up : up) * peak;
      let law = `M0 ${zero}`;
      for (let x = 0; x <= wide; x += 4) {
        const answer = Worlds.middle + ((x - wide / 2) / cell) * step;
        law += `L${x} ${zero + most * Math.exp(-at * Math.abs(answer - Number(inside)))}`;
      }
      set(`.law.${inside ? "inside" : "outside"}`, { d: `${law}L${wide} ${zero}z` });
    }
    set(".axis", { d: `M0 ${zero}H${wide}M0 ${high + 20}H${wide}` });
    const apart = Worlds.ruler((2 * reach * (wide < 560 ? 48 : 80)) / wide);
    const far = 0.96 * reach; // at the very ends numbers would have no room
    let ticks = "";
    for (let n = Math.ceil((Worlds.middle - far) / apart); n * apart < Worlds.middle + far; n += 1) {
      const x = wide / 2 + ((n * apart - Worlds.middle) / step) * cell;
      ticks += `<path d="M${x} ${high + 20}v5"/><text x="${x}" y="${high + 41}">${Worlds.written(n * apart)}</text>`;
    }
    part(".ticks", SVGElement).innerHTML = ticks;
    const unit = cell / step;
    set(".lengths", { transform: `translate(${wide / 2 - Worlds.middle * unit} ${high - 40})` });
    set("rect.inside", { width: unit });
    set("rect.outside", { width: unit / at });
    part(".lengths text + text", SVGElement).textContent = `noise: ${Worlds.written(1 / at)}`;
    set(".upper", { transform: `translate(4 ${0.7 * zero})` });
    set(".lower", { transform: `translate(${wide - 4} ${1.3 * zero})` });
    const x = wide / 2 + stands * cell;
    set(".line", { transform: `translate(${x})` });
    set(".line path", { d: `M0 0V${high + 20}` });
    set(".line circle", { cy: high + 20 });
    set(".line text", { y: high + 10, visibility: x < 170 ? "hidden" : "visible" });
    set(".line text + text", { y: high + 10, visibility: wide - x < 170 ? "hidden" : "visible" });
  }

  function draw() {
    const now = frame();
    const { inside, outside } = drawDots(now);
    drawFrame(now);
    const counts = [each, inside, each, outside]; // in the order in which Python says them
    says.textContent = about.says.split(/\d+/).reduce((said, words, n) => said + counts[n - 1] + words);
    output.textContent = `ε = ${Worlds.written(now.at)}`;
    epsilon.ariaValueText = Worlds.written(now.at);
    line.ariaValueText = `${Worlds.written(Worlds.middle + now.stands * now.step)} above the count ${about.outside}`;
  }

  function move() {
    published = [];
    told.textContent = "";
    draw();
    clearTimeout(timer); // who listens hears where the hand rests
    timer = setTimeout(() => (heard.textContent = says.textContent), 600);
  }

  function publish() {
    const far = -Math.log(1 - Math.random()); // never infinite
    const world = { inside: Math.random() < 0.5, noise: Math.random() < 0.5 ? far : -far };
    published.push(world);
    told.textContent = "";
    draw();
    const last = part(".last", SVGElement);
    const [x, y] = last.getAttribute("transform")?.match(/[\d.]+/g) ?? [];
    const falls = [0, y].map((height) => ({ transform: `translate(${x}px, ${height}px)` }));
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const fall = last.animate(falls, { duration: still ? 0 : 700, easing: "cubic-bezier(.5, 0, 1, 1)" });
    fall.onfinish = () => {
      if (published.at(-1) !== world) return; // moved or published again in the meantime
      const now = frame();
      const [truth, other] = world.inside ? [about.inside, about.outside] : [about.outside, about.inside];
      const wins = published.filter((one) => Worlds.isRight(one, now)).length;
      told.textContent =
        `Published: ${Worlds.written(Worlds.answer(world, now))}. The line says ` +
        `“${Worlds.isRight(world, now) ? truth : other}”, and it was “${truth}”. ` +
        `Right so far: ${wins} of ${published.length}.`;
    };
  }

  new ResizeObserver(() => {
    const { columns, stands } = frame();
    Object.assign(line, { min: 1 - columns, max: columns - 1, value: stands });
    draw();
  }).observe(svg);
  /**
   * Moves what a slider stands for. Where a finger touches it first, it may be about to scroll.
   * @param {HTMLInputElement} slider
   * @param {() => void} moved
   */
  function follow(slider, moved) {
    let first = false, owed = false, start = "";
    slider.addEventListener("pointerdown", ({ pointerType }) => {
      [first, start] = [pointerType === "touch", slider.value];
    });
    slider.addEventListener("input", () => {
      [owed, first] = [first, false];
      if (!owed) moved();
    });
    slider.addEventListener("change", () => owed && moved());
    slider.addEventListener("pointercancel", () => {
      if (owed) [slider.value, owed] = [start, false];
    });
  }

  follow(line, () => {
    share = line.valueAsNumber / frame().columns;
    move();
  });
  follow(epsilon, move);
  part("button", HTMLButtonElement).addEventListener("click", publish);
  for (const shown of figure.querySelectorAll("div")) shown.hidden = false;
})();
