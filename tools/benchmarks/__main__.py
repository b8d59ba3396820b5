"""Run the benchmarks, each in a process of its own, all or those that are named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CLAIMS = (
    "one_pose",
    "near",
    "methods",
    "calls",
    "batch",
    "kinematics",
    "stages",
    "first_use",
    "growth",
    "parts",
    "paths",
    "retiming",
    "servo",
    "controller",
    "differential_ik",
    "arena",
    "studies",
)


def scripts() -> list[str]:
    """Return the names of the scripts there are, in the order in which they run."""
    folder = Path(__file__).parent
    return [name for name in CLAIMS if (folder / f"{name}.py").exists()]


def run(names: list[str]) -> int:
    """Run the scripts one after the other and return how many failed."""
    failed = 0
    for name in names:
        print(f"\n=== {name} ===\n", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"tools.benchmarks.{name}"], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    chosen = sys.argv[1:] or scripts()
    unknown = sorted(set(chosen) - set(scripts()))
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; there are {', '.join(scripts())}")
    sys.exit(min(run(chosen), 1))
