"""A child that is forked while a thread loads or compiles a module compiles its own, and does not hang."""

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.check

FORK = """
import json, os, traceback
def in_child(work):
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writer, json.dumps(work()).encode())
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        told = json.loads(pipe.read())
    os.waitpid(child, 0)
    return told
import threading, time, warnings
from lessons_lib.codegen import cache
from lessons_lib.codegen.native import Native
warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of any fork beside threads
text = "from lessons_lib.codegen.native import native\\n@native\\ndef f(x):\\n    return x + {}\\n"
def slow():
    busy.set()
    time.sleep(1.0)
    return text.format(1)
def busy_loading():
    cache.load("slow", "", slow)
make = Native._build
def slow_to_compile(self, types):
    if "slower" in self.__module__:
        busy.set()
        time.sleep(1.0)
    return make(self, types)
Native._build = slow_to_compile
def busy_compiling():
    cache.load("slower", "", lambda: text.format("2")).f(1.0)
answer = []
for work in (busy_loading, busy_compiling):
    busy = threading.Event()
    thread = threading.Thread(target=work)
    thread.start()
    busy.wait()
    answer.append(in_child(lambda: cache.load("quick", "", lambda: text.format(2)).f(1.0)))
    thread.join()
print(answer)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_child_forked_during_a_compilation_does_not_hang(tmp_path):
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(tmp_path / "cache"), "LESSONS_PLAIN": "0"}
    command = [sys.executable, "-W", "error", "-c", FORK]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900)
    assert (done.returncode, done.stdout) == (0, "[3.0, 3.0]\n"), done.stderr
