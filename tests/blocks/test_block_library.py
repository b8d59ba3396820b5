"""bdsim finds the blocks, knows their ports, and its editor finds documentation and icons."""

from typing import Any

import numpy as np
import pytest

PORTS = {
    "DAMPEDLEASTSQUARESIK": (["Pose", "Weights", "InitialGuess"], ["Config", "Info"], "function"),
    "FORWARDKINEMATICS": (["Config"], ["Pose"], "function"),
    "DIFFERENTIALIK": (["Twist", "Config"], ["Rates"], "function"),
    "POSEERROR": (["Pose", "Target"], ["Twist", "Error"], "function"),
    "POSESOURCE": ([], ["Pose"], "source"),
}


def test_bdsim_finds_the_blocks_and_no_others(sim: Any) -> None:
    found = {name for name, info in sim.block_library.items() if info["package"] == "lessons_lib"}
    assert found == set(PORTS)


@pytest.mark.parametrize("name", PORTS)
def test_a_block_has_the_ports_that_its_library_entry_says(sim: Any, name: str) -> None:
    info = sim.block_library[name]
    inputs, outputs, kind = PORTS[name]
    assert (info["nin"], info["nout"], info["blockclass"]) == (len(inputs), len(outputs), kind)
    arguments = [np.eye(4)[None]] if name == "POSESOURCE" else []
    block = getattr(sim.blockdiagram(), name)(*arguments)
    assert list(block._inport_names or []) == inputs
    assert list(block._outport_names or []) == outputs
