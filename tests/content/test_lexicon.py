"""What is promised about lexicon files: read with their places, whole for all ten intents, their examples worth it."""

import json
import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import get_args

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import StrictUndefined
from jinja2.sandbox import SandboxedEnvironment
from pydantic import ValidationError

from signal_playbooks.content.lexicon import (
    BOUNDARIES,
    REQUIRED_SECTIONS,
    Cues,
    Example,
    IntentFront,
    bullets,
    intent_entry,
    parse_examples,
    repeated_headings,
    sections,
    unquoted,
)
from signal_playbooks.contract.vocabulary import Intent
from signal_playbooks.text import words

ROOT = Path(__file__).parents[2]
LEXICON = ROOT / "lexicon"
DRAFTS = ROOT / "prompts" / "drafts"
INTENTS = sorted(get_args(Intent))


def split(path: Path) -> tuple[dict[str, object], str]:
    _, front, body = path.read_text(encoding="utf-8").split("---\n", 2)
    return yaml.load(front, Loader=yaml.CSafeLoader), body


def examples(name: str) -> tuple[Example, ...]:
    found, bad = parse_examples((LEXICON / "examples" / f"{name}.jsonl").read_text(encoding="utf-8"))
    assert bad == ()
    return found


def belongs_somewhere(point: str, name: str) -> bool:
    """Tell whether a false positive says which other intent it is, or that it is none, or how surely it is this one."""
    others = [intent for intent in INTENTS if intent != name]
    return "no intent" in point or "low confidence" in point or any(intent in point.lower() for intent in others)


class TestSections:
    def test_each_section_knows_the_line_of_its_heading(self) -> None:
        """A complaint about a section points at it."""
        found = sections("\n## Definition\n\nOne.\n\n## Boundaries ##\nTwo\nlines.\n", first_line=9)
        assert {title: (part.text, part.line) for title, part in found.items()} == {
            "Definition": ("One.", 10),
            "Boundaries": ("Two\nlines.", 14),
        }

    def test_text_before_the_first_heading_belongs_to_none(self) -> None:
        """A title line or a remark is no section."""
        assert list(sections("# Title\nwords\n## A\nb")) == ["A"]

    @pytest.mark.parametrize("line", ["##none", "### deeper", "# higher", " ## indented", "text ## inside"])
    def test_only_a_second_level_heading_begins_a_section(self, line: str) -> None:
        """Everything else is the text of the section it stands in."""
        assert sections(f"## A\n{line}")["A"].text == line.strip()

    def test_a_heading_in_a_code_fence_is_text(self) -> None:
        """An example may show Markdown."""
        found = sections("## A\n```md\n## B\n~~~\n```\n## C\n")
        assert list(found) == ["A", "C"]

    def test_of_two_sections_of_one_name_the_first_counts_and_the_second_is_told(self) -> None:
        """So that a check can name both lines."""
        body = "## A\none\n## B\n## A\ntwo"
        assert sections(body)["A"].text == "one"
        assert repeated_headings(body) == [("A", 1, 4)]

    @given(st.text())
    def test_any_body_splits(self, body: str) -> None:
        """Files are written by hand."""
        assert all(part.line >= 1 for part in sections(body).values())

    def test_a_point_that_goes_on_is_one_point(self) -> None:
        """Lines are wrapped for people; the list is not."""
        assert bullets("Intro\n- one\n  goes on\n* two\n\nafter\n-none") == ("one goes on", "two")

    def test_a_block_quote_is_read_without_its_marks(self) -> None:
        """The example is what a person posted."""
        assert unquoted("> a post\n> of two > lines\n") == "a post of two > lines"


class TestExampleLines:
    @pytest.mark.parametrize(
        ("line", "says"),
        [
            ("{", "not JSON"),
            ("[1]", "an example is an object"),
            ("[" * 100_000, "nested too deeply"),
            ('{"language": "en"}', "text"),
            ('{"text": ""}', "text"),
            ('{"text": 3}', "text"),
            ('{"text": "x", "intent": "buying"}', "intent"),
            ('{"text": "x", "also": ["selling"]}', "also"),
            (f'{{"text": "x", "n": {"9" * 5000}}}', "number"),
        ],
    )
    def test_a_bad_line_is_told_with_its_number_and_the_others_are_kept(self, line: str, says: str) -> None:
        """One slip in a file of hundreds."""
        found, bad = parse_examples(f'{{"text": "good"}}\n\n{line}\n{{"text": "good too"}}\n')
        assert [example.text for example in found] == ["good", "good too"]
        assert [problem.line for problem in bad] == [3]
        assert says in bad[0].message

    def test_only_a_line_feed_ends_a_line(self) -> None:
        """JSON may hold U+2028 inside a text, and editors on some systems end lines with CR LF."""
        found, bad = parse_examples('{"text": "a\u2028b"}\r\n{"text": "c"}\r\n')
        assert [example.text for example in found] == ["a\u2028b", "c"]
        assert bad == ()


class TestModels:
    def test_an_intent_that_is_none_of_the_ten_is_refused(self) -> None:
        """The vocabulary of the wire is closed."""
        with pytest.raises(ValidationError):
            IntentFront.model_validate({"id": "selling", "title": "Selling", "cues": {"strong": ["for sale"]}})

    @pytest.mark.parametrize("cue", ["", "  ", "*", "?!", "x" * 81])
    def test_a_cue_without_a_word_is_refused(self, cue: str) -> None:
        """It would match nothing, or everything."""
        with pytest.raises(ValidationError):
            Cues(strong=(cue,))

    def test_an_entry_without_boundaries_is_whole(self) -> None:
        """That section is the only one that may be left out."""
        front = IntentFront.model_validate({"id": "asking", "title": "Asking", "cues": {"strong": ["how do i"]}})
        body = "\n".join(f"## {heading}\n> - words" for heading in REQUIRED_SECTIONS)
        assert intent_entry(front, sections(body)).boundaries is None

    def test_an_entry_without_a_required_section_is_refused(self) -> None:
        """The rules of the library complain first; this is the floor under them."""
        front = IntentFront.model_validate({"id": "asking", "title": "Asking", "cues": {"strong": ["how do i"]}})
        with pytest.raises(KeyError):
            intent_entry(front, sections("## Definition\nx"))


