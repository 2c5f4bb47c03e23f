"""Reply drafts: the templates of prompts/drafts/, rendered in a sandbox over one signal's text."""

from collections.abc import Iterable, Mapping
from typing import Any

from signal_playbooks.content.prompt import DraftEntry
from signal_playbooks.content.templating import sandbox
from signal_playbooks.contract.signal import Signal
from signal_playbooks.errors import EvaluationFailed

LONGEST_DRAFT = 40_000  # characters; what dispatch takes as a text of one's own


class Drafts:
    """The reply drafts of a library, by the intent that each answers; templates are compiled when first used."""

    def __init__(self, drafts: Mapping[str, DraftEntry]) -> None:
        self._drafts = {draft.front.intent: draft for draft in drafts.values()}
        self._compiled: dict[str, Any] = {}

    def render(self, signal: Signal, *, tone: str, language: str) -> str | None:
        """Return the draft for the signal's intent, None where no draft is declared for it.

        The signal's values are plain text to the template, never a template themselves. Raises EvaluationFailed where
        the template asks for something that is not there, or writes more than 40,000 characters.
        """
        draft = self._drafts.get(signal.intent)
        if draft is None:
            return None
        names = {
            "signal": signal.model_dump(mode="json", by_alias=True),
            "author": signal.author.handle,
            "tone": tone,
            "language": language,
        }
        return self._rendered(draft, names)

    def _rendered(self, draft: DraftEntry, names: Mapping[str, Any]) -> str:
        # Imported here for the command line's start-up: most commands draft nothing.
        from jinja2 import TemplateError  # noqa: PLC0415

        try:
            return _bounded(self._template(draft).generate(names)).strip()
        except (TemplateError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            raise EvaluationFailed(
                f"The draft {draft.front.id} could not be written: {str(error)[:200] or type(error).__name__}.",
                f"Correct prompts/drafts/{draft.front.id}.md, or pass your own words in params.text.",
            ) from error

    def _template(self, draft: DraftEntry) -> Any:
        if draft.front.id not in self._compiled:
            self._compiled[draft.front.id] = sandbox().from_string(draft.body)
        return self._compiled[draft.front.id]


def _bounded(pieces: Iterable[str]) -> str:
    text, length = [], 0
    for piece in pieces:
        length += len(piece)
        if length > LONGEST_DRAFT:
            raise ValueError(f"it is longer than {LONGEST_DRAFT:,} characters")
        text.append(piece)
    return "".join(text)
