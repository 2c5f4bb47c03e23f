"""What the checker lets pass the engine plans and runs, and what it says of a result's shape is what a run has."""

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from checked import WORLD
from engine.fakes import FakeTools, Person, Time, signal
from signal_playbooks.caller import LOCAL
from signal_playbooks.content.checking.scene import lanes_record, step_record
from signal_playbooks.content.inputs import input_specs
from signal_playbooks.content.library import Library, check_paths, load_library
from signal_playbooks.content.playbook import InputSpec
from signal_playbooks.content.types import ANY, List, Record, Type
from signal_playbooks.engine.result import LaneItem, RunResult, StepResult, count
from signal_playbooks.engine.run import Engine
from signal_playbooks.problem import render_text

ROOT = Path(__file__).parent.parent.parent
_BLOCK = re.compile(r"^```yaml file=(?:\S*/)?(?P<name>\w+)\.yaml[^\n]*\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_SOME: Mapping[str, object] = {"integer": 3, "number": 2.5, "boolean": True, "date": "2026-04-16", "duration": "3d"}

UNUSUAL = {
    "listens_in_lanes": """
steps:
  - {tool: listen, args: {query: a}}
  - {tool: listen, args: {query: "<rival> {{ item }}"}, for_each: [x, "<rival>"]}
  - {id: again, tool: listen, args: {query: "{{ item }}", limit: 3}, for_each: [x]}
  - {tool: inspect, for_each: signal}
outputs: {heard: "[len(i.output.again.signals) for i in steps.again.items]"}
""",
    "otherwise_everywhere": """
inputs: {on: {type: boolean, default: false}, marks: {type: list, items: string, default: [a, b]}}
steps:
  - {id: find, tool: listen, args: {query: a}, when: inputs.on}
  - {id: other, tool: listen, args: {query: b}, when: otherwise}
  - {id: each, tool: inspect, for_each: steps.other.output.signals, when: signal.engagement.score > 3}
  - for_each: inputs.marks
    as: mark
    steps:
      - {tool: dispatch, args: {signal_id: sig_1, action: flag, params: {label: "{{ mark }}"}}, when: mark == 'a'}
      - {tool: dispatch, args: {signal_id: sig_1, action: archive}, when: otherwise}
outputs: {seen: steps.each.counts.succeeded}
""",
    "lanes_in_lanes": """
steps:
  - {id: find, tool: listen, args: {query: a}}
  - id: outer
    for_each: signal
    as: one
    steps:
      - {tool: inspect, args: {depth: author}}
      - {tool: inspect, args: {depth: surface}}
      - id: inner
        for_each: "[one.headline, one.url]"
        as: text
        steps:
          - {filter: "len(text) > 3"}
          - {id: mark, tool: dispatch, args: {action: flag, params: {note: "{{ text }} <b>"}}}
      - {filter: steps.inner.counts.succeeded == 2}
outputs:
  handles: "[[n.output.mark.handle for n in i.output.inner.items] for i in steps.outer.items]"
  reasons: "[i.reason for i in steps.outer.items]"
  counted: "[i.output.inner.counts.succeeded for i in steps.outer.items]"
""",
    "uses_another": """
steps:
  - {id: find, tool: listen, args: {query: a}}
  - for_each: signal
    as: post
    steps:
      - id: brief
        use: takes_inputs
        with: {day: "{{ post.captured_at }}", words: ["{{ post.headline }}", b], n: "5", since: today}
      - {id: today, use: takes_inputs, with: {day: "{{ run.started_at }}", wait: 3d, words: "a, b"}}
outputs: {days: "[i.output.brief.day for i in [x for x in steps.lanes_2.items]]"}
""",
    "takes_inputs": """
inputs:
  day: {type: date}
  wait: {type: duration, default: 1d}
  words: {type: list, items: string, default: []}
  any: {type: list, default: [1, a]}
  n: {type: integer, default: 20}
  since: {type: choice, choices: [today, any], default: any}
steps:
  - {tool: listen, args: {query: "{{ join(inputs.words, ' ') }} x", limit: "{{ inputs.n }}", scope: {freshness: "{{ inputs.since }}"}}}
outputs: {day: inputs.day, wait: inputs.wait, first: "inputs.any[0]"}
""",
    "whole_params": """
budget: {commit: 5}
steps:
  - for_each: [{note: a}, {note: b, commit: true}]
    as: what
    steps: [{tool: dispatch, args: {signal_id: sig_1, action: archive, params: "{{ what }}"}}]
""",
    "until_and_timeout": """
steps:
  - id: find
    tool: listen
    args: {query: a}
    retry: {attempts: 2, wait: 1s, until: "attempt > 1 or len(output.signals) > 0"}
    timeout: 5s
    new_only: true
  - {tool: inspect, for_each: signal, limit: 1, concurrency: 1, on_error: stop}
  - {tool: dispatch, args: {action: schedule_followup, params: {in: 3d}}, needs: [find], on_error: continue}
""",
}


def documented() -> dict[str, str]:
    """Return every playbook that the README and the reference show, by name."""
    pages = [page for page in (ROOT / "README.md", ROOT / "docs/reference.md") if page.exists()]
    blocks = [found for page in pages for found in _BLOCK.finditer(page.read_text("utf-8"))]
    # The README shows a mistake, and has its reader mend it.
    return {found["name"]: found["text"].replace("'indie_foundr'", "'indie_founder'") for found in blocks}


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    """Return a content folder with the playbooks in it."""
    (folder / "playbooks").mkdir()
    for name, text in texts.items():
        head = "" if re.search(r"(?m)^id:", text) else f"id: {name}\ntitle: {name}\n"
        (folder / "playbooks" / f"{name}.yaml").write_text(head + text, encoding="utf-8")
    return folder


def complaints(shipped: Path, folder: Path) -> list[str]:
    """Return every error of a content folder."""
    problems, _ = check_paths(shipped, None, [folder], shown_from=folder)
    return [render_text(problem) for problem in problems if problem.severity == "error"]


def some(spec: InputSpec) -> object:
    """Return some value for a required input."""
    if spec.type == "choice":
        return (spec.choices or [""])[0]
    return ["Clay"] if spec.type == "list" else _SOME.get(spec.type, "Plinthly")


def ran(library: Library, name: str) -> RunResult:
    """Return how a playbook ends over tools in memory, after its plan was made; UsageError where one is refused."""
    engine = Engine(FakeTools([signal(1), signal(2)]), library.playbooks, Time().clock())
    inputs = {key: some(spec) for key, spec in input_specs(library.playbooks[name]).items() if spec.required}
    engine.plan(name, inputs)
    return asyncio.run(engine.run(name, inputs, caller=LOCAL, run_id="run_1", approve=Person()))


def failures(result: RunResult) -> list[str]:
    """Return what any step, lane or the run itself complains of."""
    found = [result.error.message] if result.error else []
    todo = list(result.steps.values())
    while todo:
        step = todo.pop()
        found += [step.error.message] if step.error else []
        for item in step.items or ():
            found += [item.error.message] if item.error else []
            todo += item.steps.values()
    return found


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_checks_clean_runs_however_unusual_it_is(tmp_path: Path, name: str) -> None:
    """A playbook that is refused in the middle of the night, though it checked, is what the checker is there against."""
    folder = written(tmp_path, UNUSUAL)
    assert complaints(WORLD, folder) == []
    result = ran(load_library(WORLD, folder, shown_from=folder), name)
    assert failures(result) == []
    assert result.status == "succeeded"


@pytest.mark.parametrize("name", [*documented(), *(path.stem for path in (ROOT / "playbooks").glob("*.yaml"))])
def test_what_is_shown_and_shipped_is_let_pass_by_both(tmp_path: Path, name: str) -> None:
    """Some of them show failures; a refusal of what they are made of is none of those."""
    folder = written(tmp_path, documented())
    assert complaints(ROOT, folder) == []
    result = ran(load_library(ROOT, folder, shown_from=folder), name)
    assert not [words for words in failures(result) if "expected" in words or "not known here" in words]


def test_values_reach_a_used_playbook_as_its_inputs_say(tmp_path: Path) -> None:
    """A moment is a day where a day is asked for; text is read by the type."""
    folder = written(tmp_path, UNUSUAL)
    result = ran(load_library(WORLD, folder, shown_from=folder), "uses_another")
    assert result.outputs == {"days": ["2026-04-16", "2026-04-16"]}


_STEPS = st.lists(
    st.sampled_from(
        [
            "{tool: listen, args: {query: a}}",
            "{tool: listen, args: {query: '{{ item }}'}, for_each: [x, '<y>']}",
            "{tool: listen, use: helper}",
            "{tool: inspect, args: {depth: author}, for_each: signal}",
            "{tool: inspect, for_each: signals}",
            "{tool: inspect, args: {depth: surface}, for_each: steps.listen_1.output.signals, as: one}",
            "{tool: dispatch, args: {action: flag}, when: author.likely_role_hint == 'student'}",
            "{tool: dispatch, args: {action: flag}, when: otherwise}",
            "{tool: dispatch, args: {action: route, params: {destination: '{{ signal.url }}'}}, for_each: signal}",
            "{use: helper, with: {topic: '{{ signal.headline }}'}, for_each: signal}",
            "{filter: signal.engagement.score > 3}",
            "{for_each: signal, steps: [{filter: item}, {tool: inspect}, {use: helper, with: {topic: [a]}}]}",
            "{for_each: signal, as: one, steps: [{tool: listen, args: {query: b}}, {tool: inspect, for_each: signal}]}",
            "{tool: [x]}",
        ]
    ),
    min_size=1,
    max_size=5,
)


@settings(deadline=None, max_examples=150)
@given(_STEPS)
def test_no_order_of_steps_breaks_the_checker_and_a_clean_one_is_planned(steps: list[str]) -> None:
    """Authors put steps in any order; they are told what is wrong, never shown a traceback."""
    with TemporaryDirectory() as name:
        folder = written(Path(name), {"one": "steps:\n" + "".join(f"  - {step}\n" for step in steps)})
        if complaints(WORLD, folder):
            return
        assert ran(load_library(WORLD, folder, shown_from=folder), "one").status == "succeeded"


def fields(kind: Type) -> set[str]:
    """Return the fields that the checker knows of a record."""
    assert isinstance(kind, Record)
    return set(kind.fields)


def test_a_result_has_the_fields_that_the_checker_says() -> None:
    """A step, a loop, a lane of it, and a loop in a lane, read from outside."""
    inner = StepResult("succeeded", items=[LaneItem("0", "succeeded", {})], counts=count([]))
    outer = StepResult("succeeded", items=[LaneItem("sig_1", "succeeded", {"inner": inner})], counts=count([]))
    known = lanes_record("outer", {"inner": lanes_record("inner", {})})
    assert set(StepResult("succeeded").view("x")) == fields(step_record(ANY))
    view = outer.view("outer")
    assert set(view) == fields(known)
    items, [item] = known.fields["items"].type, view["items"]  # type: ignore[misc]  # a list, as the fields say
    assert isinstance(items, List)
    assert set(item) == fields(items.item)
    assert isinstance(items.item, Record)
    output = items.item.fields["output"].type
    assert isinstance(output, Record)
    assert set(item["output"]["inner"]) == fields(output.fields["inner"].type)
    assert set(view["counts"]) == fields(known.fields["counts"].type)  # type: ignore[call-overload]
