"""From LLVM's text to machine code, and from that to addresses that can be called; LLVM's own part, behind one door."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from functools import lru_cache
from typing import Any


@lru_cache(maxsize=1)
def llvm() -> Any:
    """Return LLVM, ready to write for this processor."""
    import llvmlite.binding as binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    return binding


@lru_cache(maxsize=1)
def processor() -> tuple[str, str]:
    """Return the name and the features of this processor: code for one need not run on another.

    `$LESSONS_CPU` names an older one, "x86-64-v2" for instance, for which code is made then.
    """
    older, binding = os.environ.get("LESSONS_CPU"), llvm()
    return (older, "") if older else (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())


def _target() -> Any:
    name, features = processor()
    target = llvm().Target.from_triple(llvm().get_process_triple())
    return target.create_target_machine(name, features, opt=2, reloc="pic", codemodel="jitdefault", jit=True)


PASSES = "always_inliner sroa simplify_cfg instruction_combine simplify_cfg".split()
"""What is done with a text before it becomes machine code: names become registers, and what is worked out twice falls
away. LLVM's own lists take up to seven times as long, and the code that comes of them is no faster: straight lines are
without common subexpressions already, loops over lanes are vectors, and the others have counts of six and seven.
"""


def object_code(text: str) -> bytes:
    """Return the object file of LLVM's text, one module."""
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
    if type(passes)._dispose is not NewPassManager._dispose:  # in llvmlite 0.50 it does nothing: 8 MB an arm
        NewPassManager._dispose(passes)
        passes.detach()
    return code


class Loaded:
    """An object file in memory; it goes with this.

    Attributes:
        addresses: Of the symbols that were asked for.
    """

    def __init__(self, code: bytes, symbols: Iterable[str], libraries: Iterable[Loaded] = ()) -> None:
        """Link the code with the C library and Python, and with others that are in memory already."""
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
    """A function of Python made of machine code.

    Attributes:
        function: Called with positional arguments.
    """

    def __init__(self, address: int, name: str, otherwise: Any, kept: Any) -> None:
        """Take where the code begins, and what Python calls where it does not know the arguments."""
        self._method = _Method(name.encode(), address, _FASTCALL, None)
        new = ctypes.pythonapi.PyCFunction_NewEx
        new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.py_object]
        self._kept = kept
        self.function: Any = new(ctypes.addressof(self._method), otherwise, None)


HEAD = object.__basicsize__
"""Bytes before what an object holds."""
