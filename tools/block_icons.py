"""Draw the icons of the blocks for the editor of bdsim: `python -m tools.block_icons`; 250×250 pixels, transparent."""
# an icon's name is its block's, in lower case

from pathlib import Path

from matplotlib.figure import Figure

ICONS = Path(__file__).resolve().parents[1] / "lessons_lib" / "blocks" / "Icons"
PIXELS = 250
FORMULAS = {
    "dampedleastsquaresik": r"$T \to q$",
    "differentialik": r"$V \to \dot{q}$",
    "forwardkinematics": r"$q \to T$",
    "poseerror": r"$\log\,T^{-1} T_d$",
    "posesource": r"$T(t)$",
}
ARMS = {"dampedleastsquaresik", "differentialik", "forwardkinematics"}
CORNERS = ((0.2, 0.45, 0.8), (0.5, 0.88, 0.7))
"""Base, elbow and tip of the drawn arm, x and y as parts of the picture."""


def draw(name: str) -> Figure:
    """Draw the icon of one block."""
    figure = Figure(figsize=(1.0, 1.0), dpi=PIXELS)
    ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set(xlim=(0.0, 1.0), ylim=(0.0, 1.0))
    ax.set_axis_off()
    arm = name in ARMS
    if arm:
        ax.plot(*CORNERS, color="black", linewidth=3.0, solid_capstyle="round", solid_joinstyle="round")
        ax.plot(CORNERS[0][:2], CORNERS[1][:2], "o", color="black", markersize=6.0)
    size = 15.0 if len(FORMULAS[name]) < 16 else 11.5
    ax.text(0.5, 0.24 if arm else 0.5, FORMULAS[name], ha="center", va="center", fontsize=size, color="black")
    return figure


def main() -> None:
    """Write every icon."""
    for name in FORMULAS:
        path = ICONS / f"{name}.png"
        draw(name).savefig(path, transparent=True, metadata={"Software": None})


if __name__ == "__main__":
    main()
