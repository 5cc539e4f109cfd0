# README's two commands: `make demo` and `make test`. Both make .venv and install what they need.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test test-all lint format docs bench rivals clean

.venv/installed: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

.venv/installed-dev: pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch .venv/installed $@

demo: .venv/installed  ## the three tasks against the sample API
	$(BIN)/thinkagent demo

test: .venv/installed-dev  ## all tests but the slow ones
	$(BIN)/python -m pytest -n 2

test-all: .venv/installed-dev  ## the slow ones too
	$(BIN)/python -m pytest -n 2 -m ''

lint: .venv/installed-dev  ## style, types, and the direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: .venv/installed-dev  ## rewrite docs/cli.md, docs/page.md and docs/schemas/ from the code
	$(BIN)/python -m tests.regenerate

bench: .venv/installed-dev  ## start-up and the cost of a turn, side by side with what they are measured against
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/turn.py
	$(BIN)/python benchmarks/page.py

RIVALS ?= $(HOME)/.cache/thinkagent-rivals

rivals:  ## an environment of its own with what the benchmarks measure beside: fastmcp, MiniLM; RIVALS=FOLDER
	test -x $(RIVALS)/bin/python || $(PYTHON) -m venv $(RIVALS)
	$(RIVALS)/bin/python -m pip install --quiet --disable-pip-version-check -r benchmarks/rivals/requirements.txt

clean:
	rm -rf .venv dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
