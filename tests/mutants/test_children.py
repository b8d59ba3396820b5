"""Processes that look at a changed copy: what they import, and how they end."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = """
import json
from mutants.copies import changed, copied, in_a_child

def look():
    from lessons_lib import errors
    return [errors.__file__, errors.WHAT]

def loop():
    while True:
        pass

def slip():
    return 1 / 0

with copied() as copy:
    file = "lessons_lib/errors.py"
    text = (copy / file).read_text(encoding="utf8")
    with changed(copy, file, text + "WHAT = 'changed'\\n"):
        seen = in_a_child(copy, look, 60)
    again = in_a_child(copy, look, 60)
    ends = [in_a_child(copy, work, 1) for work in (loop, slip)]
    same = (copy / file).read_text(encoding="utf8") == text
print(json.dumps([seen.value, str(copy), again.error, *(end.error for end in ends), same]))
"""


def test_a_child_imports_the_copy_and_its_end_is_told() -> None:
    done = subprocess.run([sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stderr
    seen, copy, again, looped, slipped, same = json.loads(done.stdout)
    assert seen == [f"{copy}/lessons_lib/errors.py", "changed"]
    assert again.startswith("AttributeError")
    assert looped.startswith("the process was ended with -")
    assert slipped == "ZeroDivisionError: division by zero"
    assert same
