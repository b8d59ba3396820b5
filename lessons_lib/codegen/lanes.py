"""Several poses at once: a kernel as one loop over lanes, which the compiler turns into vector instructions.

Arrays are flat, and entry i of lane k stands at [LANES·i + k], so that the same entry of all lanes lies side by side.
The distance between entries is a number in the text: only then can the compiler see that no two arrays overlap. The
count of lanes is an argument: a loop of known length would be unrolled before it could be vectorised.
"""

from lessons_lib.codegen import numba_target
from lessons_lib.codegen.kernel import Kernel
from lessons_lib.symbolic.sine_cosine import LARGEST_ANGLE

LANES = 8
"""Lanes of a lane kernel: eight doubles fill the widest registers of today's processors."""


def lane_source(kernel: Kernel) -> str:
    """Return the text of a module with `kernel` for up to `LANES` sets of inputs at once.

    The function has the kernel's name and arguments, each array flat, and `count` behind them: the first `count` lanes
    are computed. It returns how many of them hold inputs that are not finite, or whose sizes add up to more than
    `LARGEST_ANGLE`: what is written for those lanes means nothing, and the plain kernel has the answer.

    Args:
        kernel: What to generate, without Stumpff functions: those branch.
    """
    heading = numba_target.module_text([kernel], []).split(f"{numba_target.JIT}\ndef {kernel.name}(")[0]
    return f"{heading}{_function(kernel)}\n"


def _function(kernel: Kernel) -> str:
    arrays = {**kernel.inputs, **kernel.outputs}
    lines = [f"{numba_target.JIT}\ndef {kernel.name}({', '.join(arrays)}, count):", f'    """{kernel.summary}"""']
    lines += ["    far = 0", "    for lane in range(count):"]
    inputs = {s: f"{name}[{LANES * i} + lane]" for name, m in kernel.inputs.items() for i, s in enumerate(m)}
    lines += [f"        {s} = {place}" for s, place in inputs.items() if s.is_Symbol]
    size = " + ".join(f"abs({s})" for s in inputs if s.is_Symbol)
    lines.append(f"        far += 0 if {size} < {LARGEST_ANGLE!r} else 1")
    assignments, results = numba_target.body(kernel, "sine_cosine_near")
    lines += [f"        {line}" for line in assignments]
    for name, matrix in kernel.outputs.items():
        lines += [f"        {name}[{LANES * i} + lane] = {next(results)}" for i in range(len(matrix))]
    return "\n".join([*lines, "    return far"])
