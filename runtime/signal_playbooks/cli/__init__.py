"""The command line: one module a command, imported only when that command runs."""

import gc
import importlib
import sys
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import Any

import typer
from typer.core import TyperGroup

from signal_playbooks.suggestion import did_you_mean

# Every command: its name, the module that holds its `app`, and its line in the overview (which must import nothing).
COMMANDS: Mapping[str, tuple[str, str]] = {
    "run-playbook": ("run_playbook", "Run a playbook; print what was found and what is staged."),
    "check": ("check", "Check content; name every mistake with file, line and column."),
    "listen": ("listen", "Find people talking about a thing."),
    "inspect": ("inspect", "Look into one signal: its thread, its author."),
    "dispatch": ("dispatch", "Stage an act on a signal; nothing is sent."),
    "staged": ("staged", "List the acts that wait for approval."),
    "approve": ("approve", "Execute a staged act, exactly as previewed, once."),
    "discard": ("discard", "Throw a staged act away."),
    "import": ("import_posts", "Add posts of your own to the archive, from JSON Lines."),
    "playbooks": ("playbooks", "List the playbooks, or show one."),
    "sources": ("sources", "List the sources, and whether each can be heard."),
    "init": ("init", "Make a content folder of your own."),
}

_OBJECTS_BEFORE_COLLECTING = 200_000

EPILOG = """Examples:

  signal run-playbook competitor_churn --set competitor=Plinthly --sources demo

  signal listen "people leaving Plinthly over price" --sources demo

  signal init my-content; signal check my-content

Exit codes: 0 succeeded; 1 failed; 2 usage, or content that does not check;
3 partial; 4 an act is in doubt; 130 interrupted."""


class _LazyCommands(TyperGroup):
    """A group that lists its commands from a table and imports one only to run it."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the command names in the order a person meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return the command, imported now, or None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"signal_playbooks.cli.{COMMANDS[cmd_name][0]}")
        command = typer.main.get_command(module.app)
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the named command; an unknown name is answered from the table, with a suggestion."""
        if args and args[0] not in COMMANDS:
            ctx.fail(f"There is no command {args[0]!r}{did_you_mean(args[0], COMMANDS)}. `signal --help` lists them.")
        return args[0], self.get_command(ctx, args[0]), args[1:]

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the overview from the table, without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


def _version(asked: bool) -> None:
    if asked:
        from signal_playbooks import __version__  # noqa: PLC0415

        typer.echo(f"signal {__version__}")
        raise typer.Exit


app = typer.Typer(
    name="signal",
    cls=_LazyCommands,
    help="Declarative playbooks for public signal intelligence: find people talking about a thing, understand one of "
    "them in depth, and act: staged first, committed second.",
    epilog=EPILOG,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print it."),
) -> None:
    """Take the options that stand before any command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; always ends in SystemExit with one of the documented codes."""
    # Starting is almost all of a short command, and imports free nothing: collecting in between is time lost.
    gc.set_threshold(_OBJECTS_BEFORE_COLLECTING)
    for stream in (sys.stdout, sys.stderr):
        # A terminal without Unicode shows a question mark for what it has no sign for, instead of failing.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] not in ("--help", "--version"):
        from signal_playbooks.cli.border import guarded  # noqa: PLC0415

        sys.exit(guarded(app, words))
    app(words, prog_name="signal")
