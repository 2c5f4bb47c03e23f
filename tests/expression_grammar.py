"""Expressions made by Hypothesis: right ones of a wanted kind, and wild ones of which nothing is promised."""

from hypothesis import strategies as st

KINDS = ("number", "text", "boolean", "moment", "list of numbers", "list of texts")

_LEAVES: dict[str, tuple[str, ...]] = {
    "number": ("0", "1", "2.5", "inputs.limit", "len(inputs.rivals)", "signal.engagement['comments']"),
    "text": ("''", "'é'", "inputs.topic", "signal.headline", "signal['author'].karma_bucket", "lower('É')"),
    "boolean": ("true", "false", "inputs.dry", "signal.intent == 'asking'", "'a' in inputs.rivals"),
    "moment": ("now()", "days_ago(3)", "hours_ago(inputs.limit)", "signal.first_seen_at"),
    "list of numbers": ("[1, 2]", "[s.engagement.comments for s in steps.find.output.signals]"),
    "list of texts": ("inputs.rivals", "['a', inputs.topic]", "[s.id for s in steps.find.output.signals if true]"),
}
_FORMS: dict[str, tuple[str, ...]] = {
    "number": (
        *("({number} + {number})", "({number} - {number})", "({number} * 0.5)", "-{number}", "round({number}, 2)"),
        *("({number} / 4)", "({number} % 7)", "sum({list of numbers})", "max({number}, {number})", "len({text})"),
        *("({number} if {boolean} else {number})", "default({number}, 1)", "len(top({list of numbers}, 2))"),
    ),
    "text": (
        *("({text} + {text})", "upper({text})", "trim({text})", "join({list of texts}, {text})", "min({text}, 'b')"),
        *("({text} if {boolean} else {text})", "default({text}, 'x')", "join({list of numbers})"),
    ),
    "boolean": (
        *("({boolean} and {boolean})", "({boolean} or {boolean})", "not {boolean}", "({number} < {number})"),
        *(
            "({text} >= {text})",
            "({moment} < {moment})",
            "({moment} > '2026-04-01')",
            "({number} in {list of numbers})",
        ),
        *("({text} not in {list of texts})", "({text} in {text})", "contains({text}, {text})", "({text} != null)"),
        *("any([x > {number} for x in {list of numbers}])", "all([{boolean} for x in {list of texts}])"),
        *("starts_with({text}, {text})", "matches({text}, '^[a-z]+')", "({list of texts} == {list of texts})"),
        *("(0 < {number} <= 3)", "default({boolean}, false)"),
    ),
    "moment": ("max({moment}, {moment})", "({moment} if {boolean} else {moment})", "days_ago({number} % 100)"),
    "list of numbers": (
        *("({list of numbers} + {list of numbers})", "[x * 2 for x in {list of numbers} if x > {number}]"),
        *(
            "sorted({list of numbers})",
            "unique({list of numbers})",
            "[{number}, {number}]",
            "[len(x) for x in {list of texts}]",
        ),
    ),
    "list of texts": (
        *("({list of texts} + {list of texts})", "[x + {text} for x in {list of texts} if {boolean}]"),
        *("sorted({list of texts})", "unique({list of texts})", "top({list of texts}, 3)", "[{text}, {text}]"),
        "[s.headline for s in sorted(steps.find.output.signals, 'engagement.comments')]",
    ),
}
_WILD = (
    *("inputs", "steps", "signal", "author.missing", "null", "huge", "flags", "ratio", "steps.gone.output", "nobody"),
    *("author.items", "[]", "[[1], 'a', null]", "signal.captured_at", "9223372036854775807", "1e308", "'\\\\'"),
)
_CALLS = (
    *(
        "len",
        "any",
        "all",
        "min",
        "max",
        "sum",
        "round",
        "lower",
        "upper",
        "trim",
        "contains",
        "matches",
        "starts_with",
    ),
    *("join", "unique", "sorted", "top", "default", "days_ago", "hours_ago", "now"),
)
_SIGNS = ("+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", " in ", " not in ", " and ", " or ")


@st.composite
def right(draw: st.DrawFn, kind: str, depth: int = 3) -> str:
    """Draw an expression that gives a value of the kind."""
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from(_LEAVES[kind]))
    written = draw(st.sampled_from(_FORMS[kind]))
    for inner in KINDS:
        while f"{{{inner}}}" in written:
            written = written.replace(f"{{{inner}}}", draw(right(inner, depth - 1)), 1)
    return written


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    name = st.sampled_from(("a", "output", "items", "captured_at", "x"))
    return st.one_of(
        st.tuples(inner, st.sampled_from(_SIGNS), inner).map(lambda parts: f"({''.join(parts)})"),
        st.tuples(st.sampled_from(_CALLS), st.lists(inner, max_size=3)).map(lambda c: f"{c[0]}({', '.join(c[1])})"),
        st.tuples(inner, name).map(lambda parts: f"({parts[0]}).{parts[1]}"),
        st.tuples(inner, inner).map(lambda parts: f"({parts[0]})[{parts[1]}]"),
        st.tuples(inner, inner, inner).map(lambda p: f"[{p[0]} for x in {p[1]} if {p[2]}]"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
        inner.map(lambda part: f"(not {part})"),
        inner.map(lambda part: f"(-{part})"),
        st.lists(inner, max_size=3).map(lambda parts: f"[{', '.join(parts)}]"),
    )


WILD = st.recursive(
    st.sampled_from([*_WILD, "x", *(leaf for leaves in _LEAVES.values() for leaf in leaves)]), _grown, max_leaves=8
)
