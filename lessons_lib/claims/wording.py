"""Words by which a sentence says more than an equality: best, only, undoes, tends."""
# Each concept lists its words as stems and the statement that they require. A comparison requires an inequality.
# Uniqueness and necessity require a strict inequality, or one whose sides differ by a product or squares, so that it
# shows where they are equal, or two equalities, f of g and g of f. A limit requires `limit` or a strict inequality.
# Words that no statement supports, such as causes and frequencies, are refused.

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from lessons_lib.claims import signs
from lessons_lib.claims.domain_constraints import entries
from lessons_lib.claims.terms import Term, comparable
from lessons_lib.errors import ClaimError

_TERMS = re.compile(  # names and phrases without a strong meaning
    r"least[- ]squares|steepest[- ]descent|nearest[- ]neighbou?rs?|maximum[- ]likelihood|higher[- ]order"
    r"|(?:lower|upper)[- ](?:triangular|row|block|half|left|right|arm|part|case)\w*|(?:once|what is) more"
    r"|(?:no|any) longer|more generally|more or less|not only|fall(?:s|ing)? out|drop(?:s|ped)? out|give(?:s)? rise"
    r"|lea(?:ve|ves|ving|ft) (?:\w+ ){1,4}alone|reduc(?:e|es|ed|ing) to|perfect squares?|linearly independent"
    r"|(?:one|two|three) more|higher (?:orders?|derivatives?|powers?|terms?)|rates? of (?:decay|convergence)"
    r"|(?:decay|convergence) rates?|settling time|continuous[- ]time|(?:at )?a certain \w+|end[- ]effector",
    re.IGNORECASE,
)
Chains = Sequence[Sequence[Any]]
"""Statements: sides, which are terms, and relations in turn."""


@dataclass(frozen=True)
class Concept:
    """The words of one concept, the statement that they require in words, and the test for it."""

    words: str
    needs: str
    is_stated: Callable[[Chains], bool]


def _compares(chains: Chains) -> bool:
    """Return whether an inequality is stated about the symbols of the other statements."""
    return next(_inequalities(chains), None) is not None


def _compares_or_tends(chains: Chains) -> bool:
    return _compares(chains) or _states_limit(chains)


def _states_limit(chains: Chains) -> bool:
    return any(r"\lim" in side.latex for chain in chains for side in chain[::2]) or _has_strict_inequality(chains)


def _has_strict_inequality(chains: Chains) -> bool:
    return any(sign == "<" for sign, _, _ in _inequalities(chains))


def _excludes_others(chains: Chains) -> bool:
    gaps = [right - left for _, left, right in _inequalities(chains)]
    return _has_strict_inequality(chains) or _both_ways(chains) or any(map(_shows_its_zeros, gaps))


def _both_ways(chains: Chains) -> bool:
    """Return whether two equalities, with different left sides, end in an identity or an introduced variable."""
    ends = [(chain[0], chain[-1]) for chain in chains if set(chain[1::2]) == {"="}]
    back = {left.latex for left, right in ends if _is_identity_or_variable(right) and left.latex != right.latex}
    return len(back) > 1


def _is_identity_or_variable(side: Term) -> bool:
    identity = isinstance(side.value, sp.MatrixBase) and side.value.is_Identity
    return bool(identity) or any(letter.latex == side.latex for letter in side.variables)


def _states_change(chains: Chains) -> bool:
    """Return whether a limit, an inequality or a derivative is stated."""
    written = [side.latex for chain in chains for side in chain[::2]]
    return (
        _states_limit(chains)
        or _compares(chains)
        or any(re.search(r"\\frac\{(?:d|\\partial)|\\nabla", w) for w in written)
    )


def _drops_a_letter(chains: Chains) -> bool:
    """Return whether two compared sides depend on different symbols, or a change is stated."""
    sides = [
        (_written_symbols(a), _written_symbols(b))
        for chain in chains
        for a, b in zip(chain[::2], chain[2::2], strict=False)
    ]
    return any(a != b for a, b in sides) or _states_change(chains)


def _has_letters(chains: Chains) -> bool:
    return any(side.value.free_symbols or side.variables for chain in chains for side in chain[::2])


def _never(_: Chains) -> bool:
    return False


def _inequalities(chains: Chains) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
    """Yield sign, left and right of each inequality that shares symbols with the other statements, if there are any."""
    for chain in chains:
        rest = frozenset[sp.Symbol]().union(
            *(_symbols_of(side) for one in chains if one is not chain for side in one[::2])
        )
        own = frozenset[sp.Symbol]().union(*(_symbols_of(side) for side in chain[::2]))
        for left, sign, right in zip(chain[::2], chain[1::2], chain[2::2], strict=False):
            if sign != "=" and (not rest or own & rest and _symbols_of(left) | _symbols_of(right)):
                a, b = comparable(left.value, right.value)
                yield from ((sign, *both) for both in zip(entries(a), entries(b), strict=True))


