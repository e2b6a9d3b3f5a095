// Pyodide with this site's own packages among those of its distribution, for JupyterLite's kernel and for the site's
// worker. packages.json says where the distribution is, a folder beside this file or its CDN, and lists the packages.
async function json(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} did not come`);
  return answer.json();
}

self.loadPyodide = async (options) => {
  const here = options.indexURL; // whoever loads this file says where it found it
  const { distribution, packages, light } = await json(new URL("packages.json", here));
  const home = new URL(distribution, here).href;
  const lock = await json(`${home}pyodide-lock.json`);
  const lighter = options.lighter && light; // where the distribution stands beside this file
  for (const [name, about] of Object.entries({ ...packages, ...(lighter ? light.lighter : {}) })) {
    lock.packages[name] = { ...about, file_name: new URL(about.file_name, here).href };
  }
  const lockFileURL = URL.createObjectURL(new Blob([JSON.stringify(lock)], { type: "application/json" }));
  importScripts(`${home}pyodide.js`); // Pyodide's own loadPyodide takes the place of this one
  // JupyterLite's kernel asks for ssl, and takes what is named for loaded; no page has sockets that would need it.
  const wanted = (options.packages ?? []).filter((name) => name !== "ssl");
  const more = light ? { stdLibURL: new URL(light.stdlib, here).href } : {};
  const pyodide = await self.loadPyodide({ ...options, ...more, packages: wanted, indexURL: home, lockFileURL });
  if (light) {
    const source = await (await fetch(new URL("left_out.py", here))).text();
    pyodide.runPython(source);
    pyodide.globals.get("LeftOut")(new URL(light.left_out, here).href);
  }
  return pyodide;
};
