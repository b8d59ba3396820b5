"""Results of a solve: configuration, status, errors, and trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, make_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array, Integers, ReadOnly
from lessons_lib.errors import ParameterError
from lessons_lib.other_libraries import no_attribute
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    ITERATIONS,
    JOINTS,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    RESTARTS,
    STATUS,
)

if TYPE_CHECKING:
    from lessons_lib.certificates.ball import Certificate
    from lessons_lib.pose_ik.explanation.explanation import Explanation


STATIONARY = 1e-8
"""Largest projected gradient of a stationary posture, rad and lengths of the arm; the pose is known more precisely."""


class Status(Enum):
    """How a solve ended; the value of a member is its meaning, a sentence.

    >>> from lessons_lib import pose_ik
    >>> pose_ik.Status.UNREACHABLE.sentence
    'The target lies farther away than the outstretched arm can reach; no configuration solves it.'
    """

    CONVERGED = "The pose is reached: every error that counts is within its tolerance, and q is within the limits."
    MAX_ITERATIONS = "The number of steps reached its maximum before the errors were within their tolerances."
    STALLED = "The steps became too small to change q before the errors were within their tolerances."
    OUTSIDE_LIMITS = "The pose was reached only outside the joint limits; q is the best iterate within them."
    UNREACHABLE = "The target lies farther away than the outstretched arm can reach; no configuration solves it."
    NOT_FINITE = "A step, or the error after it, was not finite."
    INTERRUPTED = "The batch was stopped before this pose was solved; q is its first start, its errors are unknown."
    LOCAL_MINIMUM = "The pose is not reached; q is near the start; no small move within the limits lowers the error."
    OUT_OF_TIME = "max_time was over before the pose was reached; q is the best iterate of the first start."
    TOUCHING = "The pose is reached, but every configuration found touches something; q has the most clearance."
    OUTSIDE_BOUND = "The pose was reached only with a joint farther from q0 than `within` allows; q is the best within."

    @property
    def sentence(self) -> str:
        """The meaning of the status."""
        return self.value


STATUSES = tuple(Status)
"""The status of each code of the compiled searches, in the order of the enum."""


@dataclass(frozen=True, eq=False, repr=False)
class Trace(ReadOnly):
    """The k + 1 iterates of the reported start and its k steps; all arrays are read-only.

    >>> from lessons_lib import pose_ik, robots
    >>> arm, q = robots.ur10(), [0.3, -1.2, 1.5, -0.6, 1.1, 0.4]
    >>> result = pose_ik.solve(arm, arm.forward_kinematics(q), [0.2, -1.1, 1.4, -0.5, 1.0, 0.5], trace=True)
    >>> result.trace.q.shape
    (4, 6)

    Attributes:
        q: Configurations without whole revolutions removed, shape (k + 1, n), rad or m.
        error_twists: Body error twists V_b (ω, v), shape (k + 1, 6), rad and m.
        orientation_errors: |ω_b|, shape (k + 1,), rad.
        position_errors: |v_b|, shape (k + 1,), m.
        damping: D of each step, the number added to the diagonal of JᵀWJ; 0 for undamped methods, shape (k,).
        accepted: Whether each step was accepted, shape (k,); after a rejected step the iterate repeats.
    """

    q: Array
    error_twists: Array
    orientation_errors: Array
    position_errors: Array
    damping: Array
    accepted: NDArray[np.bool_]

    @classmethod
    def of(cls, q: Array, error_twists: Array, damping: Array, accepted: NDArray[np.bool_]) -> Trace:
        """Return the trace of some iterates, with the norms of their errors."""
        angles, distances = np.linalg.norm(error_twists[:, :3], axis=1), np.linalg.norm(error_twists[:, 3:], axis=1)
        return cls(q, error_twists, angles, distances, damping, accepted)

    @classmethod
    def of_rows(cls, rows: Array) -> Trace:
        """Return the trace in the rows of a search, shape (k + 1, n + 8)."""
        n = rows.shape[1] - 8
        return cls.of(rows[:, :n].copy(), rows[:, n : n + 6].copy(), rows[1:, n + 6].copy(), rows[1:, n + 7] == 1.0)


@dataclass(frozen=True, eq=False, slots=True)
class Preference:
    """Distance of a solution from the posture of a solve with `prefer`, and the test that it is minimal.

    With r = (q − posture) in rad and lengths of the arm, and N the projector onto the null space of the goal, N r is
    zero if no joint is at a limit. If the direction to the posture presses a joint against its limit, the joint stays
    there and N is the projector for the other joints (the conditions of Karush, Kuhn and Tucker).

    >>> from lessons_lib import pose_ik, robots
    >>> arm, ready = robots.panda(), [0, -0.3, 0, -2.2, 0, 2.0, 0.8]
    >>> result = pose_ik.solve(arm, arm.forward_kinematics([0.1, -0.2, 0.1, -2.1, 0.1, 2.1, 0.9]), prefer=ready)
    >>> result.preference.stationary
    True

    Attributes:
        posture: The preferred posture, shape (n,), rad or m, read-only.
        distance: |r|, whole revolutions included.
        gradient: The larger of |N r| and of the slope that would move a joint of `joints_at_limits` off its limit.
        mask: Bit j is set if joint j, 0 for the first, is in `joints_at_limits`.
    """

    posture: Array
    distance: float
    gradient: float
    mask: int

    @classmethod
    def of(cls, q: Array, posture: Array, units: Array, gradient_and_mask: Array) -> Preference:
        """Return the preference of q, with `units` of 1 rad, or of the arm's length for a prismatic joint."""
        gradient, mask = gradient_and_mask
        return cls(posture, float(np.linalg.norm((q - posture) / units)), float(gradient), int(mask))

    @property
    def stationary(self) -> bool:
        """Whether, to first order, no small move that keeps the goal is nearer to the posture."""
        return self.gradient <= STATIONARY

    @property
    def joints_at_limits(self) -> tuple[int, ...]:
        """The joints that a limit keeps from the posture, 0 for the first."""
        return tuple(j for j in range(len(self.posture)) if self.mask >> j & 1)


