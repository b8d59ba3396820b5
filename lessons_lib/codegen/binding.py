"""Binding: LLVM IR of a built-in function that checks its arguments and calls the compiled function."""
# It reads address, shape and flags from NumPy's array structure, in a tenth of the time of the buffer protocol;
# `machine.has_llvm` checks that layout once. If an argument does not fit, the binding calls back into Python.

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lessons_lib.codegen.ir import REALS, columns_of, flat_types, is_array, struct_of
from lessons_lib.codegen.machine import HEAD
from lessons_lib.errors import CodegenError

NDARRAY, DOUBLES, INTEGERS, NONE = range(4)
"""Indices of `@known`, which the loader fills."""

_AT = {"nd": (HEAD + 8, "i32"), "dims": (HEAD + 16, "ptr"), "descr": (HEAD + 40, "ptr")}
_AT |= {"flags": (HEAD + 48, "i32"), "type": (HEAD - 8, "ptr")}
_CONTIGUOUS, _ALIGNED, _WRITEABLE = 0x1, 0x100, 0x400

ALLOCATION = """\
define internal ptr @allocate(ptr %heap, i64 %bytes) nounwind noinline {
entry:
  %all = add i64 %bytes, 64
  %made = call ptr @malloc(i64 %all)
  %before = load ptr, ptr %heap
  store ptr %before, ptr %made
  store ptr %made, ptr %heap
  %begin = getelementptr i8, ptr %made, i64 16
  ret ptr %begin
}

define internal void @release(ptr %heap, ptr %until) nounwind noinline {
entry:
  br label %top
top:
  %last = load ptr, ptr %heap
  %done = icmp eq ptr %last, %until
  br i1 %done, label %end, label %more
more:
  %before = load ptr, ptr %last
  store ptr %before, ptr %heap
  call void @free(ptr %last)
  br label %top
end:
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
"""
"""Allocation of heap arrays, which are freed when the call from Python returns."""

_PYTHON = """\
@known = global [4 x ptr] zeroinitializer
declare i64 @PyLong_AsLongLong(ptr)
declare double @PyFloat_AsDouble(ptr)
declare i32 @PyObject_IsTrue(ptr)
declare ptr @PyErr_Occurred()
declare ptr @PyBool_FromLong(i64)
declare ptr @PyLong_FromLongLong(i64)
declare ptr @PyFloat_FromDouble(double)
declare ptr @PyTuple_New(i64)
declare i32 @PyTuple_SetItem(ptr, i64, ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare void @Py_IncRef(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)
"""


def binding(function: Any, keeps_gil: bool) -> str:
    """Return the text of @binding, which Python calls."""
    lines: list[str] = ["  %heap = alloca ptr", "  store ptr null, ptr %heap"]
    known = [f"  %known.{k} = load ptr, ptr getelementptr ([4 x ptr], ptr @known, i64 0, i64 {k})" for k in range(3)]
    lines += [f"  %right = icmp eq i64 %n, {len(function.types)}", "  br i1 %right, label %begin, label %fallback"]
    lines += ["begin:", *known]
    arguments: list[str] = []
    for k, type_ in enumerate(function.types):
        lines += [f"  %at{k} = getelementptr ptr, ptr %args, i64 {k}", f"  %o{k} = load ptr, ptr %at{k}"]
        lines += _read_array(k, type_, k in function.writes) if is_array(type_) else _read_number(k, type_)
        arguments += [f"{t} %g{k}.{j}" for j, t in enumerate(flat_types(type_))]
    kind = struct_of(function.result)
    call = f"call {kind} @{function.symbol}({', '.join(['ptr %heap', *arguments])})"
    lines += [] if keeps_gil else ["  %thread = call ptr @PyEval_SaveThread()"]
    lines += [f"  {call}" if kind == "void" else f"  %found = {call}"]
    lines += [] if keeps_gil else ["  call void @PyEval_RestoreThread(ptr %thread)"]
    lines += _return_result(function.result, kind)
    lines += ["fallback:", "  %python = call ptr @PyObject_Vectorcall(ptr %self, ptr %args, i64 %n, ptr null)"]
    lines += ["  ret ptr %python", "failed:", "  ret ptr null"]
    return (
        f"{ALLOCATION}{_PYTHON}\ndefine ptr @binding(ptr %self, ptr %args, i64 %n) nounwind {{\nentry:\n"
        + "\n".join(lines)
        + "\n}\n"
    )


