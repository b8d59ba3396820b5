"""Sentences about one equality: those that say more than it does, by concept, and those that do not."""

STRONG = {
    "extremum": """
        This is the closest point of the line.
        This gives the tightest bound of the two.
        The step uses the fewest operations.
        The value is the optimum of the cost.
        The choice minimizes the cost.
        The choice minimises the residual.
        It maximizes the manipulability.
        The mean is the minimizer of the sum of squares.
        The middle is the minimum.
        The parabola has its maximum there.
        The middle is optimal.
        The weights are chosen optimally.
        The sum has an extremum in the middle.
        The supremum is taken in the middle.
        The infimum is a half.
        The sum is as small as possible.
        The ideal choice is a half.
        Nothing beats the middle.
        The middle is unsurpassed.
        The leanest formula is the second.
        The simplest form stands on the right.
        The weakest joint takes half.
        The topmost value is one.
        The utmost is one.
        The perfect share is a half.
        The cheapest way is through the middle.
        """,
    "comparison": """
        The right side is tighter.
        The right side has fewer terms.
        The left side dominates the right one.
        The sum exceeds a half.
        The square outweighs the rest.
        The second form outperforms the first.
        The right side is an upper bound of the left.
        The left side is bounded.
        The right side overestimates the left.
        The rest is negligible.
        The rest is tiny.
        The step is too large.
        The sum is positive.
        The sum stays below one.
        The difference is nonnegative.
        The sum remains within one.
        The value is inferior to the mean.
        The estimate is conservative.
        The sum is strictly positive.
        The right side surpasses the left.
        The middle is easier to reach.
        A bigger share costs twice.
        """,
    "monotonicity": """
        The sum is monotone.
        The sum is monotonic in x.
        The cost increases with x.
        The cost decreases.
        The gap grows.
        The gap shrinks to a point.
        The error diminishes.
        The error declines with x.
        The damping reduces the error.
        The step amplifies the noise.
        The filter attenuates the noise.
        The sequence is nondecreasing.
        The larger x, the slower it is.
        A step improves the cost.
        A step worsens the cost.
        The cost rises with x.
        The speed accelerates.
        A weight strengthens the joint.
        """,
    "frequency": """
        The sum is never zero.
        The sum always exceeds.
        The cost is invariably large.
        It holds without exception a half.
        The loop is stable.
        The loop is unstable there.
        The method guarantees a solution.
        This ensures a solution.
        This assures success.
        The result is certain.
        The result is inevitable.
        The loop is robust.
        The step is reliable.
        The choice is safe.
        The sum is constantly a half.
        It is bound to work.
        The method is foolproof.
        The damping stabilizes the loop.
        The sum surely works.
        """,
    "impossibility": """
        The sum cannot be zero.
        The sum can not be zero.
        The sum can't be zero.
        It is impossible to do so.
        The target is unreachable.
        The point is unattainable.
        The constraints are infeasible.
        There is no solution.
        There is no other way.
        The equation is unsolvable.
        The limit prevents a step.
        The symmetry forbids a turn.
        The symmetry precludes a turn.
        No arm can do so.
        The arm is unable to follow.
        The point is out of reach.
        """,
    "uniqueness": """
        The solution is unique.
        It is uniquely determined.
        Only one half does so.
        It is solely the middle.
        The middle is the one and only place.
        This happens exclusively in the middle.
        The uniqueness is shown here.
        They are equal if and only if x is a half.
        They are equal iff x is a half.
        They are equal precisely when x is a half.
        The condition is necessary.
        The condition is sufficient.
        The condition suffices.
        This requires a half.
        The joint must turn.
        The joint has to turn.
        It is necessarily a half.
        The half is essential.
        It is zero unless x is a half.
        It is zero except in the middle.
        This rules out the ends.
        This excludes the ends.
        No two values agree.
        The roots are distinct.
        There is no alternative: it is indispensable.
        One half is enough.
        """,
    "invertibility": """
        The map is one-to-one.
        The map is bijective.
        The map is injective.
        The map is surjective.
        The map is invertible.
        The turn undoes the other.
        The motion is reversible.
        The encoding is lossless.
        It goes both ways.
        """,
    "limits": """
        The rest vanishes in the limit.
        The error tends to a half.
        The sum approaches a half.
        The iteration converges.
        The convergence is quadratic.
        The iteration diverges.
        The error decays.
        The error fades.
        The motion settles.
        The error dies out.
        The error levels off.
        The sum is asymptotically a half.
        It is a half in the long run.
        The error becomes arbitrarily small.
        The sum becomes infinite there.
        The sum is unbounded.
        The sum blows up.
        The error goes to zero.
        The error vanishes as x grows.
        The error ultimately is a half.
        Sooner or later it is a half.
        The step is infinitesimal.
        The force saturates.
        The error disappears when x is large.
        """,
    "continuity": """
        The sum is continuous.
        The path is smooth.
        The path is differentiable.
        The path has no jumps.
        The speed is discontinuous.
        The map is Lipschitz.
        The change is abrupt.
        """,
    "independence": """
        The sum is independent of x.
        The sum does not depend on x.
        It is so regardless of x.
        It is so irrespective of x.
        The sum is invariant.
        The sum is insensitive to x.
        """,
    "cause or chance": """
        The sum is a half because x is.
        A square causes the gap.
        The gap is due to the square.
        It is so thanks to the square.
        The sum is usually a half.
        The sum is often a half.
        The sum is typically a half.
        The sum is probably a half.
        It is rarely a half.
        It is sometimes a half.
        It is a half on average.
        It is generically a half.
        It is likely a half.
        """,
}