class TestShippedLexicon:
    def test_every_intent_of_the_wire_has_its_file_and_no_other_has(self) -> None:
        """What listen returns, the lexicon explains."""
        assert sorted(path.stem for path in LEXICON.glob("*.md")) == INTENTS
        assert sorted(path.stem for path in (LEXICON / "examples").glob("*.jsonl")) == sorted([*INTENTS, "none"])

    @pytest.mark.parametrize("name", INTENTS)
    def test_a_file_says_everything_an_agent_needs(self, name: str) -> None:
        """Definition in one sentence, an example, what it is mistaken for, and what to do."""
        front, body = split(LEXICON / f"{name}.md")
        entry = intent_entry(IntentFront.model_validate(front), sections(body), examples(name))
        assert entry.id == name
        assert len(re.findall(r"[.!?](?:\s|$)", entry.definition)) == 1
        assert len(words(entry.example)) >= 25
        assert len(entry.false_positives) >= 4
        assert [point for point in entry.false_positives if not belongs_somewhere(point, name)] == []
        assert len(words(entry.response)) >= 15
        assert set(sections(body)) <= {*REQUIRED_SECTIONS, BOUNDARIES}
        assert repeated_headings(body) == []

    @pytest.mark.parametrize("name", INTENTS)
    def test_a_cue_is_declared_once(self, name: str) -> None:
        """In two tiers it would say two things."""
        front, _ = split(LEXICON / f"{name}.md")
        cues = IntentFront.model_validate(front).cues
        often = Counter([*cues.strong, *cues.weak, *cues.against])
        assert [cue for cue, times in often.items() if times > 1] == []

    @pytest.mark.parametrize("name", INTENTS)
    def test_there_are_examples_enough_and_not_in_english_alone(self, name: str) -> None:
        """At least 20, at least 15% in other languages, in four of them."""
        found = examples(name)
        foreign = [example.language for example in found if example.language != "en"]
        assert len(found) >= 20
        assert len(foreign) / len(found) >= 0.15
        assert len(set(foreign)) >= 4
        assert all(name not in example.also for example in found)

    def test_there_are_posts_without_intent_to_learn_from(self) -> None:
        """Without them everything looks like something."""
        found = examples("none")
        assert len(found) >= 30
        assert all(example.also == () for example in found)

    def test_no_two_examples_say_nearly_the_same(self) -> None:
        """Templates teach their frame and nothing else."""
        sets = [
            (example.text, {word.folded for word in words(example.text)})
            for name in [*INTENTS, "none"]
            for example in examples(name)
        ]
        close = [
            (a, b) for (a, left), (b, right) in combinations(sets, 2) if len(left & right) > 0.6 * len(left | right)
        ]
        assert close == []

    def test_an_example_line_is_written_as_it_is_read(self) -> None:
        """One object a line with only the declared keys, letters as themselves: diffs stay legible."""
        for path in (LEXICON / "examples").glob("*.jsonl"):
            for line in path.read_text(encoding="utf-8").splitlines():
                assert json.dumps(json.loads(line), ensure_ascii=False) == line


class TestDrafts:
    def render(self, name: str, **given: object) -> str:
        _, body = split(DRAFTS / f"{name}.md")
        template = SandboxedEnvironment(undefined=StrictUndefined, autoescape=False).from_string(body)
        signal = {"headline": "HEADLINE", "excerpt": "EXCERPT {{ 7 * 7 }}", "url": "https://posts.example/1"}
        return template.render(
            {"signal": signal, "author": "kestrel_9", "tone": "friendly", "language": "en"} | given
        ).strip()

    @pytest.mark.parametrize("name", INTENTS)
    def test_every_intent_has_a_draft_of_its_own(self, name: str) -> None:
        """draft_reply without a text takes it."""
        front, _ = split(DRAFTS / f"{name}.md")
        assert front == {"id": name, "title": front["title"], "intent": name}

    @pytest.mark.parametrize("name", INTENTS)
    @pytest.mark.parametrize("tone", ["friendly", "direct"])
    @pytest.mark.parametrize("author", ["kestrel_9", None])
    def test_a_draft_is_short_and_says_who_speaks_where_the_sender_fills_it_in(
        self, name: str, tone: str, author: str | None
    ) -> None:
        """At most 120 words; places in brackets; the post's own text is not in it."""
        text = self.render(name, tone=tone, author=author)
        assert 30 <= len(text.split()) <= 120
        assert re.search(r"\[(?:your name|company|product|what you do|one of the options)", text)
        assert "None" not in text
        assert "EXCERPT" not in text
        assert ("kestrel_9" in text) is (author is not None)

    @pytest.mark.parametrize("name", INTENTS)
    def test_the_tones_differ(self, name: str) -> None:
        """A tone that changes nothing is a parameter that lies."""
        assert self.render(name, tone="friendly") != self.render(name, tone="direct")

    def test_a_handle_that_looks_like_a_template_stays_text(self) -> None:
        """It was written by a stranger."""
        assert "{{ 7 * 7 }}" in self.render("asking", author="{{ 7 * 7 }}")
