# `make help` lists all commands. They need only Python >= 3.11, git and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# environments by role: each has a lock file, and each contains the ones before it
READER := $(VENV)/.reader
INSTRUCTOR := $(VENV)/.instructor
CONTRIBUTOR := $(VENV)/.contributor
HELD_BY_contributor := $(INSTRUCTOR) $(READER)
HELD_BY_instructor := $(READER)
UV := $(BIN)/uv pip install --quiet
BOOK := book/_build/html
BUILD_FRONT := $(BIN)/python front/build.py && $(BIN)/python -m lessons_lib.course.live.scripts
RESOLVE := $(CURDIR)/$(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 --no-header --quiet
FIRST_LESSON = $(firstword $(sort $(wildcard notebooks/*.ipynb)))
# three workers for two cores: one of them waits for a browser or a server most of the time
PYTEST := $(BIN)/python -m pytest -n 3 --durations 15
TESTS := $(PYTEST) -p no:nbval --dist worksteal
NBVAL := $(PYTEST) --dist loadfile --nbval --nbval-current-env --nbval-sanitize-with tests/nbval_sanitize.cfg \
	--nbval-kernel-startup-timeout 900
# mypy takes a minute of one core: the rest of lint, and in `make test` the lessons, run beside it
LINT := $(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/python -m tools.language && \
	$(BIN)/python book/store_outputs.py --check && $(BIN)/python book/lesson_table.py --check && \
	$(BIN)/python front/build.py --check
TIER = not check and not release
SOLUTIONS ?= with
PUBLISHED = $(if $(URL),--book $(URL))
LIBRARY_TESTS := $(addprefix tests/, $(addsuffix .py, \
	$(addprefix lie/test_, exp_and_log) \
	$(addprefix claims/test_, claims terms) \
	$(addprefix symbolic/test_, damped_step_formulas stumpff_functions tip_to_base) \
	$(addprefix codegen/test_, kernel linker printers printing_over_lanes vectors) \
	$(addprefix robots/test_, tree) \
	$(addprefix pose_ik/test_, methods) \
	$(addprefix trajectories/test_, motion) \
	$(addprefix differential_ik/test_, closed_mechanisms priority)))
MUTANTS = $(subst /,-,$(FILE))
AS_ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)

# tests start hundreds of processes: each would compile anew what it imports
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help book book-html pdf front test check emptied release dist lowest other-python lint lab student hub notebooks bench mutants lock check-lock clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

book: book-html ## build the book and serve it on localhost until Ctrl-C; SOLUTIONS=without for a graded class
	@$(BIN)/python book/serve.py $(BOOK)

front: $(READER) ## bundle the front end of the live figures and derive their scripts, if a source has changed
	@$(BUILD_FRONT)

book-html: front ## build the book; every warning is an error
	LESSONS_SOLUTIONS=$(SOLUTIONS) $(BIN)/python book/build_book.py --path-output book --quiet

pdf: book-html ## print the whole book as one PDF; needs Chromium or Chrome
	@$(BIN)/python book/pdf.py $(BOOK) book/_build/from_symbols_to_solver.pdf

test: $(CONTRIBUTOR) ## run the tests that every change must pass: lint, lessons, exercises, library, book, figures
	$(BIN)/mypy & typed=$$!; $(LINT) && $(BUILD_FRONT) && $(NBVAL) notebooks; status=$$?; wait $$typed && exit $$status
	$(TESTS) -m "$(TIER)" tests

check: export LESSONS_CACHE_DIR ?= $(CURDIR)/build/cache
check: TIER = not release
check: emptied test lowest ## run the tests that CI runs: those of `make test` with an empty code cache, longer ones, and the oldest versions

emptied:
	rm -rf build/cache

release: check ## run all tests, also those that take too long for CI, and build everything that is published
	$(NBVAL) exercises
	$(TESTS) -m release tests
	$(MAKE) pdf dist

dist: $(CONTRIBUTOR) book-html ## build everything that is published: the wheel, the source archive, and the book as a site
	rm -rf build/dist
	$(BIN)/python -m build --no-isolation --outdir build/dist
	cp -r $(BOOK) build/dist/site
	@echo "build/dist: $$(cd build/dist && ls | tr '\n' ' ')"

lowest: $(CONTRIBUTOR) ## run the library's own tests with the oldest versions that pyproject.toml allows
	$(call library_tests,build/lowest,--requirement requirements-lowest.lock)

other-python: $(CONTRIBUTOR) front ## run the library's own tests on another Python: make other-python PYTHON=python3.13
	$(call library_tests,build/$(notdir $(PYTHON)),--constraint requirements-contributor.lock "lessons-lib[check] @ file://$(CURDIR)")

define library_tests
	@test -x $(1)/bin/python || $(PYTHON) -m venv $(1)
	$(UV) --python $(1)/bin/python $(2)
	$(UV) --python $(1)/bin/python --no-deps --editable .
	$(1)/bin/python -m pytest -n 2 --dist worksteal -q $(LIBRARY_TESTS)
endef

lint: $(CONTRIBUTOR) ## check style, types, plain English, the front end, and the format of the stored outputs
	$(BIN)/mypy & typed=$$!; $(LINT); status=$$?; wait $$typed && exit $$status

lab: front ## open JupyterLab with your own copies of the lessons and exercises
	@$(BIN)/python -m classroom.copies lab $(PUBLISHED)
	@JUPYTER_CONFIG_PATH="$(CURDIR)/classroom/jupyter$${JUPYTER_CONFIG_PATH:+:$$JUPYTER_CONFIG_PATH}" $(BIN)/jupyter lab $(AS_ROOT) \
		--ServerApp.root_dir="$(CURDIR)/lab" --LabApp.default_url=/lab/tree/$(notdir $(FIRST_LESSON)) $(OPTIONS)

student: $(INSTRUCTOR) ## write the exercises without solutions; URL=https://… is the address of the published book
	@$(BIN)/python -m classroom.copies student $(PUBLISHED)

hub: export LESSONS_HUB ?= $(if $(AS_ROOT),/srv/lessons,$(CURDIR)/build/hub)
hub: $(INSTRUCTOR) front ## serve the course to a class with JupyterHub; as root, for the accounts on this machine
	@$(BIN)/jupyterhub --config classroom/hub/jupyterhub_config.py --show-config >/dev/null # refuses before it compiles
	@$(BIN)/python classroom/hub/proxy.py
	@$(BIN)/python -m classroom.copies lab $(PUBLISHED) --to "$(LESSONS_HUB)/lessons"
	@LESSONS_CACHE_DIR="$(LESSONS_HUB)/cache" $(BIN)/lessons warm
	@chmod -R a+rX,go-w "$(LESSONS_HUB)/lessons" "$(LESSONS_HUB)/cache"
	@$(BIN)/jupyterhub --config classroom/hub/jupyterhub_config.py $(OPTIONS)

notebooks: $(CONTRIBUTOR) front ## run every notebook in place and store its outputs
	$(BIN)/python book/store_outputs.py

bench: $(CONTRIBUTOR) ## measure the speed of this library and of others; CLAIMS="one_pose batch" for a part
	@$(UV) --python $(BIN)/python --requirement requirements-bench.lock || \
		echo "some of the other libraries could not be installed; the tables list them as missing" >&2
	@test -d build/quik || git clone --quiet https://github.com/steffanlloyd/quik build/quik || \
		echo "QuIK could not be fetched; the table of near starts omits it" >&2
	$(BIN)/python -m tools.benchmarks $(CLAIMS)

mutants: export PATH := $(CURDIR)/$(BIN):$(PATH)
mutants: export PYTHONPATH := $(CURDIR)/build/mutants
mutants: $(CONTRIBUTOR) ## mutate a file in a clone of the last commit and list the survivors; FILE=symbolic/so3
	$(UV) --python $(BIN)/python --requirement requirements-mutants.lock
	test -d build/mutants || git clone --quiet . build/mutants
	cd build/mutants && sed 's|"FILE"|"lessons_lib/$(FILE).py"|' tools/cosmic-ray.toml > $(MUTANTS).toml
	cd build/mutants && { test -f $(MUTANTS).sqlite || { cosmic-ray init $(MUTANTS).toml $(MUTANTS).sqlite && \
		cr-filter-operators $(MUTANTS).sqlite $(MUTANTS).toml; }; }
	cd build/mutants && cosmic-ray exec $(MUTANTS).toml $(MUTANTS).sqlite && cr-report --show-diff --surviving-only $(MUTANTS).sqlite

lock: $(CONTRIBUTOR) ## update all lock files from pyproject.toml
	$(call resolved,.,--upgrade)

check-lock: $(CONTRIBUTOR) ## check that the lock files match pyproject.toml
	rm -rf build/lock
	mkdir -p build/lock
	cp pyproject.toml requirements*.lock build/lock
	$(call resolved,build/lock)
	for lock in requirements*.lock; do diff $$lock build/lock/$$lock || exit 1; done

define resolved
	cd $(1) && $(RESOLVE) --extra contributor $(2) --output-file requirements-contributor.lock
	cd $(1) && $(RESOLVE) --extra check --resolution lowest-direct $(2) --output-file requirements-lowest.lock
	cd $(1) && for one in instructor reader bench mutants; do $(RESOLVE) --extra $$one \
		--constraint requirements-contributor.lock $(2) --output-file requirements-$$one.lock || exit 1; done
endef

clean: ## remove the environment and everything built
	rm -rf $(VENV) book/_build build dist front/node_modules classroom/hub/node_modules lessons_lib/course/live/built .mypy_cache .pytest_cache .ruff_cache .hypothesis

$(VENV)/.%: requirements-%.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(PYTHON) is older than 3.11; use a newer one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@echo "installing the $* environment into $(VENV); it has 0.8 GB for a reader and 2.7 GB for a contributor"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$(PYTHON) cannot create a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@once=$$(mktemp -d); trap 'rm -rf "$$once"' EXIT; PATH="$(CURDIR)/$(BIN):$$PATH:$$once/bin"; \
	command -v uv >/dev/null || $(BIN)/python -m pip install --quiet --disable-pip-version-check --target "$$once" uv || true; \
	install="$(BIN)/python -m pip install --quiet --disable-pip-version-check"; \
	if command -v uv >/dev/null; then install="uv pip install --quiet --python $(BIN)/python"; fi; \
	$$install --no-deps --requirement $< && $$install --no-deps --editable .
	@touch $@ $(HELD_BY_$*)
