# Waybill: `make demo` shows it, `make test` tests it, `make check` is what a commit must pass.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TITLE  ?= 18AL

.PHONY: demo test test-mail check format rules clean help

help:            ## these lines
	@grep -E '^[a-z-]+: .*##' Makefile | sed 's/: .*##/\t/'

$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.ready ## plays a recorded game by real mails and shows what the players saw
	$(BIN)/waybill demo --title $(TITLE)

test: $(VENV)/.ready ## all tests
	$(BIN)/python -m pytest -n auto

# What stands between a mail's bytes and the commands in it, and between a page and a letter's bytes.
MAIL := access automatic bad_input compose copies embedded fuzz hostile identity maildir mailbox message office parts \
	reader replies reports sender signatures trouble
MAIL_TESTS := $(sort $(foreach room,$(MAIL),$(wildcard tests/service/test_$(room)*.py)))

test-mail: $(VENV)/.ready ## what reads and writes mails; on another Python: PYTHON=python3.13 VENV=.venv-3.13
	$(BIN)/python -m pytest -n auto $(MAIL_TESTS)

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
