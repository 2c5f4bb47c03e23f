"""All content in use: the shipped folders with a person's own over them, read, checked and by id."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from signal_playbooks.content.checking.context import Names
from signal_playbooks.content.checking.playbook import check_playbook
from signal_playbooks.content.checking.uses import used_by
from signal_playbooks.content.destination import DestinationEntry
from signal_playbooks.content.kinds import KINDS, ContentFile
from signal_playbooks.content.lexicon import Example, IntentEntry
from signal_playbooks.content.playbook import Playbook
from signal_playbooks.content.prompt import DraftEntry, PromptEntry
from signal_playbooks.content.source import SourceEntry
from signal_playbooks.content.vocabulary import Vocabulary
from signal_playbooks.errors import ContentInvalid, UsageError
from signal_playbooks.problem import Problem, has_errors, in_order
from signal_playbooks.suggestion import did_you_mean

CONTENT_FOLDERS = ("playbooks", "prompts", "lexicon", "catalog")
NO_INTENT = "none"
# What listen, inspect and dispatch stand on; a broken one of these would change what they do without a word.
_STOOD_ON = frozenset({"site", "vocabulary", "intent", "examples", "source", "destination", "draft"})


@dataclass(frozen=True)
class Library:
    """Content by kind and id; `roots` are the folders it came from, the lowest first."""

    files: Mapping[tuple[str, str], ContentFile]
    roots: tuple[Path, ...] = field(default=())

    def entries(self, kind: str) -> dict[str, Any]:
        """Return what fits its kind, by id."""
        return {name: one.entry for (which, name), one in self.files.items() if which == kind and one.entry is not None}

    def broken(self, kind: str) -> list[str]:
        """Return the names of files that do not fit their kind."""
        return [name for (which, name), one in self.files.items() if which == kind and one.entry is None]

    @cached_property
    def playbooks(self) -> Mapping[str, Playbook]:
        """Return the playbooks."""
        return self.entries("playbook")

    @cached_property
    def sources(self) -> Mapping[str, SourceEntry]:
        """Return the sources."""
        return self.entries("source")

    @cached_property
    def destinations(self) -> Mapping[str, DestinationEntry]:
        """Return the destinations."""
        return self.entries("destination")

    @cached_property
    def prompts(self) -> Mapping[str, PromptEntry]:
        """Return the prompts."""
        return self.entries("prompt")

    @cached_property
    def drafts(self) -> Mapping[str, DraftEntry]:
        """Return the drafts, by the intent they answer."""
        return {draft.front.intent: draft for draft in self.entries("draft").values()}

    @cached_property
    def intents(self) -> Mapping[str, IntentEntry]:
        """Return the lexicon, each intent with its examples."""
        examples = self.entries("examples")
        return {
            name: entry.model_copy(update={"examples": examples.get(name, ())})
            for name, entry in self.entries("intent").items()
        }

    @cached_property
    def none_examples(self) -> Sequence[Example]:
        """Return the examples that have no intent."""
        found: Sequence[Example] = self.entries("examples").get(NO_INTENT, ())
        return found

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return the vocabulary; an empty one where none is declared."""
        found: Vocabulary = self.entries("vocabulary").get("vocabulary") or Vocabulary()
        return found

    def posts_folder(self, source_id: str) -> Path | None:
        """Return the folder of posts that fills a source, from the root its entry came from; None where it has none."""
        entry = self.sources.get(source_id)
        folder = getattr(entry.options, "posts", None) if entry else None
        return self.files[("source", source_id)].path.parent.parent / folder if folder else None

    def playbook(self, playbook_id: str) -> Playbook:
        """Return a playbook that checks; UsageError where there is none, ContentInvalid where it does not check."""
        if ("playbook", playbook_id) not in self.files:
            known = ", ".join(sorted(self.playbooks)) or "none"
            near = did_you_mean(playbook_id, self.playbooks)
            raise UsageError(f"There is no playbook {playbook_id!r}{near}.", f"These exist: {known}.")
        problems = in_order(
            problem
            for name in self._with_used(playbook_id)
            for problem in self.problems_of(self.files[("playbook", name)])
        )
        if has_errors(problems):
            raise ContentInvalid(
                f"Playbook {playbook_id!r} does not check, so nothing was started.",
                [problem for problem in problems if problem.severity == "error"],
                "Mend what is named above, then: signal check",
            )
        return self.playbooks[playbook_id]

    def require_sound(self) -> None:
        """Raise ContentInvalid where anything the tools stand on does not check: all but playbooks and prompts."""
        problems = in_order(
            problem
            for (kind, _), file in self.files.items()
            if kind in _STOOD_ON
            for problem in file.problems
            if problem.severity == "error"
        )
        if problems:
            raise ContentInvalid(
                "The content in use does not check, so nothing was started.",
                problems,
                "Mend what is named above, then: signal check",
            )

    def text(self, kind: str, name: str) -> str:
        """Return a file as it was written."""
        return self.files[(kind, name)].path.read_text(encoding="utf-8")

    @cached_property
    def names(self) -> Names:
        """Return what playbooks may name."""
        documents = {
            name: one.document for (kind, name), one in self.files.items() if kind == "playbook" and one.document
        }
        return Names(self.sources, self.destinations, self.playbooks, documents, self.broken("playbook"))

    def problems_of(self, file: ContentFile) -> list[Problem]:
        """Return everything wrong with one file, alone and among the others."""
        problems = list(file.problems)
        if isinstance(file.entry, Playbook) and file.document is not None:
            problems += check_playbook(file.document, file.entry, self.names)
        return problems

    def problems(self) -> list[Problem]:
        """Return everything wrong with all of it."""
        return in_order(problem for file in self.files.values() for problem in self.problems_of(file))

    def _with_used(self, playbook_id: str) -> Iterator[str]:
        seen, pending = {playbook_id}, [playbook_id]
        while pending:
            name = pending.pop()
            yield name
            for used in used_by(self.playbooks[name]) if name in self.playbooks else ():
                if used not in seen and ("playbook", used) in self.files:
                    seen.add(used)
                    pending.append(used)


