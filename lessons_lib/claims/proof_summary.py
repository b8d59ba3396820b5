"""A summary in words of how the prover decided the entries of a claim."""

from collections import Counter

from lessons_lib.claims.proof import FRACTION, MULTIPLIED, REWRITTEN, RULES, SAME, SIGN, SIGNED, SIMPLIFIED, WAVES

NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def summarize(counts: Counter[str]) -> str:
    """Return one or two sentences on how many entries each method decided."""
    said = []
    zero, rest = counts[SAME], [(kind, counts[kind]) for kind in HOW if counts[kind]]
    if zero and not rest and not counts[SIGN]:
        return f"both sides, written out, are the same{_entries(zero)}."
    if rest == [(RULES, counts[RULES])] and not zero:
        return f"left minus right is zero {HOW[RULES]}."
    if zero or rest:
        whole = zero + sum(number for _, number in rest)
        said.append(f"left minus right is zero{_entries(whole)}{_ways(zero, rest)}")
    if counts[SIGN]:
        many = f", {_number(counts[SIGN])} times" if counts[SIGN] > 1 else ""
        said.append(f"right minus left is made of squares and of what has a known sign{many}")
    return "; ".join(said) + "." if said else ""


HOW = {
    MULTIPLIED: "after all is multiplied out",
    FRACTION: "after all is brought to one fraction and multiplied out",
    WAVES: "after all is written in sines and cosines and multiplied out, with sin² + cos² = 1",
    SIGNED: "in the same way, with what is known of the letters' signs",
    REWRITTEN: "with arc cosines, angles and roots written in one way",
    RULES: "for every size, by the rules of sums, products and transposes",
    SIMPLIFIED: "after SymPy's `simplify`",
}


def _ways(zero: int, rest: list[tuple[str, int]]) -> str:
    """Return how many entries each method reduced to zero; a single method is named without a number."""
    ways = [(zero, "as written out")] if zero else []
    ways += [(number, HOW[kind]) for kind, number in rest]
    if len(ways) == 1:
        return f", {ways[0][1]}"
    return ": " + ", ".join(f"{_number(number)} {how}" for number, how in ways)


def _entries(number: int) -> str:
    return f" in each of {_number(number)} entries" if number > 1 else ""


def _number(number: int) -> str:
    return NUMBERS[number] if number < len(NUMBERS) else str(number)
