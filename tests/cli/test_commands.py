"""What a person does from the first minute on, through the real command line, on the demo."""

import json
from pathlib import Path

import pytest

from cli.terminal import Terminal

RUN = ("run-playbook", "competitor_churn", "--set", "competitor=Plinthly", "--sources", "demo")
SPECIFIED = """\
id: competitor_churn
title: Find users frustrated with a competitor
steps:
  - tool: listen
    args: {query: "<competitor> frustrations", intent_filter: [complaining]}
  - tool: inspect
    args: {depth: author}
    for_each: signal
  - tool: dispatch
    args: {action: draft_reply}
    when: author.likely_role_hint == 'indie_founder'
expected_outcome: List of qualified prospects with drafted outreach.
"""
ROLES = json.loads((Path(__file__).parents[1] / "content/demo_roles.json").read_text(encoding="utf-8"))
FOUNDERS = {handle for place in ROLES.values() for handle, role in place.items() if role == "indie_founder"}


def test_the_specification_s_own_playbook_drafts_for_each_founder_and_nobody_else(signal: Terminal) -> None:
    """Verbatim, as YAML: this is the promise that everything else serves."""
    (signal.folder / "mine/playbooks").mkdir(parents=True)
    (signal.folder / "mine/playbooks/competitor_churn.yaml").write_text(SPECIFIED, encoding="utf-8")
    assert signal("check", "mine").code == 0
    run = signal(*RUN, "--content", "mine", "--json").json
    assert run["status"] == "succeeded"
    assert {act["author"] for act in run["staged"]} == FOUNDERS
    assert len(FOUNDERS) >= 3
    assert {act["status"] for act in run["staged"]} == {"staged"}


def test_a_run_prints_who_where_why_what_and_the_command_that_approves_it(signal: Terminal) -> None:
    ran = signal(*RUN)
    assert ran.code == 0
    for founder in FOUNDERS:
        assert founder in ran.out
    assert ran.out.count("signal approve disp_") == len(FOUNDERS)
    assert "Staged, not sent" in ran.out


def test_nothing_of_the_progress_is_seen_where_output_is_piped(signal: Terminal) -> None:
    assert signal(*RUN).err == ""
    assert signal(*RUN, "--json").err == ""


def test_the_same_run_again_stages_nothing_twice(signal: Terminal) -> None:
    first, again = signal(*RUN, "--json").json, signal(*RUN, "--json").json
    assert first["run_id"] != again["run_id"]
    assert {act["handle"] for act in first["staged"]} == {act["handle"] for act in again["staged"]}
    assert len(signal("staged", "--json").json["staged"]) == len(FOUNDERS)


def test_an_approved_draft_lands_in_the_outbox_once_exactly_as_it_was_shown(signal: Terminal) -> None:
    act = signal(*RUN, "--json").json["staged"][0]
    first, again = signal("approve", act["handle"], "--json"), signal("approve", act["handle"], "--json")
    assert (first.code, again.code) == (0, 0)
    assert first.json == again.json
    assert first.json["status"] == "committed"
    files = sorted(file.name for file in (signal.folder / "outbox").iterdir())
    assert files == [f"{act['handle']}.json", f"{act['handle']}.md"]
    delivered = json.loads((signal.folder / f"outbox/{act['handle']}.json").read_text(encoding="utf-8"))
    assert act["preview"] in json.dumps(delivered, ensure_ascii=False) or delivered["text"] in act["preview"]


def test_a_discarded_act_can_no_longer_be_approved(signal: Terminal) -> None:
    handle = signal(*RUN, "--json").json["staged"][0]["handle"]
    assert signal("discard", handle).code == 0
    ran = signal("approve", handle)
    assert ran.code == 1
    assert "discarded" in ran.err
    assert not (signal.folder / "outbox").exists()


def test_a_listen_says_why_and_an_inspect_says_who(signal: Terminal) -> None:
    heard = signal("listen", "people leaving Plinthly over price", "--sources", "demo", "--json").json
    assert heard["signals"]
    assert all("Plinthly" in one["match_reason"] for one in heard["signals"])
    founder = next(one for one in heard["signals"] if one["author"]["handle"] in FOUNDERS)
    looked = signal("inspect", founder["id"], "--depth", "author", "--json").json
    assert looked["author_context"]["likely_role_hint"] == "indie_founder"
    assert looked["author_context"]["evidence"]
    assert looked["thread"][0]["parent_id"] is None


def test_listen_takes_every_option_and_keeps_to_it(signal: Terminal) -> None:
    options = ("--freshness", "any", "--intent", "asking", "--intent", "comparing", "--min-engagement", "5")
    heard = signal("listen", "Plinthly", "--sources", "demo", *options, "--limit", "3", "--json").json
    assert 1 <= len(heard["signals"]) <= 3
    for one in heard["signals"]:
        assert one["engagement"]["score"] >= 5
        wanted = {one["intent"]} | {other["intent"] for other in one["other_intents"]}
        assert wanted & {"asking", "comparing"}


