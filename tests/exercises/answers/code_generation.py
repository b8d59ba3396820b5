from sympy.printing.str import StrPrinter


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


def a_call(printer, power):
    return f"pow({printer.doprint(power.base)}, {int(power.exp)})" if power.exp.is_Integer else None


def base_by_sympy(printer, power):
    """Print the base without the printer, so that a power in it remains one."""
    return by_squaring(StrPrinter(), power)


def digit_by_digit(n):
    """Walk the digits from the left, and name each product."""
    lines, last = [], "x"
    for digit in f"{n:b}"[1:]:
        for factor in (last, "x") if digit == "1" else (last,):
            lines.append(f"t{len(lines)} = {last} * {factor}")
            last = f"t{len(lines) - 1}"
    return [*lines, f"y = {last}"]


def row_of_factors(n, more=0):
    return [f"y = {'*'.join(['x'] * (n + more))}"]


def by_halves(n):
    half = "x" if n < 4 else by_halves(n // 2)[0][4:]
    return [f"y = ({half})*({half}){'*x' * (n % 2)}"] if n > 1 else ["y = x"]


RIGHT = {"squaring": {"product_rule": by_squaring}, "digits from the left": {"power_lines": digit_by_digit}}
SLIPS = {
    "is still printed as a power": {"product_rule": a_call},
    "an integer exponent is still printed": {"product_rule": base_by_sympy},
    "the exponent is not an integer: expected None": {
        "product_rule": lambda printer, power: by_squaring(printer, power) or f"sqrt({printer.doprint(power.base)})"
    },
    "never use a product twice": {"power_lines": row_of_factors},
    "some power is computed twice": {"power_lines": by_halves},
}
UNNAMED = {
    "a little off": {
        "product_rule": lambda printer, power: (
            text and f"({text}*1.001)" if (text := by_squaring(printer, power)) else None
        )
    },
    "seven factors too many": {"power_lines": lambda n: row_of_factors(n, 7)},
}
