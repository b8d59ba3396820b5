"""Kernels that start at the same time do not compete for TCP ports."""

from pathlib import Path

import nbformat
import pytest
import store_outputs
from jupyter_client.manager import KernelManager
from nbclient import NotebookClient
from nbgrader.preprocessors import Execute

from classroom import kernel_sockets
from classroom.grading import sandbox
from classroom.grading.checks import Isolated

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future


def test_the_socket_folder_is_private_and_goes_with_the_manager():
    manager = KernelManager()
    folder = Path(manager.ip).parent
    assert folder.stat().st_mode & 0o777 == 0o700
    del manager
    assert not folder.exists()


def test_a_path_too_long_for_a_socket_leaves_tcp(tmp_path, monkeypatch):
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(kernel_sockets.tempfile, "tempdir", str(deep))
    assert KernelManager().transport == "tcp"


def test_storing_outputs_and_grading_use_unix_sockets(monkeypatch):
    """Both start kernels in processes that have no `conftest.py`."""
    transports = []

    def note(*_, **__):
        transports.append(KernelManager().transport)

    monkeypatch.setattr(NotebookClient, "execute", note)
    monkeypatch.setattr(Execute, "preprocess", note)
    monkeypatch.setenv(sandbox.TRIED, "in vain")
    notebook, name = nbformat.v4.new_notebook(), "02_rotation_logarithm"
    submission = {"nbgrader": {"student": "ann", "assignment": name, "notebook": name}}
    for start in (lambda: store_outputs.run(notebook, ROOT), lambda: Isolated().preprocess(notebook, submission)):
        monkeypatch.setattr(KernelManager, "__init__", kernel_sockets._init)
        start()
    assert transports == ["ipc", "ipc"]
