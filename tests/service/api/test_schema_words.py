"""Schemas in words and as trees of fields."""

from __future__ import annotations

from typing import Any

import pytest

from plimsoll_service.api.schema_words import takes, tree

NODE: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "description": "Its name."},
        "children": {"type": "array", "items": {"$ref": "#/components/schemas/Node"}},
    },
}


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"$ref": "#/components/schemas/Node"}, "Node"),
        ({"type": "integer", "minimum": 1, "maximum": 1000}, "integer, 1 to 1,000"),
        ({"type": "number", "exclusiveMinimum": 0, "maximum": 1e15}, "number, above 0, at most 1e+15"),
        ({"type": "integer", "minimum": 0}, "integer, 0 or more"),
        ({"type": ["number", "null"]}, "number or null"),
        ({"type": "string", "enum": ["a", "b"]}, "a | b"),
        ({"type": "string", "examples": ["93 GiB"]}, "string, such as 93 GiB"),
        ({"type": "array", "items": {"type": "string"}}, "list of string"),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, "object of integer"),
        ({"type": "object", "additionalProperties": True}, "object"),
        ({"anyOf": [{"$ref": "#/components/schemas/Node"}, {"type": "null"}]}, "Node or null"),
        ({"const": 200}, "200"),
        ({}, "anything"),
    ],
)
def test_schemas_are_said_in_words(schema: dict[str, Any], words: str) -> None:
    """Names of objects, words to choose from, kinds with their bounds."""
    assert takes(schema) == words


def test_a_tree_goes_down_to_the_last_field() -> None:
    """Through references, lists and alternatives."""
    pair = {"properties": {"left": {"anyOf": [{"$ref": "#/x/Leaf"}, {"type": "null"}]}}}
    leaf = {"required": ["size"], "properties": {"size": {"type": "integer", "description": "How large."}}}

    (pairs,) = tree(
        {"properties": {"pairs": {"type": "array", "items": {"$ref": "#/x/Pair"}}}}, {"Pair": pair, "Leaf": leaf}
    )

    (left,) = pairs.parts
    (size,) = left.parts
    assert (pairs.object, left.object, left.takes) == ("Pair", "Leaf", "Leaf or null")
    assert (size.name, size.takes, size.required, size.description) == ("size", "integer", True, "How large.")


def test_what_contains_itself_is_opened_once() -> None:
    """Else a tree of trees had no end."""
    name, children = tree({"$ref": "#/components/schemas/Node"}, {"Node": NODE})

    assert (name.required, children.required) == (True, False)
    assert (children.object, children.takes, children.parts) == ("Node", "list of Node", ())
