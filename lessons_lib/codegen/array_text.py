"""Translation of arrays to LLVM IR: an array is an address and sizes, in row-major order; indices are not checked."""
# the type of a.reshape((…, 8)) contains the number of columns, so that a row of lanes is one vector

from __future__ import annotations

import ast
import math
from collections.abc import Callable

from lessons_lib.codegen.ir import Value, constant
from lessons_lib.codegen.numbers import Numbers

MAX_LOCAL = 256
"""Entries of the largest array on the stack; a larger one, or one of unknown size, is on the heap."""

ENTRIES = {"f": "double", "i": "i64", "d": "{double, double}"}


class Arrays(Numbers):
    returns_arrays: bool  # whether a new array may outlive the function

    def shape_or_size(self, array: Value, what: str, node: ast.AST) -> Value:
        if not array.is_array:
            self.fail(node)
        sizes = [Value("i", size) for size in array.sizes]
        if what == "shape":
            return self.tuple_of(sizes)
        total = constant(1)
        for size in sizes:
            total = self.integers("mul nsw", total, size)
        return total

    def item(self, node: ast.Subscript) -> Value:
        """Return an entry of an array or a tuple, a row, or a leading slice."""
        array = self.value(node.value)
        if isinstance(array.type, tuple):
            return self.tuple_item(array, node)
        part = self.view(array, node)
        if part.is_array:
            return part
        return self.load_entry(part.text, array.entry)

    def load_entry(self, place: str, entry: str) -> Value:
        if entry == "d":
            return Value("d", parts=(self.load_entry(place, "f"), self.load_entry(self.second_part(place), "f")))
        return self.emit(f"load {ENTRIES[entry]}, ptr {place}, align 8", entry)

    def store_entry(self, place: str, value: Value) -> None:
        if value.type == "d":
            self.store_entry(place, value.parts[0])
            self.store_entry(self.second_part(place), value.parts[1])
        else:
            self.emit(f"store {ENTRIES[value.type]} {value.text}, ptr {place}, align 8")

    def second_part(self, place: str) -> str:
        """Return the address of the second part of a double-double."""
        return self.emit(f"getelementptr inbounds double, ptr {place}, i64 1", "i").text

    def tuple_item(self, whole: Value, node: ast.Subscript) -> Value:
        """Return parts of a tuple at constant indices."""
        where = node.slice
        if isinstance(where, ast.Slice):
            ends = [self.constant_index(end) if end else None for end in (where.lower, where.upper)]
            return self.tuple_of(list(whole.parts[slice(*ends)]))
        return whole.parts[self.constant_index(where)]

    def constant_index(self, node: ast.expr) -> int:
        index = self.value(node)
        if index.type != "i" or not index.text.lstrip("-").isdigit():
            self.fail(node, "an index that is not constant")
        return int(index.text)

    def view(self, array: Value, node: ast.Subscript) -> Value:
        """Return a part of an array; with all indices given, the address of an entry (type "p")."""
        if not array.is_array:
            self.fail(node, "an index into a value that is not an array")
        where = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(where) > len(array.sizes):
            self.fail(node, f"{len(where)} indices for {len(array.sizes)} dimensions")
        offset, sizes = constant(0), [Value("i", size) for size in array.sizes]
        if isinstance(where[0], ast.Slice):
            return self.slice_of(array, where, sizes, node)
        for k, one in enumerate(where):
            if isinstance(one, ast.Slice):
                self.fail(node, "a slice after an index")
            index = self.convert(self.value(one), "i", one)
            if index.text.startswith("-"):
                index = self.integers("add nsw", sizes[k], index)
            offset = index if k == 0 else self.integers("add nsw", self.integers("mul nsw", offset, sizes[k]), index)
        rest = sizes[len(where) :]
        for size in rest:
            offset = self.integers("mul nsw", offset, size)
        place = self.entry_address(array, offset)
        if not rest:
            return Value("p", place)
        return Value(f"{array.entry}{len(rest)}", place, tuple(size.text for size in rest), origin=array.origin)

    def slice_of(self, array: Value, where: list[ast.expr], sizes: list[Value], node: ast.AST) -> Value:
        """Return a[i:j]; its ends are not checked."""
        one = where[0]
        assert isinstance(one, ast.Slice)
        if len(where) > 1 or one.step is not None:
            self.fail(node, "a slice with a step, or next to an index")
        first = self.convert(self.value(one.lower), "i", node) if one.lower else constant(0)
        last = self.convert(self.value(one.upper), "i", node) if one.upper else sizes[0]
        offset, count = first, self.integers("sub nsw", last, first)
        for size in sizes[1:]:
            offset = self.integers("mul nsw", offset, size)
        return Value(array.type, self.entry_address(array, offset), (count.text, *array.sizes[1:]), origin=array.origin)

    def entry_address(self, array: Value, offset: Value) -> str:
        if offset.text == "0":
            return array.text
        entry = ENTRIES[array.entry]
        return self.emit(f"getelementptr inbounds {entry}, ptr {array.text}, i64 {offset.text}", "i").text

    def assign_item(self, target: ast.Subscript, value: Value) -> None:
        """Assign to an entry, or to all entries of a row or slice."""
        array = self.value(target.value)
        self.writes |= array.origin
        place = self.view(array, target)
        if not place.is_array:
            self.store_entry(place.text, self.convert(value, array.entry, target))
        elif value.is_array:
            self.copy_entries(value, place, target)
        else:
            self.fill(place, self.convert(value, array.entry, target), target)

    def fill(self, array: Value, value: Value, node: ast.AST) -> None:
        self.set_each(array, lambda _: value, node)

    def copy_entries(self, source: Value, to: Value, node: ast.AST) -> None:
        """Copy the entries of an array into another one of the same size."""
        if source.entry != to.entry:
            self.fail(node, f"expected {to.type}, got {source.type}")
        self.set_each(to, lambda at: self.entry_at(source, at), node)

    def entry_at(self, array: Value, at: Value) -> Value:
        return self.load_entry(self.entry_address(array, at), array.entry)

    def unary(self, op: ast.unaryop, value: Value, node: ast.AST) -> Value:
        """Return −x, not x, or a new array −A."""
        if not (value.is_array and isinstance(op, ast.USub)):
            return super().unary(op, value, node)
        result: Value = self.allocate(value.entry, [Value("i", size) for size in value.sizes], node, False)
        self.set_each(result, lambda at: self.unary(op, self.entry_at(value, at), node), node)
        return result

    def set_each(self, to: Value, value_at: Callable[[Value], Value], node: ast.AST) -> None:
        """Write a loop that sets each entry of an array."""
        count = self.shape_or_size(to, "size", node)
        name, top, inside, end = self.fresh("each"), self.fresh("top"), self.fresh("inside"), self.fresh("after")
        self.store(name, constant(0), node)
        self.label(top)
        at = self.load(name)
        self.jump(inside, self.emit(f"icmp slt i64 {at.text}, {count.text}", "b"), end)
        self.label(inside)
        entry = value_at(at)
        self.store_entry(self.entry_address(to, at), entry)
        self.store(name, self.emit(f"add nsw i64 {at.text}, 1", "i"), node)
        self.jump(top)
        self.label(end)

    def new_array(self, name: str, node: ast.Call) -> Value:
        """Translate np.empty, np.zeros or np.arange."""
        shape = self.value(node.args[0])
        sizes = list(shape.parts) if isinstance(shape.type, tuple) else [shape]
        wholes = name == "arange" or any("int" in ast.unparse(word.value) for word in node.keywords)
        array: Value = self.allocate("i" if wholes else self.real, sizes, node, name == "zeros")
        if name == "arange":
            self.set_each(array, lambda at: at, node)
        return array

    def method(self, array: Value, name: str, node: ast.Call) -> Value:
        """Translate a.copy() or a.reshape(…)."""
        if name == "copy" and array.is_array:
            result: Value = self.allocate(array.entry, [Value("i", size) for size in array.sizes], node, False)
            self.copy_entries(array, result, node)
            return result
        if name == "reshape" and array.is_array:
            shapes = [self.value(one) for one in node.args]
            all_parts = [part for one in shapes for part in (one.parts if isinstance(one.type, tuple) else (one,))]
            known, total = constant(1), self.shape_or_size(array, "size", node)
            for one in all_parts:
                known = known if one.text == "-1" else self.integers("mul nsw", known, one)
            rest = total if known.text == "1" else self.emit(f"sdiv i64 {total.text}, {known.text}", "i")
            sizes = tuple(rest.text if one.text == "-1" else one.text for one in all_parts)
            fixed = f"x{sizes[1]}" if len(sizes) == 2 and sizes[1].isdigit() else ""
            return Value(f"{array.entry}{len(sizes)}{fixed}", array.text, sizes, origin=array.origin)
        return self.fail(node)

    def allocate(self, entry: str, sizes: list[Value], node: ast.AST, zeros: bool) -> Value:
        """Return a new array, on the stack if it is small and not returned, otherwise on the heap."""
        numbers = [int(size.text) if size.text.lstrip("-").isdigit() else None for size in sizes]
        total = constant(1)
        for size in sizes:
            total = self.integers("mul nsw", total, size)
        known = None if None in numbers else math.prod(n for n in numbers if n is not None)
        if known is not None and known <= MAX_LOCAL and not self.returns_arrays:
            where = Value("i", f"%{self.fresh('local')}")
            self.head.append(f"  {where.text} = alloca {ENTRIES[entry]}, i64 {known}, align 64")
        else:
            self.allocates = True
            bytes_ = self.integers("mul nsw", total, constant(16 if entry == "d" else 8))
            where = self.emit(f"call ptr @allocate(ptr %heap, i64 {bytes_.text})", "i")
        result = Value(f"{entry}{len(sizes)}", where.text, tuple(size.text for size in sizes))
        if zeros:
            self.fill(result, self.convert(constant(0), entry, node), node)
        return result
