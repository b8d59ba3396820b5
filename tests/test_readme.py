"""What the README promises, run."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf8")
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def test_it_opens_with_the_two_commands() -> None:
    language, text = BLOCKS[0]
    assert language == ""
    assert [line.split("#")[0].strip() for line in text.splitlines()] == ["make book", "make test"]
    assert README.index("make book") < 100


def test_the_python_examples_run_in_turn_and_reach_their_targets(capsys: pytest.CaptureFixture[str]) -> None:
    namespace: dict[str, object] = {}
    for text in (text for language, text in BLOCKS if language == "python"):
        exec(compile(text, "README.md", "exec"), namespace)
    told = capsys.readouterr().out
    assert "reached" in told
    assert "rad\n(6, 3) 7 joints\n100 of 100 reached\n[ True  True  True]\n" in told
    assert float(told.split()[-2]) < 1e-6


def test_every_extra_that_is_named_exists() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf8"))["project"]["optional-dependencies"]
    named = set(re.findall(r"\[(\w+)\]`", README))
    assert {"plots", "blocks", "course"} <= named <= set(extras)


def test_the_command_line_examples_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    from lessons_lib.cli import main

    commands = re.findall(r"^\.venv/bin/lessons ([^#\n]*)", README, re.MULTILINE)
    assert len(commands) >= 3
    for command in commands:
        if "--help" not in command:
            assert main(command.split()) == 0, command
            assert "".join(capsys.readouterr()).strip(), command


@pytest.mark.parametrize("text", [README, (ROOT / "CONTRIBUTING.md").read_text(encoding="utf8")])
def test_every_make_target_that_is_named_exists(text: str) -> None:
    named = set(re.findall(r"`make ([a-z-]+)", text)) | set(re.findall(r"^make ([a-z-]+)", text, re.MULTILINE))
    assert named
    assert named <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.MULTILINE))


def test_every_file_that_is_linked_exists() -> None:
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert [name for name in linked if not (ROOT / name).exists()] == []


def test_every_lesson_is_listed() -> None:
    lessons = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("notebooks/*.ipynb"))
    assert lessons == sorted(re.findall(r"\((notebooks/[^)]+)\)", README))
