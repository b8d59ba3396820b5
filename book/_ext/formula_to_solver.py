"""The directive `{formula-to-solver}`: the front page's figure, computed while the book is built.

Four cards: the formula that SymPy derives for the 2R arm, the claim that proves its Jacobian, the
code that is generated from it, and the pose that this code finds in Example 6.1.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import sympy as sp
from arm_drawing import draw_arm_iterates, draw_errors
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sympy.simplify.fu import TR8

from lessons_lib import codegen, pose_ik, robots
from lessons_lib.symbolic import open_chain, se3, tip_to_base
from lessons_lib.symbolic.claims import Claim, claim
from lessons_lib.symbolic.sums import each
from lessons_lib.symbolic.terms import let
from lessons_lib.symbolic.vocabulary import hat, inverse, partial

KERNEL = "chain_kernel"
START, GOAL = np.radians([0.0, 30.0]), np.radians([30.0, 90.0])  # Lynch & Park (2017), Example 6.1
STOP = pose_ik.Stop(orientation=1e-3, position=1e-4)  # rad, m: the example's own tolerances


@dataclass(frozen=True)
class Story:
    """What the four cards show.

    Attributes:
        tip: Position of the tip in {s}, 2×1, in q.
        J_b: Body Jacobian, 6×2, in q.
        proof: The claim that column i of the space Jacobian is the motion of joint i.
        joint: The last joint.
        motion: ∂T/∂q T⁻¹ of that joint, 4×4, in q.
        source: The function that the solver calls, as generated.
        operations: Arithmetic operations of pose and body Jacobian as they are derived, and of the function.
        result: The solve of Example 6.1, with its trace.
    """

    tip: sp.Matrix
    J_b: sp.Matrix
    proof: Claim
    joint: sp.Symbol
    motion: sp.Matrix
    source: str
    operations: tuple[int, int]
    result: pose_ik.Result


def function_source(module: str, name: str) -> str:
    """Return the text of one function, decorators left out, of a generated module."""
    start = module.index(f"def {name}(")
    lines = module[start:].splitlines()
    end = next((i for i, line in enumerate(lines) if i and line and not line.startswith(" ")), len(lines))
    return "\n".join(lines[:end]).rstrip()


def motion(T: sp.Matrix, joint: sp.Symbol) -> sp.Matrix:
    """Return ∂T/∂q T⁻¹, the hat matrix of the twist with which this joint moves the tip."""
    return (T.diff(joint) * se3.inverse(T)).applyfunc(lambda entry: TR8(entry.expand()))  # products to sums


def prove_jacobian(T: sp.Matrix, J_s: sp.Matrix, q: Sequence[sp.Symbol]) -> Claim:
    """Prove for every joint that ∂T/∂q T⁻¹ is the twist in the Jacobian's column."""
    pose, columns = let("T", T), let("J_s", J_s)
    sentence = "Each column of the space Jacobian is the twist with which its joint moves the tip."
    statement = each(
        "i",
        range(1, len(q) + 1),
        lambda i: (partial(pose, let("q_i", q[int(i.value) - 1])) * inverse(pose), "=", hat(columns[i])),
    )
    return claim("0.1", sentence, *statement)


def operations(way: open_chain.OpenChain) -> tuple[int, int]:
    """Return how many operations T and J_b take as they are written, and after shared terms have a name."""
    outputs = {"T": way.T, "J_b": way.J_b}
    return codegen.Kernel(KERNEL, {"q": sp.Matrix(way.q)}, outputs, way.steps).count_operations()


def story() -> Story:
    """Derive, prove, generate and solve."""
    chain = robots.planar_2r()
    screws, home = sp.Matrix(chain.screws.astype(int)), sp.Matrix(chain.home.astype(int))
    derived, shorter = (way.derive(screws, home, sp.symbols("q_1 q_2", real=True)) for way in (open_chain, tip_to_base))
    T, J_s, J_b = (derived.expand(matrix) for matrix in (derived.T, derived.J_s, derived.J_b))
    (written, _), (_, left) = (operations(way) for way in (derived, shorter))
    method = pose_ik.NewtonRaphson(frame="body")
    return Story(
        tip=T[:2, 3],
        J_b=J_b,
        proof=prove_jacobian(T, J_s, derived.q),
        joint=derived.q[-1],
        motion=motion(T, derived.q[-1]),
        source=function_source(chain.source("scalar"), KERNEL),
        operations=(written, left),
        result=pose_ik.solve(chain, chain.forward_kinematics(GOAL), START, method=method, stop=STOP, trace=True),
    )


def html(text: str) -> nodes.raw:
    """Return raw HTML as a node."""
    return nodes.raw("", text, format="html")


def sentence(text: str) -> nodes.paragraph:
    """Return a paragraph of plain text."""
    return nodes.paragraph("", "", nodes.Text(text))


def formula(latex: str) -> nodes.math_block:
    """Return displayed mathematics without a number."""
    return nodes.math_block(latex, latex, nowrap=False, number=None, label=None)


def card(number: int, verb: str, *content: nodes.Node) -> nodes.container:
    """Return one step of the story."""
    head = html(f'<p class="step-head"><span class="step-number">{number}</span> {verb}</p>')
    return nodes.container("", head, *content, classes=["step"])


def code(source: str) -> list[nodes.Node]:
    """Return the source in a box that scrolls, by keyboard too."""
    block = nodes.literal_block(source, source, language="python")
    box = '<div class="step-code" tabindex="0" role="region" aria-label="Generated source">'
    return [html(box), block, html("</div>")]


def cards(story: Story) -> list[nodes.Node]:
    """Return the four steps."""
    trace = story.result.trace
    if trace is None:
        raise RuntimeError("the front page asked for a trace and the solver returned none")
    last_joint = rf"\frac{{\partial T}}{{\partial {sp.latex(story.joint)}}}\,T^{{-1}} = {sp.latex(story.motion)}"
    proven = html('<p class="proven">✓ proven</p>')
    before, after = story.operations
    written = f"{before} operations on paper. Derived from the tip, with shared terms named, {after} are left. "
    written += "The solver calls this function."
    counted = "Python counts from zero: the angle of the first joint, q₁ on paper, is q0 in the code."
    solved = f"Newton’s method takes {story.result.iterations} steps. {story.result.status.sentence}"
    return [
        card(1, "Derive", formula(rf"p(q) = {sp.latex(story.tip)}"), formula(rf"J_b(q) = {sp.latex(story.J_b)}")),
        card(2, "Prove", sentence(story.proof.sentence), formula(story.proof.formula), formula(last_joint), proven),
        card(3, "Generate", sentence(written), *code(story.source), sentence(counted)),
        card(4, "Solve", sentence(solved), html(draw_arm_iterates(trace.q)), html(draw_errors(trace, STOP))),
    ]


class FormulaToSolver(SphinxDirective):
    """Shows the story; the directive's content is the caption."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the figure."""
        caption = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, caption)
        steps = nodes.container("", *cards(story()), classes=["steps"])
        return [
            html('<figure class="formula-to-solver">'),
            steps,
            html("<figcaption>"),
            *caption.children,
            html("</figcaption></figure>"),
        ]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directive."""
    app.add_directive("formula-to-solver", FormulaToSolver)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
