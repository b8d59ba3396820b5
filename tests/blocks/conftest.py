"""A bdsim that has just found the blocks, and an empty diagram."""

import pytest
from bdsim import BDSim


@pytest.fixture
def sim(monkeypatch):
    """A simulator as a reader makes one: bdsim looks for the blocks by the name of the package."""
    monkeypatch.setattr(BDSim, "_blocklibrary", None)  # it reads its libraries once a process
    quiet = {"sysargs": False, "graphics": False, "progress": False, "quiet": True}
    return BDSim(packages="lessons_lib", toolboxes=False, banner=False, **quiet)


@pytest.fixture
def bd(sim):
    return sim.blockdiagram()
