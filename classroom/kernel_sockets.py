"""Give each Jupyter kernel that a process starts Unix sockets in its own folder.

By default jupyter_client finds free TCP ports, closes them and passes their numbers to the kernel. Another process can
take them before the kernel binds them; then the kernel dies.
"""

import shutil
import socket
import tempfile
import weakref
from pathlib import Path
from typing import Any

import zmq
from jupyter_client.manager import KernelManager

_init = KernelManager.__init__


def _init_with_folder(manager: KernelManager, *args: Any, **traits: Any) -> None:
    """Initialize a kernel manager that uses sockets in a new folder, unless the caller gives an address."""
    folder = tempfile.mkdtemp(prefix="kernel-")
    weakref.finalize(manager, shutil.rmtree, folder, ignore_errors=True)
    path = str(Path(folder) / "socket")
    is_short_enough = len(path) + len("-1") <= zmq.IPC_PATH_MAX_LEN
    own = {"transport": "ipc", "ip": path} if is_short_enough and not {"transport", "ip"} & traits.keys() else {}
    _init(manager, *args, **own, **traits)


def use_unix_sockets() -> None:
    """Make all new kernel managers use Unix sockets; do nothing on Windows, whose Python lacks them.

    The constructor is replaced because some callers, such as nbval, take no configuration.
    """
    if hasattr(socket, "AF_UNIX"):
        KernelManager.__init__ = _init_with_folder
