"""Template bodies: what is plainly right needs no template library, and what is said to be right is right."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from signal_playbooks.content.templating import check_body, is_plain, sandbox

NAMES = ("audience", "goal", "tone")
PIECES = st.sampled_from(
    [
        "Listen to ",
        "{{ audience }}",
        "{{ goal or 'nothing' }}",
        '{{ (tone or "direct") | tojson }}',
        "{{ tone | shout }}",
        "{{ nobody }}",
        "{{ if }}",
        "{% if goal %}",
        "{% if tone == 'direct' %}",
        "{% else %}",
        "{% endif %}",
        "{% for x in goal %}",
        "{% endfor %}",
        "{# aside #}",
        "{{",
        "}}",
        "\n",
    ]
)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_body_that_is_plain_is_one_the_library_takes(body: str) -> None:
    """The short cut may only ever say yes where the long way would."""
    if is_plain(body, NAMES):
        template = sandbox().from_string(body)
        assert isinstance(template.render(dict.fromkeys(NAMES, "x")), str)


@given(st.lists(PIECES, max_size=12).map("".join))
def test_a_body_without_a_problem_renders(body: str) -> None:
    """What checks must not fail in front of a person."""
    if not check_body(body, "prompts/x.md", 1, NAMES):
        assert isinstance(sandbox().from_string(body).render(dict.fromkeys(NAMES, "x")), str)


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ("{{ audience | shout }}", "template-syntax"),
        ("{% if goal %}", "template-syntax"),
        ("{{ nobody }}", "template-name"),
    ],
)
def test_what_would_fail_when_rendered_is_told_before(body: str, rule: str) -> None:
    assert [problem.rule for problem in check_body(body, "prompts/x.md", 1, NAMES)] == [rule]
