"""A warm cache, damaged in every way that a disk or a stranger has, and processes that start with it."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from tools.fuzz.tally import Tally, generator

QUESTION = "Does a process with a damaged cache give the answer of one with a whole cache, to the last bit?"
JUDGE = "the same process before the damage"
UNIT = "starts"
CASES = 60

SOLVE = """
import numpy as np
from lessons_lib import lie, pose_ik, robots
arm = robots.planar_2r()
found = pose_ik.solve(arm, arm.forward_kinematics([0.3, 0.8]), [0.1, 0.4])
print(found.status.name, found.q.tobytes().hex(), lie.log_so3(lie.exp_so3([0.3, -0.2, 0.9])).tobytes().hex())
"""
HANGS = 900.0
"""Seconds after which a start counts as one that never ends; a cold one takes some ten."""


def fuzz(cases: Iterable[int], seed: int, tally: Tally) -> None:
    """Damage a copy of a warm cache in each case, and start a process with it twice."""
    with tempfile.TemporaryDirectory() as place:
        warm = Path(place) / "warm"
        whole = start(warm)
        for case in cases:
            rng, folder = generator(seed, case), Path(place) / f"case {case}"
            shutil.copytree(warm, folder)
            kind = str(rng.choice(list(KINDS)))
            done = KINDS[kind](folder, rng)
            for time in ("first", "second"):
                tally.tried += 1
                found = start(folder)
                if found != whole:
                    tally.fail(case, f"{kind} of {done}, {time} start: {found!r} for {whole!r}")
            shutil.rmtree(folder)


def start(folder: Path) -> tuple[int, str]:
    """Return how a process with this cache ended, and what it printed."""
    folder.mkdir(mode=0o700, exist_ok=True)
    environment = {**os.environ, "LESSONS_CACHE_DIR": str(folder)}
    try:
        command = [sys.executable, "-W", "error", "-c", SOLVE]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=HANGS, check=False)
    except subprocess.TimeoutExpired:
        return -1, "it hangs"
    return done.returncode, done.stdout or done.stderr[-200:]


def files(folder: Path, rng: np.random.Generator) -> list[Path]:
    """Return some files of a cache, any number of them."""
    there = sorted(path for path in folder.rglob("*") if path.is_file())
    return [there[i] for i in rng.permutation(len(there))[: int(rng.integers(1, len(there) + 1))]]


def flip(folder: Path, rng: np.random.Generator) -> str:
    """Turn a bit in each of some files."""
    hit = files(folder, rng)
    for path in hit:
        content = bytearray(path.read_bytes())
        content[int(rng.integers(len(content)))] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(content))
    return told(hit)


def truncate(folder: Path, rng: np.random.Generator) -> str:
    """Cut some files off, some of them to nothing."""
    hit = files(folder, rng)
    for path in hit:
        path.write_bytes(path.read_bytes()[: int(rng.integers(path.stat().st_size + 1)) * int(rng.integers(2))])
    return told(hit)


def swap(folder: Path, rng: np.random.Generator) -> str:
    """Give files of a kind each other's contents."""
    kind = str(rng.choice([".py", ".o"]))
    hit = [path for path in files(folder, rng) if path.suffix == kind]
    contents = [path.read_bytes() for path in hit]
    for path, content in zip(hit, contents[1:] + contents[:1], strict=True):
        path.write_bytes(content)
    return told(hit)


def delete(folder: Path, rng: np.random.Generator) -> str:
    """Delete some files."""
    hit = files(folder, rng)
    for path in hit:
        path.unlink()
    return told(hit)


def fill(folder: Path, rng: np.random.Generator) -> str:
    """Fill some files with noise."""
    hit = files(folder, rng)
    for path in hit:
        path.write_bytes(rng.bytes(int(rng.integers(1, 5000))))
    return told(hit)


def replace_by_folders(folder: Path, rng: np.random.Generator) -> str:
    """Put folders in the places of some files."""
    hit = files(folder, rng)
    for path in hit:
        path.unlink()
        path.mkdir()
    return told(hit)


KINDS: dict[str, Callable[[Path, np.random.Generator], str]] = {
    "a flipped bit": flip,
    "truncation": truncate,
    "exchange": swap,
    "deletion": delete,
    "noise": fill,
    "a folder in the place": replace_by_folders,
}


def told(hit: list[Path]) -> str:
    """Return the names of what was hit, short."""
    names = " ".join(sorted(path.name for path in hit))
    return f"{len(hit)} files ({hashlib.sha256(names.encode()).hexdigest()[:8]})"
