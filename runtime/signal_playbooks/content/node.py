"""What a YAML text is made of once it is read: scalars, mappings and lists that know where they stand."""

import re
from dataclasses import dataclass, field
from typing import Literal

Style = Literal["plain", "single", "double", "literal", "folded"]
Value = bool | int | float | str | None

# YAML 1.2, core schema: https://yaml.org/spec/1.2.2/#103-core-schema
WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_NUMBER_STARTS = frozenset("0123456789+-.")
# JSON readers agree on 64 bits; the length bound keeps int() from ever seeing a million digits.
_LOWEST, _HIGHEST, _MOST_DIGITS = -(2**63), 2**63 - 1, 400


@dataclass(frozen=True, slots=True, eq=False)
class Alias:
    """Where an alias is used (`start` to `end`), the anchor's name, and where the anchored node begins."""

    name: str
    start: int
    end: int
    anchor: int


# The three nodes are not frozen, although nobody changes them: a frozen one takes four times as long to make,
# which is a second on a file of 6 MB.


@dataclass(slots=True, eq=False)
class Scalar:
    """One scalar: `text` as YAML decodes it. Places count code points of the text read, anchor and tag left out.

    `alias` is set on a node that was reached through one; `start` and `end` still say where it is written.
    """

    text: str
    style: Style
    start: int
    end: int
    alias: Alias | None = None

    @property
    def value(self) -> Value:
        """Return what a plain scalar means under YAML 1.2's core schema; any other style is text."""
        return resolve(self.text) if self.style == "plain" else self.text


@dataclass(slots=True, eq=False)
class Mapping:
    """A mapping, its entries in the order written, each key once."""

    entries: "tuple[tuple[Scalar, Node], ...]"
    flow: bool
    start: int
    end: int
    alias: Alias | None = None
    places: dict[str, int] = field(default_factory=dict, repr=False)

    def get(self, key: str) -> "Node | None":
        """Return the value of the key, None where the key is not there."""
        place = self.places.get(key)
        return None if place is None else self.entries[place][1]

    def key(self, key: str) -> Scalar | None:
        """Return the key itself as a node, for its place."""
        place = self.places.get(key)
        return None if place is None else self.entries[place][0]


@dataclass(slots=True, eq=False)
class Sequence:
    """A list."""

    items: "tuple[Node, ...]"
    flow: bool
    start: int
    end: int
    alias: Alias | None = None


Node = Scalar | Mapping | Sequence


def child(node: Node | None, part: str | int) -> Node | None:
    """Return what stands under the key or index, None where nothing does."""
    if isinstance(node, Mapping) and isinstance(part, str):
        return node.get(part)
    if isinstance(node, Sequence) and isinstance(part, int) and 0 <= part < len(node.items):
        return node.items[part]
    return None


def resolve(text: str) -> Value:
    """Return the null, boolean or number a plain text is, else the text; a number out of bounds stays text."""
    if text in WORDS:
        return WORDS[text]
    if text[0] not in _NUMBER_STARTS or len(text) > _MOST_DIGITS:
        return text
    if _INTEGER.fullmatch(text):
        whole = int(text, 0) if text.startswith(("0o", "0x")) else int(text)
        return whole if _LOWEST <= whole <= _HIGHEST else text
    if _FLOAT.fullmatch(text):
        number = float(text)
        return text if number in (float("inf"), float("-inf")) else number
    return text


def refused_number(text: str) -> str | None:
    """Return why a plain text that looks like a number is refused, None where it is not."""
    if not text or text[0] not in _NUMBER_STARTS:
        return None
    if _NO_NUMBER.fullmatch(text):
        return f"{text} is no number that JSON knows"
    looks_numeric = _INTEGER.fullmatch(text) or _FLOAT.fullmatch(text)
    if looks_numeric and isinstance(resolve(text), str):
        return "this number is too large" if len(text) > 40 else f"the number {text} is too large"
    return None
