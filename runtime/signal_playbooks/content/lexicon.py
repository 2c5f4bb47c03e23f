"""The lexicon files: what each intent means, for people, agents and the classifier alike."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar

from pydantic import Field, StringConstraints, ValidationError

from signal_playbooks.content.model import ContentModel, Title
from signal_playbooks.contract.vocabulary import Intent

DEFINITION = "Definition"
EXAMPLE = "Canonical example"
FALSE_POSITIVES = "Common false positives"
RESPONSE = "Recommended agent response"
BOUNDARIES = "Boundaries"
REQUIRED_SECTIONS = (DEFINITION, EXAMPLE, FALSE_POSITIVES, RESPONSE)

_HEADING = re.compile(r"##[ \t]+(?P<title>.*?)[ \t#]*$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_BULLET = re.compile(r"[-*+][ \t]+(?=\S)")

Cue = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=80, pattern=r"\w")]


class Cues(ContentModel):
    """Words and phrases that speak for an intent or against it.

    They are compared as whole folded words; a `*` at a word's end stands for any ending, a `*` alone for one to three
    words between.
    """

    what: ClassVar[str] = "cues"

    strong: tuple[Cue, ...] = Field(min_length=1, description="One of them nearly settles it.")
    weak: tuple[Cue, ...] = Field(default=(), description="They only add up.")
    against: tuple[Cue, ...] = Field(default=(), description="They look like it and are something else.")


class IntentFront(ContentModel):
    """Front matter of a file in lexicon/."""

    what: ClassVar[str] = "an intent"

    id: Intent = Field(description="The file's name without its ending; one of the ten intents.")
    title: Title = Field(description="Its everyday name.")
    cues: Cues = Field(description="The words it is recognised by.")


class Example(ContentModel):
    """One labelled post of lexicon/examples/: what it says, and what it says besides."""

    what: ClassVar[str] = "an example"

    text: str = Field(min_length=1, max_length=10_000, description="The post.")
    language: str | None = Field(default=None, description="BCP 47 tag of its language.")
    also: tuple[Intent, ...] = Field(default=(), description="Further intents of the same post.")


class IntentEntry(ContentModel):
    """One intent, whole: what it means, how it is recognised, and what to do about it."""

    id: Intent
    title: Title
    cues: Cues
    definition: str
    example: str
    false_positives: tuple[str, ...]
    response: str
    boundaries: str | None = None
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a heading, without blank ends, and the heading's line in the file (from 1)."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line of an examples file that is none (from 1), and a sentence about it."""

    line: int
    message: str


def sections(body: str, first_line: int = 1) -> dict[str, Section]:
    """Return the `##` sections of a Markdown body by their headings, in order.

    `first_line` is the line of the file on which the body begins. Of two sections of one name the first counts
    (`repeated_headings` tells); a `##` inside a code fence is text.
    """
    found: dict[str, Section] = {}
    for title, line, text in _split(body, first_line):
        found.setdefault(title, Section(text, line))
    return found


def repeated_headings(body: str, first_line: int = 1) -> list[tuple[str, int, int]]:
    """Return (heading, line of the first, line of the repetition) for each heading that occurs again."""
    seen: dict[str, int] = {}
    again: list[tuple[str, int, int]] = []
    for title, line, _ in _split(body, first_line):
        if title in seen:
            again.append((title, seen[title], line))
        seen.setdefault(title, line)
    return again


def _split(body: str, first_line: int) -> Iterable[tuple[str, int, str]]:
    title, line, lines = "", 0, list[str]()
    fence = ""
    for number, text in enumerate(body.splitlines(), first_line):
        mark = _FENCE.match(text)
        if mark and fence in ("", mark[1]):
            fence = "" if fence else mark[1]
        heading = None if fence else _HEADING.match(text)
        if not heading:
            lines.append(text)
            continue
        if line:
            yield title, line, "\n".join(lines).strip()
        title, line, lines = heading["title"], number, []
    if line:
        yield title, line, "\n".join(lines).strip()


def bullets(text: str) -> tuple[str, ...]:
    """Return the points of a Markdown list, each on one line; lines that go on are joined, other text is left out."""
    points: list[str] = []
    open_point = False
    for line in text.splitlines():
        mark = _BULLET.match(line)
        if mark:
            points.append(line[mark.end() :].strip())
            open_point = True
        elif not line.strip():
            open_point = False
        elif open_point:
            points[-1] += f" {line.strip()}"
    return tuple(points)


def parse_examples(text: str) -> tuple[tuple[Example, ...], tuple[BadLine, ...]]:
    """Return the examples of a .jsonl file, and for each line that is none its number and a sentence.

    Blank lines are nothing. Only a line feed ends a line: JSON may hold other separators inside a text.
    """
    examples: list[Example] = []
    bad: list[BadLine] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        read = _example(line)
        if isinstance(read, Example):
            examples.append(read)
        else:
            bad.append(BadLine(number, read))
    return tuple(examples), tuple(bad)


def _example(line: str) -> Example | str:
    """Return the example of one line, or what is wrong with it."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return f"this line is not JSON: {error.msg} at column {error.colno}"
    except (RecursionError, ValueError):
        return "this line cannot be read as JSON: it is nested too deeply or holds a number that is too long"
    if not isinstance(row, dict):
        return 'an example is an object such as {"text": "…", "language": "en"}'
    try:
        return Example.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"


def intent_entry(front: IntentFront, parts: dict[str, Section], examples: Iterable[Example] = ()) -> IntentEntry:
    """Return the entry that front matter, sections and examples make; KeyError where a required section is missing."""
    boundaries = parts.get(BOUNDARIES)
    # Of parts that are checked already, so there is nothing to validate, and no validator to build for it.
    return IntentEntry.model_construct(
        id=front.id,
        title=front.title,
        cues=front.cues,
        definition=" ".join(parts[DEFINITION].text.split()),
        example=unquoted(parts[EXAMPLE].text),
        false_positives=bullets(parts[FALSE_POSITIVES].text),
        response=parts[RESPONSE].text,
        boundaries=boundaries.text if boundaries else None,
        examples=tuple(examples),
    )


def unquoted(text: str) -> str:
    """Return a Markdown block quote as the plain text in it, its lines joined."""
    return " ".join(line.removeprefix(">").strip() for line in text.splitlines()).strip()
