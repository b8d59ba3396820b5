"""A typical mistake, to be put in place of the solution: no bracket keeps the factors together."""


def product_rule(printer, power):
    """Return the product without a bracket around it."""
    if not power.exp.is_Integer:
        return None
    base = printer.doprint(power.base)
    product = "*".join([base] * abs(int(power.exp)))
    return product if power.exp > 0 else f"1/({product})"
