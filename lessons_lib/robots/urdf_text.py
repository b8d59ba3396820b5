"""Parse and check the text of a URDF: bounded in size, well-formed, reduced to the elements that the library reads."""
# Colours, sensors, transmissions and, unless requested, collision bodies are discarded, so that errors there do no
# harm. As in Pinocchio a namespace prefix is part of the name, a default namespace is an ordinary attribute, and text
# before the first "<" is skipped.

from __future__ import annotations

import logging
import re
from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from os import PathLike
from pathlib import Path
from typing import TypeGuard
from xml.etree.ElementTree import Element

from lessons_lib.errors import UrdfError, decimal_comma
from lessons_lib.paths import input_file, kind_of, short_repr
from lessons_lib.robots.load_warnings import warn_caller

MAX_BYTES = 8 * 2**20
"""Forty times the largest file of the collection example-robot-data, 0.2 MB."""

MAX_DEPTH = 64
"""Largest depth of elements; a URDF needs seven levels."""

MAX_SIZE = 1e9
"""Largest length [m], angle [rad], mass [kg] or ratio; products of a few larger numbers overflow."""

MAX_LIMIT = 1e30
"""Largest finite limit; some files write 1e16 for no limit."""

MAX_NAME = 256
"""Largest number of characters of a name."""

ChildTags = Mapping[str, tuple[str, ...]]
"""The children that are read, by the tag of their parent."""

_READ_CHILDREN: ChildTags = {
    "robot": ("link", "joint"),
    "link": ("inertial",),
    "inertial": ("origin", "mass"),
    "joint": ("parent", "child", "origin", "axis", "limit", "mimic"),
}
_GEOMETRY = {"geometry": ("box", "sphere", "cylinder", "capsule", "mesh")}
_PAIRS = {"robot": ("disable_collisions",)}
_SEVERAL = frozenset(("collision", "visual"))
"""Children that an element may have more than one of."""

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
"""Numbers that all URDF readers accept; float() also accepts 1_000 and the digits of other scripts."""

_XACRO = re.compile(r"\$[({]")
"""Beginning of an expression for the program xacro: ${…} or $(…)."""

_BLANK = " \t\n\r"
_LINKED = {"parent": "link", "child": "link", "mimic": "joint"}
_ATTRIBUTES = {
    "origin": ("xyz", "rpy"),
    "axis": ("xyz",),
    "limit": ("lower", "upper", "velocity", "effort"),
    "mimic": ("joint", "multiplier", "offset"),
}
"""Attributes of the elements of a joint."""


class Located(Element):
    """An element with the line at which it begins and the tags of the children that are not read."""

    line = 0
    unread: Sequence[str] = ()


def read(path: str | PathLike[str]) -> Element:
    """Return the <robot> of a URDF, a file or a string with a "<", with its links and joints and finite numbers."""
    robot, name = _read(path, _READ_CHILDREN)
    for element in robot:
        _check_element(element, name)
    return robot


def read_shapes(path: str | PathLike[str], kind: str) -> Element:
    """Return the <robot> of a URDF with its links and their elements of a kind: "collision" or "visual"."""
    robot, name = _read(path, {"robot": ("link",), "link": (kind,), kind: ("origin", "geometry"), **_GEOMETRY})
    for element in robot:
        _check_element(element, name)
    return robot


def read_pairs(path: str | PathLike[str]) -> list[tuple[str, str]]:
    """Return the pairs of links in the <disable_collisions> of an SRDF, a file or a string."""
    robot, _ = _read(path, _PAIRS)
    return [(pair.get("link1", ""), pair.get("link2", "")) for pair in robot]


def is_text(path: str | PathLike[str]) -> TypeGuard[str]:
    """Return whether this is the URDF itself, a string that contains "<", and not the path of an existing file."""
    return isinstance(path, str) and "<" in path and kind_of(Path(path)) != "a file"


