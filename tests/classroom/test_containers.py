"""The image and the recipe for one do what the Makefile does."""

import json
import re
import subprocess
from pathlib import Path

from lessons_lib import cli
from lessons_lib.codegen import cache as codegen_cache
from lessons_lib.robots import Chain

ROOT = Path(__file__).resolve().parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf8")
DOCKERFILE = (ROOT / "classroom" / "Dockerfile").read_text(encoding="utf8")
RECIPE = re.findall(r"(?ms)^```dockerfile\n(.*?)^```$", (ROOT / "book/library.md").read_text("utf8"))


def test_the_container_does_what_make_lab_does_for_everybody_outside_of_it():
    (command,) = re.findall(r"^CMD (\[.*\])$", DOCKERFILE, re.MULTILINE)
    tried = [*json.loads(command), "--dry-run", "--no-print-directory"]
    told = subprocess.run(tried, cwd=ROOT, capture_output=True, text=True, check=True)
    assert "bin/python -m classroom.copies lab" in told.stdout
    assert told.stdout.rstrip().endswith("default_url=/lab/tree/00_in_one_sitting.ipynb --ip=0.0.0.0 --no-browser")


def test_the_recipe_for_an_image_compiles_into_a_cache_that_all_may_read_and_root_may_write(monkeypatch, tmp_path):
    (recipe,) = RECIPE
    (cache,) = re.findall(r"^ENV LESSONS_CACHE_DIR=(\S+)$", recipe, re.MULTILINE)
    (warm, chmod) = re.findall(r"^RUN lessons (warm.*) && (chmod.*)$", recipe, re.MULTILINE)[0]
    compiled = []
    monkeypatch.setattr(Chain, "compile", lambda chain, report: compiled.append(chain.name))
    assert cli.main(warm.split()) == 0 and compiled == ["UR10"]
    folder = tmp_path / "cache"
    monkeypatch.setenv("LESSONS_CACHE_DIR", str(folder))
    path = Path(str(codegen_cache.load("recipe_toy", "1", lambda: "X = 1\n").__file__))
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o700, 0o600)
    subprocess.run(chmod.replace(cache, str(folder)).split(), check=True)
    assert (folder.stat().st_mode & 0o777, path.stat().st_mode & 0o777) == (0o755, 0o644)
    assert chmod.removesuffix(cache) in MAKEFILE
