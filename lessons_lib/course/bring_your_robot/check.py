import numpy as np
from figure_page import SHOWN, Figure, in_python, told_to

from lessons_lib import robots
from lessons_lib.pose_ik import Status
from lessons_lib.pose_ik.explanation.explanation import format_length
from lessons_lib.pose_ik.explanation.reach import find_shell
from lessons_lib.pose_ik.result import Trace

DRAG = ("target", (-30, 20))

STATES = [({"x": 0.8, "oriented": False}, "The target is reached after 7 steps.")]


def miss(chain: robots.Chain, point: np.ndarray) -> float:
    """Return the proven distance of a point beyond the reach, m; zero if none is proven."""
    shell = find_shell(chain, chain.home[:3, 3], chain.dof)
    return 0.0 if shell is None else float(max(0.0, shell.distance_outside(point)))


def check_any_robot(figure: Figure, chain: robots.Chain, status: Status, trace: Trace) -> None:
    """Compare screws and home pose, and at the displayed step the residual, J_b and its singular values."""
    shown, at = figure.table(), int(figure.host.locator(".live-step").inner_text().split()[1])
    left, J = trace.error_twists[at], chain.body_jacobian(trace.q[at])
    expected = {f"step {at}": [1e3 * np.linalg.norm(left[3:]), np.degrees(np.linalg.norm(left[:3]))]}
    expected |= {f"σ{i + 1}": [value] for i, value in enumerate(robots.singular_values(J)[:6])}
    expected |= dict(zip("xyz", chain.home[:3], strict=True))
    expected |= dict(zip(("ωx", "ωy", "ωz", "vx", "vy", "vz"), J, strict=True))
    expected |= dict(zip(chain.joint_names, chain.screws.T, strict=True))
    assert set(expected) == set(shown)
    for name, row in expected.items():
        assert np.abs(np.array(shown[name]) - row).max() <= 0.1 * SHOWN, name
    verb = "is" if status is Status.CONVERGED else "is not"
    assert f", {chain.dof} joint" in figure.says
    assert f"The target {verb} reached after {len(trace.q) - 1} step" in figure.says
    assert ": 0.00 mm" not in figure.says and " 0.00°" not in figure.says
    assert (chain.limits[:, 0] <= trace.q).all() and (trace.q <= chain.limits[:, 1]).all()
    assert ("At a joint limit" in figure.says) is bool(np.isin(trace.q[-1][:, None], chain.limits).any())


def check(figure: Figure) -> None:
    python = told_to(figure, in_python("RobotFigure"))
    check_any_robot(figure, python.chain, *python.solve())
    by = miss(python.chain, python.target[:3, 3])
    assert ("out of reach (proven)" in figure.says) is (by > 0.0)
    assert (f", a difference of {format_length(by, 'm')}." in figure.says) is (by > 0.0)
