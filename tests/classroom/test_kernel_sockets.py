"""Kernels that start at the same time do not compete for TCP ports."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
import store_outputs
from jupyter_client.manager import AsyncKernelManager, KernelManager
from nbclient import NotebookClient
from nbgrader.preprocessors import Execute

from classroom import kernel_sockets
from classroom.grading import apart
from classroom.grading.checks import Isolated
from classroom.kernel_sockets import use_unix_sockets

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.filterwarnings("ignore")  # nbgrader and the packages below it warn of their own future


def test_two_kernels_never_share_a_socket_folder() -> None:
    """The root `conftest.py` has called `use_unix_sockets` for this process."""
    managers = [KernelManager(), AsyncKernelManager(), KernelManager(kernel_name="python3")]
    assert [manager.transport for manager in managers] == ["ipc"] * 3
    assert len({Path(manager.ip).parent for manager in managers}) == 3


def test_the_socket_folder_is_private_and_goes_with_the_manager() -> None:
    manager = KernelManager()
    folder = Path(manager.ip).parent
    assert folder.stat().st_mode & 0o777 == 0o700
    del manager
    assert not folder.exists()


def test_an_address_given_by_the_caller_is_kept() -> None:
    assert KernelManager(transport="tcp").transport == "tcp"
    assert (KernelManager(ip="127.0.0.1").transport, KernelManager(ip="127.0.0.1").ip) == ("tcp", "127.0.0.1")


def test_a_path_too_long_for_a_socket_leaves_tcp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    monkeypatch.setattr(kernel_sockets.tempfile, "tempdir", str(deep))
    assert KernelManager().transport == "tcp"


def test_calling_it_twice_changes_nothing() -> None:
    before = KernelManager.__init__
    use_unix_sockets()
    assert KernelManager.__init__ is before


def test_storing_outputs_and_grading_use_unix_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both start kernels in processes that have no `conftest.py`."""
    transports: list[str] = []

    def note(*_: Any, **__: Any) -> None:
        transports.append(KernelManager().transport)

    monkeypatch.setattr(NotebookClient, "execute", note)
    monkeypatch.setattr(Execute, "preprocess", note)
    monkeypatch.setenv(apart.TRIED, "in vain")
    notebook, name = nbformat.v4.new_notebook(), "02_rotation_logarithm"
    hand_in = {"nbgrader": {"student": "ann", "assignment": name, "notebook": name}}
    for start in (lambda: store_outputs.run(notebook, ROOT), lambda: Isolated().preprocess(notebook, hand_in)):
        monkeypatch.setattr(KernelManager, "__init__", kernel_sockets._init)
        start()
    assert transports == ["ipc", "ipc"]
