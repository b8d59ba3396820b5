"""Bounds on the speed near a joint limit, against simulated braking in continuous time and in steps."""

import numpy as np
import pytest
import sympy as sp

from lessons_lib.symbolic import stopping

d, a, v, dt = sp.symbols("d a v dt", positive=True)
in_steps = sp.lambdify((d, a, dt), stopping.braking_bound_in_steps(d, a, dt))


@pytest.mark.parametrize("way", [0.0, 1e-12, 1e-3, 0.1, 3.0, 1e4])
@pytest.mark.parametrize("step", [1e-3, 0.1, 1.0])
@pytest.mark.parametrize("rate", [0.5, 20.0])
def test_a_joint_at_the_stepwise_bound_can_always_stop(way: float, step: float, rate: float) -> None:
    speed = in_steps(way, rate, step)
    for _ in range(200):
        way -= speed * step
        assert way >= -1e-12 * max(1.0, rate)  # rounding of the way that is left
        least = max(0.0, speed - rate * step)
        speed = in_steps(max(way, 0.0), rate, step)
        assert speed >= least - 1e-9 * max(1.0, least)


def test_no_cancellation_near_the_limit() -> None:
    way, rate, step = 1e-18, 2.0, 0.1
    with_fifty = stopping.braking_bound_in_steps(sp.Float(way, 50), sp.Float(rate, 50), sp.Float(step, 50))
    assert in_steps(way, rate, step) == pytest.approx(float(with_fifty), rel=1e-14)  # a few roundings
    assert np.isfinite(in_steps(0.0, rate, step))
