"""signal playbooks: list the playbooks, or show one."""

from typing import Annotated, Any

import typer

from signal_playbooks.cli.options import ContentOption, DatabaseOption, JsonOption
from signal_playbooks.cli.reading import library_of
from signal_playbooks.cli.show import print_json, table
from signal_playbooks.content.library import Library
from signal_playbooks.content.playbook import Playbook

app = typer.Typer(
    help="List the playbooks, or show one.",
    rich_markup_mode=None,
    add_completion=False,
    pretty_exceptions_enable=False,
    invoke_without_command=True,
)


@app.callback(invoke_without_command=True, epilog="Example: signal playbooks show competitor_churn")
def playbooks(
    ctx: typer.Context, as_json: JsonOption = False, content: ContentOption = None, db: DatabaseOption = None
) -> None:
    """List the playbooks: what each does and which inputs it takes."""
    ctx.obj = {"json": as_json, "content": content}
    if ctx.invoked_subcommand is not None:
        return
    library = library_of(content)
    if as_json:
        print_json({"playbooks": [described(playbook) for playbook in library.playbooks.values()]})
        return
    rows = [(key, playbook.title, ", ".join(_inputs(playbook))) for key, playbook in library.playbooks.items()]
    table(("id", "what it does", "inputs"), rows)
    for key in library.broken("playbook"):
        print(f"{key}: does not check; see: signal check")


@app.command(epilog="Example: signal playbooks show competitor_churn")
def show(
    ctx: typer.Context,
    playbook_id: Annotated[str, typer.Argument(metavar="ID", help="The playbook.", show_default=False)],
    as_json: JsonOption = False,
    content: ContentOption = None,
    db: DatabaseOption = None,
) -> None:
    """Show one playbook as it was written."""
    given: dict[str, Any] = ctx.obj or {}
    library = library_of(content or given.get("content"))
    playbook = library.playbook(playbook_id)
    if as_json or given.get("json"):
        print_json(described(playbook))
        return
    print(_source(library, playbook_id), end="")
    print(
        f"\nRun it with: signal run-playbook {playbook_id}{''.join(f' --set {name}=…' for name in _required(playbook))}"
    )


def described(playbook: Playbook) -> dict[str, Any]:
    """Return a playbook as authored, ready for JSON."""
    return playbook.model_dump(mode="json", by_alias=True, exclude_unset=True)


def _source(library: Library, playbook_id: str) -> str:
    return library.text("playbook", playbook_id).rstrip("\n") + "\n"


def _required(playbook: Playbook) -> list[str]:
    return [name for name, spec in (playbook.inputs or {}).items() if spec.required]


def _inputs(playbook: Playbook) -> list[str]:
    return [f"{name}{'' if spec.required else '?'}" for name, spec in (playbook.inputs or {}).items()]
