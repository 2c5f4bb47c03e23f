"""Portable JSON Schemas of the three tools: the plain subset that every client accepts, made from the wire models."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from signal_playbooks.contract.tools import INPUTS, OUTPUTS, ToolName

Schema = dict[str, Any]
_DROPPED = frozenset({"title", "$defs", "$ref", "anyOf", "default", "required"})


def input_schema(tool: ToolName) -> Schema:
    """Return the schema of a tool's arguments: no unions, no references, optional values simply not required."""
    return _portable(INPUTS[tool], nullable=False)


def output_schema(tool: ToolName) -> Schema:
    """Return the schema of a tool's answer; what may be null has a list of types, such as ["string", "null"]."""
    return _portable(OUTPUTS[tool], nullable=True)


def _portable(model: type[BaseModel], *, nullable: bool) -> Schema:
    whole = model.model_json_schema(by_alias=True, mode="validation")
    return _flat(whole, whole.get("$defs", {}), nullable=nullable)


def _flat(node: Schema, definitions: Mapping[str, Schema], *, nullable: bool) -> Schema:
    """Return the node with its references written out and its `X or null` unions folded into one type."""
    null = False
    if "anyOf" in node:
        [only] = [one for one in node["anyOf"] if one.get("type") != "null"]
        null = nullable and len(node["anyOf"]) > 1
        node = only | {key: value for key, value in node.items() if key != "anyOf"}
    if "$ref" in node:
        node = definitions[node["$ref"].rsplit("/", 1)[1]] | {k: v for k, v in node.items() if k != "$ref"}
    return _assembled(node, definitions, nullable=nullable, null=null)


def _assembled(node: Schema, definitions: Mapping[str, Schema], *, nullable: bool, null: bool) -> Schema:
    flat = {key: value for key, value in node.items() if key not in _DROPPED}
    if node.get("default") is not None:
        flat["default"] = node["default"]
    if "items" in node:
        flat["items"] = _flat(node["items"], definitions, nullable=nullable)
    if "properties" in node:
        each = node["properties"].items()
        flat["properties"] = {name: _flat(inner, definitions, nullable=nullable) for name, inner in each}
        if node.get("required"):
            flat["required"] = node["required"]
    if null:
        flat["type"] = [flat["type"], "null"]
        if "enum" in flat:
            flat["enum"] = [*flat["enum"], None]
    return flat
