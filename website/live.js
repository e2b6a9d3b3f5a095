// Python for the explorers of a page, in a worker that is started when a reader asks for what no frame shows.
(() => {
  const here = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const live = new URL("../live/", here).href;
  const Model = window.dpwidgetsModel;

  /** @type {Worker | undefined} */
  let worker;
  /** @type {Map<string, InstanceType<typeof Model>>} */
  const models = new Map();
  /** @type {Map<number, {resolve: (model: any) => void, reject: (why: Error) => void}>} */
  const waiting = new Map();
  /** @type {Set<(words: string) => void>} */
  const listeners = new Set();
  let asked = 0;

  // A worker of a file has no policy but its own answer's; one of a blob has the page's, so that what the page may not
  // reach, Python may not reach either.
  function start() {
    const source = `const LIVE = ${JSON.stringify(live)}; importScripts(LIVE + "worker.js");`;
    worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => fail(event.message || "the worker did not start");
  }

  /** @param {string} why */
  function fail(why) {
    stop();
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  }

  function stop() {
    worker?.terminate();
    worker = undefined;
  }

  function hear({ kind, model, data, words, why, asked: at }) {
    if (kind === "progress") for (const tell of listeners) tell(words);
    else if (kind === "failed") fail(why);
    else if (kind === "comm_open") {
      const answer = (event) => {
        const message = { method: "update", state: { _asked: event }, buffer_paths: [] };
        worker?.postMessage({ model, data: message });
      };
      models.set(model, new Model({ ...data.state }, answer));
    } else if (kind === "comm_msg" && data.method === "update") models.get(model)?.take(data.state);
    else if (kind === "opened" || kind === "refused") {
      const { resolve, reject } = waiting.get(at) ?? {};
      waiting.delete(at);
      if (kind === "opened") resolve?.(models.get(model));
      else reject?.(new Error(why));
    }
  }

  /**
   * Makes an explorer of a link, in Python; `tell` hears how far that is.
   * @param {string} link
   * @param {(words: string) => void} tell
   * @returns {Promise<InstanceType<typeof Model>>}
   */
  function open(link, tell) {
    if (!worker) start();
    listeners.add(tell);
    asked += 1;
    const promise = new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
    worker?.postMessage({ link, asked });
    return promise.finally(() => listeners.delete(tell));
  }

  const possible = location.protocol.startsWith("http") && "Worker" in window;
  window.dpwidgetsLive = { open, possible, running: () => Boolean(worker), stop: () => fail("stopped") };
})();
