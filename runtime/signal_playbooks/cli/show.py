"""What a person sees of results: tables they can act on. Post text is data here too: never markup, never an escape."""

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from signal_playbooks.contract.dispatch import DispatchOutput
from signal_playbooks.contract.inspect import InspectOutput
from signal_playbooks.contract.listen import Coverage, ListenOutput
from signal_playbooks.contract.model import rfc3339
from signal_playbooks.contract.signal import Signal
from signal_playbooks.text import cut, visible

_GUESS_BELOW = 0.6  # the contract: under this an intent is a guess
_PIPED_WIDTH = 1_000  # nobody watches, so a row stays one line, for grep and cut
_TABLE_WIDTH = 120


def print_json(value: object) -> None:
    """Print one JSON document on stdout, times and ids as text; escaped where the stream has no Unicode."""
    print(json.dumps(value, ensure_ascii=not _speaks_unicode(), indent=2, default=str))


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().startswith("utf")


def console() -> Any:
    """Return a rich console on stdout; wide and plain where nobody watches."""
    from rich.console import Console  # noqa: PLC0415 - rich is slow to import, and --json does not need it

    watched = sys.stdout.isatty()
    return Console(markup=False, highlight=False, emoji=False, width=None if watched else _PIPED_WIDTH)


def _line(text: str) -> None:
    # A row padded to the width of its column would end in blanks that nobody sees and everybody copies.
    print("\n".join(line.rstrip() for line in text.splitlines()))


def plain(text: object) -> str:
    """Return any value as one line without control characters, so that no post can move the cursor."""
    return " ".join(visible(str(text)).split())


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], *, whole: str | None = None) -> None:
    """Print rows under their columns; the column `whole` is never broken, so that it can be copied.

    Where the terminal is too narrow for that, each row becomes a block of lines.
    """
    from rich.table import Table  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    screen = console()
    if whole is not None and screen.width < _TABLE_WIDTH:
        _blocks(columns, rows)
        return
    drawn = Table(box=None, pad_edge=False, show_edge=False, header_style="bold")
    for column in columns:
        drawn.add_column(column, overflow="fold", vertical="top", no_wrap=column == whole)
    for row in rows:
        drawn.add_row(*(Text(plain(cell)) for cell in row))
    with screen.capture() as captured:
        screen.print(drawn)
    _line(captured.get())


