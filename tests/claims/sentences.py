"""Sentences about one equality: those that say more than it does, by concept, and those that do not."""

STRONG = {
    "extremum": """
        This is the closest point of the line.
        The choice minimises the residual.
        The middle is optimal.
        The sum has an extremum in the middle.
        The sum is as small as possible.
        Nothing beats the middle.
        """,
    "comparison": """
        The right side is tighter.
        The left side dominates the right one.
        The left side is bounded.
        The rest is negligible.
        The step is too large.
        The sum stays below one.
        """,
    "monotonicity": """
        The sum is monotonic in x.
        The gap shrinks to a point.
        The damping reduces the error.
        The sequence is nondecreasing.
        The larger x, the slower it is.
        A step improves the cost.
        """,
    "frequency": """
        The sum is never zero.
        The sum always exceeds.
        It holds without exception a half.
        The loop is unstable there.
        The method guarantees a solution.
        It is bound to work.
        """,
    "impossibility": """
        The sum cannot be zero.
        The sum can't be zero.
        The target is unreachable.
        There is no other way.
        No arm can do so.
        The point is out of reach.
        """,
    "uniqueness": """
        The solution is unique.
        It is uniquely determined.
        Only one half does so.
        They are equal if and only if x is a half.
        They are equal precisely when x is a half.
        The condition is sufficient.
        The joint must turn.
        It is zero unless x is a half.
        This rules out the ends.
        No two values agree.
        """,
    "invertibility": """
        The map is bijective.
        The map is invertible.
        The turn undoes the other.
        It goes both ways.
        """,
    "limits": """
        The rest vanishes in the limit.
        The error tends to a half.
        The iteration converges.
        The error fades.
        It is a half in the long run.
        The error becomes arbitrarily small.
        The sum blows up.
        The error vanishes as x grows.
        """,
    "continuity": """
        The sum is continuous.
        The path is smooth.
        The path has no jumps.
        The map is Lipschitz.
        """,
    "independence": """
        The sum is independent of x.
        The sum does not depend on x.
        It is so regardless of x.
        The sum is invariant.
        """,
    "cause or chance": """
        The sum is a half because x is.
        The gap is due to the square.
        The sum is usually a half.
        The sum is probably a half.
        It is a half on average.
        """,
}

HARMLESS = """
    The sum is a half plus twice a square.
    A rotation keeps the length of a vector.
    The least-squares step solves the normal equations.
    Steepest descent follows the gradient.
    The matrix is lower triangular.
    The lower block is zero.
    A null motion leaves the tip alone.
    The acceleration is a third of it.
    The remainder has this form.
    The speed doubles with twice the rate.
    A test of the interest in the request.
    The rest of the honest harvest.
    The torque due to gravity is this product.
    An infinitesimal rotation is a skew matrix.
    The formula reduces to the law of cosines.
    The difference is a perfect square.
    The columns are linearly independent vectors of the plane.
    The velocity in the end-effector frame.
    The lower sign belongs to the elbow below.
    The joint is between two links.
    At a certain angle the sine is a half.
    The axes are mutually perpendicular.
    The required torque is the transpose times the force.
    The decay rate is the product of gain and time.
    The earlier joint comes first in the product.
    One more step gives the square.
    The bias of the estimate is this sum.
    """


def lines(text: str) -> list[str]:
    """Return the lines of a text."""
    return [line.strip() for line in text.strip().splitlines()]
