// Python for the explorers of a page, in a worker that is started when a reader asks for what no frame shows.

/**
 * @typedef {{resolve: (answer: any) => void, reject: (why: Error) => void}} Waiting
 * @typedef {{
 *   kind: string, model: string, data: {method?: string, state: Record<string, any>},
 *   why: string, megabytes: number, asked: number, answer: string,
 * }} Message what a worker says; which of it there is depends on the kind
 */
/**
 * Tells all strips of the page: how many megabytes have come, that Python is ready, or why it ended.
 * @param {string} event
 * @param {number | string} [detail]
 */
const tellStrips = (event, detail) => document.dispatchEvent(new CustomEvent(event, { detail }));

const dpwidgetsLive = (() => {
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;

  /** @type {Worker | undefined} */
  let worker;
  /** @type {Promise<void> | undefined} */
  let ready;
  /** @type {Map<string, DpwidgetsModel>} */
  const models = new Map();
  /** @type {Map<number, Waiting>} what was asked, by number; the start of all is 0 */
  const waiting = new Map();
  let asked = 0;

  /** Starts Python, once. */
  function start() {
    if (ready) return ready;
    // A worker of a file has no policy but its own answer's; one of a blob has the page's, so that what the page may not
    // reach, Python may not reach either.
    const live = new URL("../live/", here).href;
    const source = `const LIVE = ${JSON.stringify(live)}; importScripts(LIVE + "worker.js");`;
    const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    worker = new Worker(address);
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => stop(`Python ended: ${event.message}`);
    ready = new Promise((resolve, reject) => waiting.set(0, { resolve, reject }));
    return ready;
  }

  /**
   * Ends Python. Whoever waits hears why, and each explorer that it served.
   * @param {string} why
   */
  function stop(why) {
    worker?.terminate();
    worker = ready = undefined;
    models.clear();
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
    tellStrips("dpwidgets-ended", why);
  }

  /** @param {Message} message */
  function hear({ kind, model, data, why, megabytes, asked: at = 0, answer }) {
    if (kind === "progress") tellStrips("dpwidgets-came", megabytes);
    else if (kind === "failed") stop(`Python ended: ${why}`);
    else if (kind === "comm_open") models.set(model, new DpwidgetsModel({ ...data.state }, (event) => {
      const message = { method: "update", state: { _asked: event }, buffer_paths: [] };
      worker?.postMessage({ model, data: message });
    }));
    else if (kind === "comm_close") models.delete(model);
    else if (kind === "comm_msg" && data.method === "update") models.get(model)?.take(data.state);
    else if (kind === "ready" || kind === "answered" || kind === "refused") {
      const one = waiting.get(at);
      waiting.delete(at);
      if (kind === "refused") one?.reject(new Error(why));
      else one?.resolve(answer);
      if (kind === "ready") tellStrips("dpwidgets-ready");
    }
  }

  /**
   * @param {{open: string, only: string[], past: string[]} | {link: string}} what
   * @returns {Promise<string>}
   */
  function ask(what) {
    asked += 1;
    worker?.postMessage({ ...what, asked });
    return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
  }

  /**
   * Makes an explorer of a link; its name is for `link` and `close`.
   * @param {string} link
   * @param {string[]} only the controls that its reader knows; all if none is named
   * @param {string[]} past links to where it began, and to where its reader has been since
   * @returns {Promise<{name: string, model: DpwidgetsModel}>}
   */
  async function open(link, only, past) {
    const name = await ask({ open: link, only, past });
    return { name, model: /** @type {DpwidgetsModel} */ (models.get(name)) };
  }

  /** @param {string} name */
  const link = (name) => ask({ link: name });

  /** @param {string} name */
  const close = (name) => worker?.postMessage({ close: name });

  // Slides are one file, with the scripts in it; they promise nothing else.
  const served = location.protocol.startsWith("http");
  const possible = Boolean(here) && served && "Worker" in window;
  const missing = served ? "this browser has no workers" : "it was opened from a folder";
  const why = possible || !here ? "" : `Python cannot come into this page, since ${missing}.`;
  const running = () => Boolean(worker);
  return { possible, why, running, start, stop, open, link, close };
})();
Object.assign(window, { dpwidgetsLive }); // for alive.js