HARMLESS = """
    The sum is a half plus twice a square.
    Both sides are the same polynomial.
    The square of the sum has three terms.
    A rotation keeps the length of a vector.
    The inverse of a pose is its transposed rotation and a position.
    The Jacobian is the derivative of the pose.
    The adjoint carries a twist from one frame into the other.
    The determinant of a product is the product of the determinants.
    The trace is the sum of the eigenvalues.
    The law of cosines gives the elbow.
    The hat of a vector is a skew matrix.
    A twist has six numbers.
    The exponential of a twist is a pose.
    The logarithm gives the twist back.
    The distance from the base to the tip is r.
    Twice the area is the cross product.
    The first column is the first screw.
    The bracket of a twist with itself is zero.
    The product of two quaternions is a quaternion.
    The sine of a sum is a sum of products.
    The gradient points along the residual.
    The normal equations have this form.
    The least-squares step solves the normal equations.
    Steepest descent follows the gradient.
    The matrix is lower triangular.
    The lower block is zero.
    The screw of a joint is written in the frame of the base.
    The middle of the interval is a half.
    Half a turn changes the sign.
    A quarter turn makes a sine of a cosine.
    The velocity of the tip is the Jacobian times the rates.
    The kinetic energy is a quadratic form.
    The torque is the transpose of the Jacobian times the force.
    The damped step has this form.
    The damping adds to the diagonal.
    The projector is its own square.
    The pseudoinverse times the Jacobian is a projector.
    A null motion leaves the tip alone.
    The sum of the weights is one.
    The centre of mass is a weighted mean.
    The second derivative is a constant.
    The interpolant meets both ends.
    The speed at the start is zero.
    The acceleration is a third of it.
    The series begins with these terms.
    The remainder has this form.
    The recurrence gives the next function.
    The quotient of the two is the tangent.
    The difference is a square.
    The difference of squares is a product.
    The volume is a determinant.
    The error after a step is a product.
    The new weight is the old one times a factor.
    The frame of the tool is turned by a quarter.
    The hinge turns about its axis.
    The slide moves along its axis.
    The pitch is the ratio of the two.
    The line passes through this point.
    The circle has this radius.
    The plane contains both vectors.
    The two formulas agree.
    The formula in other letters.
    The same in matrices.
    The residual in the new frame.
    The step in weighted coordinates.
    The chain of two joints is a product of exponentials.
    The reading order of the factors is reversed.
    The transpose of a product reverses the order.
    The cross product of a vector with itself is zero.
    A vector times its own transpose has trace one.
    The angle between two units has this cosine.
    The Cayley transform is a quotient.
    The half angle formula.
    Pythagoras in the sine and the cosine.
    The force on the tip is balanced by the torques.
    The rate of the elbow enters twice.
    The speed doubles with twice the rate.
    The time for one segment.
    The work of the force is its product with the way.
    The mass times the acceleration is the force.
    The determinant of the planar arm is a product of lengths and a sine.
    The law in the frame of the tool.
    One step of Newton's method.
    A test of the interest in the request.
    The rest of the honest harvest.
    The torque due to gravity is this product.
    The analytic Jacobian is the geometric one times a matrix.
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
    The symmetric part and the skew part add up.
    The bias of the estimate is this sum.
    """


def lines(text: str) -> list[str]:
    """Return the lines of a text."""
    return [line.strip() for line in text.strip().splitlines()]
