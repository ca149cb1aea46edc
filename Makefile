# make demo, make test: each does all it needs, from a fresh clone, with Python 3.11+, git and make. No root, no key, no Docker.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.fumehood-installed
ENVSTAMP := $(VENV)/.fumehood-sandbox

.PHONY: demo test check lint install sandbox clean

demo: $(ENVSTAMP)
	@$(BIN)/fumehood demo

test: $(ENVSTAMP)
	$(BIN)/python -m pytest -q $(TESTARGS)

check: lint test

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/mypy

install: $(STAMP)

sandbox: $(ENVSTAMP)

$(STAMP): pyproject.toml uv.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=/path/to/python3.11" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { echo "the venv module is missing; on Debian: apt install python3-venv" >&2; exit 1; }
	@test -x $(BIN)/uv || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	UV_PROJECT_ENVIRONMENT=$(VENV) $(BIN)/uv sync --locked --quiet --inexact --compile-bytecode $(SYNC) --python $(BIN)/python
	@touch $@

$(ENVSTAMP): $(STAMP) $(wildcard sandbox/requirements/*.txt)
	@$(BIN)/fumehood sandbox build --engine bubblewrap
	@touch $@

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache
