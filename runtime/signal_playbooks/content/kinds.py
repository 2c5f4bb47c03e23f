"""The kinds of content file: where each stands in a content folder, and how one is read."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from signal_playbooks.content.destination import DESTINATION_OPTIONS, DestinationEntry
from signal_playbooks.content.document import Document, read_document, read_text
from signal_playbooks.content.fitting import fit
from signal_playbooks.content.front_matter import parse_front_matter
from signal_playbooks.content.lexicon import (
    REQUIRED_SECTIONS,
    IntentFront,
    intent_entry,
    parse_examples,
    repeated_headings,
    sections,
)
from signal_playbooks.content.model import ContentModel
from signal_playbooks.content.playbook import Playbook
from signal_playbooks.content.prompt import DraftEntry, DraftFront, PromptEntry, PromptFront
from signal_playbooks.content.site import SiteFile
from signal_playbooks.content.source import CONNECTOR_OPTIONS, SourceEntry
from signal_playbooks.content.templating import check_body
from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.contract.vocabulary import Intent
from signal_playbooks.problem import Problem, Span
from signal_playbooks.suggestion import did_you_mean, nearest

DRAFT_NAMES = frozenset({"signal", "author", "tone", "language"})


@dataclass(frozen=True, slots=True)
class ContentFile:
    """One file of content, read: `entry` is None where it does not fit its kind; `name` is its id by file name."""

    kind: str
    name: str
    path: Path
    document: Document | None
    entry: Any
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: its folder and endings, and how one is read."""

    folder: str
    endings: tuple[str, ...]
    read: Callable[[str, Path, str], ContentFile]
    only: str | None = None

    def files(self, root: Path) -> Iterator[Path]:
        """Yield the files of this kind under a content folder, by name."""
        folder = root / self.folder
        if not folder.is_dir():
            return
        for path in sorted(folder.iterdir()):
            if path.suffix in self.endings and not path.name.startswith(".") and self.claims(path):
                yield path

    def claims(self, path: Path) -> bool:
        """Tell whether a file of that name is of this kind, among those that share the folder."""
        return self.only is None or path.name == self.only


def _read_yaml(model: type[ContentModel]) -> Callable[[str, Path, str], ContentFile]:
    def read(kind: str, path: Path, shown: str) -> ContentFile:
        document = read_document(path, shown)
        entry, problems = _fitted(document, model)
        if entry is not None and document.root is not None:
            problems = [*problems, *_file_name(document, entry, path), *_options(document, entry)]
        return ContentFile(kind, path.stem, path, document, entry, tuple(problems))

    return read


def _fitted(document: Document, model: type[ContentModel]) -> tuple[Any, list[Problem]]:
    if document.root is None:
        return None, list(document.problems)
    entry, problems = fit(document, document.root, model)
    return entry, [*document.problems, *problems]


def _file_name(document: Document, entry: Any, path: Path) -> list[Problem]:
    name = getattr(entry, "id", None)
    node = document.at(("id",))
    if name is None or name == path.stem or node is None:
        return []
    message = f"a file is called by its id: this is {name!r} in {path.name}"
    return [document.problem(node, "file-name", message, hint=f"rename the file to {name}{path.suffix}")]


# For kinds with options: the key that says which, what it is called, and the options by it.
_OPTIONED: Mapping[type, tuple[str, str, Mapping[str, type[ContentModel]]]] = {
    SourceEntry: ("connector", "connector", CONNECTOR_OPTIONS),
    DestinationEntry: ("kind", "kind of destination", DESTINATION_OPTIONS),
}


def _options(document: Document, entry: Any) -> list[Problem]:
    if type(entry) not in _OPTIONED:
        return []
    key, what, options = _OPTIONED[type(entry)]
    chosen = getattr(entry, key)
    node = document.at((key,))
    if chosen not in options and node is not None:
        near = nearest(chosen, options)
        meant = f"; did you mean {near!r}?" if near else ""
        message = f"{chosen!r} is no {what}: there is {', '.join(options)}{meant}"
        return [document.problem(node, "bad-value", message)]
    return [
        Problem(document.key_span((other,)), "misplaced-key", f"{other} options belong to {key}: {other}")
        for other in options
        if other != chosen and other in entry.model_fields_set
    ]


