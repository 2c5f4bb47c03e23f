"""An act's content, as composing makes it."""

import pytest


@pytest.fixture
def content() -> dict[str, object]:
    """Return the content of a drafted reply to a post full of markup."""
    return {
        "action": "draft_reply",
        "title": 'Reply to: C# (v1.2) — "a_b" [x]!',
        "destination": "outbox",
        "note": "Read it first",
        "text": "A draft with [a place]\nand a second line",
        "signal": {
            "id": "sig_1",
            "source": "board",
            "url": "https://board.example/1",
            "headline": 'C# (v1.2) — "a_b" [x]!',
            "intent": "complaining",
            "intent_confidence": 0.87,
            "match_reason": "'pricier' in the text",
            "captured_at": None,
        },
        "post": {"title": 'C# (v1.2) — "a_b" [x]!', "body": "It just got pricier.", "author": "ana", "place": "c/x"},
        "staged_by": "local",
        "staged_at": "2026-04-16T18:42:11Z",
    }
