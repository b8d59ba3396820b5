"""A kernel that is forked finds what a kernel that is started finds, and ends when it is told to."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel
from jupyter_client.provisioning import local_provisioner

from tools import forked_kernels

ASKED = """import json, os, sys
ours = sorted(name for name in sys.modules if name.startswith(("lessons_lib", "tests", "tools", "conftest")))
told = ours, sys.path, os.getcwd(), dict(os.environ), __name__, sys.stdin.__class__.__name__
import matplotlib.pyplot as plt
print(json.dumps([*told, plt.get_backend()]))"""
TOLD_BY_A_PARENT = {"JPY_PARENT_PID", "_", "SHLVL", "PYDEVD_USE_FRAME_EVAL"}


def said(folder: Path) -> list[Any]:
    """Return what a new kernel says, once it has ended."""
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(folder))
    told: list[str] = []
    client.execute_interactive(ASKED, output_hook=lambda message: told.append(message["content"].get("text", "")))
    client.stop_channels()
    manager.shutdown_kernel()
    assert not manager.is_alive()
    *answer, environment, name, stdin, backend = json.loads("".join(told))
    return [*answer, {k: v for k, v in environment.items() if k not in TOLD_BY_A_PARENT}, name, stdin, backend]


def test_a_forked_kernel_is_as_one_that_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ASKED_OF", "both")
    started = said(tmp_path)
    server = forked_kernels.Server()
    monkeypatch.setattr(local_provisioner, "launch_kernel", server.launch)
    assert said(tmp_path) == started
    assert started[0] == [] and started[2] == os.path.realpath(tmp_path)
    assert server.process is not None and server.processor_time() > 0.0
    monkeypatch.setenv("ASKED_OF", "the second")
    assert said(tmp_path)[3] == started[3] | {"ASKED_OF": "the second"}
    assert server.process.poll() is None
    server.process.kill()
    server.process.communicate()
