"""The playbook file: named steps over the three tools, with typed inputs, loops, conditions and an outcome."""

from typing import Any, ClassVar, Literal, get_args

from pydantic import Field

from signal_playbooks.content.model import ContentModel, Duration, ExpressionText, Id, Title
from signal_playbooks.contract.tools import ToolName

InputType = Literal["string", "integer", "number", "boolean", "choice", "list", "date", "duration"]
ItemType = Literal["string", "integer", "number", "boolean", "date", "duration"]
RetryCause = Literal["rate_limited", "source_unavailable", "timed_out"]
OnError = Literal["stop", "continue"]


class InputSpec(ContentModel):
    """One input of a playbook; without a default it is required."""

    what: ClassVar[str] = "an input"

    type: InputType = Field(default="string", description="What kind of value it is.")
    items: ItemType | None = Field(default=None, description="For a list: the kind of each item.")
    choices: list[str] | None = Field(default=None, min_length=1, description="For a choice: the values allowed.")
    default: Any = Field(default=None, description="The value when none is given; without it the input is required.")
    description: str | None = Field(default=None, description="What it is for, in a sentence.")
    examples: list[Any] = Field(default_factory=list, description="A few values, for the person who is asked.")

    @property
    def required(self) -> bool:
        """Tell whether a value has to be given."""
        return "default" not in self.model_fields_set


class Budget(ContentModel):
    """How many calls of each effect a run may make."""

    what: ClassVar[str] = "a budget"

    listen: int = Field(default=20, ge=0, le=10_000, description="Listen calls.")
    inspect: int = Field(default=500, ge=0, le=100_000, description="Inspect calls.")
    stage: int = Field(default=200, ge=0, le=100_000, description="Acts staged.")
    commit: int = Field(default=0, ge=0, le=100_000, description="Acts committed.")


class Schedule(ContentModel):
    """When a playbook runs by itself: a checked declaration."""

    what: ClassVar[str] = "a schedule"

    cron: str = Field(description="Five fields: minute, hour, day of month, month, day of week.")
    timezone: str = Field(default="UTC", description="An IANA zone such as Europe/Berlin.")
    missed: Literal["run_once", "skip", "all"] = Field(default="run_once", description="What to do about missed times.")


class Retry(ContentModel):
    """How often a call is tried again, and when."""

    what: ClassVar[str] = "a retry"

    attempts: int = Field(ge=1, le=10, description="Tries in all, the first included.")
    wait: Duration = Field(default="1s", description="Before the second try.")
    factor: float = Field(default=2, ge=1, le=10, description="By how much each wait is longer than the last.")
    max_wait: Duration = Field(default="60s", description="No wait is longer.")
    on: list[RetryCause] = Field(default_factory=lambda: list(get_args(RetryCause)), description="For which errors.")
    until: ExpressionText | None = Field(
        default=None, description="A condition over attempt and output: tried again while false, even after success."
    )


class Step(ContentModel):
    """One step: a tool call, another playbook, a filter or a block of steps."""

    what: ClassVar[str] = "a step"

    id: Id | None = Field(default=None, description="How others name it; unique in the playbook.")
    tool: ToolName | None = Field(default=None, description="A call of listen, inspect or dispatch, with args.")
    args: dict[str, Any] | None = Field(default=None, description="The tool's arguments.")
    use: Id | None = Field(default=None, description="Another playbook, with its inputs under with.")
    with_: dict[str, Any] | None = Field(default=None, alias="with", description="Inputs of the used playbook.")
    filter: ExpressionText | None = Field(default=None, description="A condition; false ends the lane, as skipped.")
    steps: list["Step"] | None = Field(default=None, min_length=1, description="With for_each: the lane's steps.")
    for_each: Any = Field(default=None, description="signal, or an expression that is a list.")
    as_: Id | None = Field(default=None, alias="as", description="The lane variable.")
    when: ExpressionText | None = Field(default=None, description="A condition; false skips this step. Or otherwise.")
    limit: int | None = Field(default=None, ge=1, le=10_000, description="At most so many lanes, in final order.")
    concurrency: int = Field(default=8, ge=1, le=64, description="Lanes at a time.")
    new_only: bool = Field(default=False, description="On a listen: only signals no earlier run has seen.")
    needs: list[Id] = Field(default_factory=list, description="Steps that must be finished first.")
    retry: Retry | None = Field(default=None, description="How often to try again.")
    timeout: Duration | None = Field(default=None, description="Of one attempt.")
    on_error: OnError | None = Field(default=None, description="stop or continue; of a loop, what its lanes do.")


class Playbook(ContentModel):
    """A whole playbook file. `inputs` None means that each <name> is an implicit required text input."""

    what: ClassVar[str] = "a playbook"

    playbook: Literal[1] = Field(default=1, description="Version of the language.")
    id: Id = Field(description="The file's name without its ending.")
    title: Title = Field(description="What it does, in a few words.")
    description: str | None = Field(default=None, description="More about it.")
    inputs: dict[Id, InputSpec] | None = Field(default=None, description="What a run is given.")
    budget: Budget = Field(default_factory=Budget, description="How many calls of each effect a run may make.")
    schedule: Schedule | None = Field(default=None, description="When it runs by itself.")
    steps: list[Step] = Field(min_length=1, description="What is done, in this order.")
    outputs: dict[Id, ExpressionText] = Field(default_factory=dict, description="What a run gives back.")
    expected_outcome: str | None = Field(default=None, description="What a person has in hand afterwards.")
