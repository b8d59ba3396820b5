# `make help` lists what there is. Only Python >= 3.11, git and make are needed beforehand.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
BOOK := book/_build/html
RESOLVE := $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --no-header --quiet
FIRST_LESSON = $(firstword $(sort $(wildcard notebooks/*.ipynb)))
WORKERS ?= 2
LIBRARY_TESTS := $(addprefix tests/, $(addsuffix .py, \
	$(addprefix lie/test_, exp_and_log motion_jacobians) \
	$(addprefix symbolic/test_, claims damped_step_formulas lie_groups open_chain terms) \
	$(addprefix codegen/test_, gil kernel linker printers printing_over_lanes vectors) \
	$(addprefix robots/test_, tree urdf_input) \
	$(addprefix pose_ik/test_, damping_rules methods) \
	$(addprefix trajectories/test_, motion) \
	$(addprefix differential_ik/test_, joint_middle priority)))
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

.DEFAULT_GOAL := help
.PHONY: help book book-html front test lowest other-python lint lab notebooks bench soak mutants lock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

book: book-html ## build the book and serve it on localhost until Ctrl-C
	@$(BIN)/python book/serve.py $(BOOK)

front: $(INSTALLED) ## bundle the front end of the live figures, where a source has changed
	@$(BIN)/python front/build.py

book-html: front ## build the book only; every warning is an error
	$(BIN)/jupyter-book build . --config book/_config.yml --toc book/_toc.yml --path-output book \
		--all -W -n --keep-going --quiet

test: lint ## run the whole test suite: library, notebooks, grading, command line, book, browser
	$(BIN)/python -m pytest -n 2 --dist loadfile --nbval --nbval-current-env \
		--nbval-sanitize-with tests/nbval_sanitize.cfg --nbval-kernel-startup-timeout 900 \
		tests notebooks exercises

lowest: ## run the library's own tests on the oldest versions that pyproject.toml admits
	$(call library_tests,build/lowest,--requirement requirements-lowest.lock)

other-python: ## run them on another Python: make other-python PYTHON=python3.13
	$(call library_tests,build/$(notdir $(PYTHON)),--constraint requirements.lock "lessons-lib[check] @ file://$(CURDIR)")

define library_tests
	@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check $(2)
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	$(1)/bin/python -m pytest -n $(WORKERS) --dist loadfile -q $(LIBRARY_TESTS)
endef

lint: $(INSTALLED) ## ruff, formatting, strict mypy, the same for the front end, normal form of the stored outputs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python front/build.py --check
	$(BIN)/python book/store_outputs.py --check

lab: front ## open JupyterLab at the first lesson
	$(BIN)/jupyter lab $(AS_ROOT) --LabApp.default_url=/lab/tree/$(FIRST_LESSON)

notebooks: front ## run every notebook in place and store its outputs
	$(BIN)/python book/store_outputs.py

bench: $(INSTALLED) ## time every claim beside its peers; CLAIMS="one_pose batch" for some
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-bench.lock || \
		echo "not every peer could be installed; the tables name those that are missing" >&2
	$(BIN)/python -m benchmarks $(CLAIMS)

soak: $(INSTALLED) ## attack the library from outside; ATTACKS="NAME --seed 12" for one
	$(BIN)/python -m soak $(ATTACKS)

mutants: $(INSTALLED) ## change symbol after symbol, see who notices; FILES="symbolic/so3 --part 0.1" for some
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements-mutants.lock
	$(BIN)/python -m mutants $(FILES)

lock: $(INSTALLED) ## resolve pyproject.toml anew into the locks, for every platform
	$(BIN)/python -m pip install --quiet uv
	$(RESOLVE) --extra test --upgrade --output-file requirements.lock
	$(RESOLVE) --extra check --resolution lowest-direct --upgrade --output-file requirements-lowest.lock
	$(RESOLVE) --extra bench --constraint requirements.lock --upgrade --output-file requirements-bench.lock
	$(RESOLVE) --extra mutants --constraint requirements.lock --upgrade --output-file requirements-mutants.lock

clean: ## remove the environment and everything built
	rm -rf $(VENV) book/_build build dist front/node_modules lessons_lib/live/built .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(INSTALLED): requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(PYTHON) is older than 3.11; name a newer one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; }
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@
