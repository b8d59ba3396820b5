"""Expressions → source code → loaded modules.

SymPy is imported with the first kernel, not with this package: a warm cache needs none of it.

**The cache** (`cache`). The first use of a chain derives, prints and compiles its kernels into a folder of the user
(`$LESSONS_CACHE_DIR` names another); removing that folder is always safe. A file's name is a hash of its recipe, of the
source files that shape it (read from their imports: `dependencies`) and of the tools' versions. So a derivation belongs
in a file that imports what it needs, and nothing else. `compile_log` reports what is derived and compiled.

**Provenance.** A function of `symbolic` marked `@formula` signs the matrices it returns; a kernel reads the signatures
off its outputs, and its docstring ends in "Derived by so3.exp; expression 33f9fd64cd1d." (`provenance`).

**From text to machine code.** `linker` joins derived kernels, plain files and constants to one module. A plain file,
`lie/logarithm.py` for instance, has no decorators, and uses `math`, `numpy`, other plain files, and the names of a stub
(`*.pyi`). Its functions are `native`: at its first call, a function is translated to LLVM's text with everything it
calls (`translate`, `values`), and `machine` makes an object file of that; `separate_compilation` makes one for all
callers. Loops over SIMD lanes have no branch and no call: `operations` reads such a loop, and `vectors` writes each
operation as one vector instruction. `binding` connects machine code to Python. With `LESSONS_PLAIN=1`, or without LLVM,
everything is plain Python, which a debugger can step through. `c_plain` and `js_plain` print the same functions as C
and JavaScript.

**Lifetime and locks.** A chain's modules are freed with the last chain that has these numbers (`module_lifetime`). A
thread that makes, loads or compiles holds one lock, and a fork waits for it (`locks`).
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
    """Import what needs SymPy on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
