"""Attacks that a student might submit to exercise 02, for points or other students' data; see `test_isolation.py`."""

from pathlib import Path

import nbformat

from classroom.grading.submission import is_solution

NOTEBOOK = Path(__file__).resolve().parents[2] / "exercises" / "02_rotation_logarithm" / "02_rotation_logarithm.ipynb"
CELLS = [cell for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
SOLUTION = next(cell.source for cell in CELLS if is_solution(cell))
ZEROS = "def rotation_log(R):\n    return np.zeros(3)\n"
INSIDE = "def rotation_log(R):\n    {}\n    return np.zeros(3)\n"
PIPE = """
def line():
    import os
    for number in range(3, 20):
        try:
            os.write(number, b"")
            yield number
        except OSError:
            pass


def rotation_log(R):
    import base64, io, json, os, struct
    for number in line():
        data = {}
        os.write(number, struct.pack(">I", len(data)) + data)
    return np.zeros(3)
"""
PICKLED = """(lambda file: (np.save(file, np.array([Evil()], dtype=object)), json.dumps(["done", {"array":
            base64.b64encode(file.getvalue()).decode()}, [], ""]).encode())[1])(io.BytesIO())"""
EVIL = "class Evil:\n    def __reduce__(self):\n        return open, (MARKS, 'w')\n"
FORK = """
import _posixsubprocess, os, sys


def start(*arguments):
    r, w = os.pipe()
    return _posixsubprocess.fork_exec([os.fsencode(a) for a in arguments], [os.fsencode(arguments[0])], True, (w,),
        None, None, -1, -1, -1, -1, -1, -1, r, w, False, False, -1, None, None, None, -1, None, False)
"""
LIAR = """
class Liar(float):
    def __array__(self, *_, **__):
        return np.zeros(3)

    def __eq__(self, other):
        return True

    __le__ = __lt__ = __ge__ = __gt__ = __eq__
    __hash__ = None


class Sub(np.ndarray):
    def __array_ufunc__(self, *_, **__):
        return 0.0
"""
WITHOUT_FILES = {
    "an AST transformer": f"from IPython import get_ipython\nget_ipython().ast_transformers.append(None)\n{ZEROS}",
    "a success that is always true": "from IPython.core.interactiveshell import ExecutionResult\n"
    f"ExecutionResult.success = property(lambda self: True)\n{ZEROS}",
    "frames": INSIDE.format(
        "import sys; f = sys._getframe()\n    while f:\n        f.f_globals['TOLERANCE'] = 9e9; f = f.f_back"
    ),
    "NumPy, replaced": f"np.abs = np.linalg.norm = lambda *_, **__: np.zeros(1)\n{ZEROS}",
    "code, rewritten": "from lessons_lib.course import feedback\n"
    + INSIDE.format("feedback.check.__code__ = (lambda *_, **__: None).__code__"),
    "a number that lies": LIAR + "def rotation_log(R):\n    return Liar(0)\n",
    "an array that lies": LIAR + "def rotation_log(R):\n    return np.zeros(3).view(Sub)\n",
    "an array of objects": EVIL + "def rotation_log(R):\n    return np.array([Evil()] * 3, dtype=object)\n",
    "a pickle on the line": f"MARKS = 'x'\n{EVIL}" + PIPE.format(PICKLED),
    "an answer before the question": PIPE.format('json.dumps(["done", None, [], ""]).encode()'),
    "no message on the line": PIPE.format('b"x" * 99'),
    "a huge answer": "def rotation_log(R):\n    return np.zeros(10**8)\n",
    "an endless answer": "def rotation_log(R):\n    a = []\n    a.append(a)\n    return a\n",
    "an error that cannot be said": "class E(Exception):\n    def __str__(self):\n        raise E\n"
    + INSIDE.format("raise E"),
    "an interrupt": INSIDE.format("raise KeyboardInterrupt"),
    "an endless loop": INSIDE.format("while True:\n        pass"),
    "threads without end": INSIDE.format(
        "import threading, time\n    threading.stack_size(65536)\n    while True:\n"
        "        threading.Thread(target=time.sleep, args=(1000,)).start()"
    ),
    "shared memory": INSIDE.format("import ctypes; assert ctypes.CDLL(None).shmget(4711, 4096, 0o1666) >= 0"),
    "the end": INSIDE.format("import os; os._exit(0)"),
    "a crash": INSIDE.format("import ctypes; ctypes.string_at(0)"),
    "a gigabyte of text": INSIDE.format("print('x' * 10**9)"),
    "all memory": INSIDE.format("much = []\n    while True:\n        much.append(np.ones(10**8))"),
    "all the disk": INSIDE.format("for k in range(99):\n        open(f'/tmp/{k}', 'wb').write(b'x' * 10**6)"),
    "a fork": INSIDE.format("import os; os.fork()"),
    "a program": INSIDE.format("import os; os.execv('/bin/true', ['true'])"),
    "a connection": INSIDE.format("import socket; socket.socket()"),
    "limits of the checks": INSIDE.format(
        "import os, resource; resource.prlimit(os.getppid(), resource.RLIMIT_CPU, (0, 0))"
    ),
    "the checks' process": INSIDE.format("import os, signal; os.kill(os.getppid(), signal.SIGKILL)"),
}
"""Name of an attack to the cell that is submitted."""
WITH_FILES = {
    "the solution, by open": "exec(open(SOLUTION).read())",
    "the gradebook": "import sqlite3\nexec(sqlite3.connect(BOOK).execute('select text from t').fetchone()[0])",
    "marks, by a child": FORK + f"start('/bin/sh', '-c', 'echo 9 > ' + MARKS)\n{ZEROS}",
    "the cache of compiled code": "import os\nfolder = os.environ['LESSONS_CACHE_DIR']\n"
    f"open(os.path.join(folder, 'evil.py'), 'w').write('9')\n{ZEROS}",
    "the other process": "import os\nfor name in ('environ', 'mem', 'maps'):\n"
    "    text = open(f'/proc/{CHECKS}/{name}', 'rb').read(9)\n    assert not text\n" + SOLUTION,
    "files that are open": "import os\nat = '/proc/self/fd/'\n"
    "found = [os.readlink(at + k) for k in os.listdir(at) if os.path.exists(at + k)]\n"
    "assert any(name.startswith('/') and not name.startswith(('/dev/', '/proc/')) for name in found)\n" + SOLUTION,
}
