"""JSON Schema of the contract's objects: from marshmallow fields and from the dataclasses of answers."""

from __future__ import annotations

import types
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from importlib import resources
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import yaml
from apispec.ext.marshmallow import OpenAPIConverter
from marshmallow import fields

from .schemas.fields import StrictField, Text
from .schemas.workload import Model

JsonSchema = dict[str, Any]

COMPONENTS = "#/components/schemas/"
_PLAIN: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def add_fields(converter: OpenAPIConverter) -> None:
    """Let the converter describe the service's own fields."""
    converter.add_attribute_function(_own_schema)
    converter.add_attribute_function(_name_or_object)


def _own_schema(_: OpenAPIConverter, field: fields.Field[Any], **__: Any) -> dict[str, Any]:
    return field.json_schema() if isinstance(field, StrictField) else {}


def _name_or_object(_: OpenAPIConverter, field: fields.Field[Any], ret: dict[str, Any], **__: Any) -> dict[str, Any]:
    """The schema of a model: its name, or the object of the nested schema."""
    if not isinstance(field, Model):
        return {}
    described = ret.pop("allOf", None) or [{"$ref": ret.pop("$ref")}]
    return {"anyOf": [Text().json_schema(), *described]}


def schema_of(kind: Any, components: dict[str, JsonSchema]) -> JsonSchema:
    """The schema of an annotation; dataclasses become references into ``components``."""
    if is_dataclass(kind) and isinstance(kind, type):
        if kind.__name__ not in components:
            components[kind.__name__] = {}  # before its properties, since a type may contain itself
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
    return {}


def _object(kind: type, components: dict[str, JsonSchema]) -> JsonSchema:
    hints = get_type_hints(kind)
    properties = {field.name: schema_of(hints[field.name], components) for field in fields_of(kind)}
    # A dataclass is serialised with all its fields.
    return {
        "type": "object",
        "description": _sentence(kind),
        "properties": properties,
        "required": list(properties),
    }


def _sentence(kind: type) -> str:
    return " ".join((kind.__doc__ or "").replace("``", "`").split())


def _any_of(schemas: list[JsonSchema]) -> JsonSchema:
    """Plain types as an array of types (OpenAPI 3.1), other types as alternatives."""
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def meanings() -> dict[str, str]:
    """The meaning of each field, by ``field`` or by ``Object.field``."""
    found: dict[str, str] = yaml.safe_load(
        resources.files(__package__).joinpath("meanings.yaml").read_text(encoding="utf-8")
    )
    return found


def explain(schemas: dict[str, dict[str, Any]]) -> None:
    """Add descriptions to properties without one; raises ``KeyError`` for a field without a meaning."""
    words = meanings()
    for name, schema in schemas.items():
        for field, known in schema.get("properties", {}).items():
            if "description" not in known:
                said = words.get(f"{name}.{field}") or words[field]
                schema["properties"][field] = {**known, "description": said}  # a copy, since parts may be shared
