"""What an act would do, composed when it is staged: the words to preview, and the content that would be delivered."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, assert_never

from signal_playbooks.content.model import seconds
from signal_playbooks.contract.model import as_utc, rfc3339
from signal_playbooks.contract.reading import refusal
from signal_playbooks.contract.signal import Signal
from signal_playbooks.contract.vocabulary import Action
from signal_playbooks.errors import ArgumentError, NotConfigured
from signal_playbooks.post import Post
from signal_playbooks.tools.drafting import Drafts

_TONE = "friendly"
_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Composed:
    """What is shown before, and done after, the commit: never anything else. `due_at` only for a follow-up."""

    preview: str
    content: dict[str, Any]
    due_at: datetime | None = None


def compose(
    action: Action,
    params: Mapping[str, Any],
    signal: Signal,
    post: Post,
    *,
    drafts: Drafts,
    staged_by: str,
    now: datetime,
) -> Composed:
    """Return what committing would do.

    Raises InvalidArguments for a follow-up in the past, NotConfigured where there is neither a text nor a draft for the
    signal's intent, EvaluationFailed where that draft cannot be written.
    """
    content = _content(action, params, signal, post, staged_by=staged_by, now=now)
    match action:
        case "archive":
            return Composed(f"Archive: {signal.headline}\nLater listens leave it out.", content)
        case "flag":
            return Composed(f"Flag as {params['label']}: {signal.headline}", content)
        case "route":
            return Composed(_routed(params, signal, post), content)
        case "draft_reply":
            text = params.get("text") or _drafted(signal, params, drafts)
            return Composed(text, content | {"text": text, "title": f"Reply to: {signal.headline}"})
        case "schedule_followup":
            return _follow_up(params, signal, content, now)
        case _:
            assert_never(action)


def _content(
    action: Action, params: Mapping[str, Any], signal: Signal, post: Post, *, staged_by: str, now: datetime
) -> dict[str, Any]:
    return {
        "action": action,
        "title": signal.headline,
        "destination": params.get("destination"),
        "note": params.get("note"),
        "text": None,
        "signal": signal.model_dump(mode="json", by_alias=True),
        "post": {"title": post.title, "body": post.body, "author": post.author, "place": post.place},
        "staged_by": staged_by,
        "staged_at": rfc3339(now),
    }


def _routed(params: Mapping[str, Any], signal: Signal, post: Post) -> str:
    by = f" by {post.author}" if post.author else ""
    head = f"To {params['destination']}: {signal.headline}\n{signal.source}{by}, {signal.url}\n{signal.match_reason}"
    note = f"Note: {params['note']}" if params.get("note") else ""
    return "\n\n".join(part for part in (head, note, post.body) if part)


def _drafted(signal: Signal, params: Mapping[str, Any], drafts: Drafts) -> str:
    language = params.get("language") or signal.language or _LANGUAGE
    text = drafts.render(signal, tone=params.get("tone", _TONE), language=language)
    if not text:
        raise NotConfigured(
            f"There is no reply draft for the intent {signal.intent}.",
            f"Pass your own words in params.text, or write prompts/drafts/{signal.intent}.md.",
        )
    return text


def _follow_up(params: Mapping[str, Any], signal: Signal, content: dict[str, Any], now: datetime) -> Composed:
    if "at" in params:
        due = as_utc(datetime.fromisoformat(params["at"]))
    else:
        due = now + timedelta(seconds=seconds(params["in"]))
    if due <= now:
        raise refusal([ArgumentError("params.at", f"{rfc3339(due)} has passed; name a later moment")])
    towards = f" to {params['then_destination']}" if "then_destination" in params else ""
    preview = f"On {rfc3339(due)}, stage {params['then_action']}{towards} for: {signal.headline}"
    note = f"\nNote: {params['note']}" if params.get("note") else ""
    return Composed(preview + note, content | {"due_at": rfc3339(due)}, due)
