"""Start a student's server: JupyterLab with the lessons, the compiled code, and nbgrader's assignment list.

The lessons are copied from $LESSONS_COPIES into the student's home folder, except those that the student has changed.
The compiled code in $LESSONS_COMPILED is shared: the student's cache contains links to it.
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from classroom.copies import folder  # noqa: E402

SETTINGS = (HERE / "student", HERE.parent / "jupyter")
"""Folders of settings for Jupyter; the first one has priority."""


def copy_lessons(source: Path, target: Path) -> None:
    """Copy new lessons."""
    files = [path for path in source.rglob("*") if path.is_file() and path.name != folder.LIST]
    folder.write({path.relative_to(source).as_posix(): path.read_text("utf-8") for path in files}, target)


def link_compiled(source: Path, target: Path) -> None:
    """Link each file of a cache into another one, and remove dangling links."""
    (target / "__pycache__").mkdir(mode=0o700, parents=True, exist_ok=True)
    target.chmod(0o700)
    for path in target.rglob("*"):
        if path.is_symlink() and not path.exists():
            path.unlink()
    for path in source.rglob("*.*"):
        link = target / path.relative_to(source)
        if not os.path.lexists(link):
            link.symlink_to(path)


def main() -> None:
    """Prepare the student's folders, then replace this process by the server."""
    home, here = Path.home(), os.environ
    os.umask(0o077)  # on many machines, home folders are readable for everyone
    if "LESSONS_COPIES" in here:
        copy_lessons(Path(here["LESSONS_COPIES"]), home / "lessons")
    if "LESSONS_COMPILED" in here:
        here["LESSONS_CACHE_DIR"] = str(home / ".cache" / "lessons-lib")
        link_compiled(Path(here["LESSONS_COMPILED"]), Path(here["LESSONS_CACHE_DIR"]))
    if here.get("LESSONS_OWN_NUMBERS"):
        here["LESSONS_STUDENT"] = here["JUPYTERHUB_USER"]
    here["JUPYTER_CONFIG_PATH"] = os.pathsep.join(map(str, SETTINGS))
    os.chdir(home)
    os.execv(sys.executable, [sys.executable, "-m", "jupyterhub.singleuser", *sys.argv[1:]])


if __name__ == "__main__":
    main()
