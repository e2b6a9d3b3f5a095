# Two commands: `make lab` opens the notebooks, `make test` runs every test. Each creates what it needs in .venv.

BIN := .venv/bin
PYTHON ?= python3
UV := $(shell command -v uv)
# At most four workers: one may take a gigabyte with its browser. In order, so that the long tests do not come last.
PARALLEL := -n logical --maxprocesses 4 --dist loadfile --no-loadscope-reorder
ROOT_FLAG := $(if $(filter 0,$(shell id -u)),--allow-root)  # in a container, root is often the only user

.PHONY: lab test notebooks bench clean

lab: .venv/lab.stamp
	$(BIN)/jupyter lab $(ROOT_FLAG) notebooks/00_start_here.ipynb

# Each file on a processor of its own. The notebooks run twice: the second run shows that the first left nothing behind
# that changes an output.
test: .venv/test.stamp
	$(BIN)/python -m pytest $(PARALLEL)
	$(BIN)/python -m pytest $(PARALLEL) notebooks

notebooks: .venv/test.stamp
	$(BIN)/python tests/notebooks/execute.py

# How long a reader waits, on this machine and now; no speed makes it fail.
bench: .venv/test.stamp
	$(BIN)/python tests/bench

clean:
	rm -rf .venv

.venv/%.stamp: pyproject.toml | .venv/bin/python
ifdef UV
	uv pip install --quiet --python $(BIN)/python --editable ".[$*]"
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[$*]"
endif
	touch $@

.venv/bin/python:
ifdef UV
	uv venv --quiet --seed .venv
else
	$(PYTHON) -m venv .venv
endif
