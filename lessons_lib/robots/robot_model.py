"""What a robot's description says, before any kinematics: links, joints, and how they hang together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lessons_lib.arrays import Array
from lessons_lib.errors import UrdfError, near_matches
from lessons_lib.lazy import cached_property

MAX_MIMICS = 16
"""How many joints may stand between one that mimics and the one that leads."""

JOINT_KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")


@dataclass(frozen=True)
class Link:
    """A rigid body: mass [kg] and its centre in the link's frame, shape (3,) [m]."""

    name: str
    mass: float
    centre: Array


@dataclass(frozen=True)
class Mimic:
    """A joint without a coordinate of its own: multiplier times that of `joint`, plus offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Joint:
    """A joint between two links.

    Attributes:
        name: Its name.
        kind: One of `JOINT_KINDS`.
        parent: Name of the link it starts from.
        child: Name of the link it moves.
        placement: Pose of its frame, which is the child's at zero, in the parent's, shape (4, 4).
        axis: Unit axis in its own frame, shape (3,).
        lower: Lower limit, rad or m, −inf where there is none.
        upper: Upper limit.
        velocity: Bound on the speed, rad/s or m/s, inf where there is none.
        mimic: The joint it follows, if it does.
    """

    name: str
    kind: str
    parent: str
    child: str
    placement: Array
    axis: Array
    lower: float
    upper: float
    velocity: float
    mimic: Mimic | None


@dataclass(frozen=True)
class RobotModel:
    """A tree of links, checked when it is made.

    Raises:
        UrdfError: A name is there twice, a joint names a link that is not there, a link has two parents, there is a
            cycle or more than one root, or a joint mimics what it cannot.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]

    def __post_init__(self) -> None:
        """Check that this is a tree."""
        if not self.links:
            raise UrdfError(f"robot {self.name!r} has no link; a URDF has at least one")
        _check_unique("link", (link.name for link in self.links), self.name)
        _check_unique("joint", (joint.name for joint in self.joints), self.name)
        self._check_ends()
        self._check_roots()

    def _check_ends(self) -> None:
        names = tuple(link.name for link in self.links)
        known, parent_of = set(names), dict[str, Joint]()
        for joint in self.joints:
            for role, end in (("parent", joint.parent), ("child", joint.child)):
                if end not in known:
                    raise UrdfError(
                        f"the {role} of joint {joint.name!r} is {end!r}, which is no link; {near_matches(end, names)}"
                    )
            if joint.child in parent_of:
                other = parent_of[joint.child].name
                raise UrdfError(
                    f"link {joint.child!r} is moved by two joints, {other!r} and {joint.name!r}; a tree's link has one "
                    "parent (a closed loop is no tree)"
                )
            parent_of[joint.child] = joint

    def _check_roots(self) -> None:
        children = {joint.child for joint in self.joints}
        roots = [link.name for link in self.links if link.name not in children]
        if len(roots) > 1:
            raise UrdfError(
                f"robot {self.name!r} has {len(roots)} roots, {_join_names(roots)}; join them: a tree has one"
            )
        reached = {self.root, *(joint.child for joint in self.depth_first())} if roots else set()
        if len(reached) < len(self.links):
            lost = [link.name for link in self.links if link.name not in reached]
            raise UrdfError(f"robot {self.name!r} has a cycle among {_join_names(lost)}; a tree has none")

    @cached_property
    def root(self) -> str:
        """Name of the link that no joint moves."""
        children = {joint.child for joint in self.joints}
        return next(link.name for link in self.links if link.name not in children)

    def depth_first(self) -> list[Joint]:
        """Return the joints, parents before children and siblings in the order of their names, as Pinocchio does."""
        leaving: dict[str, list[Joint]] = {}
        for joint in sorted(self.joints, key=lambda joint: joint.name, reverse=True):
            leaving.setdefault(joint.parent, []).append(joint)
        ordered, waiting = list[Joint](), list(leaving.get(self.root, []))
        while waiting:
            ordered.append(waiting.pop())
            waiting.extend(leaving.get(ordered[-1].child, []))
        return ordered

    @cached_property
    def _by_name(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in self.joints}

    def leader(self, joint: Joint) -> tuple[Joint, float, float]:
        """Return the joint whose coordinate moves this one, with the multiplier and offset along the way.

        Raises:
            UrdfError: The joint it mimics is not there, neither turns nor slides, or is reached over more than
                `MAX_MIMICS` others, as where joints mimic one another in a circle.
        """
        first, multiplier, offset = joint, 1.0, 0.0
        for _ in range(MAX_MIMICS):
            if joint.mimic is None:
                break
            name = joint.mimic.joint
            if name not in self._by_name:
                near = near_matches(name, tuple(self._by_name))
                raise UrdfError(f"joint {joint.name!r} mimics {name!r}, which is no joint; {near}")
            offset, multiplier = offset + multiplier * joint.mimic.offset, multiplier * joint.mimic.multiplier
            joint = self._by_name[name]
        if joint.mimic is not None:
            raise UrdfError(
                f"joint {first.name!r} mimics one that mimics another, and so on in a circle or over too many"
            )
        if joint.kind in ("planar", "floating"):
            raise UrdfError(
                f"joint {first.name!r} mimics {joint.name!r}, a {joint.kind} joint, which has no one coordinate"
            )
        return joint, multiplier, offset


def _check_unique(what: str, names: Iterable[str], robot: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise UrdfError(f"robot {robot!r} has {count} {what}s named {name!r}; names must differ")


def _join_names(names: list[str]) -> str:
    return ", ".join(map(repr, names[:6])) + (", …" if len(names) > 6 else "")
