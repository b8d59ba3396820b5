"""The planar arm's program: optimality conditions, and properties of clipping and slowing."""

import numpy as np
import pytest

from lessons_lib import differential_ik as dik
from lessons_lib.course.limits.tip_velocity import ROWS, tip_program


def tip_height(q):
    return float(np.sin(q[0]) + np.sin(q.sum()))


def random_programs(count):
    rng, programs = np.random.default_rng(16), []
    for _ in range(count):
        q = np.array([rng.uniform(-2.5, 2.5), rng.uniform(0.3, 2.8)])
        wall = tip_height(q) + rng.uniform(0.0, 0.5) if rng.random() < 0.7 else None
        programs.append(tip_program(q, rng.uniform(-2.0, 2.0, 2), wall, gain=rng.uniform(0.5, 20.0)))
    return programs


def cost(program, rates):
    return float(np.sum((program.jacobian @ rates - program.velocity) ** 2) / 2)


def test_the_four_conditions_hold():
    for program in random_programs(30):
        (G, h), (H, c), (best, mu) = program.rows, program.objective, program.solve()
        assert np.abs(H @ best + c + G.T @ mu).max() < 1e-8  # DAQP's tolerances, in units of a rate
        assert (h - G @ best).min() > -1e-8
        assert mu.min() >= 0.0
        assert np.abs(mu * (h - G @ best)).max() < 1e-8


def test_slowed_rates_are_allowed_and_keep_the_direction_and_cost_no_less():
    for program in random_programs(30):
        (G, h), (best, _) = program.rows, program.solve()
        slowed = program.slowed
        assert (G @ slowed <= h + 1e-12).all()
        across = np.linalg.det([slowed, program.free])
        assert abs(across) < 1e-12 * (1.0 + np.sum(program.free**2))  # rounding: the two are parallel
        assert slowed @ program.free >= 0.0
        assert cost(program, slowed) >= cost(program, best) - 1e-12


def test_clipped_rates_may_violate_the_wall_although_the_desired_velocity_does_not():
    q = np.radians([130, 30])
    program = tip_program(q, [1.0, 0.0], wall=tip_height(q) + 0.05)
    assert np.abs(program.clipped).max() == pytest.approx(2.0)
    assert (program.jacobian @ program.free)[1] == pytest.approx(0.0, abs=1e-14)
    assert (program.jacobian @ program.clipped)[1] > 1.0  # m/s, into the wall
    best, mu = program.solve()
    assert (program.jacobian @ best)[1] == pytest.approx(0.1)  # gain 2/s, 50 mm
    assert program.active(mu) == ["upper velocity limit of joint 2", "wall"]


def test_a_feasible_velocity_is_achieved():
    program = tip_program([0.4, 1.0], [0.1, -0.2], wall=2.0)
    best, mu = program.solve()
    assert np.abs(best - program.free).max() < 1e-9
    assert np.array_equal(program.clipped, program.free)
    assert np.array_equal(program.slowed, program.free)
    assert program.active(mu) == []


def test_rows_have_names_and_units():
    program = tip_program([0.4, 1.0], [0.1, -0.2], wall=2.0, gain=3.0)
    G, h = program.rows
    assert len(program.names) == len(h) == 9
    assert G[4].tolist() == [1.0, 0.0] and h[4] == pytest.approx(2.0)  # rad/s
    assert program.names[4] == "upper velocity limit of joint 1"
    assert h[1] == pytest.approx(0.5 * (np.pi - 1.0) / 0.01)  # half of the way in a step of 10 ms
    assert h[8] == pytest.approx(3.0 * (2.0 - tip_height(np.array([0.4, 1.0]))))
    assert tip_program([0.4, 1.0], [0.1, -0.2]).names[-1] == "lower velocity limit of joint 2"


def test_accelerations_keep_the_rates_near_those_of_the_last_step():
    free = tip_program([0.4, 1.0], [0.5, -0.5])
    program = tip_program([0.4, 1.0], [0.5, -0.5], wall=2.0, dt=0.05, acceleration=4.0, last=[0.3, -0.1])
    G, h = program.rows
    assert program.names[8:] == (*(row.format("acceleration") for row in ROWS), "wall")
    assert h[8:12] == pytest.approx([0.5, 0.1, -0.1, 0.3])  # last ± a dt
    best, mu = program.solve()
    assert np.abs(best - [0.3, -0.1]).max() <= 0.2 + 1e-9
    assert all("acceleration" in name for name in program.active(mu)) and program.active(mu)
    assert np.abs(free.solve()[0] - best).max() > 0.1


def test_behind_a_wall_that_no_allowed_speed_can_leave_there_is_no_solution():
    q = np.array([0.4, 1.0])
    with pytest.raises(dik.NoSolutionFound, match="no solution with"):
        tip_program(q, [0.0, 0.0], wall=tip_height(q) - 1.0, gain=50.0).solve()
