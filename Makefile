# The contributors' front door. `make` alone says what there is.

.DEFAULT_GOAL := help
.PHONY: help setup lint format typecheck test test-slow bench clean
BIN := .venv/bin

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name what; do \
		printf '  make %-10s %s\n' "$$name" "$$what"; done

setup: ## install what is missing: Python packages, Rust, bubblewrap
	@scripts/setup --dev

lint: setup ## style, layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

format: setup ## mend style where that can be done mechanically
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

typecheck: setup ## types
	$(BIN)/mypy

test: setup ## the default lane of tests; ARGS go to pytest
	$(BIN)/pytest $(ARGS)

test-slow: setup ## the slow lane of tests
	$(BIN)/pytest -m slow $(ARGS)

bench: setup ## every benchmark, one after the other
	@set -e; for script in $$(grep -l __main__ benchmarks/*.py | grep -v ours.py); do echo "== $$script"; $(BIN)/python "$$script"; done

clean: ## remove caches and built files; .venv and results stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
