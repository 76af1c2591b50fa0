# Everything runs from the project's own environment, .venv, which each target makes when it is missing.
PYTHON ?= python3
WORKERS ?= 4
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check --constraint constraints.txt

# One thread for each worker. Four keep two cores busy: tests wait for processes.
test test-portable check bench fuzz differential mistakes docs tutorials: export OMP_NUM_THREADS := 1
test test-portable: export MPLBACKEND := Agg
# Instructions that each processor has, in torch and in oneDNN.
test-portable: export ATEN_CPU_CAPABILITY := default
test-portable: export ONEDNN_MAX_CPU_ISA := SSE41

.PHONY: help venv check test test-portable demo bench fuzz differential mistakes golden stubs docs tutorials wheel clean

help:
	@echo "make demo   train LeNet on real digits and draw what it learned"
	@echo "make test   run the tests"
	@echo "make test-portable  look for examples and tests of operators that hang on a last bit"
	@echo "make check  lint, types, import directions"
	@echo "make bench  measure speed, cold start and memory; BENCH=--quick takes two minutes"
	@echo "make fuzz   read a million damaged files of all formats; FUZZ='--cases 50000' is quicker"
	@echo "make differential  draw 100,000 calls, and compare with the real MXNet; DIFFERENTIAL='--cases 2000' is quicker"
	@echo "make mistakes  draw mistakes in programs, and list answers that leave people alone; MISTAKES='--cases 100' is quicker"
	@echo "make stubs  write the type stubs of nd, np, npx and sym from the op table"
	@echo "make golden ask the real MXNet again for values in tests/golden; GOLDEN='--list' shows the scripts"
	@echo "make wheel  build wheel and sdist into dist/, and try the wheel in a fresh environment"
	@echo "make docs   build the documentation into site/"
	@echo "make tutorials  run all tutorials, and keep what they show in docs/tutorials/"
	@echo "make clean  remove the environment and everything that was built"

venv: $(VENV)/.dev

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.dev: pyproject.toml constraints.txt | $(VENV)/bin/python
	@echo 'Installing into $(VENV); torch takes a while the first time.'
	$(INSTALL) --editable '.[dev]'
	@$(BIN)/python -m compileall -q gluonish
	@touch $@

$(VENV)/.docs: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(INSTALL) --editable '.[dev,docs]'
	@$(BIN)/python -m compileall -q gluonish
	@touch $@

check: venv
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

test: venv
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-portable: venv
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal -p tests.last_bits gluonish tests/ops tests/nn

demo: venv
	$(BIN)/gluonish demo

bench: venv
	$(BIN)/python -m benchmarks $(BENCH)

fuzz: venv
	$(BIN)/python -m fuzz --jobs $(WORKERS) $(FUZZ)

differential: venv .mx/.ready
	nice $(BIN)/python -m fuzz.differential --cases 100000 $(DIFFERENTIAL)

mistakes: venv
	$(BIN)/python -m fuzz.mistakes $(MISTAKES)

stubs: venv
	$(BIN)/python scripts/make_stubs.py

# The real MXNet runs on Python 3.11 with a NumPy of its time, in environments of its own.
.mx/.ready:
	$(PYTHON) -m venv .mx
	.mx/bin/python -m pip install -qq --disable-pip-version-check mxnet==1.9.1 numpy==1.23.5
	@touch $@

.mx16/.ready:
	$(PYTHON) -m venv .mx16
	.mx16/bin/python -m pip install -qq --disable-pip-version-check mxnet==1.6.0 numpy==1.23.5
	@touch $@

golden: venv .mx/.ready .mx16/.ready
	$(BIN)/python scripts/make_golden.py $(GOLDEN)

docs: $(VENV)/.docs
	$(BIN)/python -m tutorials
	$(BIN)/mkdocs build --strict
	$(BIN)/python scripts/check_links.py site

tutorials: venv
	$(BIN)/python -m tutorials --all

wheel: venv
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist
	$(BIN)/python scripts/try_wheel.py dist

clean:
	rm -rf $(VENV) .mx .mx16 build dist site demo-output fuzz-failures .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
