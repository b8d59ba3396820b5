"""Mutate a file by Cosmic Ray in a copy of the repository: `python -m tools.mutants symbolic/so3 --part 0.1`.

A session of Cosmic Ray under build/mutants, one for each text of a file, keeps the results; an interrupted run resumes.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from cosmic_ray.commands import init
from cosmic_ray.config import load_config
from cosmic_ray.mutating import mutate_and_test
from cosmic_ray.testing import run_tests
from cosmic_ray.tools.filters.operators_filter import OperatorsFilter
from cosmic_ray.work_db import use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome

from tools.mutants.judge import ROOT, copy_into

CONFIG = Path(__file__).with_name("cosmic-ray.toml")


def survivors(file: str, part: float) -> int:
    """Judge a fixed random share of a file's mutants in the copy (the current folder); return how many survive."""
    config = load_config(str(CONFIG))
    command = f"{config.test_command} {file}"
    digest = hashlib.sha256(Path(file).read_bytes() + CONFIG.read_bytes()).hexdigest()[:12]
    session = ROOT / "build" / "mutants" / f"{Path(file).stem}-{digest}.sqlite"
    session.parent.mkdir(parents=True, exist_ok=True)
    with use_db(str(session)) as db:
        if not db.num_work_items:
            outcome, output = run_tests(command, config.timeout)
            if outcome is not TestOutcome.SURVIVED:
                raise SystemExit(f"claims or tests fail before any mutation: {output[-500:]}")
            init([Path(file)], db, config.operators_config)
            OperatorsFilter().filter(db, argparse.Namespace(config=str(CONFIG)))
        waiting = list(db.pending_work_items)
        waiting.sort(key=lambda item: hashlib.sha256(str(item.mutations[0]).encode()).digest())
        done = sum(result.worker_outcome is not WorkerOutcome.SKIPPED for _, result in db.completed_work_items)
        for item in waiting[: max(0, round(part * (done + len(waiting))) - done)]:
            db.set_result(item.job_id, mutate_and_test(item.mutations, command, config.timeout))
        judged = [one for _, one in db.completed_work_items if one.worker_outcome is not WorkerOutcome.SKIPPED]
        survived = [one for one in judged if one.test_outcome is TestOutcome.SURVIVED]
        for one in survived:
            print(one.diff)
        print(f"{file}: {len(judged)} of {done + len(waiting)} mutants judged, {len(survived)} survived", flush=True)
        return len(survived)


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return 1 if a mutant survives."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Mutate files; list the survivors.")
    parser.add_argument("files", nargs="+", metavar="FILE", help="below lessons_lib/, for example symbolic/so3")
    parser.add_argument("--part", type=float, default=1.0, help="share of each file's mutants, above 0 and at most 1")
    options = parser.parse_args(arguments)
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        copy_into(Path(folder))
        os.environ["PYTHONPATH"] = os.pathsep.join([folder, *filter(None, [os.environ.get("PYTHONPATH")])])
        with chdir(folder):
            return int(sum(survivors(f"lessons_lib/{name}.py", options.part) for name in options.files) > 0)


if __name__ == "__main__":
    sys.exit(main())