def read_root(root: Path, shown_from: Path) -> dict[tuple[str, str], ContentFile]:
    """Return every content file under one folder, by kind and name."""
    found = {}
    for kind, how in KINDS.items():
        for path in how.files(root):
            file = how.read(kind, path, shown(path, shown_from))
            found[(kind, _name_of(file))] = file
    return found


def _name_of(file: ContentFile) -> str:
    return getattr(file.entry, "id", None) or file.name


def shown(path: Path, shown_from: Path) -> str:
    """Return a path as problems name it: relative to where the person stands, where that is possible."""
    try:
        return path.absolute().relative_to(shown_from).as_posix()
    except ValueError:
        return str(path)


def load_library(shipped: Path, own: Path | None, *, shown_from: Path) -> Library:
    """Return all content in use; nothing is raised for content that is wrong: it is told by `problems`."""
    over = read_root(own, shown_from) if own is not None else {}
    site = over.get(("site", "signal"))
    alone = site is not None and site.entry is not None and not site.entry.shipped
    if own is None or not alone:
        return Library(read_root(shipped, shown_from) | over, (shipped,) if own is None else (shipped, own))
    return Library(over, (own,))


def check_paths(
    shipped: Path, own: Path | None, paths: Iterable[Path], *, shown_from: Path
) -> tuple[list[Problem], int]:
    """Return the problems of the files and folders named (of all content in use, where none is), and how many files.

    A content folder is checked as it would be used: over the shipped content. A single file is checked in place of
    the one of its id. Raises UsageError for a path that does not exist or holds no content.
    """
    named = [path.absolute() for path in paths]
    if not named:
        library = load_library(shipped, own, shown_from=shown_from)
        return library.problems(), len(library.files)
    problems: list[Problem] = []
    count = 0
    for path in named:
        found, files = _check_path(shipped, own, path, shown_from)
        problems += found
        count += files
    return in_order(problems), count


def _check_path(shipped: Path, own: Path | None, path: Path, shown_from: Path) -> tuple[list[Problem], int]:
    if is_content_folder(path):
        library = load_library(shipped, path, shown_from=shown_from)
        files = [file for file in library.files.values() if file.path.is_relative_to(path)]
        return [problem for file in files for problem in library.problems_of(file)], len(files)
    library = load_library(shipped, own, shown_from=shown_from)
    files = [_alone(file, shown_from) for file in _files_at(path)]
    over = {(file.kind, _name_of(file)): file for file in files}
    changed = Library({**library.files, **over}, library.roots)
    return [problem for file in files for problem in changed.problems_of(file)], len(files)


def is_content_folder(path: Path) -> bool:
    """Tell whether a folder is one of content: it has a signal.yaml, or one of the four folders."""
    return (path / "signal.yaml").is_file() or any((path / folder).is_dir() for folder in CONTENT_FOLDERS)


def _files_at(path: Path) -> list[Path]:
    if path.is_dir():
        endings = {ending for kind in KINDS.values() for ending in kind.endings}
        files = sorted(one for one in path.rglob("*") if one.is_file() and one.suffix in endings)
        if not files:
            raise UsageError(
                f"There is no content in {path}.", "Name a file, or a folder that signal init could have made."
            )
        return files
    if not path.exists():
        raise UsageError(f"There is no file or folder at {path}.", "Name one that exists.")
    return [path]


def _alone(path: Path, shown_from: Path) -> ContentFile:
    kind = kind_of_file(path)
    return KINDS[kind].read(kind, path, shown(path, shown_from))


def kind_of_file(path: Path) -> str:
    """Return the kind of a file by where it stands; a YAML file anywhere else is a playbook, a Markdown file a prompt.

    Raises UsageError for an ending that no content has.
    """
    for kind, how in KINDS.items():
        folder = Path(how.folder).parts
        if path.suffix in how.endings and path.parent.parts[-len(folder) :] == folder and how.claims(path):
            return kind
    if path.name == "signal.yaml":
        return "site"
    for ending, kind in ((".yaml", "playbook"), (".yml", "playbook"), (".md", "prompt")):
        if path.suffix == ending:
            return kind
    raise UsageError(f"{path} is no content file.", "Content is .yaml, .md, or .jsonl under lexicon/examples.")
