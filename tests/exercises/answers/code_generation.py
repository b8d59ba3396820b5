"""Write a printer's rule for powers."""

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
    "you wrote a minus sign instead of 1/": written(inverse="-({})"),
    "is still printed as a power": {"product_rule": a_call},
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


def multiplied_in_vain(n, product):
    """Multiply x in for each digit 1, and square next what was there before."""
    last = "x"
    for digit in f"{n:b}"[1:]:
        last = product(last, last)
        if digit == "1":
            product(last, "x")
    return last


def from_the_right(n, product):
    last, power = None, "x"
    while True:
        if n % 2:
            last = power if last is None else product(last, power)
        n //= 2
        if n == 0:
            return last
        power = product(power, power)


def one_square_more(n, product):
    last, power = None, "x"
    while n:
        if n % 2:
            last = power if last is None else product(last, power)
        n, power = n // 2, product(power, power)
    return last


def with_divisors(n, product, base="x"):
    """The cube of the fifth power for x¹⁵: five multiplications. There are n for which the digits take fewer."""
    if n == 1:
        return base
    divisor = next((d for d in range(2, n) if n % d == 0), None)
    if divisor is None:
        return product(with_divisors(n - 1, product, base), base)
    return with_divisors(n // divisor, product, with_divisors(divisor, product, base))


def the_shorter(n):
    return min((by(way)["power_lines"](n) for way in (with_divisors, from_the_right)), key=len)


def one_name(n):
    """One name, which is given new values."""
    return "y = x", *("y = y*y*x" if digit == "1" else "y = (y*y)" for digit in f"{n:b}"[1:])


def row_of_factors(n, more=0):
    return [f"y = {'*'.join(['x'] * (n + more))}"]


def nested(n):
    half = "x" if n < 4 else nested(n // 2)[0][4:]
    return [f"y = ({half})*({half}){'*x' * (n % 2)}"] if n > 1 else ["y = x"]


def a_detour_to_six(n):
    """Five products for x⁶, as in a row of factors; but x² is used several times."""
    return ["a = x*x", "b = a*x", "c = a*a*x", "y = c*x"] if n == 6 else one_name(n)


def lines_of(change):
    return {"power_lines": lambda n: change(one_name(n))}


RIGHT |= {
    "digits from the left": digit_by_digit(),
    "digits from the right": by(from_the_right),
    "divisors, where they are better": {"power_lines": the_shorter},
    "one name": {"power_lines": one_name},
}
SLIPS |= {
    "the digits are read from the other end": digit_by_digit(lambda digits: digits[:0:-1]),
    "as if no digit multiplied by x": digit_by_digit(when=""),
    "your exponent is a power of 2": by(multiplied_in_vain),
    "if each digit multiplies by x": digit_by_digit(when="01"),
    "if the zeros multiply by x": digit_by_digit(when="0"),
    "x is multiplied in before the square": digit_by_digit(first=True),
    "the first digit is x itself": digit_by_digit(lambda digits: digits),
    "the last digit is left out": digit_by_digit(lambda digits: digits[1:-1]),
    "Hint [many]: there is one factor too many": {"power_lines": lambda n: row_of_factors(n, 1)},
    "and no product is used twice": {"power_lines": row_of_factors},
    "some power is computed twice": {"power_lines": nested},
    "some product is never used": by(one_square_more),
    "first they have to be right": {"power_lines": lambda n: ["y = x"]},
    "begin with x, and save that": lines_of(lambda lines: ["y = 1*x", *lines[1:]]),
    "something else than names": {"power_lines": lambda n: [f"y = x**{n}"]},
    "and no line above it computes that": lines_of(lambda lines: [line.replace("x", "X") for line in lines]),
    "expected a list of lines": lines_of("\n".join),
    "is no line like": lines_of(lambda lines: [line.replace("y = ", "return ") for line in lines]),
    "no line computes y": lines_of(lambda lines: [line.replace("y", "z") for line in lines]),
}
UNNAMED["seven factors too many"] = {"power_lines": lambda n: row_of_factors(n, 7)}
UNNAMED["by a detour to x⁶"] = {"power_lines": a_detour_to_six}
