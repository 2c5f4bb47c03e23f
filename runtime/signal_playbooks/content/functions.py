"""The functions of the expression language, one table: what each takes and gives, a sentence and an example of each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from signal_playbooks.content import calls
from signal_playbooks.content.types import (
    ANY,
    BOOLEAN,
    INTEGER,
    MOMENT,
    NULL,
    NUMBER,
    TEXT,
    Integer,
    List,
    Map,
    Null,
    Optional,
    Type,
    join,
    optional,
    required,
)


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a function takes at one place: any of the types in `accepts`.

    `is_key`: a dotted path of the list's items, in quotes; `is_pattern`: an RE2 pattern; `repeated`: one or more.
    """

    name: str
    accepts: tuple[Type, ...] = (ANY,)
    optional: bool = False
    repeated: bool = False
    is_key: bool = False
    is_pattern: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """One function. `run` does it: over values, over the moment first where `timed`, over thunks where `lazy`.

    `returns` gives the type of its result from those of its arguments; `weight` is what a list item costs it.
    `example` is an expression that needs no names, and `result` what it gives, as text.
    """

    name: str
    parameters: tuple[Parameter, ...]
    returns: Callable[[Sequence[Type]], Type]
    run: Callable[..., object]
    doc: str
    example: str
    result: str
    weight: int = 1
    timed: bool = False
    lazy: bool = False

    @property
    def signature(self) -> str:
        """Return how it is written: `top(list, n, key)`."""
        names = [f"{one.name}, …" if one.repeated else one.name for one in self.parameters]
        return f"{self.name}({', '.join(names)})"

    @property
    def fewest(self) -> int:
        """Return how many arguments it needs."""
        return sum(not parameter.optional for parameter in self.parameters)

    @property
    def most(self) -> int | None:
        """Return how many arguments it takes, None for any number."""
        return None if any(parameter.repeated for parameter in self.parameters) else len(self.parameters)

    def parameter(self, index: int) -> Parameter:
        """Return what it takes at a place, counted from 0."""
        return self.parameters[min(index, len(self.parameters) - 1)]


def _always(kind: Type) -> Callable[[Sequence[Type]], Type]:
    return lambda _: kind


def _same_text(kinds: Sequence[Type]) -> Type:
    return optional(TEXT) if kinds and isinstance(kinds[0], Optional | Null) else TEXT


def _first(kinds: Sequence[Type]) -> Type:
    kind = required(kinds[0]) if kinds else ANY
    return kind if isinstance(kind, List) else ANY


def _extreme(kinds: Sequence[Type]) -> Type:
    if len(kinds) == 1:
        first = required(kinds[0])
        return optional(first.item) if isinstance(first, List) else ANY
    found = kinds[0] if kinds else ANY
    for kind in kinds[1:]:
        found = join(found, kind)
    return found


def _total(kinds: Sequence[Type]) -> Type:
    first = required(kinds[0]) if kinds else ANY
    is_whole = isinstance(first, List) and isinstance(required(first.item), Integer)
    return INTEGER if is_whole else NUMBER


def _rounded(kinds: Sequence[Type]) -> Type:
    return INTEGER if len(kinds) < 2 else NUMBER


def _either(kinds: Sequence[Type]) -> Type:
    return join(required(kinds[0]), kinds[1]) if len(kinds) == 2 and kinds[0] != NULL else kinds[-1] if kinds else ANY


_LIST = Parameter("list", (List(ANY),))
_TEXT = Parameter("text", (TEXT,))
_KEY = Parameter("key", (TEXT,), optional=True, is_key=True)
_SOME = Parameter("a, b", (NUMBER, TEXT, MOMENT, List(ANY)), repeated=True)

