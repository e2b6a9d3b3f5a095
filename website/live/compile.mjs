// Compile all Python below a folder with Pyodide's own: node compile.mjs PYODIDE FOLDER. What becomes bytecode stands beside
// its source, as .pyc. No date counts, and docstrings stay, without which NumPy cannot be imported; those of the standard
// library, a seventh of it, go.
import path from "node:path";

const [home, root] = process.argv.slice(2).map((one) => path.resolve(one));
const { loadPyodide } = await import(`${home}/pyodide.mjs`);
const pyodide = await loadPyodide({ indexURL: `${home}/` });
pyodide.FS.mkdir("/given");
pyodide.FS.mount(pyodide.FS.filesystems.NODEFS, { root }, "/given");
pyodide.runPython(`
from pathlib import Path
from py_compile import PycInvalidationMode, compile
for path in Path("/given").rglob("*.py"):
    name = str(path.relative_to("/given"))
    bare = 2 if name.startswith("python_stdlib/") and "pyodide/" not in name else 0  # Pyodide reads its own docstrings
    compile(
        str(path), f"{path}c", name, quiet=2, optimize=bare, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH
    )
`);
