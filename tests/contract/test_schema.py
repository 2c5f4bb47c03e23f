"""The schemas that clients get: plain enough for every one of them, and saying everything."""

from collections.abc import Iterator
from typing import Any

import pytest

from signal_playbooks.contract.schema import input_schema, output_schema
from signal_playbooks.contract.tools import INPUTS, OUTPUTS

SCHEMAS = [input_schema(tool) for tool in INPUTS] + [output_schema(tool) for tool in OUTPUTS]
NAMES = [f"{tool}-in" for tool in INPUTS] + [f"{tool}-out" for tool in OUTPUTS]
REFUSED_BY_SOME = {"anyOf", "oneOf", "allOf", "not", "$ref", "$defs", "definitions", "patternProperties", "const"}


def _nodes(schema: dict[str, Any], at: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    yield at, schema
    for name, inner in schema.get("properties", {}).items():
        yield from _nodes(inner, f"{at}.{name}")
    if "items" in schema:
        yield from _nodes(schema["items"], f"{at}[]")


@pytest.mark.parametrize("schema", SCHEMAS, ids=NAMES)
def test_no_keyword_that_some_client_refuses(schema: dict[str, Any]) -> None:
    """Several clients drop a whole tool for one union or reference."""
    for at, node in _nodes(schema):
        assert not REFUSED_BY_SOME & node.keys(), at


@pytest.mark.parametrize("schema", SCHEMAS, ids=NAMES)
def test_every_property_has_a_type_and_a_description(schema: dict[str, Any]) -> None:
    """Agents read nothing but these."""
    for at, node in _nodes(schema):
        assert node.get("type"), at
        if at and not at.endswith("[]"):
            assert len(node.get("description", "")) > 8, at


@pytest.mark.parametrize("schema", SCHEMAS, ids=NAMES)
def test_arrays_have_typed_items_and_objects_are_closed(schema: dict[str, Any]) -> None:
    """An open object invites fields that are refused later; an array without items is refused by clients."""
    for at, node in _nodes(schema):
        kinds = node["type"] if isinstance(node["type"], list) else [node["type"]]
        if "array" in kinds:
            assert node["items"]["type"], at
        if "object" in kinds:
            assert node["additionalProperties"] is False, at
            assert set(node.get("required", ())) <= node["properties"].keys(), at


@pytest.mark.parametrize("tool", OUTPUTS)
def test_what_may_be_null_says_so_in_its_type(tool: Any) -> None:
    """A client that validates answers must accept ours."""
    for at, node in _nodes(output_schema(tool)):
        if isinstance(node["type"], list):
            assert node["type"][1:] == ["null"], at
    assert any(isinstance(node["type"], list) for _, node in _nodes(output_schema(tool)))


@pytest.mark.parametrize("tool", INPUTS)
def test_arguments_have_one_type_each(tool: Any) -> None:
    """Type lists are fine in answers; in arguments some clients refuse them."""
    assert all(isinstance(node["type"], str) for _, node in _nodes(input_schema(tool)))


def test_names_on_the_wire_are_the_aliases() -> None:
    """`in` and `not` are words of the language this is written in, not of the wire."""
    assert "in" in input_schema("dispatch")["properties"]["params"]["properties"]
    assert "not" in output_schema("listen")["properties"]["query_plan"]["properties"]
