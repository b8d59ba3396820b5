"""The explorer of sources shows what the library generates, for every choice."""

import html

import pytest

from lessons_lib import robots
from lessons_lib.widgets.source_explorer import ARMS, KERNELS, TARGETS, SourceExplorer


@pytest.fixture(scope="module")
def explorer() -> SourceExplorer:
    return SourceExplorer()


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("target", TARGETS)
def test_every_choice_shows_its_source(explorer: SourceExplorer, arm: str, kernel: str, target: str) -> None:
    explorer.change(arm=arm, kernel=kernel, target=target)
    whole = ARMS[arm]().source(target)
    head = f"function {KERNELS[kernel]}(q) {{" if target == "javascript" else f"def {KERNELS[kernel]}(q"
    assert head in explorer.source
    assert explorer.source in whole
    assert html.escape(explorer.source) in explorer.text.value


def test_the_counts_are_the_kernels(explorer: SourceExplorer) -> None:
    explorer.change(arm="UR10", kernel="T and J_b")
    before, after = explorer.operations
    assert before > 4 * after
    assert [text.get_text() for text in explorer.figure.axes[0].texts] == [f"{before:,}", f"{after:,}"]


def test_moving_a_menu_repaints(explorer: SourceExplorer) -> None:
    explorer.change(arm="planar 2R", kernel="T and J_b", target="numba")
    picture, text = explorer.image.value, explorer.text.value
    explorer.arm.value = "Panda"
    assert explorer.image.value != picture
    assert explorer.text.value != text


def test_the_still_picture_and_the_name() -> None:
    explorer = SourceExplorer()
    assert explorer.still().startswith(b"\x89PNG")
    assert repr(explorer) == "SourceExplorer()"
    assert [w.description for w in explorer.controls] == ["arm", "computes", "target"]
    assert explorer.chosen.is_column("q")
    assert robots.planar_2r().dof == 2
