# Short commands for contributors. `make` alone lists them.

.DEFAULT_GOAL := help
.PHONY: help setup lint format typecheck test test-slow bench clean
BIN := .venv/bin
PARALLEL := --numprocesses auto --dist loadfile --no-loadscope-reorder
# without bytecode, every command that a test or a benchmark starts would compile all modules first
unexport PYTHONDONTWRITEBYTECODE

help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | while IFS='|' read -r name what; do \
		printf '  make %-10s %s\n' "$$name" "$$what"; done

setup: ## install what is missing: Python packages, Rust, bubblewrap
	@scripts/setup --dev

lint: setup ## check style and layers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/lint-imports

format: setup ## fix style automatically where possible
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

typecheck: setup ## check types
	$(BIN)/mypy

test: setup ## run the default lane of tests; ARGS go to pytest
	$(BIN)/pytest $(PARALLEL) $(ARGS)

test-slow: setup ## run the slow lane of tests
	$(BIN)/pytest -m slow $(PARALLEL) $(ARGS)

bench: setup ## run every benchmark, one after the other
	@set -e; for script in $$(grep -l __main__ benchmarks/*.py | grep -v -e ours.py -e run_peer.py); do echo "== $$script"; $(BIN)/python "$$script"; done

clean: ## remove caches and built files; .venv and results stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	find . -name .venv -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +
