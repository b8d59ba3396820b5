"""Results: the configuration, its status, its errors, and how it was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, make_dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lessons_lib.arrays import Array, Integers, ReadOnly
from lessons_lib.errors import ParameterError
from lessons_lib.pose_ik.layout import (
    CONVERGED,
    ITERATIONS,
    JOINTS,
    ORIENTATION_ERROR,
    POSITION_ERROR,
    RESTARTS,
    STATUS,
)
from lessons_lib.pose_ik.preference import Preference

if TYPE_CHECKING:
    from lessons_lib.certificates.ball import Certificate
    from lessons_lib.pose_ik.explanation.explanation import Explanation


class Status(Enum):
    """How a solve ended; the value of a member is a sentence."""

    CONVERGED = "The pose is reached: every error that counts is within its tolerance, and q is within the limits."
    MAX_ITERATIONS = "The steps ran out before the errors were within their tolerances."
    STALLED = "The steps became too small to change anything before the errors were within their tolerances."
    OUTSIDE_LIMITS = "The pose was reached only outside the joint limits; q is the best that was seen within them."
    UNREACHABLE = "The target lies farther away than the stretched arm can reach; no configuration solves it."
    NOT_FINITE = "A step, or the error after it, was no longer a finite number."
    INTERRUPTED = "The batch was stopped before this pose was done; q is its first start, its errors are not known."
    LOCAL_MINIMUM = "The pose is not reached; q is near the start; no small move within the limits lowers the error."
    OUT_OF_TIME = "The time that was given ran out before the pose was reached; q is the best of the first start."
    TOUCHING = "The pose is reached, but every configuration that was found touches something; q has the most room."
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

    Attributes:
        q: Configurations, not wrapped into the limits, shape (k + 1, n), rad or m.
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
        """Return the trace of these iterates, with the norms of their errors."""
        angles, distances = np.linalg.norm(error_twists[:, :3], axis=1), np.linalg.norm(error_twists[:, 3:], axis=1)
        return cls(q, error_twists, angles, distances, damping, accepted)

    @classmethod
    def of_rows(cls, rows: Array) -> Trace:
        """Return the trace of rows that the search recorded, shape (k + 1, n + 8)."""
        n = rows.shape[1] - 8
        return cls.of(rows[:, :n].copy(), rows[:, n : n + 6].copy(), rows[1:, n + 6].copy(), rows[1:, n + 7] == 1.0)


def place_of_q(dof: int) -> slice:
    """Return the place of q in a report."""
    return slice(JOINTS, JOINTS + dof)


FIELDS = ("q", "status", "converged", "iterations", "restarts", "orientation_error", "position_error", "trace")


class Result:
    """The read-only result for one pose.

    Attributes:
        q: Configuration, always within the limits, shape (n,), rad or m, read-only. If the pose was not reached, the
            best iterate by the objective ½ VᵀWV, with W = I without weights; if also no method was named, the minimum
            of that objective to which a descent from there leads.
        status: How the solve ended; `status.sentence` is its meaning.
        converged: Whether the pose is reached.
        iterations: Steps from the reported start, including rejected ones.
        restarts: Starts after the first, in the whole solve.
        orientation_error: |ω_b| of q, rad, without weights.
        position_error: |v_b| of q, m, without weights.
        trace: The iterates of the reported start, with trace=True; otherwise None.
        branch: The names of the branch, such as ("shoulder left", "elbow up"), with AllBranches, or with prefer on an
            arm without redundancy; otherwise None.
        certificate: With certify=True a ball around q that contains exactly one solution, or a false certificate if
            none could be proven; otherwise None.
        preference: With prefer, the distance of q from the posture if the pose is reached; otherwise None.
    """

    __slots__ = ("_asked", "_branch", "_certificate", "_code", "_preference", "_q", "_report", "_trace")
    _report: Array
    _q: Array
    _code: int
    _trace: Trace | Array | None
    _branch: tuple[str, ...] | Callable[[Array], tuple[str, ...]] | None
    _certificate: Certificate | None
    _preference: tuple[Array, Array] | None  # not set by the fast path of `solve`
    _asked: Callable[[Result], Explanation] | None
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
        """Return the result of a report, shape (5 + 2 n,), see layout.py; `solve` avoids the cost of an `__init__`."""
        result = cls()
        report.setflags(False)  # type: ignore[call-arg]  # write=False, in half the time of a keyword
        result._report, result._q = report, report[JOINTS : (len(report) + JOINTS) // 2]
        result._code, result._trace = int(report[STATUS]), trace
        result._branch, result._certificate = branch, certificate
        result._asked, result._preference = None, preference
        return result

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
        """|ω_b| of this q, rad."""
        return float(self._report[ORIENTATION_ERROR])

    @property
    def position_error(self) -> float:
        """|v_b| of this q, m."""
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
        """Explain why the pose was not reached: return its causes in order; see `pose_ik.explain`.

        Each call computes the explanation anew, in a millisecond to about a second.

        Raises:
            ParameterError: The result does not know its target: it is a row of a batch, or was pickled.
        """
        from lessons_lib.pose_ik.explanation.explanation import Explanation

        if self.converged:
            return Explanation((), True)
        if self._asked is None:
            raise ParameterError("a row of a batch does not know its target: pose_ik.explain(arm, target, result)")
        return self._asked(self)

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the report."""
        return Result.of, (self._report, self.trace, self.branch, self._certificate, self._known_preference)

    def __repr__(self) -> str:
        """Return every field except the trace."""
        return f"Result({', '.join(f'{name}={getattr(self, name)!r}' for name in FIELDS[:-1])})"


@dataclass(frozen=True, eq=False, repr=False)
class BatchResult(ReadOnly):
    """The read-only results for k poses: the fields of `Result`, each with a leading axis of length k.

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
        found = cls.__new__(cls)
        vars(found)["_reports"] = reports
        return found

    def __getattr__(self, name: str) -> Any:
        """Extract a field from the reports at its first use."""
        own = vars(self)
        if "_reports" not in own or name not in FIELDS[:-1]:
            raise AttributeError(f"a BatchResult has no {name!r}", name=name, obj=self)
        reports = own["_reports"]
        if name == "q":
            own[name] = reports[:, place_of_q((reports.shape[1] - JOINTS) // 2)].copy()
        elif name == "status":
            own[name] = np.array(STATUSES, dtype=np.object_)[reports[:, STATUS].astype(np.int64)]
        elif name == "converged":
            own[name] = reports[:, STATUS] == CONVERGED
        else:
            kind = np.int64 if name in ("iterations", "restarts") else np.float64
            own[name] = reports[:, FIELDS.index(name) - FIELDS.index("converged")].astype(kind)  # in this order
        own[name].setflags(write=False)
        return own[name]

    def __len__(self) -> int:
        """Return k."""
        return len(self.q)

    def __getitem__(self, row: int) -> Result:
        """Return one row as a Result."""
        if "_reports" in vars(self):
            return Result.of(vars(self)["_reports"][row].copy())
        report = np.empty(JOINTS + 2 * self.q.shape[1])
        report[STATUS] = STATUSES.index(self.status[row])
        report[ITERATIONS], report[RESTARTS] = self.iterations[row], self.restarts[row]
        report[ORIENTATION_ERROR], report[POSITION_ERROR] = self.orientation_error[row], self.position_error[row]
        report[JOINTS : JOINTS + self.q.shape[1]] = self.q[row]
        return Result.of(report)
