"""The content of a robot description: links, joints and their tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from lessons_lib.arrays import Array
from lessons_lib.errors import UrdfError, near_matches
from lessons_lib.lazy import cached_property

MAX_MIMICS = 16
"""Largest number of joints between a mimic joint and its leader."""

JOINT_KINDS = ("revolute", "continuous", "prismatic", "fixed", "planar", "floating")


@dataclass(frozen=True)
class Link:
    """A rigid body: mass [kg] and centre of mass in the link's frame, shape (3,) [m]."""

    name: str
    mass: float
    centre: Array


@dataclass(frozen=True)
class Mimic:
    """A joint without its own coordinate: multiplier times that of `joint`, plus offset."""

    joint: str
    multiplier: float
    offset: float


@dataclass(frozen=True)
class Joint:
    name: str
    kind: str  # one of `JOINT_KINDS`
    parent: str  # name of the link it starts from
    child: str  # name of the link it moves
    placement: Array  # pose of its frame, equal to the child's at zero, in the parent's frame, (4, 4)
    axis: Array  # unit axis in its own frame, (3,)
    lower: float  # rad or m, −inf for no limit
    upper: float
    velocity: float  # bound on the speed, rad/s or m/s, inf for no bound
    mimic: Mimic | None


@dataclass(frozen=True)
class RobotModel:
    """A tree of links; UrdfError if a name occurs twice, or the links and joints do not form one tree."""

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]

    def __post_init__(self) -> None:
        """Check that the links and joints form a tree."""
        if not self.links:
            raise UrdfError(f"robot {self.name!r} must have at least one link, got none")
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
                        f"the {role} of joint {joint.name!r} must be a link, got {end!r}; {near_matches(end, names)}"
                    )
            if joint.child in parent_of:
                other = parent_of[joint.child].name
                raise UrdfError(
                    f"link {joint.child!r} must have one parent joint, got {other!r} and {joint.name!r}; closed loops "
                    "are not supported"
                )
            parent_of[joint.child] = joint

    def _check_roots(self) -> None:
        children = {joint.child for joint in self.joints}
        roots = [link.name for link in self.links if link.name not in children]
        if len(roots) > 1:
            raise UrdfError(f"robot {self.name!r} must have one root, got {_join_names(roots)}; connect them by joints")
        reached = {self.root, *(joint.child for joint in self.depth_first())} if roots else set()
        if len(reached) < len(self.links):
            unreachable = [link.name for link in self.links if link.name not in reached]
            raise UrdfError(f"robot {self.name!r} must be a tree, but has a cycle among {_join_names(unreachable)}")

    @cached_property
    def root(self) -> str:
        """Name of the link that no joint moves."""
        children = {joint.child for joint in self.joints}
        return next(link.name for link in self.links if link.name not in children)

    def depth_first(self) -> list[Joint]:
        """Return the joints, parents before children and siblings sorted by name, as in Pinocchio."""
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
        """Return the joint whose coordinate moves this one, with multiplier and offset; UrdfError for a cycle."""
        first, multiplier, offset = joint, 1.0, 0.0
        for _ in range(MAX_MIMICS):
            if joint.mimic is None:
                break
            name = joint.mimic.joint
            if name not in self._by_name:
                near = near_matches(name, tuple(self._by_name))
                raise UrdfError(f"joint {joint.name!r} must mimic a joint, got {name!r}; {near}")
            offset, multiplier = offset + multiplier * joint.mimic.offset, multiplier * joint.mimic.multiplier
            joint = self._by_name[name]
        if joint.mimic is not None:
            raise UrdfError(
                f"joint {first.name!r} mimics joints that form a cycle, or a chain of more than {MAX_MIMICS}"
            )
        if joint.kind in ("planar", "floating"):
            raise UrdfError(
                f"joint {first.name!r} must mimic a joint with one coordinate, got {joint.name!r} ({joint.kind})"
            )
        return joint, multiplier, offset


def _check_unique(what: str, names: Iterable[str], robot: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise UrdfError(f"{what}s of robot {robot!r} must have different names, got {name!r} {count} times")


def _join_names(names: list[str]) -> str:
    return ", ".join(map(repr, names[:6])) + (", …" if len(names) > 6 else "")
