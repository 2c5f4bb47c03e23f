"""The walk through a playbook in the order it runs: every expression and argument held against what is in scope."""

from collections.abc import Mapping, Sequence

from signal_playbooks.content.checking.aims import aims_of
from signal_playbooks.content.checking.arguments import check_arguments, infer_value
from signal_playbooks.content.checking.context import Check, Path, kind_of, walk
from signal_playbooks.content.checking.expressions import check_condition_at, infer_at
from signal_playbooks.content.checking.giving import check_given
from signal_playbooks.content.checking.scene import (
    Scene,
    first_scene,
    is_signal,
    lanes_record,
    step_record,
    tool_output,
    tool_record,
)
from signal_playbooks.content.inputs import input_specs
from signal_playbooks.content.playbook import Playbook, Step
from signal_playbooks.content.steps import FOR_SIGNALS, OTHERWISE, lane_length, step_key, without_lane
from signal_playbooks.content.types import ANY, INTEGER, Any, Field, List, Record, Type, Unbound


def check_flow(check: Check) -> Scene:
    """Walk the playbook; return what is in scope at its end."""
    return Walk(check).run()


class Walk:
    """One walk: the ids that are taken, and which listens were used."""

    def __init__(self, check: Check) -> None:
        self.check = check
        self.taken = frozenset(step.id for _, step in check.steps if step.id)
        self.heard: dict[str, Path] = {}
        self.used: set[str] = set()

    def run(self) -> Scene:
        """Walk every step and the outputs."""
        playbook = self.check.playbook
        scene = first_scene(input_specs(playbook), self._later())
        self._body(playbook.steps, ("steps",), scene)
        for name, text in playbook.outputs.items():
            self._read(infer_at(self.check, ("outputs", name), text, scene.scope()))
        self._unused()
        return scene

    def _later(self) -> Mapping[str, str]:
        reasons: dict[str, str] = {}
        for path, step in self.check.steps:
            if step.id is not None:
                line = self.check.document.key_line((*path, "id"))
                reasons.setdefault(
                    step.id, f"step {step.id!r} stands later, at line {line}: a step can only read what is finished"
                )
        return reasons

    def _body(self, steps: Sequence[Step], path: Path, scene: Scene) -> None:
        place = 0
        while place < len(steps):
            step = steps[place]
            here = (*path, place)
            key = step_key(step, place, self.taken)
            if step.for_each is not None:
                length = lane_length(steps, place)
                self._loop(steps, path, place, length, scene)
                place += length
                continue
            self._step(step, here, key, scene)
            place += 1

    def _step(self, step: Step, here: Path, key: str, scene: Scene) -> None:
        if step.when is not None and step.when != OTHERWISE:
            self._read(check_condition_at(self.check, (*here, "when"), step.when, scene.scope()))
        match kind_of(step):
            case "tool":
                self._call(step, here, key, scene)
            case "use":
                self._use(step, here, key, scene)
            case "filter":
                self._read(check_condition_at(self.check, (*here, "filter"), step.filter or "true", scene.scope()))
                reason = "a filter has no output: it lets a lane go on, or ends it"
                scene.finish(key, step_record(ANY, reason), None)
            case _:
                scene.finish(key, step_record(ANY), ANY)

    def _call(self, step: Step, here: Path, key: str, scene: Scene) -> None:
        tool = step.tool or "listen"
        self._read(check_arguments(self.check, step, here, scene))
        output = tool_output(tool)
        if step.retry is not None and step.retry.until is not None:
            scope = scene.scope(attempt=INTEGER, output=output)
            self._read(check_condition_at(self.check, (*here, "retry", "until"), step.retry.until, scope))
        scene.finish(key, tool_record(tool), output)
        scene.bind(step)
        if tool == "listen":
            self.heard[key] = here
            scene.listens = (*scene.listens, key)

    def _use(self, step: Step, here: Path, key: str, scene: Scene) -> None:
        name = step.use or ""
        used = self.check.names.playbooks.get(name)
        output: Type = ANY
        if used is None:
            if name in self.check.names.broken:
                self.check.say((*here, "use"), "broken-playbook", f"playbook {name!r} does not check; mend it first")
            else:
                self.check.unknown((*here, "use"), "unknown-playbook", "playbook", name, self.check.names.playbooks)
        else:
            output = Record("output", {field: Field(ANY) for field in used.outputs}, noun="output")
            self._with(step, here, used, scene)
        scene.finish(key, step_record(output), output)

    def _with(self, step: Step, here: Path, used: Playbook, scene: Scene) -> None:
        specs = input_specs(used)
        given = step.with_ or {}
        aims = aims_of(used, self.check.names.playbooks)
        for name in given:
            if name not in specs:
                self.check.unknown((*here, "with", name), "unknown-input", f"input of {used.id}", name, specs)
                continue
            aimed = aims.get(name, frozenset())
            self._read(check_given(self.check, (*here, "with", name), specs[name], aimed, scene))
        missing = [name for name, spec in specs.items() if spec.required and given.get(name) is None]
        if missing:
            message = f"playbook {used.id!r} needs {', '.join(missing)}, and with does not give that"
            self.check.say_key((*here, "use"), "missing-input", message)

    def _loop(self, steps: Sequence[Step], path: Path, place: int, length: int, scene: Scene) -> None:
        step = steps[place]
        here: Path = (*path, place)
        key = step_key(step, place, self.taken)
        item = self._items(step, here, steps, place, scene)
        default = FOR_SIGNALS if is_signal(item) else "item"
        variable = step.as_ or default
        self._check_variable(step, here, variable, scene)
        # Of what is not known, a lane may have a signal: the run will tell.
        lane = scene.lane(variable, item, is_signal=is_signal(item) or isinstance(item, Any))
        if step.steps is not None:
            if step.when is not None and step.when != OTHERWISE:
                self._read(check_condition_at(self.check, (*here, "when"), step.when, lane.scope()))
            self._body(step.steps, (*here, "steps"), lane)
        else:
            self._step(without_lane(step), here, key, lane)
            for offset in range(1, length):
                at = place + offset
                self._step(steps[at], (*path, at), step_key(steps[at], at, self.taken), lane)
        self._close(steps, place, length, key, lane, scene)

    def _close(self, steps: Sequence[Step], place: int, length: int, key: str, lane: Scene, scene: Scene) -> None:
        """Leave the lanes: from outside, their steps are read through the loop's items."""
        record = lanes_record(key, lane.outputs)
        scene.finish(key, record, record)
        inner = {step.id for step in steps[place + 1 : place + length] if step.id}
        inner |= {step.id for _, step in walk(steps[place].steps or ()) if step.id}
        for name in inner - {key}:
            reason = (
                f"step {name!r} runs in the lanes of {key!r}: read it as [i.output.{name} for i in steps.{key}.items]"
            )
            scene.steps[name] = Field(ANY, missing=reason)

    def _check_variable(self, step: Step, here: Path, variable: str, scene: Scene) -> None:
        if variable not in scene.lanes:
            return
        message = f"the lane around this one already has a variable called {variable!r}: give this loop another with as"
        self.check.say_key((*here, "as" if step.as_ else "for_each"), "shadowed-name", message)

    def _items(self, step: Step, here: Path, steps: Sequence[Step], place: int, scene: Scene) -> Type:
        where = (*here, "for_each")
        if step.for_each == FOR_SIGNALS:
            return self._signals(where, steps, place, scene)
        if isinstance(step.for_each, list):
            return infer_value(self.check, where, List(ANY), scene).item_type
        if not isinstance(step.for_each, str):
            self.check.say(where, "not-a-list", "for_each is signal, a list, or an expression that is a list")
            return ANY
        if step.for_each.strip() == "signals" and "signals" not in scene.names:
            message = "nothing is called 'signals' here; did you mean signal?"
            self.check.say(where, "unknown-name", message, hint="for_each: signal opens a lane for each signal heard")
            return self._signals(where, steps, place, scene)
        reading = infer_at(self.check, where, step.for_each, scene.scope())
        self._read(reading)
        if reading.sound and not isinstance(reading.kind, List | Any | Unbound):
            hint = "steps.<id>.output.signals is the list of what a listen heard"
            self.check.say(where, "not-a-list", f"for_each needs a list, and this is {reading.words}", hint=hint)
        return reading.item_type

    def _signals(self, where: Path, steps: Sequence[Step], place: int, scene: Scene) -> Type:
        if not scene.listens:
            message = "for_each: signal runs over what a listen heard, and no listen stands before it"
            self.check.say(where, "no-listen", message, hint="put a listen before it, or write a list")
            return ANY
        if place >= 2 and all(_hears(step) for step in steps[place - 2 : place]):
            one, other = scene.listens[-2:]
            message = (
                f"two listens stand side by side before this: say which, such as for_each: steps.{one}.output.signals"
            )
            self.check.say(where, "which-listen", message, hint=f"{one} or {other}")
        self.used.add(scene.listens[-1])
        signals = tool_output("listen")
        assert isinstance(signals, Record)  # noqa: S101 - the contract's own model
        listed = signals.fields["signals"].type
        return listed.item if isinstance(listed, List) else ANY

    def _read(self, reading: object) -> None:
        self.used |= getattr(reading, "steps", frozenset())

    def _unused(self) -> None:
        if len(self.check.playbook.steps) == 1:
            return
        for key, path in self.heard.items():
            if key not in self.used:
                message = "nobody uses what this listen hears: loop over it with for_each, or name it in outputs"
                self.check.say_key((*path, "tool"), "unused-result", message, severity="warning")


def _hears(step: Step) -> bool:
    """Tell whether the step is a listen of its own, not one in lanes, of which there may be many or none."""
    return kind_of(step) == "tool" and step.tool == "listen" and step.for_each is None
