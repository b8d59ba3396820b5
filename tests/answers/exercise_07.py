"""A rule for powers."""

from sympy.printing.precedence import PRECEDENCE


def by_squaring(printer, power):
    if not power.exp.is_Integer:
        return None
    base, count = f"({printer.doprint(power.base)})", abs(int(power.exp))

    def product(n):
        if n == 1:
            return base
        half = product(n // 2)
        return f"({half}*{half}*{base})" if n % 2 else f"({half}*{half})"

    return product(count) if power.exp > 0 else f"(1.0/{product(count)})"


def with_precedence(printer, power):
    if not power.exp.is_Integer:
        return None
    product = "*".join([printer.parenthesize(power.base, PRECEDENCE["Pow"])] * abs(power.exp))
    return f"({product})" if power.exp > 0 else f"(1/({product}))"


def as_a_loop(printer, power):
    if power.exp.is_Integer:
        text, base = "1", printer._print(power.base)
        for _ in range(abs(int(power.exp))):
            text = f"{text}*({base})" if power.exp > 0 else f"{text}/({base})"
        return f"({text})"
    return None


def without_outer_brackets(printer, power):
    text = as_a_loop(printer, power)
    return None if text is None else text[1:-1]


def a_call(printer, power):
    return f"pow({printer.doprint(power.base)}, {int(power.exp)})" if power.exp.is_Integer else None


RIGHT = {
    "squaring": {"product_rule": by_squaring},
    "precedence": {"product_rule": with_precedence},
    "loop": {"product_rule": as_a_loop},
}
WRONG = {
    "no outer brackets": {"product_rule": without_outer_brackets},
    "a call of pow": {"product_rule": a_call},
    "float**": {"product_rule": lambda printer, power: f"(({printer.doprint(power.base)})**{power.exp})"},
}
