"""Kernels for nbval that are forked from one process, which has imported what is dear and others', and nothing of ours.

To start a kernel and to import NumPy, SymPy and Matplotlib takes longer than many notebooks: each worker of
pytest-xdist does it once. A fork has a group, an environment and a folder of its own, as a kernel that is started has.
"""

import atexit
import gc
import json
import os
import signal
import sys
import time
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, PIPE, Popen
from typing import Any

IMPORTED = ("anywidget", "ipykernel.ipkernel", "llvmlite.binding", "matplotlib.pyplot", "scipy.optimize", "sympy")


def fork(arguments: list[str], environment: dict[str, str], folder: str) -> int | None:
    """Return the process id of a new kernel, and None in the kernel once it has ended."""
    from ipykernel import kernelapp

    parent = os.getpid()
    if (kernel := os.fork()) != 0:
        os.setpgid(kernel, kernel)  # both do it: whoever asked for the kernel will signal the group
        return kernel
    os.setpgid(0, 0)
    for stream in (0, 1, 2):
        os.dup2(os.open(os.devnull, os.O_RDWR), stream)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    kernelapp.launch_new_instance([*arguments, f"--IPKernelApp.parent_handle={parent}"])
    return None


def status(kernel: int) -> int | None:
    """Return the exit status of a kernel, None while it runs."""
    ended, found = os.waitpid(kernel, os.WNOHANG)
    return os.waitstatus_to_exitcode(found) if ended else None


def processor_time() -> float:
    """Return the processor seconds of this process and of the kernels that have ended."""
    return sum(os.times()[:4])


def serve() -> None:
    """Import what kernels import; then answer each line of standard input, a name of a function with its arguments."""
    os.environ.setdefault("MPLBACKEND", "module://matplotlib_inline.backend_inline")  # read with the first import
    for name in IMPORTED:
        import_module(name)
    gc.freeze()
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        answer = {one.__name__: one for one in (fork, status, processor_time)}[name](*arguments)
        if name == "fork" and answer is None:
            return
        print(json.dumps(answer), flush=True)


class Server:
    """The process from which kernels are forked: it begins with the first of them."""

    def __init__(self) -> None:
        """Begin with none."""
        self.process: Popen[str] | None = None

    def ask(self, name: str, *arguments: Any) -> Any:
        """Return what a function of this module returns over there."""
        if self.process is None:
            self.process = Popen(
                [sys.executable, __file__],
                stdin=PIPE,
                stdout=PIPE,
                stderr=DEVNULL,
                text=True,
                start_new_session=True,
            )
            atexit.register(self.process.kill)
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, *arguments]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def launch(self, command: list[str], *, env: dict[str, str], cwd: str | None = None, **_: Any) -> "Kernel":
        """Fork a kernel; stands in for `jupyter_client.launcher.launch_kernel`."""
        arguments = command[command.index("ipykernel_launcher") + 1 :]
        return Kernel(self, self.ask("fork", arguments, env, cwd or str(Path.cwd())))

    def processor_time(self) -> float:
        """Return the processor seconds of all that has ended, and of the process itself [s]."""
        return 0.0 if self.process is None else float(self.ask("processor_time"))


class Kernel:
    """A forked kernel, with what jupyter_client asks of a process."""

    stdin = stdout = stderr = None

    def __init__(self, server: Server, pid: int) -> None:
        """Hold whom to ask, and the process id."""
        self.server, self.pid = server, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Return its exit status, None while it runs."""
        if self.returncode is None:
            self.returncode = self.server.ask("status", self.pid)
        return self.returncode

    def wait(self) -> int:
        """Return its exit status once it has ended."""
        while (code := self.poll()) is None:
            time.sleep(0.01)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


SERVER = Server()
"""This process has one."""


def install() -> None:
    """Let jupyter_client fork the kernels that this process starts."""
    from jupyter_client.provisioning import local_provisioner

    vars(local_provisioner)["launch_kernel"] = SERVER.launch


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).resolve().parent))
    serve()
