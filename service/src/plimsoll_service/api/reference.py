"""The OpenAPI document arranged for reading: routes by tag, with their fields spelt out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson


@dataclass(frozen=True)
class Field:
    """A parameter or a body's field, with what it takes in words."""

    name: str
    takes: str
    required: bool
    description: str


@dataclass(frozen=True)
class Route:
    """One method of one path."""

    method: str
    path: str
    anchor: str
    summary: str
    parameters: tuple[Field, ...]
    body: str | None
    example: str | None
    responses: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Section:
    """The routes of a tag."""

    name: str
    description: str
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class Reference:
    """All routes and all objects."""

    sections: tuple[Section, ...]
    objects: tuple[tuple[str, str, tuple[Field, ...]], ...]


def sections(document: dict[str, Any]) -> Reference:
    """The reference of an OpenAPI document."""
    routes = list(_routes(document))
    by_tag = tuple(
        Section(tag["name"], tag["description"], tuple(route for name, route in routes if name == tag["name"]))
        for tag in document["tags"]
    )
    objects = tuple(
        (name, schema.get("description", ""), tuple(_fields(schema)))
        for name, schema in sorted(document["components"]["schemas"].items())
    )
    return Reference(by_tag, objects)


def _routes(document: dict[str, Any]) -> Iterator[tuple[str, Route]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield operation["tags"][0], _route(path, method, operation)


def _route(path: str, method: str, operation: dict[str, Any]) -> Route:
    content = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    example = content.get("example")
    return Route(
        method=method.upper(),
        path=path,
        anchor=operation["operationId"],
        summary=operation["summary"],
        parameters=tuple(
            Field(known["name"], takes(known["schema"]), known.get("required", False), known["description"])
            for known in operation.get("parameters", ())
        ),
        body=takes(content["schema"]) if content else None,
        example=orjson.dumps(example, option=orjson.OPT_INDENT_2).decode() if example else None,
        responses=tuple(
            (status, response["description"], ", ".join(response.get("content", {})))
            for status, response in operation["responses"].items()
        ),
    )


def _fields(schema: dict[str, Any]) -> Iterator[Field]:
    required = schema.get("required", ())
    for name, known in schema.get("properties", {}).items():
        yield Field(name, takes(known), name in required, known.get("description", ""))


def takes(schema: dict[str, Any]) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    for key, word in (("anyOf", " or "), ("allOf", " and ")):
        if key in schema:
            return word.join(takes(part) for part in schema[key])
    if "enum" in schema:
        return " | ".join(str(word) for word in schema["enum"])
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {takes(schema.get('items', {}))}"
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    return f"{words}, such as {schema['examples'][0]!r}" if schema.get("examples") else words
