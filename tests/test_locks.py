"""The locks hold what pyproject.toml names, within its bounds, and nothing for nobody; `make check-lock` does more."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
US = f"{PROJECT['name']} (pyproject.toml)"
LOCKS = {one: one for one in ("reader", "instructor", "contributor", "bench", "mutants")} | {"lowest": "check"}
ENTRY = re.compile(r"^([\w.-]+)==(\S+)(?: ; .*)?\n((?: +#.*\n)+)", re.MULTILINE)


def named(extra: str) -> list[Requirement]:
    """Return what is asked for with an extra: the core, the extra, and the extras that it names."""
    extras: dict[str, list[str]] = PROJECT["optional-dependencies"]
    asked = [Requirement(line) for line in [*PROJECT["dependencies"], *extras[extra]]]
    ours = [requirement for requirement in asked if requirement.name == PROJECT["name"]]
    inner = [more for requirement in ours for name in requirement.extras for more in named(name)]
    return [requirement for requirement in asked if requirement not in ours] + inner


def faults(text: str, wanted: list[Requirement]) -> list[str]:
    """Return what is missing in a lock, beyond its bounds, or there for nobody."""
    entries = {canonicalize_name(found[1]): (found[2], found[3]) for found in ENTRY.finditer(text)}
    named_by_us = {canonicalize_name(requirement.name): requirement for requirement in wanted}
    wrong = [f"{name} is missing" for name in named_by_us.keys() - entries.keys()]
    for name, (version, comment) in entries.items():
        via = set(re.findall(r"# +(?:via )?([\w.-]+(?: \(pyproject\.toml\))?)$", comment, re.MULTILINE)) - {"via"}
        if name in named_by_us and version not in named_by_us[name].specifier:
            wrong.append(f"{name} {version} is not {named_by_us[name].specifier}")
        if (US in via) != (name in named_by_us) or not {
            canonicalize_name(other) for other in via - {US}
        } <= entries.keys():
            wrong.append(f"{name} is there for {sorted(via)}")
    return wrong


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_what_the_project_asks_for_and_nothing_for_nobody(lock: str) -> None:
    text = (ROOT / f"requirements-{lock}.lock").read_text("utf8")
    assert len(re.findall(r"^\S", text, re.MULTILINE)) == len(ENTRY.findall(text)) > 10
    assert faults(text, named(LOCKS[lock])) == []