def _symbols_of(side: Term) -> frozenset[sp.Symbol]:
    return frozenset(side.value.free_symbols)


def _written_symbols(side: Term) -> frozenset[sp.Symbol]:
    return _symbols_of(side).union(*(letter.symbols for letter in side.variables))


def _shows_its_zeros(gap: sp.Expr) -> bool:
    """Return whether an expression is a product or a sum of squares, so that its zeros can be read off."""
    if signs.too_long(gap):
        return False
    top = sp.factor(sp.numer(sp.together(gap)))
    return bool(top.is_Mul or top.is_Pow or all(map(_is_square, sp.Add.make_args(top))))


def _is_square(part: sp.Expr) -> bool:
    number, rest = part.as_coeff_Mul()
    return bool(number > 0) and rest.is_Pow and rest.exp.is_Integer and rest.exp % 2 == 0


def _verbs(stems: str) -> str:
    return "|".join(map(_verb, stems.split()))


def _verb(stem: str) -> str:
    if stem.endswith("e"):
        return f"{stem[:-1]}(?:e|es|ed|ing)"
    if stem.endswith("y") and stem[-2] not in "aeou":
        return f"{stem[:-1]}(?:y|ies|ied|ying)"
    return f"{stem}(?:s|es|{stem[-1]}?ed|{stem[-1]}?ing)?"


def _comparatives(adjectives: str) -> str:
    return "|".join(
        f"{a[:-1]}er" if a.endswith("e") else f"{a[:-1]}ier" if a.endswith("y") else f"{a}{a[-1]}?er"
        for a in adjectives.split()
    )


_ADJECTIVES = """large small great fast slow quick short long near cheap high steep close tight few weak strong big
    wide narrow deep shallow thin thick light heavy simple easy smooth rough hard soft sharp flat poor rich clean safe
    stiff coarse fine broad tall tiny mild harsh strict loose dense sparse straight bright dark warm cold hot clear rare
    costly lean gentle steady sturdy"""
_NOT_SUPERLATIVE = """rest test interest request forest honest modest harvest digest suggest invest protest contest
    quest west nest chest arrest manifest lest jest vest pest zest crest conquest earnest attest detest ingest
    infest guest unrest midwest tempest"""
_SUPERLATIVES = (
    rf"(?!(?:{'|'.join(_NOT_SUPERLATIVE.split())})\b)[a-z]{{2,}}est|best|worst|least|most|\w{{2,}}(?<!al)most"
)

_NUMBERED = "an inequality about its letters"
_NEEDED = "a '<', a '<=' whose sides differ by a product or by squares, or the converse as a second statement"
_BOTH = "both directions as two statements, each ending in what it began with"
_NONE = "a statement that this prover cannot make"

