"""Draw what was measured, with the functions that the lessons use: a PNG a result, in benchmarks/figures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.report import RESULTS
from lessons_lib import plots
from lessons_lib.plots.theme import WIDTH
from lessons_lib.studies import Measurement, read_measurement

FIGURES = Path(__file__).resolve().parent / "figures"
ARMS = ("UR10", "Panda")


def side_by_side(axes: Any, measured: Measurement) -> None:
    """Draw each solver's row, an axes an arm."""
    for ax, arm in zip(axes, ARMS, strict=True):
        rows: dict[str, Any] = {str(row["solver"]): row for row in measured.select(arm=arm)}
        plots.draw_timings(ax, rows)
        ax.set_title(arm)


def one_pose(axes: Any, measured: Measurement) -> None:
    """Draw how the times of each side are spread, an axes an arm."""
    for ax, arm in zip(axes, ARMS, strict=True):
        plots.draw_distributions(ax, measured.series["histograms"][arm])
        ax.set_title(arm)


def batch(axes: Any, measured: Measurement) -> None:
    """Draw rate and working memory against the size of the batch."""
    sizes = {arm: measured.series[arm]["sizes"] for arm in ARMS}
    for ax, field, label in zip(
        axes, ("rate", "working"), ("poses a second", "memory beyond the result [MiB]"), strict=True
    ):
        curves = {arm: ([at["size"] for at in found], [at[field] for at in found]) for arm, found in sizes.items()}
        plots.draw_rates(ax, curves, xlabel="poses in the batch", ylabel=label)


def kinematics(axes: Any, measured: Measurement) -> None:
    """Draw the time of each side's call, an axes an arm."""
    for ax, arm in zip(axes, ARMS, strict=True):
        rows: dict[str, Any] = {str(row["side"]): {"median": row["time"]} for row in measured.select(arm=arm)}
        plots.draw_timings(ax, rows, ours="ours: pose_and_jacobian", label="time of one call")
        ax.set_title(arm)


def growth(axes: Any, measured: Measurement) -> None:
    """Draw the kernel's time, and the times of making it, against the number of joints."""
    joints = [row["joints"] for row in measured.rows]
    kernel: Any = {"forward kinematics and Jacobian": (joints, [row["kernel"] for row in measured.rows])}
    made: Any = {name: (joints, [row[name] for row in measured.rows]) for name in ("derive", "cse", "print", "compile")}
    plots.draw_rates(axes[0], kernel, xlabel="joints", ylabel="time of one call [ns]")
    plots.draw_rates(axes[1], made, xlabel="joints", ylabel="time of making it, once [s]")


DRAWN: dict[str, Callable[[Any, Measurement], None]] = {
    "one_pose": one_pose,
    "batch": batch,
    "kinematics": kinematics,
    "growth": growth,
    "solvers": side_by_side,
}
"""What draws each result; a new figure adds its line here."""


def draw(name: str, results: Path = RESULTS, figures: Path = FIGURES) -> Path:
    """Draw one result and return the path of its picture."""
    from matplotlib.figure import Figure

    measured = read_measurement(results / f"{name}.json")
    with plots.style():
        figure = Figure(figsize=(1.4 * WIDTH, 4.6), layout="constrained")
        DRAWN[name](figure.subplots(1, 2, sharey=name not in ("one_pose", "batch", "growth")), measured)
        figure.suptitle(measured.caption(), fontsize=10)
        figures.mkdir(parents=True, exist_ok=True)
        path = figures / f"{name}.png"
        figure.savefig(path)
    return path


if __name__ == "__main__":
    for known in DRAWN:
        if (RESULTS / f"{known}.json").exists():
            print(f"drawn: {draw(known)}")
