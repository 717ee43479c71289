"""JSON Schema of the frozen dataclasses that answers are made of, from their annotations."""

from __future__ import annotations

import types
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

JsonSchema = dict[str, Any]

_PLAIN: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_ANYTHING: JsonSchema = {}
COMPONENTS = "#/components/schemas/"


@cache
def _hints(cls: type) -> dict[str, Any]:
    return get_type_hints(cls)


def schema_of(kind: Any, components: dict[str, JsonSchema]) -> JsonSchema:
    """The schema of an annotation; dataclasses are referred to and put into ``components``."""
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in components:
            components[kind.__name__] = {}  # first, for types that contain themselves
            components[kind.__name__] = _object(kind, components)
        return {"$ref": COMPONENTS + kind.__name__}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"type": "string", "enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return _any_of([schema_of(argument, components) for argument in arguments])
    if origin in (tuple, list):
        return {"type": "array", "items": schema_of(arguments[0], components)}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(arguments[1], components)}
    return dict(_ANYTHING)


def _object(kind: type, components: dict[str, JsonSchema]) -> JsonSchema:
    hints = _hints(kind)
    properties = {field.name: schema_of(hints[field.name], components) for field in fields(kind)}
    # A dataclass is serialised with all its fields, so that each is always there.
    return {
        "type": "object",
        "description": _sentence(kind),
        "properties": properties,
        "required": list(properties),
    }


def _sentence(kind: type) -> str:
    return " ".join((kind.__doc__ or "").replace("``", "`").split())


def _any_of(schemas: list[JsonSchema]) -> JsonSchema:
    """Plain types side by side in one array of types, as OpenAPI 3.1 has it; else alternatives."""
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}
