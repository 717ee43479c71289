"""How apispec is told of the fields that state their own JSON Schema."""

from __future__ import annotations

from typing import Any

from apispec.ext.marshmallow import OpenAPIConverter
from marshmallow import fields

from .schemas.fields import StrictField, Text
from .schemas.model import Model


def add_fields(converter: OpenAPIConverter) -> None:
    """Let the converter write this service's own fields."""
    converter.add_attribute_function(_own_schema)
    converter.add_attribute_function(_name_or_object)


def _own_schema(_: OpenAPIConverter, field: fields.Field[Any], **__: Any) -> dict[str, Any]:
    return field.json_schema() if isinstance(field, StrictField) else {}


def _name_or_object(_: OpenAPIConverter, field: fields.Field[Any], ret: dict[str, Any], **__: Any) -> dict[str, Any]:
    """A model is given by its name or as the object that the nested schema describes."""
    if not isinstance(field, Model):
        return {}
    described = ret.pop("allOf", None) or [{"$ref": ret.pop("$ref")}]
    return {"anyOf": [Text().json_schema(), *described]}
