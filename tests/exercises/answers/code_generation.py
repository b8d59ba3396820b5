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


RIGHT = {
    "squaring": {"product_rule": by_squaring},
}


SLIPS = {
    "is still printed as a power": {"product_rule": a_call},
    "the exponent is not an integer: expected None": {
        "product_rule": lambda printer, power: by_squaring(printer, power) or f"sqrt({printer.doprint(power.base)})"
    },
}
UNNAMED = {
    "a little off": {
        "product_rule": lambda printer, power: (
            text and f"({text}*1.001)" if (text := by_squaring(printer, power)) else None
        )
    }
}


def by(program):
    """An answer to the second one: program(n, product) returns y's name, and names each product by product(a, b)."""

    def power_lines(n):
        lines = []

        def product(a, b):
            lines.append(f"t{len(lines)} = {a} * {b}")
            return f"t{len(lines) - 1}"

        last = program(n, product)
        return [*lines, f"y = {last}"]

    return {"power_lines": power_lines}


def digit_by_digit(read=lambda digits: digits[1:], when="1", first=False):
    """A walk from the left; a slip changes the digits that it reads, for which it multiplies x in, or the order."""

    def program(n, product):
        last = "x"
        for digit in read(f"{n:b}"):
            last = product(last, "x") if first and digit in when else last
            last = product(last, last)
            last = product(last, "x") if not first and digit in when else last
        return last

    return by(program)


def row_of_factors(n, more=0):
    return [f"y = {'*'.join(['x'] * (n + more))}"]


def by_halves(n):
    half = "x" if n < 4 else by_halves(n // 2)[0][4:]
    return [f"y = ({half})*({half}){'*x' * (n % 2)}"] if n > 1 else ["y = x"]


RIGHT |= {
    "digits from the left": digit_by_digit(),
}
SLIPS |= {
    "and no product is used twice": {"power_lines": row_of_factors},
    "some power is computed twice": {"power_lines": by_halves},
}
UNNAMED["seven factors too many"] = {"power_lines": lambda n: row_of_factors(n, 7)}
