"""The three tools: the models of what each is given and of what it answers."""

from collections.abc import Mapping
from typing import Literal

from signal_playbooks.contract.dispatch import DispatchInput, DispatchOutput
from signal_playbooks.contract.inspect import InspectInput, InspectOutput
from signal_playbooks.contract.listen import ListenInput, ListenOutput

ToolName = Literal["listen", "inspect", "dispatch"]
Request = ListenInput | InspectInput | DispatchInput
Answer = ListenOutput | InspectOutput | DispatchOutput

INPUTS: Mapping[ToolName, type[ListenInput] | type[InspectInput] | type[DispatchInput]] = {
    "listen": ListenInput,
    "inspect": InspectInput,
    "dispatch": DispatchInput,
}
OUTPUTS: Mapping[ToolName, type[ListenOutput] | type[InspectOutput] | type[DispatchOutput]] = {
    "listen": ListenOutput,
    "inspect": InspectOutput,
    "dispatch": DispatchOutput,
}
