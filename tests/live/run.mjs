// Run a Python program in Pyodide, under Node: node run.mjs LIVE PROGRAM ARGUMENTS. LIVE is the
// folder `live` of what `make lite` built with a folder of Pyodide's distribution. The machine's files are under /host.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const live = path.resolve(process.argv[2]);
const [program, ...words] = process.argv.slice(3);
const { distribution, packages } = JSON.parse(fs.readFileSync(`${live}/packages.json`));
const home = path.resolve(live, distribution) + "/";
const lock = JSON.parse(fs.readFileSync(`${home}pyodide-lock.json`));
for (const [name, about] of Object.entries(packages)) {
  lock.packages[name] = { ...about, file_name: path.resolve(live, about.file_name) };
}
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pyodide-"));
const lockFileURL = path.join(folder, "pyodide-lock.json");
fs.writeFileSync(lockFileURL, JSON.stringify(lock));
try {
  const { loadPyodide } = await import(`${home}pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: home, lockFileURL });
  await pyodide.loadPackage(["dpwidgets", "ipython", "left-out"], { messageCallback: () => {} });
  pyodide.FS.mkdir("/host");
  pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root: "/" }, "/host");
  pyodide.globals.set("arguments", pyodide.toPy([path.resolve(program), ...words]));
  await pyodide.runPythonAsync("import sys, runpy; sys.argv = ['/host' + arguments[0], *arguments[1:]]; runpy.run_path(sys.argv[0], run_name='__main__')");
} finally {
  fs.rmSync(folder, { recursive: true });
}
