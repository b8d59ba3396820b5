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


def written(inner="({})", outer="({})", inverse="1/({})", more=0):
    def product_rule(printer, power):
        if not power.exp.is_Integer:
            return None
        product = "*".join([inner.format(printer.doprint(power.base))] * (abs(int(power.exp)) + more))
        return outer.format(product if power.exp > 0 else inverse.format(product))

    return {"product_rule": product_rule}


SLIPS = {
    "there is no bracket around the product": written(outer="{}"),
    "there is no bracket around the base": written(inner="{}"),
    "under 1/ the product needs a bracket": written(inverse="1/{}"),
    "a negative exponent turns the power over": written(inverse="{}"),
    "there is one factor too many": written(more=1),
    "a minus sign stands where 1/ belongs": written(inverse="-({})"),
    "still stands there as a power": {"product_rule": a_call},
    "which is not whole: the answer is None": {
        "product_rule": lambda printer, power: by_squaring(printer, power) or f"sqrt({printer.doprint(power.base)})"
    },
    "a rule returns text, or None": {"product_rule": lambda printer, power: power.base},
}
UNNAMED = {
    "a little off": {
        "product_rule": lambda printer, power: (
            text and f"({text}*1.001)" if (text := by_squaring(printer, power)) else None
        )
    }
}
