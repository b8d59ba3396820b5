"""A submission leaves no processes or files, even if it could start processes or the grading was killed."""

import ctypes
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from classroom.grading import cleanup, sandbox

ROOT = Path(__file__).resolve().parents[2]
LINUX_ROOT = pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root has other users")
DAEMON = """
import os, sys, time
if os.fork():
    os.waitpid(-1, 0)
    time.sleep(1000)
os.setsid()
os.chdir("/")
{then}
if os.fork():
    os._exit(0)
os.execve("/bin/sh", ["sh", "-c", "echo 1; sleep 1000; : {mark}"], {environment})
"""
"""A process of the same rights that starts a daemon: another session, its parent has ended."""


def daemons(mark):
    found = []
    for one in psutil.process_iter():
        try:
            if one.cmdline()[-1:] and one.cmdline()[-1].endswith(f": {mark}") and cleanup.is_alive(one):
                found.append(one)
        except psutil.Error:
            pass
    return found


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to an ancestor")
@pytest.mark.parametrize(
    ("adopts", "then", "environment"),
    [
        pytest.param(True, "", "{}", id="without an environment"),
        pytest.param(False, "", "dict(os.environ)", id="that nobody adopts"),
        pytest.param(False, "os.setuid(int(os.environ['SUBMISSION_USER']))", "{}", id="with neither", marks=LINUX_ROOT),
    ],
)
def test_a_daemon_ends_with_its_submission(adopts, then, environment, monkeypatch):
    mark = os.urandom(8).hex()
    monkeypatch.setattr(sandbox, "bubblewrap_command", tuple)
    code = DAEMON.format(then=then, mark=mark, environment=environment)
    monkeypatch.setattr(sandbox, "WORKER", [sys.executable, "-c", code])
    if not adopts:
        monkeypatch.setattr(sandbox, "adopt_orphans", lambda: ctypes.CDLL(None).prctl(cleanup.ADOPT, 0, 0, 0, 0))
    try:
        with sandbox.worker() as process:
            assert process.stdout is not None and process.stdout.readline() == b"1\n"
            other = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"])
            assert daemons(mark)
        assert daemons(mark) == []
        assert other.poll() is None, "a child of this process's own goes on"
    finally:
        ctypes.CDLL(None).prctl(cleanup.ADOPT, 0, 0, 0, 0)
        other.kill()
        other.wait()


@pytest.mark.skipif(cleanup.fcntl is None, reason="Windows has no such locks")
def test_the_next_run_removes_only_the_remains_of_a_killed_one(monkeypatch, tmp_path):
    code = (
        "import os, signal, subprocess, sys\nfrom classroom.grading import cleanup\n"
        "held = cleanup.folder(cleanup.GRADING)\nplace = held.__enter__()\n"
        "own = os.path.join(place, 'submission-1')\nos.mkdir(own)\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(1000)'], env={'TMPDIR': own},\n"
        "    start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "os.mkdir(os.path.join(place, 'shut'), 0)\nprint(left.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)"
    )
    variables = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    (abandoned,) = tmp_path.iterdir()
    left = psutil.Process(int(done.stdout))
    (tmp_path / "another").mkdir()
    (tmp_path / "grading-link").symlink_to(tmp_path / "another")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with cleanup.folder(cleanup.GRADING) as place:
        cleanup.remove_abandoned()
        names = {path.name for path in tmp_path.iterdir()}
        assert names == {"another", "grading-link", Path(place).name} and abandoned.name not in names
        assert not cleanup.is_alive(left)
