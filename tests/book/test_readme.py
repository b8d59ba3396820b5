"""The examples of the README and of the tour of the library run."""

import re
import subprocess
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from snippets import snippets

from lessons_lib import viewer
from lessons_lib.robots import Chain

ROOT = Path(__file__).resolve().parents[2]

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf8")
LIBRARY = ROOT / "book" / "library.md"


def test_the_python_examples_run_in_turn_and_reach_their_targets(capsys, monkeypatch):
    """The example that waits for Ctrl-C gets its target moved without a browser, and is then interrupted."""
    namespace = {}
    followed = []

    class Waiting:
        def wait(self):
            arm, scene = namespace["arm"], namespace["scene"]
            dragged = arm.forward_kinematics(scene.q + 0.1)
            namespace["follow"](dragged)
            followed.append(arm.forward_kinematics(scene.q) - dragged)
            raise KeyboardInterrupt

    monkeypatch.setattr(viewer, "threading", SimpleNamespace(Event=Waiting, Lock=threading.Lock))
    for one in snippets(LIBRARY, "python"):
        exec(compile(one.code, one.place, "exec"), namespace)
    told = capsys.readouterr().out
    assert "reached" in told
    assert "rad\n(6, 3) 7 joints\n100 of 100 reached\n[ True  True  True]\n" in told
    assert float(re.search(r"CONVERGED (\S+) m", told)[1]) < 1e-6
    assert "[0.4 0.3 0.3] [0. 0. 1. 0.]" in told
    assert "[0.1  0.22 0.56] m" in told, "the hand hung at x = 0"
    assert "http://127.0.0.1:" in told and abs(followed[0]).max() < 1e-5  # the solver's 1e-6 rad and m, on metres


@pytest.mark.check
def test_the_command_line_examples_are_understood(capsys, monkeypatch):
    """Except ahead-of-time compilation, which takes half a minute; test_precompile.py covers it."""
    from lessons_lib.cli import main

    monkeypatch.setattr(Chain, "compile", lambda chain, report: report(f"all of {chain.name}"))
    commands = [command.split() for one in snippets(LIBRARY, "bash") for command in one.commands()]
    commands = [words for program, *words in commands if program == "lessons" and words != ["--help"]]
    assert {words[0] for words in commands} >= {"compare", "solve", "source", "study", "warm"}
    for words in commands:
        assert main(words) == 0, words
        assert "".join(capsys.readouterr()).strip(), words


def test_every_file_that_contributing_names_exists():
    named = set(re.findall(r"`([\w./-]+\.(?:py|pyi|ts|md|yml|cfg|toml|json|lock|bib|css))`", CONTRIBUTING))
    named = {name for name in named if not re.search(r"NAME|NN|results/|lab/", name)}  # a pattern, or what a run writes
    assert len(named) > 20
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    told = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True)
    files = told.stdout.splitlines()
    assert {name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in files)} == set()