KINDS = (
    # extremum
    Concept(
        rf"{_SUPERLATIVES}|optim(?:um|a|al|ally|ality|i[sz]\w+)|minim(?:um|a|al|ally|i[sz]\w+)"
        rf"|maxim(?:um|a|al|ally|i[sz]\w+)|extrem(?:e|es|um|a|al)|supremum|infimum|as \w+ as (?:possible|can be)"
        rf"|ideal(?:ly)?|un(?:beatable|beaten|surpassed|surpassable|rivalled|matched)|nothing beats"
        rf"|perfect(?:ly)?|second to none",
        _NUMBERED,
        _compares,
    ),
    # comparison
    Concept(
        rf"(?:is|are|gets?|becomes?) lower|lower than|more|less|fewer|better|worse|lesser|greater"
        rf"|{_comparatives(_ADJECTIVES)}"
        rf"|{_verbs('exceed outweigh surpass dominate outperform outrun outdo overtake outgrow majorize beat')}"
        rf"|dominan(?:t|ce)|superior|inferior|(?:upper|lower) bounds?|bounded"
        rf"|bounds? (?:from|of|on|for|the|it|its|on)"
        rf"|(?:strictly |quasi-?)?(?:convex|concave)\w*|contract(?:ion|ions|ive)|(?:semi)?definiteness"
        rf"|(?:is|are|stays?|remains?) (?:symmetric and )?(?:positive|negative)[- ](?:semi)?definite"
        rf"|nonzero|non-zero"
        rf"|nonnegative|non-negative|well-(?:conditioned|posed|defined)|ill-\w+|capped|clamped|sharp|peaks?"
        rf"|record|ceiling"
        rf"|{_verbs('dwarf outstrip outclass outlast outpace outshine save waste benefit prefer neglect')}"
        rf"|prefer(?:able|ably|red)"
        rf"|favou?rabl[ey]|advantag\w+|efficien\w+|for free|costs? nothing|loses? nothing|ahead of|bound by"
        rf"|hardly|barely"
        rf"|scarcely|almost|nearly|enormous(?:ly)?|huge(?:ly)?|immense(?:ly)?|vast(?:ly)?|considerabl[ey]"
        rf"|substantial(?:ly)?"
        rf"|significant(?:ly)?|slight(?:ly)?|drastic(?:ally)?|dramatic(?:ally)?|marked(?:ly)?|minuscule"
        rf"|gigantic|by far|merely"
        rf"|overestimat\w+|underestimat\w+|overshoots?|undershoots?|negligibl[ey]|insignificant(?:ly)?|tiny"
        rf"|conservative(?:ly)?|too (?:large|small|long|short|high|low|big|far|near|close|fast|slow|much|little)"
        rf"|(?:is|are|be|stays?|remains?|keeps?) (?:strictly )?(?:positive|negative|non-?negative|non-?positive|nonzero"
        rf"|non-zero|small|large|big|tiny|close|within)\b(?![- ]?(?:semi)?definite| the )"
        rf"|(?:stays?|remains?|keeps?) (?:below|above|between|under|over|near)",
        _NUMBERED,
        _compares,
    ),
    # monotonicity
    Concept(
        rf"(?:anti)?monoton\w+|antitone|non-?(?:de|in)creasing"
        rf"|(?:{_verbs('increase decrease grow shrink diminish dwindle decline worsen deteriorate improve lessen')}"
        rf"|{_verbs('shorten lengthen widen narrow sharpen flatten climb plummet accumulate intensify')}"
        rf"|{_verbs('enlarge reduce amplify attenuate escalate accelerate weaken strengthen rise magnify')}"
        rf"|lowers|lowered|lowering"
        rf"|gradual(?:ly)?|little by little|grew|grown|shrank|shrunk|rose|risen)\b(?! by\b)|the (?:more|less"
        rf"|larger|smaller) .* the \w+er|ever (?:more|less|\w+er)",
        "an inequality about its letters, or a limit",
        _compares_or_tends,
    ),
    # frequency and certainty: all times, no time
    Concept(
        r"never|always|invariably|constantly|forever|permanently|perpetual(?:ly)?|at all times|every time"
        r"|without fail"
        r"|without exception|unfailing(?:ly)?|inevitabl[ey]|unavoidabl[ey]|certain(?:ly|ty)"
        r"|(?:is|are) certain|sure(?:ly)?|undoubtedly"
        r"|reliabl[ey]|reliability|foolproof|safe(?:ly|ty)?|robust(?:ly|ness)?|stabl[ey]|stability|unstable"
        rf"|{_verbs('succeed terminate halt guarantee ensure assure secure warrant protect stabilize safeguard')}"
        r"|bound to",
        _NUMBERED,
        _compares,
    ),
    # impossibility
    Concept(
        rf"cannot|can ?not|can[’']t|could not|im(?:possible|possibly|possibility)|un(?:able|reachable|attainable)"
        rf"|infeasibl[ey]|unsolvable|insoluble|hopeless|no way|no \w+ can"
        r"|there (?:is|are|exists?) no (?:\w+ )?(?:way|solutions?|other|such|points?|limits?|bounds?|exceptions?)"
        rf"|{_verbs('forbid prohibit preclude prevent hinder impede')}|forbidden|(?:at|under|in|by) no \w+"
        rf"|doomed|out of (?:the question|reach)|in vain|futile",
        _NUMBERED,
        _compares,
    ),
    # uniqueness and necessity
    Concept(
        rf"only|nowhere|no other|no one else|nobody else|nothing (?:else|but)|none (?:but|other)|no two"
        rf"|exactly|precisely"
        rf"|unique(?:ly|ness)?|sole(?:ly)?|exclusive(?:ly)?|one and only|just one|single-?valued|distinct|must"
        rf"|ha(?:s|ve) to|necess(?:ary|arily|ity|itates?)|sufficient(?:ly)?|{_verbs('suffice')}|insufficient"
        rf"|indispensable"
        rf"|essential(?:ly)?|inescapable|iff|if and only if|just (?:when|if|where)|unless|except|all but"
        rf"|{_verbs('exclude')}"
        rf"|rul(?:e|es|ed|ing) out|requires|(?:is|are) required|mandatory|(?:is|are) needed"
        rf"|determin(?:es|ed|ing)|compulsory"
        rf"|irreplaceable|no alternative|without alternative"
        rf"|characteri[sz]\w+|equivalent to|(?:if|where|when) and only|enough|{_verbs('imply entail')}"
        rf"|implication|(?:the )?converse(?:ly)?|exhaustive(?:ly)?|completeness|(?:is|are) complete"
        rf"|no solution is|that is all|non-?singular|full (?:row |column )?rank|finite(?:ly)?(?: many)?",
        _NEEDED,
        _excludes_others,
    ),
    # invertibility
    Concept(
        rf"{_verbs('undo')}|undoes|undone|one-to-one|biject\w+|inject\w+|surject\w+|invertibl[ey]|invertibility"
        rf"|isomorph\w+|both ways|in both directions|reversibl[ey]|vice versa|lossless(?:ly)?"
        rf"|without (?:loss|information loss)",
        _BOTH,
        _both_ways,
    ),
    # limits
    Concept(
        rf"{_verbs('tend approach converge diverge decay fade settle saturate explode')}"
        rf"|(?:con|di)vergen(?:t|ce)|eventual(?:ly)?"
        rf"|(?:die|dies|died|dying|level|levels|peter|peters|taper|tapers|wear|wears) (?:away|out|off)|asymptot\w*"
        rf"|in the (?:limit|long run)|limiting|ultimate(?:ly)?|arbitrarily (?:\w+)"
        rf"|(?:is|are|becomes?) (?:infinite|infinitesimal)"
        rf"|infinitely|infinity"
        rf"|unbounded(?:ly)?|without (?:bound|limit)|blow(?:s|n)? up|blew up"
        rf"|go(?:es|ing)? to (?:zero|0|infinity|nothing)"
        rf"|(?:vanish\w*|disappear\w*) (?:in|as|when|with|for|near|at) |superlinear\w*|attract\w*|repel\w*"
        rf"|order of convergence|superlinear|sooner or later"
        rf"|after (?:a while|long|many)|as \w+ (?:goes|tends|grows|increases)",
        "a limit, or a '<'",
        _states_limit,
    ),
    # continuity
    Concept(
        r"(?:dis)?continu(?:ous|ously|ity|ities)|smooth(?:ly|ness)?|(?:non-?)?differentiabl[ey]|lipschitz"
        r"|jumps?|kinks?"
        r"|abrupt(?:ly)?|sudden(?:ly)?|seamless(?:ly)?|analyticity|(?:is|are) analytic|uniformly",
        "a limit, a derivative or an inequality",
        _states_change,
    ),
    # independence
    Concept(
        r"alone|independent(?:ly)?|independence|irrespective|regardless|no matter|invariant|invariance"
        r"|unaffected|insensitive"
        r"|do(?:es)? not (?:depend|matter|change)|makes? no difference|irrelevant",
        "sides of which one has a letter that the other has not",
        _drops_a_letter,
    ),
    # universality
    Concept(
        r"all|every|each|any|whatever|whichever|whenever|wherever|everywhere|everything|anything|universal(?:ly)?",
        "a statement with letters",
        _has_letters,
    ),
    # causes, and how often or how likely something is
    Concept(
        rf"because|{_verbs('cause')}|(?:is|are|was|were) due to|owing to|thanks to|on account of|as a result"
        rf"|consequence of"
        rf"|results? in|brings? about|responsible for|to blame|explains? why|is why"
        rf"|often|usual(?:ly)?|typical(?:ly)?|mostly|rarely|seldom|sometimes|occasional(?:ly)?|frequent(?:ly)?"
        rf"|hardly ever"
        rf"|on average|in expectation|probabl[ey]|probability|likely|unlikely|almost (?:always|surely|never)"
        rf"|generic(?:ally)?|as a rule|in practice|in most cases|normally|in general",
        _NONE,
        _never,
    ),
)


def check_words(label: str, sentence: str, chains: Chains) -> None:
    """Raise ClaimError if a word of the sentence requires more than the statement."""
    for kind, words in zip(KINDS, _WORDS, strict=True):
        word = words.search(_TERMS.sub("", sentence))
        if word and not kind.is_stated(chains):
            raise ClaimError(
                f"claim {label}: {word[0]!r} in {sentence!r} says more than its statement; that word requires "
                f"{kind.needs}"
            )


_WORDS = [re.compile(rf"\b(?:{kind.words})\b", re.IGNORECASE) for kind in KINDS]
