"""dispatch: what goes in and what comes out, in its two phases."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from signal_playbooks.contract.model import Moment, WireModel
from signal_playbooks.contract.vocabulary import Action, ActStatus

Tone = Literal["friendly", "direct"]


# Params that choose the phase of an act, and those that each action takes besides.
PHASE_PARAMS = frozenset({"commit", "discard", "handle"})
ACTION_PARAMS: Mapping[str, frozenset[str]] = {
    "archive": frozenset({"note"}),
    "flag": frozenset({"label", "note"}),
    "route": frozenset({"destination", "note"}),
    "draft_reply": frozenset({"text", "tone", "language", "destination", "note", "again"}),
    "schedule_followup": frozenset({"at", "in", "note", "then_action", "then_destination"}),
}


class DispatchParams(WireModel):
    """What an action needs; all optional, except route's destination and a follow-up's at or in."""

    note: str | None = Field(default=None, max_length=4000, description="Any action: a note kept with the act.")
    label: str | None = Field(default=None, min_length=1, max_length=80, description="flag: the label to set.")
    destination: str | None = Field(default=None, description="route (required), draft_reply: a destination id.")
    text: str | None = Field(default=None, min_length=1, max_length=40_000, description="draft_reply: your own text.")
    tone: Tone | None = Field(default=None, description="draft_reply: the tone of a drafted text.")
    language: str | None = Field(default=None, max_length=35, description="draft_reply: BCP 47 tag of its language.")
    at: Moment | None = Field(default=None, description="schedule_followup: when, RFC 3339.")
    in_: str | None = Field(
        default=None,
        alias="in",
        pattern=r"^[0-9]{1,6}[smhd]$",
        description="schedule_followup: after how long, e.g. 3d.",
    )
    then_action: Action | None = Field(default=None, description="schedule_followup: the action to stage when due.")
    then_destination: str | None = Field(default=None, description="schedule_followup: that action's destination.")
    again: bool | None = Field(default=None, description="draft_reply: draft though this author had one in 30 days.")
    commit: bool | None = Field(default=None, description="true executes the staged act, exactly as it was previewed.")
    discard: bool | None = Field(default=None, description="true throws the staged act away.")
    handle: str | None = Field(default=None, description="The staged act to commit, discard or replace: disp_….")


class DispatchInput(WireModel):
    """Arguments of dispatch."""

    signal_id: str = Field(min_length=1, description="A sig_… id from a listen result.")
    action: Action = Field(description="What to do with the signal.")
    params: DispatchParams = Field(default_factory=DispatchParams, description="What the action needs. Optional.")


class DispatchOutput(WireModel):
    """What was staged or done, and the handle to go on with."""

    action: Action = Field(description="The action.")
    status: ActStatus = Field(
        description="staged: nothing was sent; committed: done, once; the others say what happened."
    )
    handle: str = Field(description="The act's handle, disp_….")
    signal_id: str = Field(description="The signal acted on.")
    preview: str = Field(description="What would be done, or was, in full. May quote untrusted text.")
    expires_at: Moment | None = Field(
        default=None, description="Until when a staged act can be committed, RFC 3339 UTC."
    )
    receipt: str | None = Field(default=None, description="What a committed act left behind: a file, an id.")
    note: str | None = Field(default=None, description="What should be known about it, or null.")