@pytest.mark.parametrize(
    ("action", "params"),
    [
        ("archive", ("note=seen",)),
        ("flag", ("label=price",)),
        ("route", ("destination=outbox", "note=for sales")),
        ("draft_reply", ("tone=direct",)),
        ("schedule_followup", ("in=3d", "then_action=draft_reply")),
    ],
)
def test_each_action_is_staged_then_carried_out(signal: Terminal, action: str, params: tuple[str, ...]) -> None:
    heard = signal("listen", "Plinthly", "--sources", "demo", "--json").json["signals"][0]
    given = [word for pair in params for word in ("--param", pair)]
    staged = signal("dispatch", heard["id"], action, *given, "--json").json
    assert staged["status"] == "staged"
    assert not (signal.folder / "outbox").exists(), "nothing leaves before it is approved"
    assert signal("approve", staged["handle"], "--json").json["status"] == "committed"


def test_a_content_folder_is_made_without_a_question_and_checks_clean(signal: Terminal) -> None:
    assert signal("init", "mine").code == 0
    for folder in ("playbooks", "prompts", "lexicon", "catalog"):
        assert (signal.folder / "mine" / folder).is_dir()
    assert signal("check", "mine", "--json").json == {"problems": []}
    (signal.folder / "mine/playbooks/my_first.yaml").write_text("id: changed", encoding="utf-8")
    signal("init", "mine")
    assert (signal.folder / "mine/playbooks/my_first.yaml").read_text(encoding="utf-8") == "id: changed"


def test_the_shipped_content_is_clean(signal: Terminal) -> None:
    ran = signal("check", "--json")
    assert (ran.code, ran.json) == (0, {"problems": []})


def test_problems_as_json_have_every_field(signal: Terminal) -> None:
    (signal.folder / "wrong.yaml").write_text("id: wrong\ntitle: Wrong\nsteps:\n  - tool: lisen\n", encoding="utf-8")
    ran = signal("check", "wrong.yaml", "--format", "json")
    assert ran.code == 1
    (problem,) = [one for one in ran.json["problems"] if one["severity"] == "error"]
    assert {"file", "line", "column", "end_column", "rule", "severity", "message", "hint"} <= set(problem)
    assert (problem["file"], problem["line"], problem["column"], problem["end_column"]) == ("wrong.yaml", 4, 11, 16)


def test_the_sources_say_whether_they_can_be_heard(signal: Terminal) -> None:
    states = {one["id"]: one["state"] for one in signal("sources", "--json").json["sources"]}
    assert states == {"demo": "ready", "archive": "empty"}


def test_a_playbook_is_shown_as_it_was_written(signal: Terminal) -> None:
    assert 'query: "<competitor> frustrations"' in signal("playbooks", "show", "competitor_churn").out
    assert {one["id"] for one in signal("playbooks", "--json").json["playbooks"]} >= {"competitor_churn"}


def test_imported_posts_are_found_and_importing_them_again_adds_nothing(signal: Terminal) -> None:
    posts = [
        {"id": "1", "url": "https://board.example/1", "title": "Larkboard is slow again", "author": "ada"},
        {"id": "2", "url": "https://board.example/2", "body": "Same for me.", "parent_id": "1"},
    ]
    lines = [json.dumps(post) for post in posts]
    (signal.folder / "posts.jsonl").write_text("\n".join([*lines, "no post"]), encoding="utf-8")
    report = signal("import", "posts.jsonl", "--json").json
    assert (report["new"], [bad["line"] for bad in report["bad"]]) == (2, [3])
    assert signal("import", "posts.jsonl", "--json").json["same"] == 2
    heard = signal("listen", "Larkboard", "--sources", "archive", "--freshness", "any", "--json").json
    assert [one["url"] for one in heard["signals"]] == ["https://board.example/1"]
    assert heard["signals"][0]["captured_at"] is None
    assert heard["signals"][0]["engagement"] == {"score": None, "comments": None}


def test_no_post_moves_the_cursor_or_writes_markup(signal: Terminal) -> None:
    """A terminal obeys escape sequences, wherever they come from; rich reads square brackets as styles."""
    post = {
        "id": "1",
        "url": "https://board.example/1",
        "title": "Larkboard \u001b[2J\u001b]0;owned\u0007 [bold red]sale[/] {{ secrets.token }}",
        "author": "a\u001b[31mb",
    }
    (signal.folder / "posts.jsonl").write_text(json.dumps(post), encoding="utf-8")
    signal("import", "posts.jsonl")
    ran = signal("listen", "Larkboard", "--sources", "archive", "--freshness", "any")
    assert "\u001b" not in ran.out
    assert "\u0007" not in ran.out
    assert "[bold red]sale[/]" in ran.out.replace("\n", " ")
    assert "{{ secrets.token }}" in " ".join(ran.out.split())


