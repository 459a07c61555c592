# Waybill: `make demo` shows it, `make test` tests it, `make check` is what a commit must pass.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
TITLE  ?= 18AL

.PHONY: demo test test-all test-mail check format lock rules counts endurance site clean help

help:            ## these lines
	@grep -E '^[a-z-]+: .*##' Makefile | sed 's/: .*##/\t/'

# In words that Python 2 understands as well, and a shell that is no bash.
$(VENV)/.ready: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 15))' || { \
	    echo "Waybill needs Python 3.11 to 3.14, and $(PYTHON) is another: make PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(VENV)/.ready ## plays a recorded game by real emails and shows what the players saw
	$(BIN)/waybill demo --title $(TITLE)

test: $(VENV)/.ready ## tests of every rule and every folder, in a few minutes
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not long"

test-all: $(VENV)/.ready ## all tests, as continuous integration runs them
	$(BIN)/python -m pytest -n auto --dist worksteal

# The code between the bytes of an email and its commands, and between a page and the bytes of an email.
MAIL := access automatic bad_input compose copies covered embedded evidence fuzz hostile identity maildir mailbox message \
	office parts reader replies reports sender signatures signed trouble
MAIL_TESTS := $(sort $(foreach room,$(MAIL),$(wildcard tests/service/test_$(room)*.py)))

test-mail: $(VENV)/.ready ## what reads and writes emails; on another Python: PYTHON=python3.13 VENV=.venv-3.13
	$(BIN)/python -m pytest -n auto --dist worksteal $(MAIL_TESTS)

check: $(VENV)/.ready ## format, lint, types, tests
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not long"

format: $(VENV)/.ready ## format the code
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:            ## writes uv.lock again from pyproject.toml; needs uv
	uv lock

rules: $(VENV)/.ready ## sections of the rulebooks without a test
	$(BIN)/python -m tests.rules_report

counts: $(VENV)/.ready ## count again what is legal at fixed positions, and report changes
	$(BIN)/python -m tests.counts

KILLS ?= 1000
endurance: $(VENV)/.ready ## kills workers at random on each database, with real Dovecot and Postfix; takes hours
	$(BIN)/python -m tests.endurance --kills $(KILLS)
	$(BIN)/python -m tests.endurance --kills $(KILLS) --database postgresql
	$(BIN)/python -m tests.endurance --minutes 60 --workers 1 --rest 1

$(VENV)/.site: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	@touch $@

site: $(VENV)/.site ## the documents as a website with search, in the folder site; fails on dead links
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

clean:           ## delete the environment, the website, and the files of the demo
	rm -rf $(VENV) demo-output site
