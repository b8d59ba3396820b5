"""The check of the language: its rules find what they are for, and an accepted hit has to exist."""

import pytest

from tools import language

FOUND = [
    ('"""What is not reached is searched anew."""', "relative-clause-first"),
    ('def f():\n    """Return what lies in the cache."""', "return-what"),
    ('def f():\n    """The pose of a tip."""', "first-line-not-imperative"),
    ('raise ValueError(f"damping is {x}; it is positive")', "error-shape"),
    ("# all of it but for the last row", "but-for"),
    ("def told(x): ...", "participle-function"),
    ("def test_what_is_wrong_is_refused(): ...", "aphorism-as-test-name"),
    ("# an arm of six hinges", "term-revolute"),
]
PLAIN = '''"""Restart the search."""


def scale(x):
    """Return x times two."""
    if x is None:
        raise ValueError(f"x must be a number, got {x!r}")
    return 2 * x


def test_scale_of_none_is_refused(): ...
'''


@pytest.fixture
def written(tmp_path, monkeypatch):
    """Return a file of a repository of its own."""
    monkeypatch.setattr(language, "ROOT", tmp_path)
    return tmp_path / "module.py"


@pytest.mark.parametrize(("text", "rule"), FOUND)
def test_each_fault_is_found_by_its_rule(written, text, rule):
    written.write_text(text + "\n", "utf-8")
    assert [name for name, _, _ in language.hits("module.py")] == [rule]


def test_plain_sentences_pass(written):
    written.write_text(PLAIN, "utf-8")
    assert list(language.hits("module.py")) == []
