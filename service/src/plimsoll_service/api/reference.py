"""The OpenAPI document arranged for reading and trying: routes by tag, their parameters, bodies and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from .negotiate import PARAMETER as FORMAT
from .problems import KINDS, MEDIA_TYPE
from .schema_words import Field, JsonSchema, takes, tree

_JSON = "application/json"
_FLAGS = ("true", "false")


@dataclass(frozen=True)
class Parameter:
    """A parameter of a path or query; ``example`` as it stands in an address, ``choices`` where only some words go."""

    name: str
    place: str
    takes: str
    required: bool
    description: str
    example: str
    choices: tuple[str, ...]
    default: str


@dataclass(frozen=True)
class Body:
    """What a route is sent, by the name of its object."""

    object: str
    description: str
    fields: tuple[Field, ...]
    example: str


@dataclass(frozen=True)
class Answer:
    """What a route answers with a status; ``problem`` is the last part of its kind's address."""

    status: str
    description: str
    media_types: tuple[str, ...]
    object: str | None
    fields: tuple[Field, ...]
    problem: str | None


@dataclass(frozen=True)
class Route:
    """One method of one path; ``usual`` parameters are those that its example gives, or that it must have.

    ``scopes`` are what a key must be for; empty where none is sent.
    """

    method: str
    path: str
    anchor: str
    summary: str
    usual: tuple[Parameter, ...]
    further: tuple[Parameter, ...]
    format: Parameter | None
    body: Body | None
    answers: tuple[Answer, ...]
    scopes: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    """The routes of a tag."""

    name: str
    description: str
    routes: tuple[Route, ...]


@dataclass(frozen=True)
class Key:
    """The header that carries a key, and what stands before the key in it."""

    header: str
    prefix: str


@dataclass(frozen=True)
class Reference:
    """All routes, all objects by name, and how a key is sent where keys are known."""

    sections: tuple[Section, ...]
    objects: tuple[tuple[str, str, tuple[Field, ...]], ...]
    key: Key | None


def reference_of(document: Mapping[str, Any]) -> Reference:
    """The reference of an OpenAPI document."""
    objects = document["components"]["schemas"]
    routes = list(_routes(document))
    by_tag = tuple(
        Section(tag["name"], tag["description"], tuple(route for name, route in routes if name == tag["name"]))
        for tag in document["tags"]
    )
    described = ((name, schema.get("description", ""), tree(schema, objects)) for name, schema in objects.items())
    return Reference(by_tag, tuple(sorted(described)), _key(document["components"].get("securitySchemes", {})))


def _key(schemes: Mapping[str, Mapping[str, str]]) -> Key | None:
    for scheme in schemes.values():
        if scheme["type"] == "apiKey" and scheme["in"] == "header":
            return Key(scheme["name"], "")
    for scheme in schemes.values():
        if scheme["type"] == "http" and scheme["scheme"].lower() == "bearer":
            return Key("Authorization", "Bearer ")
    return None


def _routes(document: Mapping[str, Any]) -> Iterator[tuple[str, Route]]:
    objects = document["components"]["schemas"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield operation["tags"][0], _route(path, method, operation, objects)


def _route(path: str, method: str, operation: Mapping[str, Any], objects: Mapping[str, JsonSchema]) -> Route:
    parameters = [_parameter(known) for known in operation.get("parameters", ()) if known["in"] in ("path", "query")]
    asked = [parameter for parameter in parameters if parameter.name != FORMAT]
    return Route(
        method=method.upper(),
        path=path,
        anchor=operation["operationId"],
        summary=operation["summary"],
        usual=tuple(parameter for parameter in asked if _is_usual(parameter)),
        further=tuple(parameter for parameter in asked if not _is_usual(parameter)),
        format=next((parameter for parameter in parameters if parameter.name == FORMAT), None),
        body=_body(operation["requestBody"]["content"][_JSON], objects) if "requestBody" in operation else None,
        answers=tuple(_answer(status, answer, objects) for status, answer in operation["responses"].items()),
        scopes=tuple(
            sorted({scope for way in operation.get("security", ()) for part in way.values() for scope in part})
        ),
    )


def _is_usual(parameter: Parameter) -> bool:
    return bool(parameter.required or parameter.example)


def _parameter(known: Mapping[str, Any]) -> Parameter:
    schema = known["schema"]
    return Parameter(
        name=known["name"],
        place=known["in"],
        takes=takes(schema),
        required=known.get("required", False),
        description=known["description"],
        example=_as_in_address(known.get("example", "")),
        choices=_FLAGS if schema.get("type") == "boolean" else tuple(schema.get("enum", ())),
        default=str(schema.get("default", "")),
    )


def _as_in_address(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(_as_in_address(item) for item in value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _body(content: Mapping[str, Any], objects: Mapping[str, JsonSchema]) -> Body:
    schema = content["schema"]
    name = takes(schema)
    example = orjson.dumps(content["example"], option=orjson.OPT_INDENT_2).decode() if "example" in content else ""
    return Body(name, objects.get(name, {}).get("description", ""), tree(schema, objects), example)


def _answer(status: str, answer: Mapping[str, Any], objects: Mapping[str, JsonSchema]) -> Answer:
    content = answer.get("content", {})
    is_problem = MEDIA_TYPE in content
    schema = content.get(_JSON, {}).get("schema", {})
    return Answer(
        status=status,
        description=answer["description"],
        media_types=tuple(content),
        object=takes(schema) if "$ref" in schema else None,
        fields=tree(schema, objects),
        problem=KINDS[int(status)].slug if is_problem and int(status) in KINDS else None,
    )
