# Everything sets itself up: a machine needs Python 3.11 or later, and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SET_UP := $(VENV)/.installed
SET_UP_TEST := $(VENV)/.installed-test
DEMO_DB ?= $(VENV)/demo.db

.PHONY: demo test lint bench clean help

help:
	@echo "make demo   install, then find people who are unhappy with a product, on the demo posts"
	@echo "make test   install what tests need, then run every test"
	@echo "make lint   style, types and layering"
	@echo "make bench  speed and memory, as ratios"

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "signal needs Python 3.11 or later; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(SET_UP): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(SET_UP_TEST): pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	@touch $@ $(SET_UP)

demo: $(SET_UP)
	$(BIN)/signal run-playbook competitor_churn --set competitor=Plinthly --sources demo --db $(DEMO_DB)
	@echo "To type such commands yourself: . $(VENV)/bin/activate"

test: $(SET_UP_TEST)
	$(BIN)/python -m pytest

lint: $(SET_UP_TEST)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(SET_UP_TEST)
	$(BIN)/python tests/bench/__main__.py

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
