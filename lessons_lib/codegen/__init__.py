"""Code generation: from SymPy expressions to source text and loaded modules.

SymPy is imported with the first kernel, not with this package: with a filled cache it is not needed.

**Cache** (`cache`). The first use of a chain derives, prints and compiles its kernels into the user's cache folder, or
into `$LESSONS_CACHE_DIR`; you can always delete it. A file is named by a hash of its recipe, of the source files that
shape it (found by following imports: `dependencies`) and of the tools' versions. A derivation therefore lives in a file
that imports only what it needs. `compile_log` reports derivations and compilations.

**Provenance** (`provenance`). A function of `symbolic` decorated with `@formula` tags the matrices it returns. A kernel
collects the tags of its outputs, and its docstring ends with "Derived by so3.exp; expression 33f9fd64cd1d."

**From text to machine code.** `linker` joins derived kernels, plain files and constants into one module. A plain file,
such as `lie/logarithm.py`, has no decorators and uses `math`, `numpy`, other plain files and the names in a stub
(`*.pyi`). Its functions become `native`: the first call translates a function, with everything it calls, to LLVM IR
(`translate`, `values`), and `machine` compiles that to an object file, or `separate_compilation` to one for all
callers. A loop over SIMD lanes has no branch and no call; `vectors` writes each of its operations as one vector
instruction. For arguments of `double_double` numbers, a function computes with some 31 digits. `binding` connects
machine code to Python. With `LESSONS_PLAIN=1`, or without LLVM, everything runs as plain Python, which a debugger can
step through. `c_plain` and `js_plain` print the same functions as C and JavaScript.

**Lifetime and locks.** A chain's modules are freed with the last chain of equal numbers (`module_lifetime`). A thread
that derives, loads or compiles holds one lock, and a fork waits for it (`locks`).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lessons_lib.codegen.kernel import Kernel, Program
    from lessons_lib.codegen.printers import compiled, source
    from lessons_lib.codegen.provenance import provenance_of

__all__ = ["Kernel", "Program", "provenance_of", "compiled", "source"]

_HOME = {"Kernel": "kernel", "Program": "kernel", "provenance_of": "provenance"}
_HOME |= {"compiled": "printers", "source": "printers"}


def __getattr__(name: str) -> Any:
    """Import modules that need SymPy at their first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