def _read_array(k: int, type_: str, written: bool) -> list[str]:
    """Write the checks of a C-contiguous array, writable if the function writes it, and read address and sizes."""
    lines: list[str] = []

    def read(name: str) -> str:
        offset, kind = _AT[name]
        lines.append(f"  %o{k}.{name}.at = getelementptr i8, ptr %o{k}, i64 {offset}")
        lines.append(f"  %o{k}.{name} = load {kind}, ptr %o{k}.{name}.at")
        return f"%o{k}.{name}"

    def require(name: str, condition: str) -> None:
        lines.append(f"  %o{k}.{name}.fits = {condition}")
        lines.append(f"  br i1 %o{k}.{name}.fits, label %o{k}.{name}.on, label %fallback")
        lines.append(f"o{k}.{name}.on:")

    require("type", f"icmp eq ptr {read('type')}, %known.{NDARRAY}")
    dimensions = int(type_[1]) + (type_[0] == "d")  # the last one has both parts of a double-double
    require("nd", f"icmp eq i32 {read('nd')}, {dimensions}")
    require("descr", f"icmp eq ptr {read('descr')}, %known.{DOUBLES if type_[0] in REALS else INTEGERS}")
    flags = _CONTIGUOUS | _ALIGNED | (_WRITEABLE if written else 0)
    lines.append(f"  %o{k}.bits = and i32 {read('flags')}, {flags}")
    require("flags", f"icmp eq i32 %o{k}.bits, {flags}")
    dims = read("dims")
    lines += [f"  %o{k}.begin = getelementptr i8, ptr %o{k}, i64 {HEAD}", f"  %g{k}.0 = load ptr, ptr %o{k}.begin"]
    for j in range(dimensions):
        lines += [f"  %d{k}.{j} = getelementptr i64, ptr {dims}, i64 {j}", f"  %g{k}.{j + 1} = load i64, ptr %d{k}.{j}"]
    if type_[0] == "d":
        require("parts", f"icmp eq i64 %g{k}.{dimensions}, 2")
    if columns_of(type_):
        require("columns", f"icmp eq i64 %g{k}.2, {columns_of(type_)}")
    return lines


def _read_number(k: int, type_: str) -> list[str]:
    """Convert a Python number; if that raises, the call does."""
    if type_ == "b":
        lines = [f"  %n{k} = call i32 @PyObject_IsTrue(ptr %o{k})", f"  %bad{k} = icmp slt i32 %n{k}, 0"]
        return [
            *lines,
            f"  br i1 %bad{k}, label %failed, label %fine{k}",
            f"fine{k}:",
            f"  %g{k}.0 = trunc i32 %n{k} to i1",
        ]
    kind, call = ("double", "PyFloat_AsDouble") if type_ == "f" else ("i64", "PyLong_AsLongLong")
    lines = [f"  %g{k}.0 = call {kind} @{call}(ptr %o{k})"]
    odd, same = ("fcmp oeq double", "-1.0") if type_ == "f" else ("icmp eq i64", "-1")
    lines += [f"  %odd{k} = {odd} %g{k}.0, {same}"]
    lines += [f"  br i1 %odd{k}, label %look{k}, label %fine{k}", f"look{k}:"]
    lines += [f"  %error{k} = call ptr @PyErr_Occurred()", f"  %bad{k} = icmp ne ptr %error{k}, null"]
    return [*lines, f"  br i1 %bad{k}, label %failed, label %fine{k}", f"fine{k}:"]


def _return_result(type_: Any, kind: str) -> list[str]:
    """Convert the result to a Python object and return it."""
    if type_ == "v":
        none = f"  %none = load ptr, ptr getelementptr ([4 x ptr], ptr @known, i64 0, i64 {NONE})"
        return [none, "  call void @Py_IncRef(ptr %none)", "  ret ptr %none"]
    if "ptr" in flat_types(type_):
        raise CodegenError(
            f"a function called from Python cannot return an array ({type_}); write to an argument instead"
        )
    parts = flat_types(type_)
    texts = iter([f"%p{k}" for k in range(len(parts))] if len(parts) > 1 else ["%found"])
    lines = [f"  %p{k} = extractvalue {kind} %found, {k}" for k in range(len(parts))] if len(parts) > 1 else []
    return [*lines, *_make_object(type_, texts, "%result"), "  ret ptr %result"]


def _make_object(type_: Any, texts: Iterator[str], name: str) -> list[str]:
    if isinstance(type_, tuple):
        lines = [f"  {name} = call ptr @PyTuple_New(i64 {len(type_)})"]
        for k, one in enumerate(type_):
            lines += _make_object(one, texts, f"{name}.{k}")
            lines += [f"  {name}.s{k} = call i32 @PyTuple_SetItem(ptr {name}, i64 {k}, ptr {name}.{k})"]
        return lines
    text = next(texts)
    if type_ == "b":
        return [f"  {name}.l = zext i1 {text} to i64", f"  {name} = call ptr @PyBool_FromLong(i64 {name}.l)"]
    call = "PyFloat_FromDouble(double" if type_ == "f" else "PyLong_FromLongLong(i64"
    return [f"  {name} = call ptr @{call} {text})"]
