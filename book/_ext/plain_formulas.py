r"""Formulas as plain text, for places that set no mathematics: `J_b^{\mathsf T} \dot q` becomes `J_bᵀ q̇`."""

import re
import unicodedata
from collections.abc import Iterator

TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta kappa lambda mu nu xi pi rho sigma tau phi chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega"
)
SIGNS = {
    "cdot": "·", "times": "×", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "in": "∈", "to": "→",
    "infty": "∞", "partial": "∂", "nabla": "∇", "oplus": "⊕", "ominus": "⊖", "circ": "∘", "approx": "≈", "pm": "±",
    "sum": "∑", "int": "∫", "ell": "ℓ", "varrho": "ϱ", "varphi": "φ", "dots": "…", "ldots": "…",
    "cdots": "…", "mapsto": "↦", "ll": "≪", "gg": "≫", "langle": "⟨", "rangle": "⟩", "prime": "′", "degree": "°",
    "vee": "∨", "wedge": "∧", "|": "‖", "{": "{", "}": "}", "%": "%",
}  # fmt: skip
ACCENTS = {"dot": "\u0307", "ddot": "\u0308", "hat": "\u0302", "bar": "\u0304", "tilde": "\u0303", "vec": "\u20d7"}
SPACES = {",", ";", ":", "!", " ", "quad", "qquad", "left", "right", "bigl", "bigr", "Bigl", "Bigr", "big", "Big"}
FRACTIONS = {"frac", "tfrac", "dfrac"}
RAISED = str.maketrans("0123456789+-−Tni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ᵀⁿⁱ")


def plain(formula: str) -> str:
    """Return a formula as text; a command that has no sign of its own keeps its name."""
    tokens = iter(TOKEN.findall(formula))
    return " ".join("".join(_pieces(tokens)).split())


def _pieces(tokens: Iterator[str]) -> Iterator[str]:
    """Yield what the tokens say, as far as the brace that closes their group."""
    for token in tokens:
        if token == "}":
            return
        yield _said(token, tokens)


def _said(token: str, tokens: Iterator[str]) -> str:
    """Return what one token says, with the arguments that it takes."""
    if token == "{":
        return "".join(_pieces(tokens))
    if token == "_":
        return "_" + _argument(tokens)
    if token == "^":
        return _raised(_argument(tokens))
    if token == "~" or token.isspace():
        return " "
    return _command(token[1:], tokens) if token.startswith("\\") else token.replace("'", "′").replace("-", "−")


def _command(name: str, tokens: Iterator[str]) -> str:
    """Return what a command says."""
    if name in FRACTIONS:
        return f"{_argument(tokens)}/{_argument(tokens)}"
    if name == "sqrt":
        under = _argument(tokens)
        return f"√{under}" if len(under) == 1 else f"√({under})"
    if name in ACCENTS:
        return unicodedata.normalize("NFC", _argument(tokens) + ACCENTS[name])
    if name in GREEK.split():
        return unicodedata.lookup(f"GREEK {'CAPITAL' if name[0].isupper() else 'SMALL'} LETTER {_letter(name)}")
    if name in SPACES:
        return " " if name in {" ", "quad", "qquad", ";"} else ""
    if name.startswith(("math", "text", "operatorname", "boldsymbol")):
        return _argument(tokens)
    return SIGNS.get(name, name)


def _letter(name: str) -> str:
    """Return what Unicode calls a Greek letter."""
    return {"lambda": "LAMDA"}.get(name.lower(), name.upper())


def _argument(tokens: Iterator[str]) -> str:
    """Return the next group or sign."""
    token = next((token for token in tokens if not token.isspace()), "")
    return _said(token, tokens) if token else ""


def _raised(text: str) -> str:
    """Return an exponent, as small signs where there are some."""
    text = text.strip()
    if text in {"∨", "∧", "′", "∘", "*"}:
        return text
    small = text.translate(RAISED)
    return small if not set(small) & set(text) else f"^{text}"
