"""The nearest place in a box, and its slope, by SymPy on every side of an interval."""

import sympy as sp

from lessons_lib.symbolic.pose_error import interval_error, interval_slope, nearest_in_box

x, low, width, y = sp.Symbol("x", real=True), sp.Symbol("low", real=True), *sp.symbols("width y", nonnegative=True)
HIGH = low + width
SIDES = {"below": low - y, "inside": low + width * y / (1 + y), "above": HIGH + y}
"""Every number, with y ≥ 0: below the interval, in it, above it."""


def one(formula, value):
    """Return the value of a formula for a vector of one component."""
    (entry,) = formula(sp.Matrix([value]), sp.Matrix([low]), sp.Matrix([HIGH]))
    return entry


def cases(expression):
    """Return an expression in x below, inside and above the interval, with conditions decided for y > 0."""
    inner = {"y": sp.Symbol("y", positive=True), "width": sp.Symbol("width", positive=True)}
    found = {}
    for side, value in SIDES.items():
        value = value.subs({y: inner["y"], width: inner["width"]})
        found[side] = sp.simplify(
            expression.subs({width: inner["width"], x: value}).replace(
                lambda part: isinstance(part, sp.core.relational.Relational),
                lambda part: sp.true if sp.simplify(part.gts - part.lts).is_positive else sp.false,
            )
        ).subs({inner["y"]: y, inner["width"]: width})
    return found


def test_no_point_of_the_interval_is_nearer():
    """The nearest point c to e has (e − c)(z − c) ≤ 0 for every z of the convex set."""
    share = sp.Symbol("s", nonnegative=True)
    z = low + width * share / (1 + share)  # every point of the interval but its upper end, which is a limit
    for side, nearest in cases(one(nearest_in_box, x)).items():
        product = sp.factor(sp.simplify((SIDES[side] - nearest) * (z - nearest)))
        assert product.is_nonpositive, side


def test_the_error_is_the_gradient_of_half_the_squared_distance():
    error, slope = cases(one(interval_error, x)), cases(one(interval_slope, x))
    assert error == {"below": -y, "inside": 0, "above": y}
    assert slope == {"below": 1, "inside": 0, "above": 1}
    for side, value in SIDES.items():
        way = sp.diff(value, y)
        assert sp.simplify(sp.diff(error[side], y) - slope[side] * way) == 0
        assert sp.simplify(sp.diff(error[side] ** 2 / 2, y) - error[side] * way) == 0
