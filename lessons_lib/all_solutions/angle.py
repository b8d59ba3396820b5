"""Angle from cosine and sine by a polynomial (symbolic/polynomials.py), with the same bits on every target."""


def text() -> str:
    import math

    import sympy as sp

    from lessons_lib.codegen.scalar_target import expression_text
    from lessons_lib.symbolic import polynomials

    ratio = expression_text(polynomials.short_angle_over_sine().at(sp.Symbol("z")))
    return f'''\
def angle_of(cosine, sine):
    """Return the angle in [−π, π], where cosine² + sine² = 1 to rounding."""
    c = abs(cosine)
    s = abs(sine)
    steep = s > c
    z = 1.0 - (s if steep else c)
    near = (c if steep else s) * ({ratio})
    first = {math.pi / 2!r} - near if steep else near
    return math.copysign({math.pi!r} - first if cosine < 0.0 else first, sine)
'''
