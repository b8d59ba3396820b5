"""The text of a URDF, checked before its numbers are taken: bounded in size, well-formed, cut down to what is read.

What it says about colours, sensors or transmissions is left out, so that nothing there can do harm or fail; about the
bodies of collisions, too, unless they are asked for. As for Pinocchio, the prefix of a name is a part of the name, a
default namespace is an attribute like others, and what stands before the first "<" is skipped.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import TypeGuard
from xml.etree.ElementTree import Element

from lessons_lib.errors import UrdfError, decimal_comma
from lessons_lib.paths import input_file, kind_of, short_repr

MAX_BYTES = 8 * 2**20
"""Forty times the largest file of the collection example-robot-data, 0.2 MB."""

MAX_DEPTH = 64
"""How deep elements may nest; a URDF needs seven levels."""

MAX_SIZE = 1e9
"""Of a length [m], an angle [rad], a mass [kg] or a ratio; beyond it, products of a few such numbers overflow."""

MAX_LIMIT = 1e30
"""Of a limit that is finite; some files write 1e16 where they mean none."""

MAX_NAME = 256
"""Characters of a name."""

Kept = Mapping[str, tuple[str, ...]]
"""The children of each kind of element that are read."""

_KEPT: Kept = {
    "robot": ("link", "joint"),
    "link": ("inertial",),
    "inertial": ("origin", "mass"),
    "joint": ("parent", "child", "origin", "axis", "limit", "mimic"),
}
_GEOMETRY = {"geometry": ("box", "sphere", "cylinder", "capsule", "mesh")}
_PAIRS = {"robot": ("disable_collisions",)}
_SEVERAL = frozenset(("collision", "visual"))
"""What an element may have more than one of."""

_VECTORS = {"origin": ("xyz", "rpy"), "axis": ("xyz",), "box": ("size",), "mesh": ("scale",)}
_NUMBERS = {
    "limit": ("lower", "upper", "velocity"),
    "mimic": ("multiplier", "offset"),
    "mass": ("value",),
    "sphere": ("radius",),
    "cylinder": ("radius", "length"),
    "capsule": ("radius", "length"),
}
_NUMBER = re.compile(r"[+-]?(([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|inf|infinity|nan)", re.ASCII | re.IGNORECASE)
"""What every reader of URDFs takes for a number; Python's own would also take 1_000 and the digits of other scripts."""

_XACRO = re.compile(r"\$[({]")
"""How an expression begins that the program xacro replaces: ${…} or $(…)."""

_BLANK = " \t\n\r"
_LINKED = {"parent": "link", "child": "link", "mimic": "joint"}


class Located(Element):
    """An element that knows the line where it begins."""

    line = 0


def read(path: str | PathLike[str]) -> Element:
    """Return the <robot> of a URDF, with its links and joints alone and every number in it finite.

    Args:
        path: Of a file; or the URDF itself, a string that holds a "<".

    Raises:
        UrdfError: There is no such file, it is too large, or its text is no URDF; the message says where.
    """
    robot, name = _read(path, _KEPT)
    for element in robot:
        _check_element(element, name)
    return robot


def read_shapes(path: str | PathLike[str], kind: str) -> Element:
    """Return the <robot> of a URDF with its links, and of these the elements of one kind alone.

    Args:
        path: As in `read`.
        kind: "collision" or "visual".

    Raises:
        UrdfError: As `read`.
    """
    robot, name = _read(path, {"robot": ("link",), "link": (kind,), kind: ("origin", "geometry"), **_GEOMETRY})
    for element in robot:
        _check_element(element, name)
    return robot


def read_pairs(path: str | PathLike[str]) -> list[tuple[str, str]]:
    """Return the pairs of links that an SRDF leaves out of account, the link1 and link2 of its <disable_collisions>.

    Args:
        path: Of a file; or the SRDF itself, a string that holds a "<".

    Raises:
        UrdfError: As `read`.
    """
    robot, _ = _read(path, _PAIRS)
    return [(pair.get("link1", ""), pair.get("link2", "")) for pair in robot]


def is_text(path: str | PathLike[str]) -> TypeGuard[str]:
    """Return whether this is a URDF itself, a string that holds a "<", and not the path of a file that is there."""
    return isinstance(path, str) and "<" in path and kind_of(Path(path)) != "a file"


