"""Expressions → source code → loaded modules.

SymPy is loaded with the first kernel, not with this package: a warm cache needs none of it.

**The cache.** The first use of a chain derives, prints and compiles its kernels into a folder of the user
(`$LESSONS_CACHE_DIR` names another); removing that folder is always safe. A file's name holds a hash of its recipe,
of the source files that shape it (read from their imports: `dependencies`) and of the tools' versions, so no edit can
leave stale code behind. So a derivation stands in a file that imports what derives, and nothing else. Whatever is
wrong with the folder costs time and nothing else. `expiry` says which files go, `notice` what a person is told
meanwhile. What lies there is run, so it has to be the user's own and whole (`trust`): a folder that others may write
is not used, and every file ends in a seal.

**Provenance.** A function of `symbolic` marked `@formula` signs the matrices it returns; a kernel reads the signatures
off its outputs, and its docstring ends in "Derived by so3.exp; expression 33f9fd64cd1d." (`provenance`).

**From text to machine code.** `linker` joins derived kernels, plain files and constants to one module. A plain file,
`lie/logarithm.py` for one, bears no decorator, and uses `math`, `numpy`, other plain files, and the names of a stub
(`*.pyi`). Its functions are `native`: when one is first called, `translate` and `values` write it, with all that it
calls, as LLVM's text, function by function, and `machine` makes an object file of that, which lies beside the module's
own; what a recipe has compiled `apart` is one object file for all its callers. Kernels are loops over lanes without a
branch and without a call: `operations` reads such a loop, and `vectors` writes each operation as one instruction for
all lanes. Python comes in through `door`. With `LESSONS_PLAIN=1`, or where there is no LLVM, all of it is plain Python,
which a debugger steps through. `c_plain` and `js_plain` print the same functions as C and JavaScript.

**Lifetime and locks.** What is compiled for a chain goes when the last chain with these numbers does (`owners`).
Whatever makes, loads or compiles holds `forks`' one lock, so that a fork waits for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lessons_lib.codegen.kernel import Kernel, Program
    from lessons_lib.codegen.printers import compiled, source
    from lessons_lib.codegen.provenance import account_of

__all__ = ["Kernel", "Program", "account_of", "compiled", "source"]

_HOME = {"Kernel": "kernel", "Program": "kernel", "account_of": "provenance"}
_HOME |= {"compiled": "printers", "source": "printers"}


def __getattr__(name: str) -> Any:
    """Import what needs SymPy on first use (PEP 562)."""
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
