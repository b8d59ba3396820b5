"""Choose where Newton starts and in which frame it works, and walk through its iterates."""

import ipywidgets as widgets
import numpy as np
from numpy.typing import ArrayLike

from lessons_lib.lie import check_transform
from lessons_lib.pose_ik import NewtonRaphson, Result, Stop, solve
from lessons_lib.robots import Chain, planar_2r
from lessons_lib.widgets.explorer import Explorer
from lessons_lib.widgets.joint_sliders import configuration_of, joint_slider
from lessons_lib.widgets.solver_picture import SolverPicture

EXAMPLE_TARGET = (np.pi / 6, np.pi / 2)
"""The configuration whose pose is the target of Modern Robotics' Example 6.1, rad."""

EXAMPLE_START = (0.0, np.pi / 6)
"""Where Example 6.1 starts, rad."""


class NewtonExplorer(Explorer):
    """Newton-Raphson on one target: the arm at an iterate, and the errors of all iterates.

    Attributes:
        start: One slider a joint, degrees or m: where Newton starts.
        frame: In which frame it works, "body" or "space".
        iteration: Which iterate is shown.
        result: The last `Result`, with its trace.
    """

    caption = "Pale: the start. Black: the chosen iterate. Broad axes: the frame of the target."

    def __init__(
        self,
        chain: Chain | None = None,
        target: ArrayLike | None = None,
        q0: ArrayLike | None = None,
        *,
        stop: Stop | None = None,
    ) -> None:
        """Make the controls and the picture.

        Args:
            chain: The arm; the 2R of Example 6.1 when left out.
            target: T_sd, shape (4, 4), m; may be left out with the 2R, for the target of Example 6.1.
            q0: Where Newton starts at first, shape (n,), rad or m; Example 6.1's start for the 2R, else zero.
            stop: Tolerances and the number of iterations; there are no restarts here.

        Raises:
            TransformError: The target is not a pose.
            ConfigurationError: q0 has another shape, is not finite, or lies outside the limits.
        """
        self.chain = chain if chain is not None else planar_2r()
        self.target = (
            self.chain.forward_kinematics(EXAMPLE_TARGET) if target is None else check_transform(target, "target")
        )
        first = EXAMPLE_START if q0 is None and chain is None else (np.zeros(self.chain.dof) if q0 is None else q0)
        given = stop if stop is not None else Stop(max_iterations=20)
        self.stop = Stop(given.orientation, given.position, given.max_iterations, restarts=0)
        q = self.chain.check_within_limits(first)
        self.start = [joint_slider(self.chain, i, value) for i, value in enumerate(q)]
        self.frame = widgets.Dropdown(options=["body", "space"], description="frame")
        self.iteration = widgets.IntSlider(1, min=0, max=self.stop.max_iterations, description="iteration")
        super().__init__([widgets.VBox(self.start), widgets.HBox([self.frame, self.iteration])], size=(7.6, 4.0))
        self.result: Result | None = None
        self._picture = SolverPicture(self.figure, self.chain, self.target, self.stop)
        self.redraw()

    def paint(self) -> None:
        """Solve from the start, and show the chosen iterate: the last, where there are fewer."""
        start, method = configuration_of(self.chain, self.start), NewtonRaphson(self.frame.value)
        self.result = solve(self.chain, self.target, start, method=method, stop=self.stop, trace=True, compiled=False)
        self._picture.show(self.result, min(self.iteration.value, self.result.iterations))
