// Python for a page of the site, in a worker: what a page's models say is passed to Python (end.py), what Python says to
// the page. LIVE, the address of this folder, is set by whoever starts it.
importScripts(`${LIVE}pyodide.js`);

// How much has come is counted where it comes: Pyodide itself says nothing of its larger half.
let come = 0;
const plainFetch = self.fetch;
self.fetch = async (...what) => {
  const response = await plainFetch(...what);
  const counted = new TransformStream({
    transform(chunk, out) {
      const before = Math.floor(come / 1e6);
      come += chunk.byteLength;
      const now = Math.floor(come / 1e6);
      if (now > before) postMessage({ kind: "progress", megabytes: now });
      out.enqueue(chunk);
    },
  });
  return new Response(response.body?.pipeThrough(counted), response);
};

const failed = (error) => postMessage({ kind: "failed", why: String(error.message ?? error) });

const end = (async () => {
  const pyodide = await loadPyodide({ indexURL: LIVE, lighter: true });
  const errors = [];
  await pyodide.loadPackage("dpwidgets", {
    messageCallback: () => {},
    errorCallback: (words) => errors.push(words),
  });
  const source = await (await fetch(`${LIVE}end.py`)).text();
  try {
    pyodide.runPython(source);
  } catch (error) {
    throw errors.length ? new Error(errors.join("; ")) : error; // what did not come is why
  }
  const End = pyodide.globals.get("End");
  const made = End((text) => postMessage(JSON.parse(text)));
  postMessage({ kind: "ready" });
  return made;
})();
end.catch(failed);

// In their order: each waits for the one before.
let last = end;
onmessage = ({ data }) => {
  last = last.then(async () => (await end).take(JSON.stringify(data)));
  last.catch(failed);
};
