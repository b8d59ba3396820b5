"""bdsim finds the blocks, knows their ports, and its editor finds documentation and icons."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matplotlib.image import imread

PORTS = {
    "DAMPEDLEASTSQUARESIK": (["Pose", "Weights", "InitialGuess"], ["Config", "Info"], "function"),
    "FORWARDKINEMATICS": (["Config"], ["Pose"], "function"),
    "DIFFERENTIALIK": (["Twist", "Config"], ["Rates"], "function"),
    "POSEERROR": (["Pose", "Target"], ["Twist", "Error"], "function"),
    "POSESOURCE": ([], ["Pose"], "source"),
}
MASK = {
    "DAMPEDLEASTSQUARESIK": ["robot", "frame", "damping", "max_iterations", "tolerance", "own_guess", "restarts"],
    "FORWARDKINEMATICS": ["robot", "frame", "se3"],
    "DIFFERENTIALIK": ["robot", "frame", "damping", "space"],
    "POSEERROR": [],
    "POSESOURCE": ["poses", "interval"],
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


@pytest.mark.parametrize("name", PORTS)
def test_the_editor_finds_documentation_and_parameters(sim: Any, name: str) -> None:
    info = sim.block_library[name]
    assert info["doc"].splitlines()[0].endswith(".")
    assert f":blockname:`{name}`" in info["doc"]
    assert [parameter for parameter in info["params"] if parameter != "blockargs"] == MASK[name]
    for kind, description in info["params"].values():
        assert kind.strip() and description.strip()


@pytest.mark.parametrize("name", PORTS)
def test_the_editor_finds_an_icon_of_black_ink_on_nothing(sim: Any, name: str) -> None:
    folder = Path(sim.block_library[name]["path"][0])
    icon = imread(folder / "Icons" / f"{name.lower()}.png")
    assert icon.shape == (250, 250, 4)
    ink = icon[..., 3] > 0.0
    assert 0.01 < ink.mean() < 0.5
    assert not icon[ink][:, :3].any()
    assert not ink[[0, 0, -1, -1], [0, -1, 0, -1]].any()


def test_the_icons_are_what_their_file_draws() -> None:
    sys.path.insert(0, str(Path(__file__).parents[2] / "lessons_lib" / "blocks" / "Icons"))
    try:
        import draw_icons
    finally:
        sys.path.pop(0)
    assert {name.upper() for name in draw_icons.FORMULAS} == set(PORTS)
    for name in draw_icons.FORMULAS:
        figure = draw_icons.draw(name)
        assert (figure.get_size_inches() * figure.dpi == draw_icons.PIXELS).all()
        assert [text.get_text() for text in figure.axes[0].texts] == [draw_icons.FORMULAS[name]]


def test_nothing_but_the_blocks_imports_bdsim() -> None:
    packages = "plots, pose_ik, robots, studies, trajectories"
    code = f"import sys; from lessons_lib import {packages}; from lessons_lib.course import closed_loop, simulation; "
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            code + "print('bdsim' in sys.modules); import lessons_lib.blocks; print('bdsim' in sys.modules)",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["False", "True"]