def _read_intent(kind: str, path: Path, shown: str) -> ContentFile:
    text, unreadable = read_text(path, shown)
    if unreadable:
        return ContentFile(kind, path.stem, path, None, None, (unreadable,))
    document, body, line = parse_front_matter(text, shown)
    front, problems = _fitted(document, IntentFront)
    parts = sections(body, line)
    lines = body.splitlines()
    for heading in REQUIRED_SECTIONS:
        if heading not in parts:
            problems.append(
                _at_line(shown, line, lines, line, "missing-section", f"the section '## {heading}' is missing")
            )
        elif not parts[heading].text:
            problems.append(
                _at_line(shown, parts[heading].line, lines, line, "missing-section", f"'## {heading}' is empty")
            )
    for heading, first, again in repeated_headings(body, line):
        message = f"'## {heading}' stands twice; the first is at line {first}"
        problems.append(_at_line(shown, again, lines, line, "duplicate-section", message))
    entry = None
    if front is not None:
        problems += _file_name(document, front, path)
        if all(parts.get(heading) for heading in REQUIRED_SECTIONS):
            entry = intent_entry(front, parts)
    return ContentFile(kind, path.stem, path, document, entry, tuple(problems))


def _at_line(shown: str, line: int, lines: list[str], first: int, rule: str, message: str) -> Problem:
    text = lines[line - first] if 0 <= line - first < len(lines) else ""
    return Problem(Span(shown, line, 1, len(text) + 1 if text else 2, text), rule, message)


# What examples may be called: an intent, or none.
_LABELS: tuple[str, ...] = (*get_args(Intent), "none")


def _read_examples(kind: str, path: Path, shown: str) -> ContentFile:
    text, unreadable = read_text(path, shown)
    if unreadable:
        return ContentFile(kind, path.stem, path, None, None, (unreadable,))
    examples, bad = parse_examples(text)
    lines = text.split("\n")
    problems = [_at_line(shown, line.line, lines, 1, "bad-example", line.message) for line in bad]
    if path.stem not in _LABELS:
        message = f"{path.stem!r} is no intent, and examples are called by theirs{did_you_mean(path.stem, _LABELS)}"
        problems.append(_at_line(shown, 1, lines, 1, "file-name", message))
    return ContentFile(kind, path.stem, path, None, examples, tuple(problems))


def _read_prompt(kind: str, path: Path, shown: str) -> ContentFile:
    return _read_template(kind, path, shown, PromptFront, PromptEntry)


def _read_draft(kind: str, path: Path, shown: str) -> ContentFile:
    return _read_template(kind, path, shown, DraftFront, DraftEntry)


def _read_template(
    kind: str, path: Path, shown: str, front_model: type[ContentModel], entry_model: type[ContentModel]
) -> ContentFile:
    text, unreadable = read_text(path, shown)
    if unreadable:
        return ContentFile(kind, path.stem, path, None, None, (unreadable,))
    document, body, line = parse_front_matter(text, shown)
    front, problems = _fitted(document, front_model)
    entry = None
    if front is not None:
        problems += _file_name(document, front, path)
        names = DRAFT_NAMES if front_model is DraftFront else frozenset(one.name for one in front.arguments)
        problems += check_body(body, shown, line, names)
        entry = entry_model.model_construct(front=front, body=body)  # both checked already
    return ContentFile(kind, path.stem, path, document, entry, tuple(problems))


YAML = (".yaml", ".yml")
KINDS: Mapping[str, Kind] = {
    "site": Kind(".", YAML, _read_yaml(SiteFile), only="signal.yaml"),
    "vocabulary": Kind("lexicon", YAML, _read_yaml(Vocabulary), only="vocabulary.yaml"),
    "intent": Kind("lexicon", (".md",), _read_intent),
    "examples": Kind("lexicon/examples", (".jsonl",), _read_examples),
    "source": Kind("catalog/sources", YAML, _read_yaml(SourceEntry)),
    "destination": Kind("catalog/destinations", YAML, _read_yaml(DestinationEntry)),
    "prompt": Kind("prompts", (".md",), _read_prompt),
    "draft": Kind("prompts/drafts", (".md",), _read_draft),
    "playbook": Kind("playbooks", YAML, _read_yaml(Playbook)),
}
