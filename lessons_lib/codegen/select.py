"""A choice between two numbers as one instruction, without a branch.

By hand: it is one instruction, for which Numba has no name.
Held by: tests/codegen/test_printing_over_lanes.py.
"""

from typing import Any

import numba
from numba.extending import intrinsic


@intrinsic
def _selected(typingctx: Any, condition: Any, first: Any, second: Any) -> Any:
    def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return first(condition, first, first), written


def _chosen(condition: Any, first: Any, second: Any) -> Any:
    return first if condition else second


_config: Any = numba.config
IS_PLAIN = bool(_config.DISABLE_JIT)
"""Whether nothing is compiled, and everything runs as plain Python."""

select: Any = _chosen if IS_PLAIN else _selected
"""select(condition, first, second): `first` where the condition holds, and `second` elsewhere, both of the same type.

Both are computed. Without the compiler (NUMBA_DISABLE_JIT) it is a plain function.
"""
