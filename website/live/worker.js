// Python for a page of the site, in a worker: what a page's models say is passed to Python (end.py), what Python says to
// the page. LIVE, the address of this folder, is set by whoever starts it.
importScripts(`${LIVE}pyodide.js`);

const told = (words) => postMessage({ kind: "progress", words });

const end = (async () => {
  told("Python is coming …");
  const pyodide = await loadPyodide({ indexURL: LIVE });
  let come = 0;
  const messageCallback = (words) => {
    if (words.startsWith("Loaded")) return;
    const many = words.split(",").length;
    told(`Python is here; ${(come += many)} packages are coming …`);
  };
  await pyodide.loadPackage("dpwidgets", { messageCallback });
  told("The first picture is drawn …");
  const source = await (await fetch(`${LIVE}end.py`)).text();
  pyodide.runPython(source);
  const post = (text) => postMessage(JSON.parse(text));
  return pyodide.globals.get("End")(post);
})();
end.catch((error) => postMessage({ kind: "failed", why: String(error.message ?? error) }));

// In their order: each waits for the one before.
let last = end;
onmessage = ({ data }) => {
  last = last.then(async () => (await end).take(JSON.stringify(data)));
};
