# Waybill: `make demo` shows it, `make test` tests it, `make check` is what a commit must pass.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TITLE  ?= 18AL

.PHONY: demo test check format rules clean help

help:            ## these lines
	@grep -E '^[a-z]+: .*##' Makefile | sed 's/: .*##/\t/'

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.ready ## plays a recorded game by real mails and shows what the players saw
	$(BIN)/waybill demo --title $(TITLE)

test: $(VENV)/.ready ## all tests
	$(BIN)/python -m pytest -n auto

check: $(VENV)/.ready ## format, lint, types, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto

format: $(VENV)/.ready ## lay the code out
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

rules: $(VENV)/.ready ## rules of the rulebooks that no test is named after
	$(BIN)/python -m tests.rules_report

clean:           ## forget the environment and what the demo left
	rm -rf $(VENV) demo-output
