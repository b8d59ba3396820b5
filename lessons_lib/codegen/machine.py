"""LLVM: availability on this machine, compilation of IR to object code, and loading of object code."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np

from lessons_lib.codegen.compile_log import warn

HEAD = object.__basicsize__
"""Size of the header of a Python object, bytes."""

PASSES = "always_inliner sroa simplify_cfg instruction_combine simplify_cfg".split()
"""Stack slots become registers, and instructions are combined. LLVM's default pipelines take up to seven times as long
and give no faster code: straight lines are free of common subexpressions, and SIMD loops are vectorized already."""

_faults: list[str] = []  # reasons why machine code is unavailable


def available() -> bool:
    """Return whether LLVM is installed and has not failed in this process."""
    return not _faults and has_llvm()


def disable(fault: str) -> None:
    """Disable machine code in this process; warn once."""
    if not _faults:
        warn(f"machine code is unavailable, so everything runs as plain Python, which is slow: {fault}")
        _faults.append(fault)


@lru_cache(maxsize=1)
def has_llvm() -> bool:
    """Return whether LLVM is installed, `$LESSONS_PLAIN` unset, and NumPy's memory layout the one of binding.py."""
    if os.environ.get("LESSONS_PLAIN", "0") not in ("", "0"):
        return False
    try:
        llvm()
        array = np.arange(6.0).reshape(2, 3)
        head, pointer = id(array) + HEAD, ctypes.c_void_p.from_address
        layout = (pointer(head).value, pointer(head + 40).value, ctypes.c_int.from_address(head + 8).value)
        dims = (ctypes.c_ssize_t * 2).from_address(int(pointer(head + 16).value or 0))
        bits = ctypes.c_int.from_address(head + 48).value
        expected = (array.ctypes.data, id(array.dtype), 2)
        fits = layout == expected and tuple(dims) == (2, 3) and bits & 0x501 == 0x501
    except Exception as fault:  # noqa: BLE001 (LLVM is missing, or its version differs)
        disable(f"{type(fault).__name__}: {fault}")
        return False
    if not fits:
        disable("the memory layout of NumPy's arrays is unknown")
    return fits


@lru_cache(maxsize=1)
def llvm() -> Any:
    """Return LLVM's Python binding, initialized for this processor."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@lru_cache(maxsize=1)
def processor() -> tuple[str, str]:
    """Return the name and features of this processor, or those of `$LESSONS_CPU`."""
    older, binding = os.environ.get("LESSONS_CPU"), llvm()
    return (older, "") if older else (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())


def has_fused_multiply_add() -> bool:
    """Return whether this processor has a fused multiply-add."""
    return "+fma" in processor()[1].split(",")


def _target() -> Any:
    name, features = processor()
    target = llvm().Target.from_triple(llvm().get_process_triple())
    return target.create_target_machine(name, features, opt=2, reloc="pic", codemodel="jitdefault", jit=True)


def object_code(text: str) -> bytes:
    """Compile a module in LLVM IR to object code."""
    from llvmlite.binding.newpassmanagers import NewPassManager

    binding, target = llvm(), _target()
    module = binding.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(target.target_data)
    module.verify()
    builder = binding.create_pass_builder(target, binding.create_pipeline_tuning_options())
    passes = binding.create_new_module_pass_manager()
    for name in PASSES:
        getattr(passes, f"add_{name}_pass")()
    passes.run(module, builder)
    code = bytes(target.emit_object(module))
    if (
        type(passes)._dispose is not NewPassManager._dispose
    ):  # in llvmlite 0.50 it does nothing, which leaks 8 MB per arm
        NewPassManager._dispose(passes)
        passes.detach()
    return code


class LoadedCode:
    """Object code in memory, freed with this object; `addresses` maps its exported symbols."""

    def __init__(self, code: bytes, symbols: Iterable[str], libraries: Iterable[LoadedCode] = ()) -> None:
        """Link the code with the C library, Python and other loaded code."""
        binding = llvm()
        self._jit = binding.create_lljit_compiler()
        builder = binding.JITLibraryBuilder().add_object_img(code).add_current_process()
        self._libraries = list(libraries)
        for library in self._libraries:
            for symbol, address in library.addresses.items():
                builder.import_symbol(symbol, address)
        for symbol in symbols:
            builder.export_symbol(symbol)
        self._tracker = builder.link(self._jit, "lessons_lib")
        self.addresses: dict[str, int] = {symbol: int(self._tracker[symbol]) for symbol in symbols}


class _Method(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("meth", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_FASTCALL = 0x80


class Builtin:
    """A Python built-in function implemented by machine code."""

    def __init__(self, address: int, name: str, fall_back: Any, keep_alive: Any) -> None:
        """Create it from the address of the code and a fallback for other arguments."""
        self._method = _Method(name.encode(), address, _FASTCALL, None)
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
        self._keep_alive = keep_alive
        self.function: Any = new(ctypes.addressof(self._method), fall_back, None)
