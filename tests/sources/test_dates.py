"""Dates as places write them: every one that is read is aware, and a guess is never made."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.sources.dates import read_age, read_date

READ = [
    ("2026-04-16T18:42:11Z", "2026-04-16T18:42:11+00:00"),
    ("2026-04-16T20:42:11.5+02:00", "2026-04-16T18:42:11.500000+00:00"),
    ("2026-04-16 18:42", "2026-04-16T18:42:00+00:00"),
    ("2026-04-16", "2026-04-16T00:00:00+00:00"),
    ("Mon, 21 Apr 2025 06:00:00 EDT", "2025-04-21T10:00:00+00:00"),
    ("Mon, 21 Apr 2025 08:57:00 MEST", "2025-04-21T06:57:00+00:00"),
    ("Mon, 21 Apr 2025 18:11:54 -0000", "2025-04-21T18:11:54+00:00"),
    ("Mon, 21 Apr 2025 18:11:54 GMT", "2025-04-21T18:11:54+00:00"),
    ("21 Apr 2025 18:11:54", "2025-04-21T18:11:54+00:00"),
]


@pytest.mark.parametrize(("text", "moment"), READ)
def test_a_date_is_read_into_utc(text: str, moment: str) -> None:
    """A post is placed in time wherever its place stands."""
    read = read_date(text)
    assert read is not None
    assert read.tzinfo is UTC
    assert read.isoformat() == moment


@pytest.mark.parametrize(
    "text", ["", "soon", "Mon, 21 Apr 2025 06:00:00 XYZT", "2026-13-01", "0001-01-01T00:00:00+14:00"]
)
def test_what_is_no_date_stays_unknown(text: str) -> None:
    """A zone that nobody knows would shift a post by hours if it were guessed."""
    assert read_date(text) is None


@given(st.text())
def test_any_text_is_a_moment_in_utc_or_none(text: str) -> None:
    """Feeds write anything into their dates."""
    read = read_date(text)
    assert read is None or read.tzinfo is not None


@pytest.mark.parametrize("text", ["3", "h", "3 h", "-3h", "3w", "123456d", "٣h"])
def test_what_is_no_age_is_refused(text: str) -> None:
    """A wrong unit must not pass for another."""
    assert read_age(text, datetime(2026, 4, 16, tzinfo=UTC)) is None
