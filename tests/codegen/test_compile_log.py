"""Who is told that something is derived or compiled: a person, in a terminal or a notebook, and else the log."""

import io
import logging
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from lessons_lib.codegen import compile_log

ROBOT = """
from lessons_lib import robots
chain = robots.from_dh([(0.25, 0.5, 0.125)], name="toy")
chain.forward_kinematics([0.0]);
chain.body_jacobian([0.0]);  # another function of the same module: no second line
"""
USE = """
from lessons_lib.codegen import cache
text = "from lessons_lib.codegen.native import native\\n@native\\ndef f(x): return 2 * x\\n"
text += "@native\\ndef g(x): return -x\\n"
module = cache.load("toy", "1", lambda: text, derives="the kinematics of toy")
module.f(1.0), module.g(1.0);
"""


def sentences(cache: Path) -> list[str]:
    return [
        "lessons_lib: deriving the kinematics of toy",
        f"lessons_lib: compiling the kinematics of toy, once; the next start finds it in {cache}",
    ]


def lines_in_a_terminal(cache: Path, code: str = ROBOT) -> list[str]:
    """Return what a fresh process writes to stderr when that is a terminal."""
    pty = pytest.importorskip("pty", reason="terminals of this kind exist on POSIX systems only")
    reader, writer = pty.openpty()
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=writer, env=environment)
    os.close(writer)
    assert (done.returncode, done.stdout) == (0, b"")
    text = b""
    try:
        while more := os.read(reader, 65536):
            text += more
    except OSError:  # Linux says so that the other end is closed
        pass
    os.close(reader)
    return text.decode().splitlines()


@pytest.mark.check
def test_a_terminal_is_told_what_is_derived_and_compiled_and_where_it_is_kept(tmp_path: Path) -> None:
    assert lines_in_a_terminal(tmp_path / "cache") == sentences(tmp_path / "cache")
    assert lines_in_a_terminal(tmp_path / "cache") == []  # nothing is made the second time


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _Broken(_Terminal):
    def write(self, text: str) -> int:
        raise BrokenPipeError


@pytest.mark.parametrize("stderr", [None, _Broken(), io.StringIO()])
def test_a_stderr_that_cannot_be_read_is_no_reason_to_fail(
    stderr: io.StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", stderr)
    compile_log.notify("deriving")
    assert stderr is None or stderr.getvalue() == ""


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compile_log, "has_reader", lambda: False)


def levels(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "lessons_lib"]


@pytest.mark.usefixtures("nobody")
def test_where_nobody_sees_the_log_a_compilation_is_a_warning_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="lessons_lib"):
        compile_log.notify("deriving")
        compile_log.notify_of_compiling("compiling")
    assert levels(caplog) == [("INFO", "deriving"), ("WARNING", "lessons_lib: compiling")]


@pytest.mark.usefixtures("nobody")
def test_what_was_asked_for_is_no_warning(caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]) -> None:
    with caplog.at_level(logging.INFO, logger="lessons_lib"):
        with compile_log.expected(by="a test"):
            threading.Thread(target=compile_log.notify_of_compiling, args=("compiling",)).start()
        compile_log.notify_of_compiling("compiling")
    assert levels(caplog) == [("INFO", "compiling"), ("WARNING", "lessons_lib: compiling")]
    assert capsys.readouterr().err == ""


def test_who_reads_stderr_gets_no_warning_besides(
    caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compile_log, "has_reader", lambda: True)
    with caplog.at_level(logging.INFO, logger="lessons_lib"):
        compile_log.notify_of_compiling("compiling")
    assert levels(caplog) == [("INFO", "compiling")]
    assert capsys.readouterr().err == "lessons_lib: compiling\n"


def outputs_of_cell(client: BlockingKernelClient, by_hand: bool) -> list[dict[str, Any]]:
    """Run the cell as a front end does (which could be asked), or as nbclient and nbval do, and return its outputs."""
    outputs: list[dict[str, Any]] = []
    client.execute_interactive(USE, allow_stdin=by_hand, stdin_hook=None, output_hook=outputs.append, timeout=900)
    kinds = ("stream", "display_data", "execute_result", "error")
    return [message["content"] for message in outputs if message["msg_type"] in kinds]


@pytest.mark.check
@pytest.mark.parametrize("by_hand", [True, False])
def test_a_notebook_is_told_when_a_person_runs_it_and_its_stored_outputs_never(by_hand: bool, tmp_path: Path) -> None:
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(tmp_path / "cache")}
    manager, client = start_new_kernel(startup_timeout=900, env=environment)
    try:
        told = outputs_of_cell(client, by_hand)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert {message["name"] for message in told} == ({"stderr"} if by_hand else set())
    written = "".join(str(message["text"]) for message in told)
    assert written.splitlines() == (sentences(tmp_path / "cache") if by_hand else [])
    assert list((tmp_path / "cache").glob("*.py"))
