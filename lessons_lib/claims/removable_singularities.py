"""Decide numerically whether a value has a finite limit where a factor of its denominators vanishes."""
# Values have 200 digits next to zeros of the factor; not removable if no zero is found or the value is too long to
# evaluate.

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import mpmath
import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.symbolic.stumpff_functions import NUMERIC, stumpff

_DIGITS = 200  # the sixth power of a step of 1e-6 cancels 36 digits
_STEPS = (mpmath.mpf(10) ** -6, mpmath.mpf(10) ** -7)
_POINTS = 3
_MODULES: list[Any] = [NUMERIC, "mpmath"]


def is_removable(factor: sp.Expr, value: tuple[sp.Expr, ...]) -> bool:
    """Return whether the entries of a value have limits at the zeros of a factor."""
    if factor.has(stumpff) or signs.too_long(sp.Tuple(*value)):
        return False
    places = find_zeros(factor, _POINTS)
    letters = sorted(sp.Tuple(*value).free_symbols, key=str)
    if not places:
        return False
    f = compile_mpmath(letters, value)
    with mpmath.workdps(_DIGITS):
        return all(_has_one_limit(f, letters, place) for place in places)


def _has_one_limit(f: Any, letters: list[sp.Symbol], place: Mapping[sp.Symbol, Any]) -> bool:
    """Return whether a function approaches the same values at a point from several directions."""
    draw = random.Random(7)
    base = [to_mpmath(place.get(s, sample_value(s, draw))) for s in letters]
    limits = []
    for _ in range(3):
        way = [mpmath.mpf(draw.uniform(0.2, 1)) * (1 if s.is_nonnegative else draw.choice((1, -1))) for s in letters]
        way = [
            w if s.is_extended_real else w * mpmath.mpc(3, draw.choice((4, -4))) / 5
            for w, s in zip(way, letters, strict=True)
        ]
        for step in _STEPS:
            try:
                limits.append([mpmath.mpmathify(v) for v in f([b + step * w for b, w in zip(base, way, strict=True)])])
            except (ZeroDivisionError, ValueError):
                return False
    scale = 1 + max(abs(v) for v in limits[0])
    return all(abs(a - b) < 1e-4 * scale for other in limits[1:] for a, b in zip(limits[0], other, strict=True))


def has_limit(
    factor: sp.Expr, value: tuple[sp.Expr, ...], limits: tuple[sp.Expr, ...], letter: sp.Symbol, end: sp.Expr
) -> bool:
    """Return whether entries approach the found limits, as a symbol approaches its end, at zeros of a factor too."""
    if factor.has(stumpff) or signs.too_long(sp.Tuple(*value, *limits)) or not end.is_finite:
        return False
    places, others = find_zeros(factor, _POINTS), sorted(sp.Tuple(*value, *limits).free_symbols - {letter}, key=str)
    before, after = compile_mpmath([letter, *others], value), compile_mpmath(others, limits)
    draw = random.Random(7)
    with mpmath.workdps(_DIGITS):
        for place in places:
            x = [to_mpmath(place.get(s, sample_value(s, draw))) for s in others]
            beside = [v + mpmath.mpf(10) ** -20 * draw.uniform(0.2, 1) for v in x]
            try:
                pairs = list(
                    zip(before([mpmath.mpmathify(end) + mpmath.mpf(10) ** -60, *x]), after(beside), strict=True)
                )
            except (ZeroDivisionError, ValueError):
                return False
            if any(abs(a - b) > 1e-9 * (1 + abs(a)) for a, b in pairs):
                return False
    return bool(places)


def evaluate_at_random(e: sp.Expr, letters: list[sp.Symbol], draw: random.Random) -> sp.Expr:
    """Return the value of an expression at random numbers that its symbols allow."""
    f = compile_mpmath(letters, [e])
    with mpmath.workdps(40):
        try:
            value = mpmath.mpmathify(f([to_mpmath(sample_value(s, draw)) for s in letters])[0])
        except (ZeroDivisionError, ValueError, TypeError, NameError):
            return sp.nan
        return sp.Float(value, 30) if isinstance(value, mpmath.mpf) and mpmath.isfinite(value) else sp.nan


def find_zeros(factor: sp.Expr, many: int) -> list[dict[sp.Symbol, Any]]:
    """Return some points at which a factor vanishes: random values for all symbols but one, and a root for that."""
    draw, letters = random.Random(3), sorted(factor.free_symbols, key=str)
    zeros: list[dict[sp.Symbol, Any]] = []
    with mpmath.workdps(_DIGITS):
        for _ in range(4):
            for s in letters:
                place = {other: sample_value(other, draw) for other in letters if other != s}
                zeros += [place | {s: root} for root in _roots(factor.xreplace(place), s)]
            if len(zeros) >= many:
                break
    if not zeros and signs.never_negative(factor) and factor.subs(dict.fromkeys(letters, 0)) == 0:
        zeros.append(dict.fromkeys(letters, sp.Integer(0)))
    return zeros[: 2 * many]


def _roots(f: sp.Expr, s: sp.Symbol) -> list[Any]:
    """Return the real roots of an expression in one symbol that its assumptions allow."""
    if f.is_polynomial(s):
        whole = sp.Poly(f, s)
        try:
            roots = mpmath.polyroots(
                [mpmath.mpmathify(sp.N(c, _DIGITS)) for c in whole.all_coeffs()], 500, extraprec=800
            )
        except (mpmath.libmp.NoConvergence, ZeroDivisionError):
            return []
        real = [mpmath.re(r) for r in roots if abs(mpmath.im(r)) < 1e-60]
    else:
        g = sp.lambdify([s], f, modules=_MODULES)
        real = []
        for start in (0, 1, 3, 6, -1, -3, -6):
            try:
                root = mpmath.findroot(g, start)
                real += [root] if abs(mpmath.im(root)) == 0 and abs(g(root)) < 1e-60 else []
            except (ValueError, ZeroDivisionError, TypeError):
                continue
    return [r for r in real if not (s.is_positive and r <= 0) and not (s.is_nonnegative and r < 0)]


def compile_mpmath(letters: list[sp.Symbol], values: Any) -> Any:
    """Return a function of a list of numbers that evaluates expressions with mpmath."""
    return sp.lambdify([letters], list(values), modules=_MODULES, cse=True)


def sample_value(s: sp.Symbol, draw: random.Random, ratios: tuple[int, int, int] = (5, 240, 101)) -> sp.Expr:
    """Return a random number that a symbol's assumptions allow: an integer, or a nonzero quotient from `ratios`."""
    if s.is_integer:
        low = 1 if s.is_positive else 0 if s.is_nonnegative else -5
        return sp.Integer(draw.randint(low, -1 if s.is_negative else 0 if s.is_nonpositive else 5))
    low, high, below = ratios
    value = sp.Rational(draw.randint(low, high), below)
    if s.is_nonpositive or not (s.is_nonnegative or draw.random() < 0.5):
        value = -value
    return value if s.is_extended_real else value + sp.I * sp.Rational(draw.randint(low, high), below)


def to_mpmath(value: Any) -> Any:
    if not isinstance(value, sp.Basic):
        return mpmath.mpmathify(value)
    real, imaginary = map(mpmath.mpmathify, value.as_real_imag())
    return mpmath.mpc(real, imaginary) if imaginary else real