def _read(path: str | PathLike[str], kept: ChildTags) -> tuple[Element, str]:
    """Return the <robot> with the children that are read, and the name of its source for messages."""
    if not isinstance(path, (str, PathLike)):
        raise UrdfError(f'path must be that of a URDF file, or a URDF as a string that begins with "<", got {path!r}')
    if is_text(path):
        text, name, encoding = path.encode("utf-8", "surrogatepass"), "the string", "utf-8"
    else:
        file = input_file(path, UrdfError)
        text, name, encoding = _content(file), file.name, None
    root = _parse(_check_size(text, name), name, encoding)
    _check_root(root, name)
    return _prune(root, kept), name


def _content(path: Path) -> bytes:
    """Return the content of a file, at most one byte beyond the limit."""
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except OSError as cause:
        raise UrdfError(f"cannot read {str(path)!r}: {cause.strerror}") from cause


def _check_size(text: bytes, name: str) -> bytes:
    if len(text) > MAX_BYTES:
        raise UrdfError(f"{name} must have at most {MAX_BYTES / 1e6:.1f} MB, got more")
    return text


def _parse(text: bytes, name: str, encoding: str | None) -> Located:
    """Parse a document without a document type, which could define entities; `encoding` overrides its own."""
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
            raise UrdfError(f"elements of {name} must be nested at most {MAX_DEPTH} deep; a URDF needs seven levels")

    def refuse(kind: str, *_: object) -> None:
        raise UrdfError(f"{name} must not have a document type, got <!DOCTYPE {short_repr(kind)} …>; delete it")

    parser = expat.ParserCreate(encoding)
    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: inside.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(text, True)
    except expat.ExpatError as cause:
        where = f"line {skipped + cause.lineno}, column {cause.offset}"
        remedy = _REMEDIES.get(expat.ErrorString(cause.code), "")
        message = f"{name} is not well-formed XML: {expat.ErrorString(cause.code)}: {where}{remedy}"
        raise UrdfError(message) from cause
    except UrdfError:
        raise
    except (ValueError, LookupError) as cause:  # an unknown encoding
        raise UrdfError(f"{name} is not well-formed XML: {cause}") from cause
    root: Located = document[0]  # type: ignore[assignment]  # `start` creates these alone
    return root


_REMEDIES = {
    "not well-formed (invalid token)": "; write &amp; for &, &lt; for < in a value, and no -- in a comment",
    "encoding specified in XML declaration is incorrect": '; write encoding="utf-8", or omit it',
    "XML or text declaration not at start of entity": "; <?xml …?> must be at the beginning, once, or be omitted",
    "junk after document element": "; delete what follows the </robot>",
    "undefined entity": "; XML defines only &amp; &lt; &gt; &quot; and &apos;",
    "mismatched tag": "; close elements in reverse order, by their own names",
    "duplicate attribute": "; delete one of the two",
    "no element found": "; </robot> is missing",
    "unclosed token": "; the tag that begins there is not closed",
}
"""How to fix a document, by the error of the parser."""


def _from_first_bracket(text: bytes) -> tuple[int, bytes]:
    """Return the number of skipped lines, and the text from its first "<" on."""
    lead, bracket, rest = text.partition(b"<")
    if not bracket or b"\0" in lead or "\ufffd" in lead.decode("utf-8", "replace"):
        return 0, text  # another encoding, or not text
    return lead.count(b"\n"), bracket + rest


def _check_root(root: Located, file: str) -> None:
    if root.tag != "robot":
        raise UrdfError(f"{file} must begin with <robot name=…>, got <{short_repr(root.tag)[1:-1]}>")
    _check_name(root.get("name"), f"the <robot> of {file}")
    unread = _find_unread(root)
    if unread is None:
        return
    tag, kept = short_repr(unread.tag)[1:-1], unread.tag.partition(":")[2] in _READ_CHILDREN["robot"]
    remedy = f"write <{unread.tag.partition(':')[2]}>" if kept else "convert the file to a URDF by the program xacro"
    message = f"line {unread.line} of {file}: <{tag}> is not read; {remedy}"
    if not any(child.tag == "link" for child in root):
        raise UrdfError(f"{message}. No link is left")
    logging.getLogger(__name__).warning("%s", message)