def _read(path: str | PathLike[str], kept: Kept) -> tuple[Element, str]:
    """Return the <robot> with what is kept of it, and how messages name its text."""
    if not isinstance(path, (str, PathLike)):
        raise UrdfError(f'path is {path!r}; it is the path of a URDF file, or a URDF as a string that begins with "<"')
    if is_text(path):
        text, name, encoding = path.encode("utf-8", "surrogatepass"), "the string", "utf-8"
    else:
        file = input_file(path, UrdfError)
        text, name, encoding = _content(file), file.name, None
    root = _well_formed(_bounded(text, name), name, encoding)
    _check_root(root, name)
    return _kept(root, kept), name


def _content(path: Path) -> bytes:
    """Return what a file holds, at most one byte more than is allowed."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as cause:
        raise UrdfError(f"cannot read {str(path)!r}: {cause.strerror}") from cause


def _bounded(text: bytes, name: str) -> bytes:
    if len(text) > MAX_BYTES:
        raise UrdfError(f"{name} has more than {MAX_BYTES / 1e6:.1f} MB, which a URDF may have at most")
    return text


def _well_formed(text: bytes, name: str, encoding: str | None) -> Located:
    """Return the root of a document without a document type, so that there are no entities to be expanded.

    Args:
        text: The document.
        name: Of it, for messages.
        encoding: What it is known to be written in, whatever it says itself.
    """
    from xml.parsers import expat

    document = Located("")
    inside: list[Element] = [document]
    skipped, text = _from_first_bracket(text)

    def start(tag: str, attributes: dict[str, str]) -> None:
        element = Located(tag, attributes)
        element.line = skipped + parser.CurrentLineNumber
        inside[-1].append(element)
        inside.append(element)
        if len(inside) > MAX_DEPTH + 1:
            raise UrdfError(f"{name} nests elements more than {MAX_DEPTH} deep; a URDF needs seven levels")

    def refuse(kind: str, *_: object) -> None:
        raise UrdfError(f"{name} has a document type, <!DOCTYPE {short_repr(kind)} …>; a URDF has none")

    parser = expat.ParserCreate(encoding)
    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: inside.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as cause:
        where = f"line {skipped + cause.lineno}, column {cause.offset}"
        mend = _MENDS.get(expat.ErrorString(cause.code), "")
        message = f"{name} is not well-formed XML: {expat.ErrorString(cause.code)}: {where}{mend}"
        raise UrdfError(message) from cause
    except UrdfError:
        raise
    except (ValueError, LookupError) as cause:  # an encoding that there is not
        raise UrdfError(f"{name} is not well-formed XML: {cause}") from cause
    root: Located = document[0]  # type: ignore[assignment]  # `start` makes no others
    return root


_MENDS = {
    "not well-formed (invalid token)": "; & is written &amp; and < in a value &lt;, and a comment holds no --",
    "encoding specified in XML declaration is incorrect": '; write encoding="utf-8", or leave it out',
    "XML or text declaration not at start of entity": "; <?xml …?> stands first and once, or is left out",
    "junk after document element": "; a file ends with its one </robot>",
    "undefined entity": "; XML itself knows &amp; &lt; &gt; &quot; and &apos;",
    "mismatched tag": "; what is begun last ends first, by its own name",
    "duplicate attribute": "; leave one of the two out",
    "no element found": "; it ends before its </robot>",
    "unclosed token": "; what begins there has no end",
}
"""How to mend a document, by what is wrong with it."""


def _from_first_bracket(text: bytes) -> tuple[int, bytes]:
    """Return how many lines are skipped, and the text from its first "<" on, where words stand before that."""
    lead, bracket, rest = text.partition(b"<")
    if not bracket or b"\0" in lead or "\ufffd" in lead.decode("utf-8", "replace"):
        return 0, text  # in another encoding, or no text
    return lead.count(b"\n"), bracket + rest


def _check_root(root: Located, file: str) -> None:
    if root.tag != "robot":
        raise UrdfError(f"{file} begins with <{short_repr(root.tag)[1:-1]}>; a URDF begins with <robot name=…>")
    _check_name(root.get("name"), f"the <robot> of {file}")
    unread = _unread(root)
    if unread is None:
        return
    tag, kept = short_repr(unread.tag)[1:-1], unread.tag.partition(":")[2] in _KEPT["robot"]
    mend = f"<{unread.tag.partition(':')[2]}> would be" if kept else "the program xacro makes a URDF of such a file"
    says = f"line {unread.line} of {file}: <{tag}> is not read; {mend}"
    if not any(child.tag == "link" for child in root):
        raise UrdfError(f"{says}, and no link is left")
    logging.getLogger(__name__).warning("%s", says)


def _unread(root: Element) -> Located | None:
    """Return the first element that was meant to become a part of the robot, but has a prefix."""
    xacro = {"xacro", *(key[6:] for key, value in root.items() if key.startswith("xmlns:") and "xacro" in value)}
    for element in root.iter():
        prefix, colon, local = element.tag.partition(":")
        if colon and (prefix in xacro or local in _KEPT["robot"]) and isinstance(element, Located):
            return element
    return None


def _kept(element: Element, kept: Kept) -> Element:
    """Return a copy of an element with those of its children that this library reads."""
    copy = Located(element.tag, element.attrib)
    copy.line = getattr(element, "line", 0)
    copy.extend(_kept(child, kept) for child in element if child.tag in kept.get(element.tag, ()))
    return copy


def _check_name(name: str | None, what: str) -> None:
    if not name:
        raise UrdfError(f"{what} has no name; a URDF names its robot, its links and its joints")
    if len(name) > MAX_NAME:
        raise UrdfError(f"{what} has a name of {len(name)} characters; at most {MAX_NAME} are allowed")


def _check_element(element: Element, file: str) -> None:
    """Check a link or joint: its name, what it must have, and all of its numbers."""
    _check_name(element.get("name"), f"a <{element.tag}> of {file}")
    where = f"{element.tag} {short_repr(element.get('name'))}"
    if element.tag == "joint":
        for end in ("parent", "child"):
            if element.find(end) is None:
                raise UrdfError(f"{where} has no <{end} link=…>")
        axis = element.find("axis")
        if axis is not None and axis.get("xyz") is None and element.get("type") not in ("fixed", "floating"):
            raise UrdfError(f'{where} has an <axis> without xyz="…"; left out as a whole, the axis is 1 0 0')
    for part in element.iter():
        _check_once(part, where)
        attribute = _LINKED.get(part.tag)
        if attribute and not part.get(attribute):
            raise UrdfError(f"{where} has a <{part.tag}> that names no {attribute}: <{part.tag} {attribute}=…>")
        _check_numbers(part, where)


def _check_once(element: Element, where: str) -> None:
    """Refuse an element with two children of a kind: one reader would take the first, another one the last."""
    tags = [child.tag for child in element]
    for tag in tags:
        if tags.count(tag) > 1 and tag not in _SEVERAL:
            raise UrdfError(f"{where} has {tags.count(tag)} <{tag}> in its <{element.tag}>; there may be one")


def _check_numbers(element: Element, where: str) -> None:
    for attribute in _VECTORS.get(element.tag, ()):
        words = [word for word in re.split(f"[{_BLANK}]+", element.get(attribute, "0 0 0")) if word]
        if len(words) != 3:
            raise UrdfError(f"{where}: {attribute} of its <{element.tag}> must be three numbers, got {len(words)}")
        for word in words:
            _check_number(word, element, f"{where}: {attribute} of its <{element.tag}>", MAX_SIZE)
    for attribute in _NUMBERS.get(element.tag, ()):
        value = element.get(attribute)
        if value is not None:
            if element.tag == "limit" and value.strip(_BLANK).lower().lstrip("+-") in ("inf", "infinity"):
                continue
            most = MAX_LIMIT if element.tag == "limit" else MAX_SIZE
            _check_number(value, element, f"{where}: {attribute} of its <{element.tag}>", most)


def _check_number(word: str, element: Element, what: str, most: float) -> None:
    if not _NUMBER.fullmatch(word.strip(_BLANK)):
        line = getattr(element, "line", 0)
        mend = f" (line {line}); the program xacro makes numbers of such, run it first" if _XACRO.search(word) else ""
        if typed := decimal_comma(f"{word} "):
            mend = f" (line {line}); it has a decimal comma, write {typed.replace(',', '.')!r}"
        raise UrdfError(f"{what} is {short_repr(word)}, not a number{mend}")
    if not abs(float(word)) <= most:
        raise UrdfError(f"{what} is {short_repr(word)}; it must be a number of size at most {most:g}")
