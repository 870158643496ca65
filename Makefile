PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
ADDRESS := http://127.0.0.1:8000

.PHONY: run test fuzz clean

.venv/bin/python:
	$(PYTHON) -m venv .venv

.venv/.run: pyproject.toml .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/.test: pyproject.toml .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@ .venv/.run

run: .venv/.run
	$(BIN)/misi-oracle serve --example

test: .venv/.test
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest

fuzz: .venv/.test
	MISI_ORACLE_FUZZ=20000 $(BIN)/python -m pytest tests/test_mutations.py tests/test_request_mutations.py

clean:
	rm -rf .venv
