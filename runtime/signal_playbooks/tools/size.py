"""Answers within the budget of the wire: long texts are cut at a word, what is left out is counted."""

import json
from collections.abc import Callable, Sequence
from typing import overload

from signal_playbooks.contract.dispatch import DispatchOutput
from signal_playbooks.contract.inspect import InspectOutput
from signal_playbooks.contract.listen import ListenOutput
from signal_playbooks.contract.model import WireModel
from signal_playbooks.contract.signal import Signal
from signal_playbooks.text import cut

LONGEST_ANSWER = 60_000  # bytes of JSON

Answer = ListenOutput | InspectOutput | DispatchOutput
_EXCERPTS = (280, 160, 80)
_BODIES = (4_000, 1_500, 600, 240)
_PLACES = 5
_LINKS = 100


@overload
def fit(answer: ListenOutput, longest: int = ...) -> ListenOutput: ...


@overload
def fit(answer: InspectOutput, longest: int = ...) -> InspectOutput: ...


@overload
def fit(answer: DispatchOutput, longest: int = ...) -> DispatchOutput: ...


def fit(answer: Answer, longest: int = LONGEST_ANSWER) -> Answer:
    """Return the answer such that its JSON has at most `longest` bytes; one that has is returned as it is.

    A listen keeps short excerpts before it leaves out its last signals, which `more` counts; an inspect cuts bodies
    before it leaves out the end of the thread, which `thread_more` counts; a dispatch cuts its preview and says so.
    """
    if size(answer) <= longest:
        return answer
    if isinstance(answer, ListenOutput):
        return _fit_listen(answer, longest)
    if isinstance(answer, InspectOutput):
        return _fit_inspect(answer, longest)
    return _fit_dispatch(answer, longest)


def size(answer: WireModel) -> int:
    """Return how many bytes the answer has as compact JSON in UTF-8."""
    whole = answer.model_dump(mode="json", by_alias=True)
    return len(json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode())


def _fit_listen(answer: ListenOutput, longest: int) -> ListenOutput:
    for limit in _EXCERPTS:
        answer = answer.model_copy(update={"signals": [_short(signal, limit) for signal in answer.signals]})
        if size(answer) <= longest:
            return answer

    def first(count: int) -> ListenOutput:
        left_out = len(answer.signals) - count
        return answer.model_copy(update={"signals": answer.signals[:count], "more": answer.more + left_out})

    return first(_most(len(answer.signals), lambda count: size(first(count)) <= longest))


def _short(signal: Signal, limit: int) -> Signal:
    return signal.model_copy(
        update={
            "headline": cut(signal.headline, limit),
            "excerpt": cut(signal.excerpt, limit),
            "also_seen": signal.also_seen[:_PLACES],
        }
    )


def _fit_inspect(answer: InspectOutput, longest: int) -> InspectOutput:
    answer = answer.model_copy(update={"links": answer.links[:_LINKS], "signal": _short(answer.signal, _EXCERPTS[0])})
    thread = answer.thread
    if thread is None:
        return answer.model_copy(update={"links": _fitting_links(answer, longest)})
    for limit in _BODIES:
        shorter = [item.model_copy(update={"body": cut(item.body, limit)}) for item in thread]
        answer = answer.model_copy(update={"thread": shorter})
        if size(answer) <= longest:
            return answer
    answer = answer.model_copy(update={"links": answer.links[: _LINKS // 5]})

    def first(count: int) -> InspectOutput:
        more = (answer.thread_more or 0) + len(thread) - count
        return answer.model_copy(update={"thread": (answer.thread or [])[:count], "thread_more": more})

    return first(_most(len(thread), lambda count: size(first(count)) <= longest))


def _fitting_links(answer: InspectOutput, longest: int) -> Sequence[object]:
    count = _most(
        len(answer.links), lambda kept: size(answer.model_copy(update={"links": answer.links[:kept]})) <= longest
    )
    return answer.links[:count]


def _fit_dispatch(answer: DispatchOutput, longest: int) -> DispatchOutput:
    note = f"The preview is cut here; whole it is in signal://dispatches/{answer.handle}."
    answer = answer.model_copy(update={"note": f"{answer.note} {note}" if answer.note else note})

    def shown(length: int) -> DispatchOutput:
        return answer.model_copy(update={"preview": cut(answer.preview, length)})

    return shown(_most(len(answer.preview), lambda length: size(shown(length)) <= longest))


def _most(highest: int, fits: Callable[[int], bool]) -> int:
    """Return the largest count up to the highest that fits, 0 where none does; a smaller one always fits as well."""
    low, high = 0, highest
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(middle) else (low, middle - 1)
    return low
