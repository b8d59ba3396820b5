"""Where to draw the links of a chain: as `robots.fitted_links` lays its bodies."""

from collections.abc import Mapping

from lessons_lib.robots import Chain, stick_figure

__all__ = [
    "skeleton",
]


def skeleton(chain: Chain, aside: Mapping[int, float] | None = None) -> stick_figure.Skeleton:
    """Return where to draw the links of a chain.

    Args:
        chain: Whose links.
        aside: By how much the drawing goes on along the axis of a joint, counted from zero, m, before it leaves it.
    """
    return stick_figure.skeleton(chain, aside)