def _find_unread(root: Element) -> Located | None:
    """Return the first element with a namespace prefix that should have been part of the robot."""
    xacro = {"xacro", *(key[6:] for key, value in root.items() if key.startswith("xmlns:") and "xacro" in value)}
    for element in root.iter():
        prefix, colon, local = element.tag.partition(":")
        if colon and (prefix in xacro or local in _READ_CHILDREN["robot"]) and isinstance(element, Located):
            return element
    return None


def _prune(element: Element, kept: ChildTags) -> Element:
    """Return a copy of an element with the children that this library reads."""
    copy = Located(element.tag, element.attrib)
    copy.line = getattr(element, "line", 0)
    read = kept.get(element.tag, ())
    copy.unread = [child.tag for child in element if child.tag not in read]
    copy.extend(_prune(child, kept) for child in element if child.tag in read)
    return copy


def _warn_misspelt(where: str, form: str, names: Collection[str], known: Sequence[str]) -> None:
    """Warn of each name that is not known and resembles a known one that is missing."""
    missing = [name for name in known if name not in names]
    for name in names:
        if name not in known and (near := get_close_matches(name[:MAX_NAME], missing, n=1)):
            warn_caller(f"{where} has {form.format(name)}, which is not read; did you mean {form.format(near[0])}?")


def _check_name(name: str | None, what: str) -> None:
    if not name:
        raise UrdfError(f"{what} must have a name, as the robot, each link and each joint of a URDF")
    if len(name) > MAX_NAME:
        raise UrdfError(f"the name of {what} must have at most {MAX_NAME} characters, got {len(name)}")


def _check_element(element: Element, file: str) -> None:
    """Check a link or joint: its name, its required children, and all of its numbers."""
    _check_name(element.get("name"), f"a <{element.tag}> of {file}")
    where = f"{element.tag} {short_repr(element.get('name'))}"
    if element.tag == "joint":
        for end in ("parent", "child"):
            if element.find(end) is None:
                raise UrdfError(f"{where} must have a <{end} link=…>")
        axis = element.find("axis")
        if axis is not None and axis.get("xyz") is None and element.get("type") not in ("fixed", "floating"):
            raise UrdfError(f'the <axis> of {where} must have xyz="…"; without an <axis> it is 1 0 0')
    for part in element.iter():
        _check_once(part, where)
        attribute = _LINKED.get(part.tag)
        if attribute and not part.get(attribute):
            raise UrdfError(f"the <{part.tag}> of {where} must name a {attribute}: <{part.tag} {attribute}=…>")
        _check_numbers(part, where)
    if element.tag == "joint" and isinstance(element, Located):
        _warn_misspelt(where, "<{}>", [*(part.tag for part in element), *element.unread], _READ_CHILDREN["joint"])
        for part in element:
            _warn_misspelt(f"<{part.tag}> of {where}", "{}=", part.attrib, _ATTRIBUTES.get(part.tag, ()))


def _check_once(element: Element, where: str) -> None:
    """Refuse two children of a kind, of which some readers use the first, and others the last."""
    tags = [child.tag for child in element]
    for tag in tags:
        if tags.count(tag) > 1 and tag not in _SEVERAL:
            raise UrdfError(f"the <{element.tag}> of {where} must have one <{tag}>, got {tags.count(tag)}")


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
        remedy = f" (line {line}); run the program xacro first, which evaluates it" if _XACRO.search(word) else ""
        if typed := decimal_comma(f"{word} "):
            remedy = f" (line {line}); a decimal comma is not allowed, write {typed.replace(',', '.')!r}"
        raise UrdfError(f"{what} must be a number, got {short_repr(word)}{remedy}")
    if not abs(float(word)) <= most:
        raise UrdfError(f"{what} must be a number of size at most {most:g}, got {short_repr(word)}")
