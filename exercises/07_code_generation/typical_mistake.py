"""The typical mistake: the factors are joined, and nothing keeps them together."""


def product_rule(printer, power):
    """Return the product without a bracket around it."""
    if not power.exp.is_Integer:
        return None
    base = printer.doprint(power.base)
    product = "*".join([base] * abs(int(power.exp)))
    return product if power.exp > 0 else f"1/({product})"
