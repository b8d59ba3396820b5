"""Choose an arm, a kernel and a target, and read the code that the derivation writes."""

import html

import ipywidgets as widgets

from lessons_lib import plots, robots
from lessons_lib.codegen import Kernel, source
from lessons_lib.plots.theme import BLUE, INK, VERMILION
from lessons_lib.robots import kinematics
from lessons_lib.widgets.explorer import Explorer

ARMS = {"planar 2R": robots.planar_2r, "UR10": robots.ur10, "Panda": robots.panda}
KERNELS = {"T": "pose_kernel", "T and J_s": "space_kernel", "T and J_b": "chain_kernel"}
TARGETS = ("numba", "numpy", "javascript")


class SourceExplorer(Explorer):
    """Generated code to read, and two bars: the operations written out, and those that are left.

    Attributes:
        arm: Which chain.
        kernel: What it computes.
        target: Which language.
        text: The source, as a widget.
    """

    caption = "Run this cell in JupyterLab: the menus choose the arm, what is computed and the language of the source."

    def __init__(self) -> None:
        """Make the menus, the place of the source, and the two bars."""
        self._kernels: dict[str, list[Kernel]] = {}
        self.arm = widgets.Dropdown(options=list(ARMS), value="UR10", description="arm")
        self.kernel = widgets.Dropdown(options=list(KERNELS), value="T and J_b", description="computes")
        self.target = widgets.Dropdown(options=TARGETS, description="target")
        self.text = widgets.HTML(layout=widgets.Layout(max_height="22em", overflow="auto"))
        menus = widgets.Box([self.arm, self.kernel, self.target], layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([menus, self.text], size=(7.2, 2.1))
        with plots.style():
            ax = self.figure.add_subplot()
            self._bars = ax.barh([0, 1], [1.0, 1.0], color=[VERMILION, BLUE], height=0.5, zorder=2)
            self._numbers = [ax.text(1.0, y, "", va="center", fontsize=12, color=INK) for y in (0, 1)]
            ax.set(xscale="log", xlim=(1, 3e5), ylim=(1.5, -0.5), yticks=[0, 1], xlabel="operations")
            ax.set_yticklabels(["written out", "after CSE"], fontsize=12)
            ax.grid(visible=False, axis="y")
        self.redraw()

    @property
    def chosen(self) -> Kernel:
        """The kernel that the menus name."""
        if self.arm.value not in self._kernels:
            chain = ARMS[self.arm.value]()
            self._kernels[self.arm.value] = kinematics.kernels(chain.screws, chain.home)
        (found,) = (k for k in self._kernels[self.arm.value] if k.name == KERNELS[self.kernel.value])
        return found

    @property
    def source(self) -> str:
        """The function that is shown, without what stands above it in its module."""
        text: str = source([self.chosen], self.target.value)
        word = "/** " if self.target.value == "javascript" else f"def {self.chosen.name}"
        return text[text.index(word) :].rstrip()

    @property
    def operations(self) -> tuple[int, int]:
        """Operations written out, and after CSE."""
        before, after = self.chosen.count_operations()
        return before, after

    def paint(self) -> None:
        """Show the chosen source and its counts."""
        self.text.value = f"<pre style='font-size: 85%; line-height: 1.3'>{html.escape(self.source)}</pre>"
        for bar, number, count in zip(self._bars, self._numbers, self.operations, strict=True):
            bar.set_width(count)
            number.set_x(1.15 * count)
            number.set_text(f"{count:,}")
