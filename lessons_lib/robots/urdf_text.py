"""The text of a URDF file: read with a bound on its size, and looked over before any other parser sees it."""

from __future__ import annotations

import math
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from lessons_lib.errors import UrdfError

MAX_BYTES = 8 * 2**20
"""Forty times the largest file of the collection example-robot-data, 0.2 MB."""

MAX_DEPTH = 64
"""How deep elements may nest; a URDF needs seven."""

_VECTORS = {"origin": ("xyz", "rpy"), "axis": ("xyz",)}
_NUMBERS = {
    "limit": ("lower", "upper", "velocity"),
    "mimic": ("multiplier", "offset"),
    "mass": ("value",),
}


def read(path: str | Path) -> bytes:
    """Return the bytes of a URDF file that is safe to parse: bounded, well-formed, without a DTD, its numbers finite.

    Raises:
        UrdfError: There is no such file, it is too large, or its text is no URDF; the message says where.
    """
    place = Path(path)
    text = _bounded(place)
    root = _well_formed(text, place.name)
    _check_robot(root, place.name)
    for kind in ("link", "joint"):
        for element in root.iterfind(kind):
            _check_element(element, kind, place.name)
    return text


def _bounded(path: Path) -> bytes:
    try:
        if not path.is_file():
            raise UrdfError(f"{str(path)!r} is no file; a URDF is read from a file on this machine")
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as cause:  # ValueError: a null character in the name
        raise UrdfError(f"cannot read {str(path)!r}: {cause}") from cause
    if len(text) > MAX_BYTES:
        size = path.stat().st_size
        raise UrdfError(f"{path.name} has {size / 1e6:.1f} MB; a URDF may have at most {MAX_BYTES / 1e6:.1f} MB")
    return text


def _well_formed(text: bytes, name: str) -> Element:
    from defusedxml.common import DTDForbidden
    from defusedxml.ElementTree import iterparse

    depth, root = 0, None
    try:
        for event, element in iterparse(BytesIO(text), events=("start", "end"), forbid_dtd=True):
            root = element if root is None else root
            depth += 1 if event == "start" else -1
            if depth > MAX_DEPTH:
                raise UrdfError(f"{name} nests elements more than {MAX_DEPTH} deep; a URDF needs seven levels")
    except DTDForbidden as cause:
        raise UrdfError(f"{name} has a document type (<!DOCTYPE {cause.name} …>); a URDF has none") from cause
    except (
        ParseError,
        ValueError,
        LookupError,
    ) as cause:  # an encoding that is not there is a LookupError or ValueError
        raise UrdfError(f"{name} is not well-formed XML: {cause}") from cause
    if root is None:
        raise UrdfError(f"{name} is empty; a URDF begins with <robot name=…>")
    found: Element = root
    return found


def _check_robot(root: Element, name: str) -> None:
    if any(
        str(element.tag).startswith("{http://www.ros.org/wiki/xacro}") or "xacro" in str(element.tag)
        for element in root.iter()
    ):
        raise UrdfError(f"{name} is a xacro file, from which the program xacro makes a URDF; run that first")
    if root.tag != "robot":
        raise UrdfError(f"{name} begins with <{root.tag}>; a URDF begins with <robot name=…>")
    if not root.get("name"):
        raise UrdfError(f"the <robot> of {name} has no name; a URDF begins with <robot name=…>")


def _check_element(element: Element, kind: str, file: str) -> None:
    name = element.get("name")
    if not name:
        raise UrdfError(f"{file} has a <{kind}> without a name")
    where = f"{kind} {name!r}"
    if kind == "joint":
        for end in ("parent", "child"):
            found = element.find(end)
            if found is None or not found.get("link"):
                raise UrdfError(f"{where} has no <{end} link=…>")
    for part in (element, *element.iterfind("inertial")):
        for child in part:
            _check_numbers(child, where)


def _check_numbers(element: Element, where: str) -> None:
    """Check the numbers of an element that this library reads: their count, and that each is finite."""
    tag = str(element.tag)
    for attribute in _VECTORS.get(tag, ()):
        words = element.get(attribute, "0 0 0").split()
        if len(words) != 3:
            raise UrdfError(f'{where}: {attribute}="{element.get(attribute)}" of its <{tag}> must be three numbers')
        for word in words:
            _check_number(word, attribute, tag, where)
    for attribute in _NUMBERS.get(tag, ()):
        value = element.get(attribute)
        if value is not None:
            _check_number(value, attribute, tag, where, tag == "limit")


def _check_number(word: str, attribute: str, tag: str, where: str, may_be_infinite: bool = False) -> None:
    try:
        value = float(word)
    except ValueError:
        raise UrdfError(f"{where}: {attribute} of its <{tag}> is {word!r}, not a number") from None
    if not (math.isfinite(value) or may_be_infinite and math.isinf(value)):
        raise UrdfError(f"{where}: {attribute} of its <{tag}> is {word}; it must be finite")
