"""A choice between two numbers as one instruction, without a branch."""

from typing import Any

from numba.extending import intrinsic


@intrinsic
def select(typingctx: Any, condition: Any, first: Any, second: Any) -> Any:
    """Return `first` where the condition holds, and `second` elsewhere, both of the same type; both are computed."""

    def written(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(*arguments)

    return first(condition, first, first), written
