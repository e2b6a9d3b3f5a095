// A strip that comes alive: the line beside it with the button that brings Python, how much of it has come, and *Stop*.
// Until Python is here, and if it does not come, the strip stays as it was.

/**
 * @param {string} label
 * @param {() => void} onclick
 */
function dpwidgetsButton(label, onclick) {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", className: "dpw-button", textContent: label, onclick });
  return node;
}

/**
 * Copies a text and says so; where a page may not copy, its reader can, and is shown the text.
 * @param {string} text
 */
async function dpwidgetsCopied(text) {
  try {
    await navigator.clipboard.writeText(text);
    return "The link is copied.";
  } catch {
    return text;
  }
}

const COMES = 0.4; // of the time until Python is here, the share until it has come

/**
 * @typedef {{name: string, model: DpwidgetsModel, at?: Promise<string>}} Made at: the state it was last known to be in
 * @typedef {{
 *   render: (place: import("../dpwidgets/page/page.js").Place) => void,
 *   link: () => string, past: () => string[], only: string[], told: HTMLElement, above: boolean,
 * }} Home what draws a page, which state the frames show and which they have shown, from their start on, which
 *   controls, and where to say something and whether that is above the picture
 * @param {HTMLElement} figure
 * @param {Home} home
 */
function dpwidgetsAlive(figure, { render, link, past, only, told, above }) {
  const place = /** @type {HTMLElement} */ (figure.querySelector(".dpwidgets-still"));
  const megabytes = Number(figure.dataset.megabytes);
  /** @type {Made | undefined} */
  let present;
  let coming = false;
  let began = 0, came = 0; // when Python was asked for, and when all of it had come
  let wanted = ""; // the state that Python shall show, or shows
  let known = only; // the controls that its reader knows; all if none is named
  let timer = 0;

  const start = dpwidgetsButton(`Compute here (about ${megabytes} MB)`, () => {
    told.textContent = "";
    compute(wanted || link());
  });
  const stop = dpwidgetsButton("Stop", () => dpwidgetsLive.stop("Stopped."));
  const copy = dpwidgetsButton("Copy link", () => copyLink());
  const bar = document.createElement("progress");
  Object.assign(bar, { value: 0, ariaLabel: "Python is coming" });
  const line = document.createElement("div");
  line.className = "dpw dpwidgets-line";
  line.append(start, bar, stop, copy);
  if (above) place.before(line, told);
  else told.before(line);

  /** @param {string} words */
  function say(words) {
    told.textContent = words;
    start.hidden = coming || Boolean(present);
    bar.hidden = stop.hidden = !coming;
    copy.hidden = !present;
  }

  /** Makes what is wanted in Python, and once more if it is something else by then. */
  async function bring() {
    for (;;) {
      const [there, controls] = [wanted, known];
      const made = await dpwidgetsLive.open(there, controls, past().slice(0, present ? 1 : Infinity));
      if (there === wanted && controls === known) return made;
      dpwidgetsLive.close(made.name);
    }
  }

  /**
   * Lets Python show a state; what it refuses is said, and it then shows what the frames do.
   * @param {string} asked
   * @param {string[]} [controls]
   */
  async function compute(asked, controls = known) {
    const before = wanted;
    wanted = asked;
    known = controls;
    if (coming || !dpwidgetsLive.possible) return;
    coming = true;
    [began, came] = [Date.now(), 0];
    bar.value = 0;
    say(`${told.textContent} Python is coming …`.trim());
    let words = "";
    try {
      await dpwidgetsLive.start();
      const made = await bring().catch((/** @type {Error} */ { message }) => {
        words = message;
        const unlike = !present && link() !== wanted;
        wanted = present ? before : link();
        if (unlike && dpwidgetsLive.running()) return bring();
        throw new Error(message);
      });
      enliven(made);
    } catch (error) {
      words = /** @type {Error} */ (error).message;
    }
    coming = false;
    say(words);
  }

  /** @param {Made} made */
  function enliven(made) {
    const focused = place.contains(document.activeElement) ? document.activeElement : null;
    const name = focused?.closest("[data-name]")?.getAttribute("data-name");
    const type = focused?.getAttribute("type");
    if (present) dpwidgetsLive.close(present.name);
    figure.querySelector(".dpwidgets-frames")?.remove(); // what is said of frames is over
    present = made;
    made.at = dpwidgetsLive.link(made.name).catch(() => "");
    place.inert = false;
    place.replaceChildren();
    render({ model: made.model, el: place });
    made.model.on("change:_shown", () => {
      clearTimeout(timer);
      timer = setTimeout(follow, 300, made); // a browser takes no more than a few addresses a second
    });
    const same = place.querySelector(`[data-name="${name}"] [type="${type}"]:is(:checked, :not([type=radio]))`);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
  }

  /** @param {Made} made */
  async function follow(made) {
    if (made !== present) return;
    try {
      const there = await dpwidgetsLive.link(made.name);
      if (made !== present || there === (await made.at)) return; // its reader has moved nothing
      made.at = Promise.resolve(there);
      wanted = there;
      history.replaceState(null, "", there);
    } catch {} // a column that is too long for a link: the address stays, and *Copy link* says why
  }

  async function copyLink() {
    if (!present) return;
    try {
      const there = await dpwidgetsLive.link(present.name);
      say(await dpwidgetsCopied(location.href.split("#")[0] + there));
    } catch (error) {
      say(/** @type {Error} */ (error).message);
    }
  }

  // To start takes about as long again as to come, and half more: the bar is of both.
  document.addEventListener("dpwidgets-came", (event) => {
    const { detail } = /** @type {CustomEvent} */ (event);
    bar.value = (COMES * detail) / megabytes;
    if (!coming || came || detail < megabytes - 2) return;
    came = Date.now();
    told.textContent = told.textContent.replace("Python is coming", `${detail} MB came · starting Python`);
    const tick = setInterval(() => {
      const share = COMES + (COMES * (Date.now() - came)) / (came - began);
      if (coming) bar.value = Math.min(share, 0.99);
      else clearInterval(tick);
    }, 250);
  });
  document.addEventListener("dpwidgets-ready", () => {
    if (!coming && !present) compute(wanted || link());
  });
  document.addEventListener("dpwidgets-ended", (event) => {
    if (!present) return;
    present = undefined;
    place.inert = true;
    say(/** @type {CustomEvent} */ (event).detail);
  });
  line.hidden = !dpwidgetsLive.possible;
  say(dpwidgetsLive.why);
  const moved = () => {
    if (coming) wanted = link();
  };
  return { compute, moved, is: () => Boolean(present) };
}
Object.assign(window, { dpwidgetsAlive }); // for site.js
