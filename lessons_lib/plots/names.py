"""Names out of a file, in a figure: drawn as they are, and not read as matplotlib's own signs."""


def as_text(name: str) -> str:
    """Return what matplotlib draws as `name`: "$" begins no formula, and a leading "_" hides nothing from a legend."""
    shown = name.replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown
