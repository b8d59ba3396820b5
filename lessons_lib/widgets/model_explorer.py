"""Turn the joints of an arm and of its wrong model together, and watch the distance of their tips."""

import ipywidgets as widgets
import numpy as np
from numpy.typing import NDArray

from lessons_lib import lie, plots
from lessons_lib.plots.overlay import OverlayArtist, stand
from lessons_lib.robots import Chain
from lessons_lib.studies.published_models import PAIRS
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.sliders import GridSlider

Array = NDArray[np.float64]

POSTURE = (30.0, -70.0, 85.0, -105.0, -90.0, 0.0, 0.0)
"""Where the sliders stand at first, degrees: both robots bent, and the Panda within its limits."""

ROOM = 0.75
"""Half the width of the floor, m; a stretched arm reaches beyond it and is drawn all the same."""


class ModelExplorer(Explorer):
    """Two arms at the same joint angles: the real one pale, the model that a solver was given drawn over it.

    Attributes:
        pair: Which robot, and what is wrong with its model.
        angles: Seven sliders, degrees; the last one is put away for a robot of six joints.
    """

    caption = "Pale: the arm. Coloured: the model. Run this cell in JupyterLab, and the controls move both."

    def __init__(self) -> None:
        """Make the menu, the sliders and one picture for each pair."""
        self._pairs: dict[str, tuple[Chain, Chain]] = {name: (a(), b()) for name, (a, b) in PAIRS.items()}
        self.pair = widgets.Dropdown(options=list(self._pairs), description="model")
        self.angles = [
            GridSlider(value, -180.0, 180.0, 1.0, description=f"q{i + 1} [°]") for i, value in enumerate(POSTURE)
        ]
        columns = [widgets.VBox(self.angles[:4]), widgets.VBox(self.angles[4:])]
        boxes = widgets.Box(columns, layout=widgets.Layout(flex_flow="row wrap"))
        super().__init__([self.pair, boxes], size=(7.2, 4.2))
        with plots.style():
            self._text = self.figure.suptitle(" ", x=0.02, ha="left", fontsize=12)
            self._place = self.figure.add_gridspec(1, 1)[0]
            self._overlays = {name: self._draw(*chains) for name, chains in self._pairs.items()}
        self.redraw()

    @property
    def chains(self) -> tuple[Chain, Chain]:
        """The arm and its model."""
        return self._pairs[self.pair.value]

    @property
    def q(self) -> Array:
        """The configuration that the sliders show, shape (n,), rad."""
        return np.radians([slider.value for slider in self.angles[: self.chains[0].dof]])

    @property
    def gap(self) -> float:
        """Distance of the tips, m."""
        return self._overlays[self.pair.value].gap

    @property
    def turn(self) -> float:
        """Angle between the orientations of the tips, degrees."""
        arm, model = (chain.forward_kinematics(self.q)[:3, :3] for chain in self.chains)
        return float(np.degrees(np.linalg.norm(lie.log_so3(arm.T @ model))))

    @property
    def message(self) -> str:
        """The line above the picture."""
        return str(self._text.get_text())

    def paint(self) -> None:
        """Show the chosen pair at the configuration of the sliders."""
        self.angles[6].layout.display = "none" if self.chains[0].dof < 7 else ""
        for name, overlay in self._overlays.items():
            overlay.right.links.axes.set_visible(name == self.pair.value)
        self._overlays[self.pair.value].update(self.q)
        self._text.set_text(f"the tips are {self.gap:.3f} m apart and turned by {self.turn:.0f}°")

    def _draw(self, arm: Chain, model: Chain) -> OverlayArtist:
        ax = self.figure.add_subplot(self._place, projection="3d")  # one place for all pairs, one of them seen
        ax.set_in_layout(False)
        overlay = OverlayArtist(ax, arm, model)
        stand(ax, np.array([-ROOM, -ROOM, 0.0]), np.array([ROOM, ROOM, ROOM]), zoom=1.4)
        return overlay
