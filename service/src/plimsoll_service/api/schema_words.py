"""Schemas of the contract in words, and their objects as trees of fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

JsonSchema = Mapping[str, Any]
_WAYS = (("anyOf", " or "), ("oneOf", " or "), ("allOf", " and "))
_EXACT_BELOW = 1e7  # what is larger reads better as a power of ten


@dataclass(frozen=True)
class Field:
    """A field of an object, with what it takes; ``object`` names what it is made of, whose fields are ``parts``."""

    name: str
    takes: str
    required: bool
    description: str
    object: str | None
    parts: tuple[Field, ...]


def takes(schema: JsonSchema) -> str:
    """What a value of the schema may be, in a few words."""
    if "$ref" in schema:
        return _name(schema)
    for key, word in _WAYS:
        if key in schema:
            return word.join(takes(part) for part in schema[key])
    if "enum" in schema:
        return " | ".join(str(word) for word in schema["enum"])
    if "const" in schema:
        return str(schema["const"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {takes(schema.get('items', {}))}"
    if schema.get("additionalProperties"):
        return f"object of {takes(schema['additionalProperties'])}" if _typed_values(schema) else "object"
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return ", ".join([words, *_bounds(schema), *_such_as(schema)])


def tree(schema: JsonSchema, objects: Mapping[str, JsonSchema], within: tuple[str, ...] = ()) -> tuple[Field, ...]:
    """The fields of what a schema describes, down to the last; what lies within itself is not opened again."""
    found: dict[str, Field] = {}
    for name, part in _objects_of(schema, objects):
        if name in within:
            continue
        inside = (*within, name) if name else within
        found |= {field: _field(field, part, objects, inside) for field in part.get("properties", {})}
    return tuple(found.values())


def _field(name: str, of: JsonSchema, objects: Mapping[str, JsonSchema], within: tuple[str, ...]) -> Field:
    schema = of["properties"][name]
    made_of = next((found for found, _ in _objects_of(schema, objects) if found), None)
    parts = tree(schema, objects, within)
    return Field(name, takes(schema), name in of.get("required", ()), schema.get("description", ""), made_of, parts)


def _objects_of(schema: JsonSchema, objects: Mapping[str, JsonSchema]) -> Iterator[tuple[str, JsonSchema]]:
    """The objects that a value may be or list, by their names where they have any."""
    if "$ref" in schema:
        yield _name(schema), objects[_name(schema)]
    elif "properties" in schema:
        yield "", schema
    for key, _ in _WAYS:
        for part in schema.get(key, ()):
            yield from _objects_of(part, objects)
    if "items" in schema:
        yield from _objects_of(schema["items"], objects)


def _name(schema: JsonSchema) -> str:
    return str(schema["$ref"]).rpartition("/")[2]


def _typed_values(schema: JsonSchema) -> bool:
    return isinstance(schema["additionalProperties"], Mapping) and bool(schema["additionalProperties"])


def _bounds(schema: JsonSchema) -> Iterator[str]:
    if "exclusiveMinimum" in schema:
        yield f"above {_number(schema['exclusiveMinimum'])}"
    if "minimum" in schema and "maximum" in schema:
        yield f"{_number(schema['minimum'])} to {_number(schema['maximum'])}"
    elif "minimum" in schema:
        yield f"{_number(schema['minimum'])} or more"
    elif "maximum" in schema:
        yield f"at most {_number(schema['maximum'])}"


def _number(value: int | float) -> str:
    return f"{value:,g}" if isinstance(value, float) or abs(value) >= _EXACT_BELOW else f"{value:,}"


def _such_as(schema: JsonSchema) -> Iterator[str]:
    if schema.get("examples"):
        yield f"such as {schema['examples'][0]}"
