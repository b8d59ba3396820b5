"""Pack the prover for the reader's page: Python, SymPy and the derivations, as scripts beside the pages.

Python is Pyodide, from the lock file of `front/`; SymPy and mpmath are the installed ones. A page opened from a folder
can only load scripts, so everything is one compressed stream in base64 pieces.
"""

import gzip
import hashlib
import json
import shutil
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import distribution, version
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from claim_programs import lesson_modules

ROOT = Path(__file__).resolve().parents[2]
PYODIDE = ROOT / "front" / "node_modules" / "pyodide"
OWN = (
    "__init__.py",
    "claims/*.py",
    "course/__init__.py",
    "course/check_failed.py",
    "course/student_claims.py",
    "errors.py",
    "extras.py",
    "hooks.py",
    "lazy.py",
    "symbolic/*.py",
)
RUNTIME = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
PACKAGES = ("mpmath", "sympy")
PIECE = 3 << 18
"""Bytes of a piece, a multiple of three; its base64 is 1 MB."""
LICENCES = """\
Pyodide {pyodide}, with CPython: MPL-2.0 and PSF-2.0; its sources are at https://github.com/pyodide/pyodide
SymPy {sympy} and mpmath {mpmath}: BSD-3-Clause; their licences follow.
"""


def modules() -> Iterator[tuple[str, Path]]:
    """Yield name and file of the Python modules that the page needs besides the standard library, without tests."""
    for name in PACKAGES:
        folder = Path(str(distribution(name).locate_file(name)))
        for path in sorted(folder.rglob("*.py")):
            inside = path.relative_to(folder.parent)
            if not {"tests", "benchmarks"} & set(inside.parts):
                yield inside.as_posix(), path
    library = ROOT / "lessons_lib"
    for pattern in OWN:
        yield from ((path.relative_to(ROOT).as_posix(), path) for path in sorted(library.glob(pattern)))
    yield from ((path.relative_to(ROOT).as_posix(), path) for path in lesson_modules().values())
    yield "in_page.py", Path(__file__).with_name("in_page.py")


def archive() -> bytes:
    """Return the modules as an uncompressed ZIP, reproducible for the same files."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as target:
        for name, path in modules():
            target.writestr(ZipInfo(name), path.read_bytes())
    return packed.getvalue()


def lock() -> str:
    """Return Pyodide's lock file without packages, none of which is fetched."""
    listed = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    return json.dumps({**listed, "packages": {}})


def licences() -> str:
    """Return authors and licences of the packed software."""
    versions = {name: version(name) for name in PACKAGES}
    pyodide = json.loads((PYODIDE / "package.json").read_text("utf-8"))["version"]
    texts = [LICENCES.format(pyodide=pyodide, **versions)]
    for name in PACKAGES:
        files = [file for file in distribution(name).files or () if file.name.startswith("LICENSE")]
        texts += [f"{name}\n\n{file.read_text()}" for file in files]
    return "\n\n".join(texts)


@dataclass(frozen=True)
class Payload:
    """Files that a page needs to prove a claim.

    Attributes:
        files: Contents by file name, in the order of the stream.
    """

    files: dict[str, bytes]

    @classmethod
    def read(cls) -> "Payload":
        """Collect the installed files."""
        files = {name: (PYODIDE / name).read_bytes() for name in RUNTIME}
        files |= {"pyodide-lock.json": lock().encode(), "packages.zip": archive()}
        return cls(files)

    @cached_property
    def folder(self) -> str:
        """Name of the folder, a hash of the contents, so that a browser never mixes two versions."""
        digest = hashlib.sha256(worker().encode())
        for name, content in self.files.items():
            digest.update(f"{name} {len(content)}\n".encode() + content)
        return f"proof-{digest.hexdigest()[:12]}"

    def write(self, static: Path) -> None:
        """Write the pieces below a folder, unless they exist."""
        folder = static / self.folder
        if (folder / "index.js").exists():
            return
        for old in static.glob("proof-*"):
            shutil.rmtree(old)
        folder.mkdir(parents=True, exist_ok=True)
        stream = gzip.compress(b"".join(self.files.values()), compresslevel=6, mtime=0)
        pieces = [stream[start : start + PIECE] for start in range(0, len(stream), PIECE)]
        for place, piece in enumerate(pieces):
            text = f'provesHere.piece({place}, "{b64encode(piece).decode()}");\n'
            (folder / f"{place}.js").write_text(text, "utf-8")
        (folder / "licences.txt").write_text(licences(), "utf-8")
        listed = [[name, len(content)] for name, content in self.files.items()]
        index = json.dumps({"files": listed, "pieces": len(pieces), "worker": worker()})
        (folder / "index.js").write_text(f"provesHere.begin({index});\n", "utf-8")


def worker() -> str:
    """Return the script of the page's worker."""
    return Path(__file__).with_name("in_page_worker.js").read_text("utf-8")
