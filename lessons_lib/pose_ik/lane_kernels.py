"""The kernels of the search over lanes, derived for one chain, and the rows that they read and write."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lessons_lib.pose_ik.layout import ROUNDING, SEED_AFTER, STALL
from lessons_lib.robots import Chain, kinematics

if TYPE_CHECKING:
    from lessons_lib.codegen import Kernel


def rows(dof: int) -> dict[str, int]:
    """Return the first row of each quantity, and under "ROWS" their number.

    Matrices lie row by row, twists as (ω, v). The rows before "NEXT" are those that a search begins with; "NEXT" is
    where an event of the search sends a lane.
    """
    sizes = {"Q": dof, "START": dof, "ATTEMPT": 1, "COUNT": 1, "RESTING": 1, "DOUBT": 1, "EVENT": 1}
    sizes |= {"SETTLING": 1, "FRESH": 1, "QUIET": 1, "NEXT": dof, "TARGET": 12, "T": 12, "J": 6 * dof, "V": 6}
    sizes |= {"AXIS_SINE": 3, "AXIS_COSINE": 1, "AXIS_PRODUCTS": 9, "POINT": 3, "RATIO": 1, "STEP": dof}
    sizes |= {"DIAGONAL": 1, "PIVOTS": min(dof, 6), "TRACE": 1, "ANGULAR": 1, "LINEAR": 1}
    places, end = {}, 0
    for name, size in sizes.items():
        places[name] = end
        end += size
    return places | {"ROWS": end}


def source(chain: Chain, width: int) -> str:
    """Return the text of the constants and of the kernels, each a function of w.

    Args:
        chain: Whose kernels.
        width: Lanes side by side.
    """
    from lessons_lib.codegen import lanes

    at = rows(chain.dof)
    constants: dict[str, float] = {"LARGEST_ANGLE": lanes.LARGEST_ANGLE, **at}
    constants |= {"LANES": width, "DOF": chain.dof, "SIZE": min(chain.dof, 6)}
    constants |= {"JOINT_RANGES": SEED_AFTER + 2, "BEGINNING": SEED_AFTER + 2 + 5 * chain.dof}
    constants["NUMBERS"] = width * at["ROWS"]
    constants["STATE"] = constants["NUMBERS"] + constants["BEGINNING"] + width * at["NEXT"]
    kernel, J = chain_kernel(chain)
    parts = [
        "\n".join(f"{name} = {value!r}" for name, value in constants.items()),
        lanes.sine_and_cosine(),
        lanes.function(kernel, {"q": at["Q"]} | at, width),
        lanes.function(_relative_kernel(), {"w": at["AXIS_SINE"], "c": at["AXIS_COSINE"]} | at, width),
        _rotation_log(at, width),
        lanes.function(_translation_kernel(), at | {"omega": at["V"], "v": at["V"] + 3}, width),
        lanes.function(_step_kernel(chain, kernel, J), at, width),
        _advance(chain.dof, at, width),
        _spread(at, width),
    ]
    return "\n\n\n".join(parts)


def chain_kernel(chain: Chain) -> tuple[Kernel, Any]:
    """Return T_sb, without its last row, with the entries of J_b that vary, and J_b itself, 6×n, written in these."""
    import sympy as sp

    kernel = kinematics.kernels(chain.screws, chain.home)[-1]
    entries = dict.fromkeys(entry for entry in kernel.outputs["J_b"] if not entry.is_number)
    symbols = {entry: sp.Symbol(f"J{i}", real=True) for i, entry in enumerate(entries)}
    J = kernel.outputs["J_b"].applyfunc(lambda entry: symbols.get(entry, entry))
    outputs = {"T": kernel.outputs["T"][:3, :], "J": sp.Matrix(list(entries))}
    return replace(kernel, name="pose_and_jacobian", outputs=outputs, matrices=()), J


def _relative_kernel() -> Kernel:
    """Return what the logarithm needs of T_sb⁻¹ T_sd: sin θ · a, cos θ, (1 − cos θ) a aᵀ, and its position."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import se3, so3

    T, target, R = (sp.Matrix(3, k, _symbols(name)) for name, k in (("T", 4), ("D", 4), ("R", 3)))
    between = se3.between(_with_last_row(T), _with_last_row(target))
    named = [(symbol, between[i // 3, i % 3]) for i, symbol in enumerate(R)]
    outputs = {"w": so3.sine_vector(R), "c": sp.Matrix([so3.cosine(R)]), "AXIS_PRODUCTS": so3.axis_products(R)}
    outputs["POINT"] = between[:3, 3]
    return Kernel("relative_pose", {"T": T, "TARGET": target}, outputs, named, "T_sb⁻¹ T_sd, for its logarithm.")


def _translation_kernel() -> Kernel:
    """Return v = V⁻¹p, with the factor of Ω² given."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import se3, so3, stumpff

    omega, p = sp.Matrix(sp.symbols("omega0:3", real=True)), sp.Matrix(sp.symbols("p0:3", real=True))
    ratio, x = sp.Symbol("ratio0", real=True), so3.squared_angle(omega)
    given = {stumpff(2, x): sp.Integer(1), stumpff(3, x): 2 * ratio, stumpff(4, x): sp.Integer(0)}
    v = se3.log(omega, p)[3:, :].xreplace(given)  # (c₃/2 − c₄)/c₂ becomes the ratio
    return Kernel("translation_log", {"omega": omega, "RATIO": sp.Matrix([ratio]), "POINT": p}, {"v": v}, summary="v.")


def _step_kernel(chain: Chain, kernel: Kernel, J: Any) -> Kernel:
    """Return the damped step of V_b and of J_b, written in the entries that `kernel` gives."""
    import sympy as sp

    from lessons_lib.codegen import Kernel
    from lessons_lib.symbolic import constant_angles, damped_step

    step = damped_step.derive(J, constant_angles.axis_products(chain.screws))
    varying = sp.Matrix([sp.Symbol(f"J{i}", real=True) for i in range(len(kernel.outputs["J"]))])
    inputs = {"J": varying, "V": step.V, "DIAGONAL": sp.Matrix([step.D])}
    outputs = {"STEP": step.d, "PIVOTS": step.pivots, "TRACE": sp.Matrix([step.trace])}
    return Kernel("damped_step", inputs, outputs, step.steps, "d = (JᵀJ + D I)⁻¹ JᵀV.")


def _symbols(name: str) -> Any:
    import sympy as sp

    return lambda i, j: sp.Symbol(f"{name}{i}{j}", real=True)


def _with_last_row(T: Any) -> Any:
    import sympy as sp

    return T.col_join(sp.Matrix([[0, 0, 0, 1]]))


def _rotation_log(at: dict[str, int], width: int) -> str:
    """Return the text of ω = log R over lanes: the two formulas of lie/logarithm.py, and selects in place of branches.

    The angle is twice atan(sin θ/(1 + |cos θ|)), or π less that; a slope above tan(π/8) is turned by π/4 first.
    """
    import sympy as sp

    from lessons_lib.codegen import lanes
    from lessons_lib.symbolic import polynomials, so3

    sine, products = at["AXIS_SINE"], at["AXIS_PRODUCTS"]
    place = partial(lanes.place, width=width)
    entries = {
        name: place(products + i) for name, i in (("xx", 0), ("xy", 1), ("xz", 2), ("yy", 4), ("yz", 5), ("zz", 8))
    }
    loaded = "\n        ".join(f"{name} = {text}" for name, text in entries.items())
    return f'''{lanes.JIT}
def rotation_log(w):
    """ω, and the factor of Ω² for v."""
    for lane in range({width}):
        wx = {place(sine)}
        wy = {place(sine + 1)}
        wz = {place(sine + 2)}
        c = {place(at["AXIS_COSINE"])}
        s = math.sqrt(wx * wx + wy * wy + wz * wz)
        far = c < 0.0
        side = 1.0 + abs(c)
        steep = s > {polynomials.ARCTANGENT_END!r} * side
        u = (s - side if steep else s) / (s + side if steep else side)
        z = u * u
        half = u + u * z * ({lanes.text_of(polynomials.arctangent_tail().at(sp.Symbol("z")))})
        half = half + {math.pi / 4!r} if steep else half
        theta = {math.pi!r} - 2.0 * half if far else 2.0 * half
        near = theta / s if s > 0.0 else 1.0
        {loaded}
        x_first = xx >= yy
        z_first = zz > (xx if x_first else yy)
        x = xz if z_first else (xx if x_first else xy)
        y = yz if z_first else (xy if x_first else yy)
        a = zz if z_first else (xz if x_first else yz)
        length = math.sqrt(x * x + y * y + a * a)
        towards = x * wx + y * wy + a * wz
        sign = x if abs(x) > 1e-15 * length else (y if abs(y) > 1e-15 * length else a)
        towards = sign if towards == 0.0 else towards
        scale = -theta / length if towards < 0.0 else theta / length
        ox = scale * x if far else near * wx
        oy = scale * y if far else near * wy
        oz = scale * a if far else near * wz
        square = ox * ox + oy * oy + oz * oz
        small = {lanes.text_of(polynomials.log_ratio().at(sp.Symbol("square")))}
        large = {lanes.text_of(so3.log_ratio_closed(*sp.symbols("theta s c")))}
        {place(at["V"])} = ox
        {place(at["V"] + 1)} = oy
        {place(at["V"] + 2)} = oz
        {place(at["RATIO"])} = small if square < {polynomials.RATIO_END!r} else large'''


def _advance(dof: int, at: dict[str, int], width: int) -> str:
    """Return the text that adds the steps, joint by joint.

    A loop over joints would hide from the compiler that no two rows overlap.
    """
    from lessons_lib.codegen import lanes

    place = partial(lanes.place, width=width)
    lines = [f"{lanes.JIT}\ndef advance(w):"]
    lines += [
        '    """q + d; which lanes rest, and which steps are in doubt: a pivot lost in rounding, a huge angle."""'
    ]
    lines += [
        f"    for lane in range({width}):",
        f"        waits = {place(at['EVENT'])} > 0.0",
        "        longest, size, farthest, least = 0.0, 1.0, 0.0, math.inf",
    ]
    for i in range(dof):
        lines += [f"        q, d = {place(at['Q'] + i)}, {place(at['STEP'] + i)}"]
        lines += ["        ahead = q if waits else q + d"]
        lines += [f"        {place(at['Q'] + i)} = ahead", "        longest = abs(d) if abs(d) > longest else longest"]
        lines += ["        size = abs(q) if abs(q) > size else size"]
        lines += ["        farthest = abs(ahead) if abs(ahead) > farthest else farthest"]
    for i in range(min(dof, 6)):
        lines += [f"        pivot = {place(at['PIVOTS'] + i)}", "        least = pivot if pivot < least else least"]
    lines += [
        f"        {place(at['RESTING'])} = 1.0 if longest <= {STALL!r} * size else 0.0",
        f"        {place(at['COUNT'])} += 0.0 if waits else 1.0",
        f"        doubt = 1.0 if farthest >= {lanes.LARGEST_ANGLE!r} else 0.0",
        f"        hidden = {min(dof, 6) * ROUNDING!r} * {place(at['TRACE'])}",
        f"        {place(at['DOUBT'])} = doubt if least > hidden else 1.0",
    ]
    return "\n".join(lines)


def _spread(at: dict[str, int], width: int) -> str:
    """Return the text that gives one target to all lanes; as `_advance`, it is written entry by entry."""
    from lessons_lib.codegen import lanes

    lines = [f"{lanes.JIT}\ndef spread(w, target):", '    """The upper three rows of a pose, in every lane."""']
    lines += [f"    t{i} = target[{i // 4}, {i % 4}]" for i in range(12)]
    lines += [f"    for lane in range({width}):"]
    lines += [f"        {lanes.place(at['TARGET'] + i, width)} = t{i}" for i in range(12)]
    return "\n".join(lines)
