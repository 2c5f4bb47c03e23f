"""Dates as public places write them, read into aware UTC moments."""

import re
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz

# Zones by the names that RFC 822 and Europe's feeds use, in hours; a name that is not here is refused, never guessed.
_ZONES = {"UT": 0, "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "BST": 1, "WEST": 1, "CET": 1, "MET": 1, "MEZ": 1}
_ZONES |= {"CEST": 2, "MEST": 2, "MESZ": 2, "EET": 2, "EEST": 3, "AST": -4, "ADT": -3, "EST": -5, "EDT": -4}
_ZONES |= {"CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7}
_AGE = re.compile(r"([0-9]{1,5})([smhd])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def read_date(text: str) -> datetime | None:
    """Return an RFC 3339 (ISO 8601) or RFC 822 date as aware UTC, None where it is neither.

    A date without a zone is taken as UTC; one that names a zone nobody knows is refused rather than guessed.
    """
    text = text.strip()
    try:
        moment = datetime.fromisoformat(text) if text[:1].isdigit() and "-" in text[:8] else _rfc822(text)
        if moment is None:
            return None
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def read_age(text: str, now: datetime) -> datetime | None:
    """Return the moment that was `3h` (a whole number and s, m, h or d) before now, None where it is no age."""
    found = _AGE.fullmatch(text.strip())
    return now - timedelta(**{_UNITS[found[2]]: int(found[1])}) if found else None


def _rfc822(text: str) -> datetime | None:
    if len(text) > 80:
        return None
    name = text.rsplit(" ", 1)[-1].upper()
    hours = _ZONES.get(name)
    if hours is None and name.isalpha():
        return None
    parts = parsedate_tz(text if hours is None else text[: -len(name)] + "+0000")
    if parts is None:
        return None
    zone = timedelta(seconds=parts[9] or 0) if hours is None else timedelta(hours=hours)
    return datetime(*parts[:6], tzinfo=timezone(zone))
