"""The border of the command line: every error becomes a sentence (or JSON) and an exit code; no traceback leaves."""

import json
import os
import sys
from collections.abc import Sequence
from itertools import pairwise

import typer

from signal_playbooks.errors import ContentInvalid, Interrupted, SignalError, UsageError
from signal_playbooks.problem import render_text
from signal_playbooks.settings import wants_traces
from signal_playbooks.text import visible

UNEXPECTED = "Something unexpected went wrong inside signal"


def guarded(app: typer.Typer, words: Sequence[str]) -> int:
    """Run the command and return its exit code; whatever it raises is told in one sentence."""
    as_json = "--json" in words or _asks_json_format(words)
    try:
        command = typer.main.get_command(app)
        # Not command.main(): that one has its own ideas of Ctrl-C and of a reader that goes away.
        with command.make_context("signal", list(words)) as context:
            outcome = command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as chosen:
        return chosen.exit_code
    except BrokenPipeError:
        _hear_nobody()  # the reader went away (`| head`), which is its right
        return 0
    except (Exception, KeyboardInterrupt) as raised:  # noqa: BLE001 - the border of a command
        error = _translated(raised)
        try:
            _tell(error, as_json=as_json)
            sys.stdout.flush()
        except OSError:
            _hear_nobody()
        return error.exit_code
    return outcome if isinstance(outcome, int) else 0


def _hear_nobody() -> None:
    """Let what is still to be written go nowhere: nobody is left to tell, and Python must not complain at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _asks_json_format(words: Sequence[str]) -> bool:
    return "--format=json" in words or ("--format", "json") in pairwise(words)


def _translated(raised: BaseException) -> SignalError:
    match raised:
        case SignalError():
            return raised
        case KeyboardInterrupt() | typer.Abort():
            return Interrupted("Interrupted; what was finished is kept.", "See what waits with: signal staged")
        case OSError():
            return _from_system(raised)
    if hasattr(raised, "format_message") and getattr(raised, "exit_code", None) == UsageError.exit_code:
        context = getattr(raised, "ctx", None)
        where = f"{context.command_path} --help" if context else "signal --help"
        return UsageError(raised.format_message(), f"See: {where}")
    return _unexpected(raised)


def _from_system(raised: OSError) -> SignalError:
    what = raised.strerror or type(raised).__name__
    named = f" ({raised.filename})" if raised.filename else ""
    return SignalError(f"The system refused: {what}{named}.", "Check that the place exists, is writable and has room.")


def _unexpected(raised: BaseException) -> SignalError:
    if wants_traces(os.environ):
        raise raised
    return SignalError(
        f"{UNEXPECTED} ({type(raised).__name__}).",
        "See what was done with signal staged. Set SIGNAL_DEBUG=1 and run it again to see where; then report it.",
    )


def _tell(error: SignalError, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"error": error.as_dict()}, ensure_ascii=False, default=str))
        return
    if isinstance(error, ContentInvalid):
        for problem in error.problems:
            print(render_text(problem), file=sys.stderr)
    arguments = error.data.get("errors", ())
    named = [f"  {argument['path']}: {argument['message']}" for argument in arguments if len(arguments) > 1]
    for line in (error.message, *named, error.suggested_action):
        if line:
            print(visible(line), file=sys.stderr)
