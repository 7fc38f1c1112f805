# The two commands a reader needs are `make demo` and `make test`. Everything else sets itself up the same way.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
CLIENTS := tests/e2e/node_modules/.package-lock.json tests/e2e/inspector/node_modules/.package-lock.json

.PHONY: demo test check e2e bench clean setup
setup: $(READY)

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Aftermind needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 …"; exit 1; }
	@echo "Setting up .venv …"
	@$(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt "pip>=25.1"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable . --group dev
	@touch $(READY)

demo: $(READY)
	@$(BIN)/aftermind demo

test: $(READY)
	@$(BIN)/python -m pytest --ignore=tests/e2e --numprocesses 3 --dist worksteal

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	@if command -v node > /dev/null; then for file in cli/clients/*.js; do node --check "$$file" || exit 1; done; fi

e2e: $(READY) $(CLIENTS)
	@$(BIN)/python -m pytest tests/e2e

# OpenCode and the inspector of MCP, as they are released. Without npm their tests are skipped, and say so.
%/node_modules/.package-lock.json: %/package.json %/package-lock.json
	@cd $* && npm ci --silent || echo "npm could not install what $* needs: its tests are skipped"

# make bench [DATA=PATH] [MODEL=FOLDER]
bench: $(READY)
	$(BIN)/python -m bench.append
	$(BIN)/python -m bench.startup
	$(BIN)/python -m bench.hook_start
	$(BIN)/python -m bench.replay
	$(BIN)/python -m bench.nearest
	$(BIN)/python -m bench.recall_latency --sizes 1000,10000
	$(BIN)/python -m bench.opencode_turn
	@if [ -n "$(DATA)" ]; then $(BIN)/python -m bench.recall --data "$(DATA)" --model none static $(MODEL); \
	else echo "skipped bench.recall: make bench DATA=PATH names the data"; fi

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache dist tests/e2e/node_modules tests/e2e/inspector/node_modules
