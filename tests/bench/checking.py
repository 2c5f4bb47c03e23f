"""What checking costs: a thousand playbooks of twelve steps, and one of two thousand steps."""

import gc
import time
from collections.abc import Iterator

from bench.measure import Figure
from signal_playbooks.content.checking.context import Names
from signal_playbooks.content.checking.playbook import check_playbook
from signal_playbooks.content.document import parse_document
from signal_playbooks.content.fitting import fit
from signal_playbooks.content.playbook import Playbook

PLAYBOOKS = 1_000
ROUNDS = 5  # the best one counts: what else the machine does only ever adds
# As the command line sets it: by default the collector walks the growing tree of a large file again and again.
OBJECTS_BEFORE_COLLECTING = 50_000
LANE = """\
  - id: find_{n}
    tool: listen
    args: {{query: "{{{{ inputs.product }}}} price", scope: {{freshness: "{{{{ inputs.since }}}}"}}, intent_filter: [complaining]}}
  - id: look_{n}
    for_each: steps.find_{n}.output.signals
    as: person_{n}
    steps:
      - tool: inspect
        args: {{depth: author}}
      - filter: author.likely_role_hint != 'student' and person_{n}.engagement.score >= 10
      - tool: dispatch
        when: author.likely_role_hint == 'indie_founder'
        args: {{action: draft_reply, params: {{note: "{{{{ person_{n}.url }}}}: {{{{ person_{n}.match_reason }}}}"}}}}
      - tool: dispatch
        when: otherwise
        args: {{action: flag, params: {{label: quiet}}}}
"""
HEAD = """\
id: bench
title: A bench
budget: {listen: 10000}
inputs:
  product: {type: string}
  since: {type: choice, choices: [today, this_week], default: this_week}
steps:
"""


def figures() -> Iterator[Figure]:
    """Yield the figures."""
    gc.set_threshold(OBJECTS_BEFORE_COLLECTING)
    twelve = HEAD + LANE.format(n=1) + LANE.format(n=2)
    yield Figure("checking a playbook of 12 steps", _seconds(twelve, PLAYBOOKS // ROUNDS) * 1e3, "ms", goal=4)
    whole = HEAD + "".join(LANE.format(n=n) for n in range(334))
    yield Figure("checking one playbook of 2,004 steps", _seconds(whole, 1) * 1e3, "ms", goal=400)


def _seconds(text: str, times: int) -> float:
    return min(_round(text, times) for _ in range(ROUNDS))


def _round(text: str, times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        document = parse_document(text, "bench.yaml")
        playbook, problems = fit(document, document.root, Playbook)
        assert playbook is not None, problems
        found = check_playbook(document, playbook, Names({"demo"}, {"outbox"}, {}))
        assert not found, found[0]
    return (time.process_time() - started) / times