def test_a_plan_calls_nothing(signal: Terminal) -> None:
    plan = signal(*RUN, "--plan", "--json")
    assert plan.code == 0
    assert signal("listen", "Plinthly", "--sources", "archive", "--json").json["coverage"][0]["state"] == "no_results"
    assert signal("staged", "--json").json == {"staged": []}


@pytest.mark.parametrize("command", ["run-playbook", "check", "listen", "inspect", "dispatch", "staged", "approve"])
def test_every_command_has_a_help_with_an_example(signal: Terminal, command: str) -> None:
    ran = signal(command, "--help")
    assert ran.code == 0
    assert f"signal {command}" in ran.out.split("Example", 1)[1]


def test_two_people_in_one_thread_are_two_signals(signal: Terminal) -> None:
    """Their addresses may differ in the fragment alone."""
    posts = [
        {"id": "1", "url": "https://forum.example/1", "title": "Done with Larkboard", "author": "ada"},
        {"id": "2", "url": "https://forum.example/1#2", "body": "Larkboard is slow.", "author": "bo", "parent_id": "1"},
        {"id": "3", "url": "https://forum.example/1#3", "body": "Larkboard, too.", "author": "cy", "parent_id": "1"},
    ]
    (signal.folder / "posts.jsonl").write_text("\n".join(map(json.dumps, posts)), encoding="utf-8")
    signal("import", "posts.jsonl")
    heard = signal("listen", "Larkboard", "--sources", "archive", "--freshness", "any", "--json").json
    assert {one["author"]["handle"] for one in heard["signals"]} == {"ada", "bo", "cy"}
    assert len({one["id"] for one in heard["signals"]}) == 3


def test_invented_posts_are_not_mixed_into_real_ones(signal: Terminal) -> None:
    """The demo speaks where nothing else can, and where it is named."""
    assert signal("listen", "Plinthly", "--json").json["query_plan"]["sources"][-1]["id"] == "demo"
    (signal.folder / "posts.jsonl").write_text(
        json.dumps({"id": "1", "url": "https://forum.example/1", "title": "Plinthly?"}), encoding="utf-8"
    )
    signal("import", "posts.jsonl")
    asked = signal("listen", "Plinthly", "--freshness", "any", "--json").json["query_plan"]["sources"]
    assert [one["id"] for one in asked] == ["archive"]


def test_a_run_that_heard_nothing_says_so(signal: Terminal) -> None:
    ran = signal("run-playbook", "competitor_churn", "--set", "competitor=Zzyzx", "--sources", "demo")
    assert ran.code == 0
    assert "Zzyzx" in ran.out


COMMITS = """\
id: hand_over
title: Hand one over at once
inputs:
  product: {type: string}
  most: {type: integer, default: 1}
budget: {commit: 1}
steps:
  - {id: find, tool: listen, args: {query: "{{ inputs.product }}", limit: "{{ inputs.most }}"}}
  - for_each: signal
    steps:
      - {id: show, tool: dispatch, args: {action: route, params: {destination: outbox}}}
      - tool: dispatch
        args: {action: route, params: {commit: true, handle: "{{ steps.show.output.handle }}"}}
"""


def test_a_run_commits_only_where_somebody_says_yes(signal: Terminal) -> None:
    """The playbook's budget allows one, and still nothing leaves unless the runner approves it, too."""
    (signal.folder / "mine/playbooks").mkdir(parents=True)
    (signal.folder / "mine/playbooks/hand_over.yaml").write_text(COMMITS, encoding="utf-8")
    (signal.folder / "inputs.yaml").write_text("product: Plinthly", encoding="utf-8")
    words = ("run-playbook", "hand_over", "--content", "mine", "--inputs", "inputs.yaml", "--sources", "demo")
    signal(*words)
    assert not (signal.folder / "outbox").exists()
    refused = signal(*words, "--commit")
    assert (refused.code, "--yes" in refused.err) == (2, True)
    assert not (signal.folder / "outbox").exists()
    ran = signal(*words, "--commit", "--yes", "--json")
    assert ran.json["committed"], ran.out[-2000:]
    assert len(list((signal.folder / "outbox").glob("*.json"))) == 1


def test_inputs_of_a_file_are_typed_and_set_wins(signal: Terminal) -> None:
    (signal.folder / "mine/playbooks").mkdir(parents=True)
    (signal.folder / "mine/playbooks/hand_over.yaml").write_text(COMMITS, encoding="utf-8")
    (signal.folder / "inputs.yaml").write_text("product: Plinthly\nmost: many", encoding="utf-8")
    words = ("run-playbook", "hand_over", "--content", "mine", "--inputs", "inputs.yaml", "--sources", "demo", "--plan")
    ran = signal(*words, "--json")
    assert (ran.code, "most" in ran.json["error"]["message"]) == (2, True)
    plan = signal(*words, "--set", "most=3", "--json").json
    assert plan["inputs"] == {"product": "Plinthly", "most": 3}
    (signal.folder / "inputs.yaml").write_text("- no map", encoding="utf-8")
    assert signal(*words).code == 2
