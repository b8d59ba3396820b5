"""An arm on its path: targets, tip path and joint curves, as a picture or a film."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib import animation
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from lessons_lib.arrays import Array, floats, is_real
from lessons_lib.errors import ConfigurationError, ParameterError, TransformError
from lessons_lib.lie import check_transform
from lessons_lib.paths import output_file, report_write_errors, short_repr
from lessons_lib.plots.arm import ArmArtist, draw_frame, give_room, is_planar, polyline, set_points
from lessons_lib.plots.theme import BLUE, GREY, INK, WIDTH, as_text, look, style
from lessons_lib.robots import Chain
from lessons_lib.robots.stick_figure import skeleton

__all__ = [
    "PathArtist",
    "animate_path",
    "draw_path",
]


PIECES = 24
"""Segments of the tip path between two configurations."""

SIZE = (WIDTH, 4.2)
"""Width and height of the picture, inches."""

WRITERS = {".gif": "pillow", ".mp4": "ffmpeg"}
"""matplotlib's writer for each suffix."""


class PathArtist:
    """Arm, targets and tip path on the left, joint curves on the right; `update(s)` moves the arm along the path."""

    def __init__(self, figure: Figure, chain: Chain, waypoints: ArrayLike, configurations: ArrayLike) -> None:
        """Add both pictures to the figure, with the arm at the end of its path.

        Args:
            figure: Figure of matplotlib.
            chain: The arm.
            waypoints: The targets, shape (k, 4, 4), position in m; k may be 0.
            configurations: The configurations of the path, shape (m, n), m ≥ 1, rad or m.

        Raises:
            ConfigurationError: The configurations have another shape or are not finite.
            TransformError: A waypoint is not a pose.
        """
        self._chain, self.configurations = chain, _check_rows(chain, configurations)
        targets = _check_poses(waypoints)
        places = figure.add_gridspec(2, 2, width_ratios=(1.15, 1.0), height_ratios=(1.0, 0.22))
        looks: Any = {} if is_planar(chain) else {"projection": "3d"}
        self.picture = figure.add_subplot(places[:, 0], **looks)
        self.curves, self._names = figure.add_subplot(places[0, 1]), figure.add_subplot(places[1, 1])
        self._way = np.array([chain.forward_kinematics(q)[:3, 3] for q in between(self.configurations, PIECES)])
        give_room(self.picture, chain)
        length = 0.07 * skeleton(chain).reach
        self.targets = [draw_frame(self.picture, T, length, linewidth=1.6) for T in targets]
        self.whole = polyline(self.picture, solid_joinstyle="round", color=GREY, linewidth=1.2, zorder=2)
        self.tip = polyline(self.picture, solid_joinstyle="round", color=BLUE, linewidth=2.6, zorder=5)
        set_points(self.whole, self._way)
        self.arm = ArmArtist(self.picture, chain)
        self._draw_joints()
        self.cursor = self.curves.axvline(1.0, color=INK, linewidth=1.2)
        self.update(self.length)

    @property
    def length(self) -> int:
        """Length of the path: the number of configurations after the first."""
        return len(self.configurations) - 1

    @property
    def artists(self) -> list[Any]:
        """The artists that move."""
        return [*self.arm.artists, self.tip, self.cursor]

    def update(self, s: float) -> None:
        """Move the arm to the place s on its path, interpolating linearly between configurations.

        Raises:
            ParameterError: s is not in [0, length].
        """
        if not (is_real(s) and 0.0 <= s <= self.length):
            raise ParameterError(f"s must be from 0 to {self.length}, got {s!r}")
        first = min(int(s), max(self.length - 1, 0))
        here, ahead = self.configurations[[first, min(first + 1, self.length)]]
        self.arm.update(here + (s - first) * (ahead - here))
        set_points(self.tip, self._way[: 1 + math.floor(s * PIECES + 1e-9)])
        self.cursor.set_xdata([s + 1.0, s + 1.0])

    def _draw_joints(self) -> None:
        places = np.arange(1, 1 + len(self.configurations))
        for i, name in enumerate(self._chain.joint_names):
            looks = {**look(i), "label": as_text(name), "linewidth": 1.8, "marker": "o", "markersize": 3.5}
            self.curves.plot(places, self.configurations[:, i], **looks)
        slides = "prismatic" in self._chain.joint_types
        self.curves.set(xlabel="configuration", ylabel="joint [rad or m]" if slides else "joint [rad]")
        self.curves.set_xticks(places[:: max(1, len(places) // 10)])
        self._names.set_axis_off()
        self._names.legend(*self.curves.get_legend_handles_labels(), fontsize=9, ncols=2, loc="center", borderpad=0.0)


def draw_path(figure: Figure, chain: Chain, waypoints: ArrayLike, configurations: ArrayLike) -> PathArtist:
    """Draw an arm on its path: targets as frames, tip path, the arm at the end, and the curve of every joint.

    >>> from matplotlib.figure import Figure
    >>> from lessons_lib import plots, robots
    >>> arm, configurations = robots.planar_2r(), [[0.5, 0.8], [0.6, 0.9], [0.7, 1.0]]
    >>> targets = [arm.forward_kinematics(q) for q in configurations]
    >>> plots.draw_path(Figure(), arm, targets, configurations).update(0.5)

    Args:
        figure: Figure of matplotlib, about twice as wide as high.
        chain: The arm.
        waypoints: The targets, shape (k, 4, 4), position in m.
        configurations: The configurations of the path, shape (m, n), rad or m, such as `trace(…).configurations`.

    Returns:
        The picture; its `update(s)` moves the arm along.

    Raises:
        ConfigurationError: The configurations have another shape or are not finite.
        TransformError: A waypoint is not a pose.
    """
    return PathArtist(figure, chain, waypoints, configurations)


def animate_path(
    file: str | Path,
    chain: Chain,
    waypoints: ArrayLike,
    configurations: ArrayLike,
    *,
    seconds: float = 0.8,
    rate: float = 15.0,
    dpi: float = 90.0,
) -> Path:
    """Write a film of the arm on its path, and return its path.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from lessons_lib import plots, robots
    >>> arm, configurations = robots.planar_2r(), [[0.5, 0.8], [0.7, 1.0]]
    >>> targets = [arm.forward_kinematics(q) for q in configurations]
    >>> with TemporaryDirectory() as folder:
    ...     plots.animate_path(Path(folder) / "arm.gif", arm, targets, configurations, seconds=0.2).name
    'arm.gif'

    Args:
        file: File with the suffix .gif, or .mp4 if ffmpeg is installed.
        chain: As in `draw_path`.
        waypoints: As in `draw_path`.
        configurations: As in `draw_path`; two or more.
        seconds: Time from each configuration to the next, s.
        rate: Frame rate, Hz.
        dpi: Pixels per inch; the film is 7.2 inches wide.

    Raises:
        ParameterError: The file cannot be written or has another suffix, ffmpeg is missing for an .mp4, a number is not
            positive, or there are fewer than two configurations.
        ConfigurationError: As in `draw_path`.
        TransformError: As in `draw_path`.
    """
    path = output_file(file)
    writer = _writer(path)
    for name, value in (("seconds", seconds), ("rate", rate), ("dpi", dpi)):
        if not is_real(value) or not 0.0 < value < np.inf:
            raise ParameterError(f"{name} must be positive and finite, got {value!r}")
    with style():
        figure = Figure(figsize=SIZE)
        artist = draw_path(figure, chain, waypoints, configurations)
        if artist.length == 0:
            raise ParameterError("a film needs two or more configurations, got one")
        count = max(2, round(artist.length * seconds * rate))
        places = np.linspace(0.0, artist.length, count)

        def show(frame: int) -> list[Any]:
            artist.update(float(places[frame]))
            return artist.artists

        film = animation.FuncAnimation(figure, show, frames=count, blit=False)
        with report_write_errors(path):
            film.save(path, writer=writer(fps=rate), dpi=dpi)
    return path


def between(configurations: Array, pieces: int) -> Array:
    """Interpolate `pieces` even steps from each configuration to the next, shape ((m - 1) pieces + 1, n)."""
    places = np.arange((len(configurations) - 1) * pieces + 1) / pieces
    known = np.arange(len(configurations))
    return np.column_stack([np.interp(places, known, column) for column in configurations.T])


def _writer(path: Path) -> Any:
    name = WRITERS.get(path.suffix.lower())
    if name is None:
        raise ParameterError(f"the suffix of a film must be {' or '.join(WRITERS)}, got {short_repr(path.name)}")
    if not animation.writers.is_available(name):
        raise ParameterError(f"{path.name!r} needs {name}, which is not installed; install it, or use the suffix .gif")
    return animation.writers[name]


def _check_rows(chain: Chain, configurations: ArrayLike) -> Array:
    expected = f"configurations of {chain.name} must be numbers of shape (m, {chain.dof}), m ≥ 1"
    rows = floats(configurations, expected, ConfigurationError)
    if rows.ndim != 2 or rows.shape[1] != chain.dof or len(rows) == 0:
        raise ConfigurationError(f"{expected}, got {rows.shape}")
    if not np.isfinite(rows).all():
        row = int(np.flatnonzero(~np.isfinite(rows).all(axis=1))[0])
        raise ConfigurationError(f"configuration {row} must be finite, got {rows[row].tolist()}")
    return rows


def _check_poses(waypoints: ArrayLike) -> list[Array]:
    poses = floats(waypoints, "waypoints must be poses, shape (k, 4, 4)", TransformError)
    if poses.size and poses.ndim != 3:
        raise TransformError(f"waypoints must have shape (k, 4, 4), got {poses.shape}")
    return [check_transform(pose, f"waypoint {place}") for place, pose in enumerate(poses, start=1)]