_TABLE: tuple[Function, ...] = (
    Function(
        "len",
        (Parameter("x", (TEXT, List(ANY), Map(ANY))),),
        _always(INTEGER),
        calls.length,
        "The number of characters in a text, of items in a list or of members in a map.",
        "len(['a', 'b'])",
        "2",
        weight=0,
    ),
    Function(
        "any",
        (Parameter("list", (List(BOOLEAN),)),),
        _always(BOOLEAN),
        calls.any_of,
        "Whether at least one of the booleans is true; false for an empty list.",
        "any([n > 2 for n in [1, 2, 3]])",
        "true",
    ),
    Function(
        "all",
        (Parameter("list", (List(BOOLEAN),)),),
        _always(BOOLEAN),
        calls.all_of,
        "Whether every one of the booleans is true; true for an empty list.",
        "all([n > 2 for n in [1, 2, 3]])",
        "false",
    ),
    Function(
        "min",
        (_SOME,),
        _extreme,
        calls.least,
        "The smallest of several numbers, texts or moments, or of one list of them. Null is left out.",
        "min(3, 1, 2)",
        "1",
    ),
    Function(
        "max",
        (_SOME,),
        _extreme,
        calls.greatest,
        "The largest of several numbers, texts or moments, or of one list of them. Null is left out.",
        "max([3, 1, 2])",
        "3",
    ),
    Function(
        "sum",
        (Parameter("list", (List(Optional(NUMBER)),)),),
        _total,
        calls.total,
        "The sum of the numbers in a list; 0 for an empty one. Null is left out.",
        "sum([1, 2, 3.5])",
        "6.5",
    ),
    Function(
        "round",
        (Parameter("n", (NUMBER,)), Parameter("digits", (INTEGER,), optional=True)),
        _rounded,
        calls.rounded,
        "The number to so many digits after the point (0), halves away from zero.",
        "round(2.345, 2)",
        "2.35",
    ),
    Function(
        "lower", (_TEXT,), _same_text, calls.lower, "The text in small letters; null stays null.", "lower('AbC')", "abc"
    ),
    Function(
        "upper", (_TEXT,), _same_text, calls.upper, "The text in capitals; null stays null.", "upper('AbC')", "ABC"
    ),
    Function(
        "trim",
        (_TEXT,),
        _same_text,
        calls.trim,
        "The text without blanks at its ends; null stays null.",
        "trim('  a b ')",
        "a b",
    ),
    Function(
        "contains",
        (Parameter("text_or_list", (TEXT, List(ANY))), Parameter("x")),
        _always(BOOLEAN),
        calls.contains,
        "Whether a text has the piece, letter for letter, or a list the item; false where either is null.",
        "contains('too expensive', 'expensive')",
        "true",
    ),
    Function(
        "matches",
        (_TEXT, Parameter("re2_pattern", (TEXT,), is_pattern=True)),
        _always(BOOLEAN),
        calls.matches,
        "Whether the RE2 pattern is found anywhere in the text; (?i) at its beginning ignores case. False for null.",
        r"matches('Up 30%', '(?i)^up \d+%$')",
        "true",
        weight=4,
    ),
    Function(
        "starts_with",
        (_TEXT, Parameter("x", (TEXT,))),
        _always(BOOLEAN),
        calls.starts_with,
        "Whether the text begins so, letter for letter; false for null.",
        "starts_with('Ask: which one?', 'Ask:')",
        "true",
    ),
    Function(
        "join",
        (_LIST, Parameter("separator", (TEXT,), optional=True)),
        _always(TEXT),
        calls.joined,
        "The items as one text with the separator (', ') between them. Null is left out.",
        "join(['a', 'b'], ' and ')",
        "a and b",
    ),
    Function(
        "unique",
        (_LIST, _KEY),
        _first,
        calls.unique,
        "The list without items that stood in it before. With a key such as 'author.handle', that alone is compared.",
        "unique(['b', 'a', 'b'])",
        "b, a",
        weight=4,
    ),
    Function(
        "sorted",
        (_LIST, _KEY),
        _first,
        calls.ascending,
        "The list with its lowest items first, by a key such as 'captured_at' where one is given. Null comes last.",
        "sorted([3, 1, 2])",
        "1, 2, 3",
        weight=4,
    ),
    Function(
        "top",
        (_LIST, Parameter("n", (INTEGER,)), _KEY),
        _first,
        calls.top,
        "The n highest items, highest first, by a key such as 'engagement.score' where one is given. Null comes last.",
        "top([3, 9, 5], 2)",
        "9, 5",
        weight=4,
    ),
    Function(
        "default",
        (Parameter("x"), Parameter("y")),
        _either,
        calls.default,
        "x, or y where x is null or cannot be had, as the output of a step that was skipped.",
        "default(null, 'nobody')",
        "nobody",
        weight=0,
        lazy=True,
    ),
    Function(
        "days_ago",
        (Parameter("n", (NUMBER,)),),
        _always(MOMENT),
        calls.days_ago,
        "The moment n days (of 24 hours) ago.",
        "days_ago(7) < now()",
        "true",
        timed=True,
    ),
    Function(
        "hours_ago",
        (Parameter("n", (NUMBER,)),),
        _always(MOMENT),
        calls.hours_ago,
        "The moment n hours ago.",
        "hours_ago(48) == days_ago(2)",
        "true",
        timed=True,
    ),
    Function(
        "now",
        (),
        _always(MOMENT),
        calls.now,
        "The present moment; the same wherever it stands in one expression.",
        "now() > '2020-01-01'",
        "true",
        timed=True,
    ),
)

FUNCTIONS: Mapping[str, Function] = {function.name: function for function in _TABLE}
