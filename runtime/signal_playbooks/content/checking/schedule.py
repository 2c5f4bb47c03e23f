"""Checks on `schedule`: five cron fields, a zone that exists, a default for every input."""

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from signal_playbooks.content.checking.context import Check
from signal_playbooks.content.inputs import input_specs

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
# Each field: its name, the smallest and largest number, and the names that stand for numbers from the smallest on.
FIELDS: tuple[tuple[str, int, int, tuple[str, ...]], ...] = (
    ("minute", 0, 59, ()),
    ("hour", 0, 23, ()),
    ("day of month", 1, 31, ()),
    ("month", 1, 12, _MONTHS),
    ("day of week", 0, 7, _DAYS),
)
_LONGEST_MONTH = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}


def check_schedule(check: Check) -> None:
    """Check the schedule, where there is one."""
    schedule = check.playbook.schedule
    if schedule is None:
        return
    _check_cron(check, schedule.cron)
    try:
        ZoneInfo(schedule.timezone)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        message = f"{schedule.timezone!r} is no time zone: write one such as Europe/Berlin, America/New_York or UTC"
        check.say(("schedule", "timezone"), "bad-timezone", message)
    for name, spec in (check.playbook.inputs or {}).items():
        if spec.required:
            message = f"a scheduled playbook runs with nobody there to ask: input {name!r} needs a default"
            check.say_key(("inputs", name), "schedule-input", message)
    if check.playbook.inputs is None:
        for name in input_specs(check.playbook):
            message = f"a scheduled playbook runs with nobody there to ask: <{name}> needs a default"
            hint = f"inputs: {{{name}: {{default: …}}}}"
            check.say_key(("schedule",), "schedule-input", message, hint=hint)


def _check_cron(check: Check, cron: str) -> None:
    path = ("schedule", "cron")
    fields = cron.split()
    if len(fields) != len(FIELDS):
        message = (
            f"a cron line has five fields (minute, hour, day of month, month, day of week), this one has {len(fields)}"
        )
        check.say(path, "bad-cron", message, hint='every weekday at 8: "0 8 * * 1-5"')
        return
    start, sound = 0, True
    for field, (name, low, high, names) in zip(fields, FIELDS, strict=True):
        start = cron.index(field, start)
        wrong = field_error(field, name, low, high, names)
        if wrong:
            sound = False
            check.say(path, "bad-cron", wrong, within=(start, start + len(field)))
        start += len(field)
    if sound and _never_comes(fields):
        check.say(path, "bad-cron", "this day never comes: no such month has so many days")


def field_error(field: str, name: str, low: int, high: int, names: tuple[str, ...]) -> str | None:
    """Return what is wrong with one cron field, or None."""
    for part in field.split(","):
        span, slash, step = part.partition("/")
        if slash and not (step.isdecimal() and int(step) > 0):
            return f"{part!r} in the {name} field: after / stands a whole number above 0"
        if span == "*":
            continue
        ends = [_number(end, low, names) for end in span.split("-", 1)]
        if any(end is None or not low <= end <= high for end in ends):
            spoken = f" or {names[0]}–{names[-1]}" if names else ""
            return f"{part!r} is no {name}: expected {low}–{high}{spoken}, *, a list, a range or a step"
        if len(ends) > 1 and (ends[0] or 0) > (ends[1] or 0):
            return f"{part!r} in the {name} field runs backwards"
    return None


def _number(word: str, low: int, names: tuple[str, ...]) -> int | None:
    if word.isdecimal() and word.isascii():
        return int(word)
    return names.index(word.lower()) + low if word.lower() in names else None


def _never_comes(fields: list[str]) -> bool:
    day, month, weekday = fields[2], fields[3], fields[4]
    if not (day.isdecimal() and weekday == "*") or month == "*":
        return False
    months = [_number(part, 1, _MONTHS) for part in month.split(",")]
    return all(number is not None and int(day) > _LONGEST_MONTH.get(number, 31) for number in months)
