"""Messages about derivations and compilations: on stderr if a person reads it, otherwise in the log."""

import io
import logging
import os
import sys
import threading

import pytest
from jupyter_client.manager import start_new_kernel

from lessons_lib.codegen import compile_log


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Broken(Terminal):
    def write(self, text):
        raise BrokenPipeError


def closed_terminal():
    stderr = Terminal()
    stderr.close()
    return stderr


@pytest.mark.parametrize(
    ("stderr", "written"),
    [
        (Terminal(), "lessons_lib: deriving\n"),
        (io.StringIO(), ""),
        (Broken(), ""),
        (None, None),
        (closed_terminal(), None),
    ],
)
def test_a_terminal_shows_messages_and_any_other_stderr_raises_no_error(stderr, written, monkeypatch):
    monkeypatch.setattr(sys, "stderr", stderr)
    compile_log.notify("deriving")
    assert written is None or (stderr is not None and stderr.getvalue() == written)


@pytest.mark.parametrize("is_read", [True, False])
def test_an_unexpected_compilation_without_a_reader_is_logged_as_a_warning(is_read, caplog, capsys, monkeypatch):
    monkeypatch.setattr(compile_log, "has_reader", lambda: is_read)
    with caplog.at_level(logging.INFO, logger="lessons_lib"):
        compile_log.notify("deriving")
        with compile_log.expect_compiling(by="a test"):
            thread = threading.Thread(target=compile_log.notify_of_compiling, args=("expected",))
            thread.start()
            thread.join()
        compile_log.notify_of_compiling("compiling")
    last = ("INFO", "compiling") if is_read else ("WARNING", "lessons_lib: compiling")
    levels = [(record.levelname, record.getMessage()) for record in caplog.records if record.name == "lessons_lib"]
    assert levels == [("INFO", "deriving"), ("INFO", "expected"), last]
    assert capsys.readouterr().err == ("lessons_lib: deriving\nlessons_lib: compiling\n" if is_read else "")


USE = """
from lessons_lib.codegen import cache
text = "from lessons_lib.codegen.native import native\\n@native\\ndef f(x): return 2 * x\\n"
module = cache.load("toy", "1", lambda: text, derives="the kinematics of toy")
module.f(1.0);
"""


@pytest.mark.check
@pytest.mark.parametrize("interactive", [True, False])
def test_an_interactive_notebook_shows_messages_and_an_executed_one_stores_none(interactive, tmp_path):
    """A front end accepts requests for input; nbclient and nbval do not."""
    outputs, folder = list[dict[str, str]](), tmp_path / "cache"
    manager, client = start_new_kernel(startup_timeout=900, env={**os.environ, "LESSONS_CACHE_DIR": str(folder)})

    def record_output(message):
        if message["content"].get("text"):
            outputs.append(message["content"])

    try:
        client.execute_interactive(USE, allow_stdin=interactive, output_hook=record_output, timeout=900)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
    assert {output["name"] for output in outputs} == ({"stderr"} if interactive else set())
    compiling = f"lessons_lib: compiling the kinematics of toy, once; the next start finds it in {folder}"
    written = ["lessons_lib: deriving the kinematics of toy", compiling]
    assert "".join(output["text"] for output in outputs).splitlines() == (written if interactive else [])
    assert list(folder.glob("*.py"))
