"""What expressions are tried in: one scope, the data that fits it, and a clock that stands still."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from signal_playbooks.clock import Clock
from signal_playbooks.content.evaluation import Unavailable
from signal_playbooks.content.expression import Complaint
from signal_playbooks.content.types import (
    BOOLEAN,
    DURATION,
    INTEGER,
    MOMENT,
    TEXT,
    Field,
    List,
    Map,
    Record,
    Scope,
    Text,
    Unbound,
    from_model,
    optional,
)
from signal_playbooks.contract.inspect import AuthorContext
from signal_playbooks.contract.listen import ListenOutput
from signal_playbooks.contract.signal import Engagement, Signal, SignalAuthor

NOW = datetime(2026, 4, 20, 12, 0, tzinfo=UTC)
CLOCK = Clock(now=lambda: NOW)
CASES = Path(__file__).parent / "content" / "expressions"
STATUS = Text(["succeeded", "failed", "skipped", "partial", "in_doubt"])


def signal(number: int, score: int | None, headline: str = "Leaving Quillo") -> Signal:
    """Return one signal of an invented board, `number` hours old."""
    return Signal(
        id=f"sig_{number}",
        source="lobby",
        url=f"https://lobby.example/{number}",
        headline=headline,
        excerpt="It costs twice what it did.",
        intent="complaining",
        intent_confidence=0.81,
        other_intents=[],
        author=SignalAuthor(handle=None if number == 3 else f"user{number}", karma_bucket="low"),
        engagement=Engagement(score=score, comments=2),
        captured_at=None if number == 3 else NOW.replace(hour=12 - number),
        first_seen_at=NOW,
        freshness_bucket="today",
        match_reason="Says 'costs twice'.",
        also_seen=[],
        language=None,
    )


SCOPE: Scope = {
    "inputs": Record(
        "inputs",
        {
            "topic": Field(TEXT),
            "limit": Field(INTEGER),
            "dry": Field(BOOLEAN),
            "switch": Field(TEXT),
            "rivals": Field(List(TEXT)),
            "since": Field(Text(["today", "this_week", "this_month"])),
            "after": Field(MOMENT),
            "wait": Field(DURATION),
            "maybe": Field(optional(BOOLEAN)),
        },
        noun="input",
    ),
    "steps": Record(
        "steps",
        {
            "find": Field(Record("step", {"status": Field(STATUS), "output": Field(from_model(ListenOutput))})),
            "look": Field(
                Record(
                    "step",
                    {
                        "items": Field(List(Map(TEXT))),
                        "output": Field(Unbound("look has lanes: write steps.look.items")),
                    },
                )
            ),
            "later": Field(TEXT, missing="the step 'later' comes after this one"),
        },
        noun="step",
    ),
    "signal": from_model(Signal),
    "author": from_model(AuthorContext),
    "thread": Unbound("thread is known after an inspect; the step before has depth surface"),
}

NAMES: Mapping[str, object] = {
    "inputs": {"topic": "Quillo", "limit": 5, "dry": False, "rivals": ["Ambit", "Norr"], "after": "2026-04-19"},
    "steps": {
        "find": {"status": "succeeded", "output": {"signals": [signal(1, 5), signal(2, 40), signal(3, None)]}},
        "gone": {"status": "skipped", "output": Unavailable("the step 'gone' was skipped, so it has no output")},
    },
    "signal": signal(1, 12),
    "author": {"likely_role_hint": "indie_founder", "items": 3, "class": "a", "_hidden": 1, "missing": None},
    "ratio": 0.5,
    "huge": list(range(10_001)),
    "flags": [True, False],
}


def cases(folder: str) -> list[Path]:
    """Return the input files of a folder of cases; each has its expected output beside it."""
    return sorted((CASES / folder).glob("*.in"))


def texts_of(case: Path) -> list[str]:
    """Return the texts of a case: they are parted by a line of three dashes."""
    return case.read_text("utf-8").removesuffix("\n").split("\n---\n")


def drawn(text: str, complaint: Complaint) -> str:
    """Return a complaint as its sentence and the place it points at, marked under its line."""
    before = text[: complaint.start]
    line = text.split("\n")[before.count("\n")]
    column = complaint.start - (before.rfind("\n") + 1)
    width = max(1, min(complaint.end - complaint.start, len(line) - column))
    hint = f"\n  hint: {complaint.hint}" if complaint.hint else ""
    marked = f"  {line}\n  {' ' * column}{'^' * width}"
    return f"{complaint.severity} [{complaint.rule}] {complaint.message}\n{marked}{hint}"
