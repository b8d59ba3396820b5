"""A release has one version and one day, wherever they stand."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from lessons_lib import __version__

ROOT = Path(__file__).resolve().parent.parent
CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf8")
RELEASES = re.findall(r"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$", CHANGELOG, re.MULTILINE)
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf8"))


def test_changelog_and_citation_name_the_version_of_the_library() -> None:
    assert RELEASES[0][0] == CITATION["version"] == __version__


def test_wheel_and_source_archive_carry_the_bundle_of_the_figures() -> None:
    """It is in no commit. What `build` makes a wheel of is the archive, so that one alone is not enough."""
    hatch = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["tool"]["hatch"]["build"]
    assert hatch["artifacts"] == ["lessons_lib/live/built/**"]
    assert all(
        "lessons_lib" in {*target.get("packages", ()), *target.get("include", ())}
        for target in hatch["targets"].values()
    )


def test_the_citation_has_the_day_of_the_newest_release() -> None:
    assert str(CITATION["date-released"]) == RELEASES[0][1]


def test_the_changelog_goes_from_the_newest_release_to_the_oldest_below_what_is_not_released() -> None:
    versions = [tuple(map(int, version.split("."))) for version, _ in RELEASES]
    assert versions == sorted(set(versions), reverse=True)
    headings = re.findall(r"^## (.*)$", CHANGELOG, re.MULTILINE)
    assert headings == ["[Unreleased]", *(f"[{version}] - {day}" for version, day in RELEASES)]


@pytest.mark.parametrize("released", CHANGELOG.split("\n## ")[2:], ids=[version for version, _ in RELEASES])
def test_a_release_has_no_heading_twice_and_none_that_is_empty(released: str) -> None:
    parts = [part.partition("\n") for part in released.split("\n### ")[1:]]
    assert len({name for name, _, _ in parts}) == len(parts) > 0
    assert [name for name, _, text in parts if not text.strip().startswith("- ")] == []
