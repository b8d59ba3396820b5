"""Arrays in plain Python as LLVM's text: entries, rows and slices, what is written into them, new ones.

An array is where it begins and its sizes, row after row; an index is trusted. What a.reshape((…, 8)) returns knows its
number of columns by its type: so a row of lanes is one vector to whoever is given it.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from lessons_lib.codegen.ir import Value, constant
from lessons_lib.codegen.numbers import Numbers

LARGEST_LOCAL = 256
"""Entries of an array that lies on the stack, if their number is constant; a larger one lies on the heap."""

ENTRIES = {"f": "double", "i": "i64"}


class Arrays(Numbers):
    """What a function's writer knows of arrays.

    Attributes:
        returns_arrays: Whether an array that is made here may outlive the function.
    """

    returns_arrays: bool

    def extent(self, array: Value, what: str, node: ast.AST) -> Value:
        """Return an array's shape or size."""
        if not array.is_array:
            self.fail(node)
        sizes = [Value("i", size) for size in array.sizes]
        if what == "shape":
            return self.tuple_of(sizes)
        total = constant(1)
        for size in sizes:
            total = self.whole("mul nsw", total, size)
        return total

    def taken(self, node: ast.Subscript) -> Value:
        """Return an entry of an array or a tuple, a row, or a leading slice."""
        array = self.value(node.value)
        if isinstance(array.type, tuple):
            return self.of_tuple(array, node)
        found = self.view(array, node)
        if found.is_array:
            return found
        return self.emit(f"load {ENTRIES[array.entry]}, ptr {found.text}, align 8", array.entry)

    def of_tuple(self, whole: Value, node: ast.Subscript) -> Value:
        """Return some parts of a tuple, by numbers that are known."""
        where = node.slice
        if isinstance(where, ast.Slice):
            ends = [self.number(end) if end else None for end in (where.lower, where.upper)]
            return self.tuple_of(list(whole.parts[slice(*ends)]))
        return whole.parts[self.number(where)]

    def number(self, node: ast.expr) -> int:
        """Return a whole number that is known."""
        found = self.value(node)
        if found.type != "i" or not found.text.lstrip("-").isdigit():
            self.fail(node, "a number that is not known beforehand")
        return int(found.text)

    def view(self, array: Value, node: ast.Subscript) -> Value:
        """Return a part of an array: with all indices given a number's place, its text where that lies."""
        if not array.is_array:
            self.fail(node, "an index of what is no array")
        where = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(where) > len(array.sizes):
            self.fail(node, f"{len(where)} indices of {len(array.sizes)}")
        offset, sizes = constant(0), [Value("i", size) for size in array.sizes]
        if isinstance(where[0], ast.Slice):
            return self.sliced(array, where, sizes, node)
        for k, one in enumerate(where):
            if isinstance(one, ast.Slice):
                self.fail(node, "a slice behind an index")
            index = self.as_type(self.value(one), "i", one)
            if index.text.startswith("-"):
                index = self.whole("add nsw", sizes[k], index)
            offset = index if k == 0 else self.whole("add nsw", self.whole("mul nsw", offset, sizes[k]), index)
        rest = sizes[len(where) :]
        for size in rest:
            offset = self.whole("mul nsw", offset, size)
        place = self.moved(array, offset)
        kind = f"{array.entry}{len(rest)}" if rest else "p"
        return Value(kind, place, tuple(size.text for size in rest), origin=array.origin) if rest else Value("p", place)

    def sliced(self, array: Value, where: list[ast.expr], sizes: list[Value], node: ast.AST) -> Value:
        """Return a[i:j], of which the ends are trusted."""
        one = where[0]
        assert isinstance(one, ast.Slice)
        if len(where) > 1 or one.step is not None:
            self.fail(node, "a slice with steps, or behind or before an index")
        first = self.as_type(self.value(one.lower), "i", node) if one.lower else constant(0)
        last = self.as_type(self.value(one.upper), "i", node) if one.upper else sizes[0]
        offset, count = first, self.whole("sub nsw", last, first)
        for size in sizes[1:]:
            offset = self.whole("mul nsw", offset, size)
        return Value(array.type, self.moved(array, offset), (count.text, *array.sizes[1:]), origin=array.origin)

    def moved(self, array: Value, offset: Value) -> str:
        """Return the address so many entries on."""
        if offset.text == "0":
            return array.text
        entry = ENTRIES[array.entry]
        return self.emit(f"getelementptr inbounds {entry}, ptr {array.text}, i64 {offset.text}", "i").text

    def put(self, target: ast.Subscript, value: Value) -> None:
        """Write an entry, or all of a row or slice."""
        array = self.value(target.value)
        self.writes |= array.origin
        found = self.view(array, target)
        if not found.is_array:
            value = self.as_type(value, array.entry, target)
            entry = ENTRIES[array.entry]
            self.emit(f"store {entry} {value.text}, ptr {found.text}, align 8")
        elif value.is_array:
            self.copied(value, found, target)
        else:
            self.fill(found, self.as_type(value, array.entry, target), target)

    def fill(self, array: Value, value: Value, node: ast.AST) -> None:
        """Write a number into all entries."""
        entry = ENTRIES[array.entry]

        def written(at: Value) -> None:
            place = self.moved(array, at)
            self.emit(f"store {entry} {value.text}, ptr {place}, align 8")

        self.each(self.extent(array, "size", node), written, node)

    def copied(self, source: Value, to: Value, node: ast.AST) -> None:
        """Write the entries of an array into another one of the same size."""
        entry = ENTRIES[to.entry]
        if source.entry != to.entry:
            self.fail(node, f"{source.type} where {to.type} is wanted")

        def written(at: Value) -> None:
            found = self.emit(f"load {entry}, ptr {self.moved(source, at)}, align 8", to.entry)
            self.emit(f"store {entry} {found.text}, ptr {self.moved(to, at)}, align 8")

        self.each(self.extent(to, "size", node), written, node)

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """Return −x or not x, of an array −A."""
        return (
            self.negative(value, node)
            if value.is_array and isinstance(op, ast.USub)
            else super().unary(op, value, node)
        )

    def negative(self, array: Value, node: ast.AST) -> Value:
        """Return a new array, −A."""
        made: Value = self.array(array.entry, [Value("i", size) for size in array.sizes], node, False)
        entry = ENTRIES[array.entry]

        def written(at: Value) -> None:
            found = self.emit(f"load {entry}, ptr {self.moved(array, at)}, align 8", array.entry)
            turned = self.unary(ast.USub(), found, node)
            self.emit(f"store {entry} {turned.text}, ptr {self.moved(made, at)}, align 8")

        self.each(self.extent(made, "size", node), written, node)
        return made

    def each(self, count: Value, written: Callable[[Value], None], node: ast.AST) -> None:
        """Write a loop over so many entries."""
        name, top, inside, end = self.fresh("each"), self.fresh("top"), self.fresh("inside"), self.fresh("after")
        self.store(name, constant(0), node)
        self.label(top)
        at = self.load(name)
        self.jump(inside, self.emit(f"icmp slt i64 {at.text}, {count.text}", "b"), end)
        self.label(inside)
        written(at)
        self.store(name, self.emit(f"add nsw i64 {at.text}, 1", "i"), node)
        self.jump(top)
        self.label(end)

    def new(self, name: str, node: ast.Call) -> Value:
        """Write np.empty, np.zeros or np.arange."""
        shape = self.value(node.args[0])
        sizes = list(shape.parts) if isinstance(shape.type, tuple) else [shape]
        wholes = name == "arange" or any("int" in ast.unparse(word.value) for word in node.keywords)
        found: Value = self.array("i" if wholes else "f", sizes, node, name == "zeros")
        if name == "arange":

            def written(at: Value) -> None:
                self.emit(f"store i64 {at.text}, ptr {self.moved(found, at)}, align 8")

            self.each(sizes[0], written, node)
        return found

    def method(self, array: Value, name: str, node: ast.Call) -> Value:
        """Write a.copy() or a.reshape(…)."""
        if name == "copy" and array.is_array:
            made: Value = self.array(array.entry, [Value("i", size) for size in array.sizes], node, False)
            self.copied(array, made, node)
            return made
        if name == "reshape" and array.is_array:
            given = [
                part
                for a in node.args
                for part in (lambda v: v.parts if isinstance(v.type, tuple) else (v,))(self.value(a))
            ]
            known, total = constant(1), self.extent(array, "size", node)
            for one in given:
                known = known if one.text == "-1" else self.whole("mul nsw", known, one)
            rest = total if known.text == "1" else self.emit(f"sdiv i64 {total.text}, {known.text}", "i")
            sizes = tuple(rest.text if one.text == "-1" else one.text for one in given)
            fixed = f"x{sizes[1]}" if len(sizes) == 2 and sizes[1].isdigit() else ""
            return Value(f"{array.entry}{len(sizes)}{fixed}", array.text, sizes, origin=array.origin)
        return self.fail(node)

    def array(self, entry: str, sizes: list[Value], node: ast.AST, zeros: bool) -> Value:
        """Return a new array: on the stack where it is small and stays here, else in the room of the caller's entry."""
        numbers = [int(size.text) if size.text.lstrip("-").isdigit() else None for size in sizes]
        total = constant(1)
        for size in sizes:
            total = self.whole("mul nsw", total, size)
        known = None if None in numbers else math.prod(n for n in numbers if n is not None)
        if known is not None and known <= LARGEST_LOCAL and not self.returns_arrays:
            where = Value("i", f"%{self.fresh('local')}")
            self.head.append(f"  {where.text} = alloca double, i64 {known}, align 64")
        else:
            self.uses_room = True
            bytes_ = self.whole("mul nsw", total, constant(8))
            where = self.emit(f"call ptr @room(ptr %room, i64 {bytes_.text})", "i")
        made = Value(f"{entry}{len(sizes)}", where.text, tuple(size.text for size in sizes))
        if zeros:
            self.fill(made, constant(0.0) if entry == "f" else constant(0), node)
        return made