def _blocks(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    width = max(map(len, columns))
    for row in rows:
        lines = [f"{column:<{width}}  {plain(cell)}" for column, cell in zip(columns, row, strict=True)]
        print("\n".join(lines), end="\n\n")


def intent_words(intent: str, confidence: float) -> str:
    """Return `complaining 0.87`, with a question mark where it is a guess."""
    return f"{intent} {confidence:.2f}{'?' if confidence < _GUESS_BELOW else ''}"


def show_listen(output: ListenOutput) -> None:
    """Print the signals, the summary and what could not be heard."""
    if output.signals:
        rows = [_signal_row(signal) for signal in output.signals]
        table(("who", "what", "why", "intent", "id"), rows, whole="id")
        print()
    print(plain(output.summary))
    if output.more:
        print(f"{output.more} more matched; --limit shows up to 100.")
    show_coverage(output.coverage)


def _signal_row(signal: Signal) -> tuple[str, ...]:
    what = f"{cut(plain(signal.headline), 90)} {signal.url}"
    intent = intent_words(signal.intent, signal.intent_confidence)
    return (signal.author.handle or "(deleted)", what, signal.match_reason, intent, signal.id)


def show_coverage(lines: Sequence[Coverage]) -> None:
    """Print a line for every source that has something to say beyond ok."""
    for line in lines:
        if line.state != "ok" or line.note:
            action = f" {line.suggested_action}" if line.suggested_action else ""
            print(f"{line.source}: {line.state}. {plain(line.note or '')}{action}".rstrip())


def show_inspect(output: InspectOutput) -> None:
    """Print a signal in its context."""
    signal = output.signal
    print(plain(signal.headline))
    print(f"{signal.url}  [{output.status}]")
    print(f"by {plain(signal.author.handle or '(deleted)')}, {intent_words(signal.intent, signal.intent_confidence)}")
    print(plain(signal.match_reason))
    if output.author_context is not None:
        author = output.author_context
        print(
            f"\nAuthor: {author.likely_role_hint}; posts {author.recent_posts_bucket}; last week {author.sentiment_7d}"
        )
        for words in author.evidence:
            print(f"  “{plain(words)}”")
        if author.domains_posted_in:
            print(f"  posts in {', '.join(map(plain, author.domains_posted_in))}")
    for item in output.thread or ():
        mark = " (author of the thread)" if item.is_op_reply else ""
        print(f"\n{plain(item.author or '(deleted)')}{mark}:\n  {plain(item.body)}")
    if output.thread_more:
        print(f"\n{output.thread_more} more in the thread: {signal.url}")


def show_act(output: DispatchOutput) -> None:
    """Print one act: its state, what it says, and how to go on."""
    print(f"{output.action} {output.status}: {output.handle}")
    if output.note:
        print(plain(output.note))
    print()
    print("\n".join(visible(line) for line in output.preview.splitlines()))
    print()
    if output.status == "staged":
        print(f"Staged, not sent. Approve it with: signal approve {output.handle}")
    elif output.receipt:
        print(f"Receipt: {plain(output.receipt)}")


def act_exit_code(output: DispatchOutput) -> int:
    """Return the exit code of an act that was settled: 4 in doubt, 1 failed, else 0."""
    return {"in_doubt": 4, "failed": 1}.get(output.status, 0)


def show_staged(acts: Sequence[DispatchOutput]) -> None:
    """Print the acts that wait, each with the command that approves it."""
    if not acts:
        print("Nothing is staged. A playbook or signal dispatch stages acts.")
        return
    rows = [(act.action, cut(plain(act.preview), 100), _until(act), f"signal approve {act.handle}") for act in acts]
    table(("act", "preview", "expires", "approve with"), rows, whole="approve with")


def _until(act: DispatchOutput) -> str:
    return rfc3339(act.expires_at) if act.expires_at else ""


def show_run(result: Mapping[str, Any], *, suffix: str = "") -> None:
    """Print a finished run: who, where, why it matched, the intent, what is staged, and what approves it.

    `suffix` ends each command shown, so that it reaches the database of this run.
    """
    staged = result.get("staged") or []
    if staged:
        columns = ("who", "where", "why it matched", "intent", "staged", "approve with")
        table(columns, [_staged_row(act, suffix) for act in staged], whole="approve with")
        print()
    for note in result.get("notes") or ():
        print(plain(note))
    for summary in _unheard(result):
        print(plain(summary))
    for name, value in (result.get("outputs") or {}).items():
        print(f"{name}: {cut(plain(json.dumps(value, ensure_ascii=False, default=str)), 400)}")
    print(f"Run {result['run_id']} {result['status']}: {_tally(result)}.")
    if staged:
        print(f"Staged, not sent. Read one in full with: signal staged disp_…{suffix}")
    for told in _lane_errors(result):
        print(plain(told), file=sys.stderr)
    if result.get("error"):
        error = result["error"]
        print(plain(error["message"]), file=sys.stderr)
        if error.get("suggested_action"):
            print(plain(error["suggested_action"]), file=sys.stderr)


def _unheard(result: Mapping[str, Any]) -> list[str]:
    """Return what each listen that heard nothing says about it."""
    outputs = [step.get("output") or {} for step in (result.get("steps") or {}).values()]
    return [output["summary"] for output in outputs if "summary" in output and not output.get("signals")]


def _lane_errors(result: Mapping[str, Any]) -> list[str]:
    """Return why lanes failed, each reason once, with how many it stopped and the first of them."""
    found: dict[str, list[str]] = {}
    for name, step in (result.get("steps") or {}).items():
        for item in step.get("items") or ():
            if item.get("error"):
                found.setdefault(_reason(item["error"]), []).append(f"{name}[{item['key']}]")
    return [f"{len(keys)} of the lanes failed, the first {keys[0]}: {reason}" for reason, keys in found.items()]


def _reason(error: Mapping[str, Any]) -> str:
    return f"{error['message']} {error.get('suggested_action') or ''}".strip()


def _staged_row(act: Mapping[str, Any], suffix: str) -> tuple[str, ...]:
    intent = intent_words(act["intent"], act["intent_confidence"] or 0) if act.get("intent") else ""
    return (
        act.get("author") or "(deleted)",
        str(act.get("url") or ""),
        str(act.get("match_reason") or ""),
        intent,
        str(act["action"]),
        f"signal approve {act['handle']}{suffix}",
    )


def _tally(result: Mapping[str, Any]) -> str:
    lines = []
    for name, step in (result.get("steps") or {}).items():
        counts = step.get("counts")
        if counts:
            told = ", ".join(f"{count} {status}" for status, count in counts.items() if count)
            lines.append(f"{name} {told or 'no lanes'}")
        else:
            lines.append(f"{name} {step['status']}")
    return "; ".join(lines)
