# Two commands: `make lab` opens the notebooks, `make test` runs every test. Each creates what it needs in .venv.
# Each takes another Python by its name or path: `make test PYTHON=python3.13`. That one gets a folder
# of its own, .venv-python3.13, so that no Python meets what was made for another.

VENV := .venv$(subst /,-,$(PYTHON:%=-%))
BIN := $(VENV)/bin
# Reads no pip.conf: whoever has a mirror names it in UV_DEFAULT_INDEX.
# What does not run is not there: a name may be a shim of pyenv without a version behind it.
UV := $(or $(shell uv --version >/dev/null 2>&1 && command -v uv),$(BIN)/uv)
RUNS := for one in python3 python; do $$one -c 'import venv' 2>/dev/null && echo $$one && break; done
# Three workers, also on two processors: a test often waits for a server. Each may take a gigabyte with its browser. In
# order, so that the long tests do not come last.
PARALLEL := -n 3 --dist loadfile --no-loadscope-reorder
ROOT_FLAG := $(if $(filter 0,$(shell id -u)),--allow-root)  # in a container, root is often the only user

# A hundred Pythons start, and each would compile anew all that it imports.
unexport PYTHONDONTWRITEBYTECODE
# The processors are taken by workers; threads of numpy's would wait for each other.
test others quick fuzz: export OPENBLAS_NUM_THREADS := 1

.PHONY: lab test others quick fuzz notebooks site lite slides bench hub grading release clean

lab: $(VENV)/lab.stamp
	$(BIN)/jupyter lab $(ROOT_FLAG) notebooks/00_start_here.ipynb

# All that this machine can say of the package.
test: $(VENV)/test.stamp
	$(BIN)/python -m pytest $(PARALLEL) -m "not others"
	@echo "Left out: the versions, Pythons, hosts and type checkers of other machines. make others runs them."

# What other machines have, in environments of their own with packages from PyPI and npm: the lowest versions, Binder's and
# Google Colab's, a wheel and a clone as a reader installs them, Jupyter Notebook, marimo, other libraries' numbers, users'
# type checkers, and all notebooks in Pyodide.
others: $(VENV)/test.stamp
	$(BIN)/python -m pytest $(PARALLEL) -m others

# What to run while you work, a minute: the floors of the house without what is marked `slow`, and fewer random calls. Two
# workers: nothing here waits for a server, and each loads all that it may be asked.
quick: $(VENV)/test.stamp
	DPWIDGETS_EXAMPLES=20 $(BIN)/python -m pytest $(PARALLEL) -n 2 --dist worksteal -m "not slow" \
		tests/calculators tests/decisions tests/inputs tests/plots tests/explorers tests/teaching tests/test_house.py dpwidgets

# Hundreds of times as many random calls, events and students as `make test` tries; two or three hours.
fuzz: $(VENV)/test.stamp
	DPWIDGETS_EXAMPLES=10000 $(BIN)/python -m pytest $(PARALLEL) tests/fuzz tests/labs/test_sources.py

notebooks: $(VENV)/test.stamp
	$(BIN)/python tests/notebooks/execute.py

# A website of the notebooks as they are stored, in build/site; it opens from that folder too. Python comes into its
# pages from Pyodide's CDN, or from a folder of its distribution: `make site PYODIDE=folder`. After `make lite` the site
# can have that in it, and one Pyodide for both: `make site LITE=build/lite`.
site: $(VENV)/site.stamp
	$(BIN)/python website $(PYODIDE:%=--pyodide %) $(LITE:%=--lite %)

# JupyterLite with all notebooks, in build/lite: a folder of static files, with Python in the page. Pyodide comes from its
# CDN, or from a folder of its distribution: `make lite PYODIDE=folder`.
lite: export PATH := $(CURDIR)/$(BIN):$(PATH)
lite: $(VENV)/lite.stamp
	$(BIN)/python website/lite.py $(PYODIDE:%=--pyodide %)

# A lecturer's slides, a file for each lesson, in build/slides; they need neither a kernel nor a network.
slides: $(VENV)/site.stamp
	$(BIN)/python website/slides.py

# How long a reader and a class wait, on this machine and now; no speed makes it fail. One part alone:
# `python bench class --students 5` (see --help). Python in the page needs `make bench PYODIDE=folder`.
bench: $(VENV)/bench.stamp
	$(BIN)/python bench class $(PYODIDE:%=live --pyodide %) --to BENCHMARKS.md

# A hub for a class on this machine, see course/hub.md; what it keeps stands in .hub.
hub: export DPWIDGETS_HUB := $(CURDIR)/.hub
hub: export PATH := $(CURDIR)/$(BIN):$(PATH)
hub: $(VENV)/hub.stamp
	mkdir -p .hub && cd .hub && $(CURDIR)/$(BIN)/jupyterhub -f $(CURDIR)/course/jupyterhub_config.py

# How long the submissions of a large class take to grade, on this machine and now: `make grading SUBMISSIONS=30`.
SUBMISSIONS := 300
grading: $(VENV)/test.stamp $(VENV)/course.stamp
	$(BIN)/python bench grading --submissions $(SUBMISSIONS)

# What to publish, in dist: the sdist, and the wheel that is made of it. What they hold is tested, and what they say of
# themselves. `twine upload dist/*` publishes them.
release: $(VENV)/release.stamp
	rm -rf dist
	$(UV) build --out-dir dist
	$(BIN)/twine check --strict dist/*.whl dist/*.tar.gz
	$(BIN)/python -m pytest tests/test_wheel.py

clean:
	rm -rf .venv .venv-*

$(VENV)/hub.stamp: course/requirements.txt $(VENV)/course.stamp
	$(UV) pip install --quiet --python $(BIN)/python -r course/requirements.txt
	npm install --silent --global --prefix=$(VENV) configurable-http-proxy@^5
	touch $@

$(VENV)/%.stamp: pyproject.toml | $(BIN)/python
	$(UV) pip install --quiet --python $(BIN)/python --editable ".[$*]"
	touch $@

$(BIN)/python:
ifeq ($(UV),$(BIN)/uv)
	$(or $(PYTHON),$(shell $(RUNS)),python3) -m venv $(VENV)
	$@ -m pip install --quiet --disable-pip-version-check uv
else
	uv venv --quiet --seed $(PYTHON:%=--python %) $(VENV)
endif
