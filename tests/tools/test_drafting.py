"""Drafts are templates in a sandbox; what a post says is never one of them."""

from collections.abc import Callable

import pytest

from signal_playbooks.content.library import Library
from signal_playbooks.content.prompt import DraftEntry, DraftFront
from signal_playbooks.contract.signal import Engagement, Signal, SignalAuthor
from signal_playbooks.errors import EvaluationFailed
from signal_playbooks.tools.drafting import LONGEST_DRAFT, Drafts
from tools.world import NOW


def _signal(**fields: object) -> Signal:
    least = {
        "id": "sig_1",
        "source": "board",
        "url": "https://board.example/1",
        "headline": "Plinthly",
        "excerpt": "…",
        "intent": "complaining",
        "intent_confidence": 0.8,
        "other_intents": [],
        "author": SignalAuthor(handle="ana", karma_bucket="low"),
        "engagement": Engagement(score=None, comments=None),
        "captured_at": None,
        "first_seen_at": NOW,
        "freshness_bucket": "unknown",
        "match_reason": "because",
        "also_seen": [],
        "language": None,
    }
    return Signal.model_validate(least | fields)


@pytest.fixture
def draft() -> Callable[[str], str | None]:
    """Return what renders a body over one signal."""

    def render(body: str, **fields: object) -> str | None:
        entry = DraftEntry(front=DraftFront(id="complaining", title="Reply", intent="complaining"), body=body)
        return Drafts({"complaining": entry}).render(_signal(**fields), tone="direct", language="en")

    return render


def test_a_template_sees_signal_author_tone_and_language(draft: Callable[..., str | None]) -> None:
    """And nothing else."""
    body = "{{ author }} {{ signal.headline }} {{ tone }} {{ language }} {{ signal.engagement.score }}"
    assert draft(body) == "ana Plinthly direct en None"


@pytest.mark.parametrize(
    "body",
    [
        "{{ secrets.token }}",
        "{{ signal.nonsense }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ signal.update({'a': 1}) }}",
        "{% for x in range(10000000) %}x{% endfor %}",
        "{% if %}",
        "{{ 1 / 0 }}",
        "{{ 'x' + 1 }}",
        "{% include 'other' %}",
    ],
)
def test_what_a_template_may_not_do_is_an_error_that_names_the_file(
    draft: Callable[..., str | None], body: str
) -> None:
    """A person mends the file, or passes their own words."""
    with pytest.raises(EvaluationFailed) as refused:
        draft(body)
    assert "prompts/drafts/complaining.md" in (refused.value.suggested_action or "")


def test_a_template_that_writes_without_end_is_stopped(draft: Callable[..., str | None]) -> None:
    """Long before memory is."""
    with pytest.raises(EvaluationFailed, match="longer than"):
        draft("{% for x in range(90000) %}" + "x" * (LONGEST_DRAFT // 100) + "{% endfor %}")


def test_what_a_post_says_is_rendered_as_it_stands(draft: Callable[..., str | None]) -> None:
    """Templates in a headline stay characters."""
    assert draft("{{ signal.headline }}", headline="{{ 7 * 7 }}{% raw %}") == "{{ 7 * 7 }}{% raw %}"


def test_an_intent_without_a_draft_gives_none(draft: Callable[..., str | None]) -> None:
    """The caller says what to do then."""
    assert draft("x", intent="hiring") is None


def test_every_shipped_draft_renders_in_both_tones(library: Library) -> None:
    """Also for an author who was deleted."""
    for entry in library.drafts.values():
        for tone in ("friendly", "direct"):
            for handle in ("ana", None):
                author = SignalAuthor(handle=handle, karma_bucket="unknown")
                signal = _signal(intent=entry.front.intent, author=author)
                text = Drafts(library.drafts).render(signal, tone=tone, language="en")
                assert text
                assert "None" not in text
    assert len(library.drafts) == 10