def place_of_q(dof: int) -> slice:
    """Return the slice of a report that contains q."""
    return slice(JOINTS, JOINTS + dof)


FIELDS = ("q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error", "trace")


class Result:
    """The read-only result for one pose.

    >>> from lessons_lib import pose_ik, robots
    >>> arm = robots.ur10()
    >>> far = [[1, 0, 0, 2.0], [0, 1, 0, 0.0], [0, 0, 1, 0.5], [0, 0, 0, 1]]
    >>> pose_ik.solve(arm, far).status.name
    'UNREACHABLE'

    Attributes:
        q: Configuration, always within the limits, shape (n,), rad or m, read-only. If the pose was not reached, the
            best iterate by the objective ½ VᵀWV, with W = I without weights; with the default method, the minimum of
            that objective that a descent from there finds.
        status: How the solve ended; `status.sentence` is its meaning.
        converged: Whether the pose is reached.
        iterations: Steps from the reported start, including rejected ones.
        restarts: Starts after the first, in the whole solve.
        orientation_error: |ω_b| at q, rad, without weights.
        position_error: |v_b| at q, m, without weights.
        trace: The iterates of the reported start, with trace=True; otherwise None.
        branch: Names of the branch, such as ("shoulder left", "elbow up"), with AllBranches, or with prefer on an arm
            without redundancy; otherwise None.
        certificate: With certify=True a ball around q that contains exactly one solution, or a false certificate if
            none could be proven; otherwise None.
        preference: With prefer, the distance of q from the posture if the pose is reached; otherwise None.
    """

    __slots__ = ("_explainer", "_branch", "_certificate", "_code", "_preference", "_q", "_report", "_trace")
    _report: Array
    _q: Array
    _code: int
    _trace: Trace | Array | None
    _branch: tuple[str, ...] | Callable[[Array], tuple[str, ...]] | None
    _certificate: Certificate | None
    _preference: tuple[Array, Array] | None  # not set by `PreparedProblem._converged_result`
    _explainer: Callable[[Result], Explanation] | None
    __dataclass_fields__ = {field.name: field for field in fields(make_dataclass("Fields", FIELDS))}  # for asdict

    @classmethod
    def of(
        cls,
        report: Array,
        trace: Trace | Array | None = None,
        branch: tuple[str, ...] | Callable[[Array], tuple[str, ...]] | None = None,
        certificate: Certificate | None = None,
        preference: tuple[Array, Array] | None = None,
    ) -> Result:
        """Return the result of a report, shape (5 + 2 n,), see layout.py; faster than an `__init__`."""
        result = cls()
        report.setflags(False)  # type: ignore[call-arg]  # write=False, in half the time of a keyword
        result._report, result._q = report, report[JOINTS : (len(report) + JOINTS) // 2]
        result._code, result._trace = int(report[STATUS]), trace
        result._branch, result._certificate = branch, certificate
        result._explainer, result._preference = None, preference
        return result

    if not TYPE_CHECKING:  # mypy knows the attributes
        __getattr__ = no_attribute

    @property
    def q(self) -> Array:
        """Configuration, shape (n,), rad or m."""
        return self._q

    @property
    def status(self) -> Status:
        """How the solve ended."""
        return STATUSES[self._code]

    @property
    def converged(self) -> bool:
        """Whether the pose is reached."""
        return self._code == CONVERGED

    @property
    def iterations(self) -> int:
        """Steps from the reported start."""
        return int(self._report[ITERATIONS])

    @property
    def restarts(self) -> int:
        """Starts after the first."""
        return int(self._report[RESTARTS])

    @property
    def orientation_error(self) -> float:
        """|ω_b| at q, rad."""
        return float(self._report[ORIENTATION_ERROR])

    @property
    def position_error(self) -> float:
        """|v_b| at q, m."""
        return float(self._report[POSITION_ERROR])

    @property
    def trace(self) -> Trace | None:
        """The iterates of the reported start, with trace=True."""
        if isinstance(self._trace, np.ndarray):
            self._trace = Trace.of_rows(self._trace)
        return self._trace

    @property
    def branch(self) -> tuple[str, ...] | None:
        """The names of the branch, if all solutions were computed."""
        if callable(self._branch):
            self._branch = self._branch(self._q)
        return self._branch

    @property
    def certificate(self) -> Certificate | None:
        """The certificate of q, with certify=True."""
        return self._certificate

    @property
    def preference(self) -> Preference | None:
        """The distance of q from the posture, with prefer."""
        known = self._known_preference
        return None if known is None else Preference.of(self._q, self._report[JOINTS + len(self._q) :], *known)

    @property
    def _known_preference(self) -> tuple[Array, Array] | None:
        return getattr(self, "_preference", None)

    def explain(self) -> Explanation:
        """Explain why the pose was not reached; see `pose_ik.explain`.

        Each call computes the explanation again, in a millisecond to about a second.

        >>> from lessons_lib import pose_ik, robots
        >>> arm = robots.ur10()
        >>> far = [[1, 0, 0, 2.0], [0, 1, 0, 0.0], [0, 0, 1, 0.5], [0, 0, 0, 1]]
        >>> pose_ik.solve(arm, far).explain().causes[0].proven
        True

        Returns:
            The causes in order.

        Raises:
            ParameterError: The result does not contain its target: it is a row of a batch, or was pickled.
        """
        from lessons_lib.pose_ik.explanation.explanation import Explanation

        if self.converged:
            return Explanation((), True)
        if self._explainer is None:
            raise ParameterError(
                "a row of a batch and a pickled result do not contain their target: call "
                "pose_ik.explain(arm, target, result)"
            )
        return self._explainer(self)

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the report."""
        return Result.of, (self._report, self.trace, self.branch, self._certificate, self._known_preference)

    def __repr__(self) -> str:
        """Return every field except the trace."""
        return f"Result({', '.join(f'{name}={getattr(self, name)!r}' for name in FIELDS[:-1])})"


@dataclass(frozen=True, eq=False, repr=False)
class BatchResult(ReadOnly):
    """The read-only results for k poses: the fields of `Result`, each with a leading axis of length k.

    >>> from lessons_lib import pose_ik, robots
    >>> arm = robots.ur10()
    >>> pose_ik.solve_batch(arm, arm.targets(20)[0])[3].status.name
    'CONVERGED'

    Attributes:
        q: Shape (k, n), rad or m.
        status: Members of `Status`, shape (k,).
        converged: Shape (k,).
        iterations: Shape (k,).
        restarts: Shape (k,).
        orientation_error: Shape (k,), rad.
        position_error: Shape (k,), m.
    """

    q: Array
    status: NDArray[np.object_]
    converged: NDArray[np.bool_]
    iterations: Integers
    restarts: Integers
    orientation_error: Array
    position_error: Array

    @classmethod
    def of(cls, reports: Array) -> BatchResult:
        """Return the result of reports, shape (k, 5 + 2 n); fields are extracted at first use."""
        result = cls.__new__(cls)
        vars(result)["_reports"] = reports
        return result

    def __getattr__(self, name: str) -> Any:
        """Extract a field from the reports at its first use."""
        attributes = vars(self)
        if "_reports" not in attributes or name not in FIELDS[:-1]:
            no_attribute(self, name)
        reports = attributes["_reports"]
        if name == "q":
            value = reports[:, place_of_q((reports.shape[1] - JOINTS) // 2)].copy()
        elif name == "status":
            value = np.array(STATUSES, dtype=np.object_)[reports[:, STATUS].astype(np.int64)]
        elif name == "converged":
            value = reports[:, STATUS] == CONVERGED
        else:
            kind = np.int64 if name in ("iterations", "restarts") else np.float64
            value = reports[:, FIELDS.index(name) - FIELDS.index("converged")].astype(kind)  # in this order
        value.setflags(write=False)
        attributes[name] = value
        return value

    def __len__(self) -> int:
        """Return k."""
        return len(self.q)

    def __getitem__(self, row: int) -> Result:
        """Return one row as a Result."""
        if "_reports" in vars(self):
            return Result.of(vars(self)["_reports"][row].copy())
        report = np.full(JOINTS + 2 * self.q.shape[1], np.nan)  # the start is not known
        report[STATUS] = STATUSES.index(self.status[row])
        report[ITERATIONS], report[RESTARTS] = self.iterations[row], self.restarts[row]
        report[ORIENTATION_ERROR], report[POSITION_ERROR] = self.orientation_error[row], self.position_error[row]
        report[JOINTS : JOINTS + self.q.shape[1]] = self.q[row]
        return Result.of(report)
