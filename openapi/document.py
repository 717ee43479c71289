"""The OpenAPI 3.1 document: of the routes, and the JSON Schema of marshmallow fields and of answers' dataclasses."""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import yaml
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from marshmallow import Schema, fields
from werkzeug.routing import Rule

from plimsoll_service.api.data_files import CONTRACT, EXAMPLES
from plimsoll_service.api.formats import COLLECTION, RECOMMENDATIONS
from plimsoll_service.api.guard.gate import PUBLIC, scope_of
from plimsoll_service.api.guard.keys import SCOPES
from plimsoll_service.api.negotiate import PARAMETER
from plimsoll_service.api.operation import Operation, operation_of
from plimsoll_service.api.problems import KINDS, MEDIA_TYPE, problem
from plimsoll_service.api.schemas.bounds import MOST_TEXT
from plimsoll_service.api.schemas.collections import ListingSchema
from plimsoll_service.api.schemas.fields import Several, StrictField, Text
from plimsoll_service.api.schemas.workload import Model

from .samples import samples

HERE = Path(__file__).parent
JsonSchema = dict[str, Any]
COMPONENTS = "#/components/schemas/"
_EXAMPLES = "#/components/examples/"
_PLAIN: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}


def add_fields(converter: OpenAPIConverter) -> None:
    """Let the converter describe the service's own fields."""
    known = converter.attribute_functions
    known.insert(known.index(converter.metadata2properties), lambda field, **_: asked_for(field))
    converter.add_attribute_function(
        lambda _, field, **__: field.json_schema() if isinstance(field, StrictField) else {}
    )
    converter.add_attribute_function(_name_or_object)


def asked_for(field: fields.Field[Any]) -> dict[str, str]:
    """The description of a request's field: the object's own, or that of one that it extends."""
    extended = (_component_name(each) for each in type(field.parent).__mro__)
    said = next((inputs()[name][field.name] for name in extended if field.name in inputs().get(name, {})), None)
    return {"description": said} if said else {}


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
        "description": " ".join((kind.__doc__ or "").replace("``", "`").split()),
        "properties": properties,
        "required": list(properties),
    }


def _any_of(schemas: list[JsonSchema]) -> JsonSchema:
    """Plain types as an array of types (OpenAPI 3.1), other types as alternatives."""
    if all(schema.keys() == {"type"} for schema in schemas):
        return {"type": [schema["type"] for schema in schemas]}
    return {"anyOf": schemas}


def meanings() -> dict[str, str]:
    """The meaning of each field, by ``field`` or by ``Object.field``."""
    found: dict[str, str] = yaml.safe_load((HERE / "meanings.yaml").read_text(encoding="utf-8"))
    return found


@cache
def inputs() -> dict[str, dict[str, str]]:
    """The meaning of each field of a request, by object."""
    found: dict[str, dict[str, str]] = yaml.safe_load((HERE / "inputs.yaml").read_text(encoding="utf-8"))
    return found


def explain(schemas: dict[str, dict[str, Any]]) -> None:
    """Add descriptions to properties without one; raises ``KeyError`` for a field without a meaning."""
    words = meanings()
    for name, schema in schemas.items():
        for field, known in schema.get("properties", {}).items():
            if "description" not in known:
                said = words.get(f"{name}.{field}") or words[field]
                schema["properties"][field] = {**known, "description": said}  # a copy, since parts may be shared


_SCOPES = "; ".join(f"`{scope}`: {what}" for scope, what in SCOPES.items())
BEARER, API_KEY = CONTRACT["security_schemes"]
_STATUSES = (401, 403, 429)


def security_of(scope: str | None) -> list[dict[str, list[str]]]:
    """The OpenAPI security of a scope: none, or a key with the scope, or no key where keys are off."""
    return [] if scope is PUBLIC else [{BEARER: [scope]}, {API_KEY: [scope]}, {}]


def statuses_of(scope: str | None) -> tuple[int, ...]:
    """The statuses of the guard's problems."""
    return () if scope is PUBLIC else _STATUSES


TITLE = "Plimsoll"
MAIN = "/recommendations"  # what most people come for is described first
VERSION = "1.0.0"  # of this contract
_METHODS = ("GET", "POST")
_ANY_FAULT = (500,)
_MEDIA_TYPES = {name: form.media_type for name, form in (COLLECTION | RECOMMENDATIONS).items()}
_JSON = "application/json"
_NAME: JsonSchema = {"type": "string", "minLength": 1}


def document(app: Flask) -> dict[str, Any]:
    """The contract of all routes of the application that have an ``Operation``."""
    plugin = MarshmallowPlugin(schema_name_resolver=_component_name)
    spec = APISpec(
        TITLE,
        VERSION,
        "3.1.0",
        plugins=[plugin],
        info={"description": (HERE / "introduction.md").read_text(encoding="utf-8")},
        tags=[
            {"name": name, "x-displayName": name.capitalize(), "description": text}
            for name, text in CONTRACT["tags"].items()
        ],
        servers=[{"url": "/"}],
    )
    for name, scheme in CONTRACT["security_schemes"].items():
        said = scheme["description"].format(scopes=_SCOPES)
        spec.components.security_scheme(name, scheme | {"description": said})
    assert plugin.converter is not None
    add_fields(plugin.converter)
    answers: dict[str, JsonSchema] = {"Problem": deepcopy(CONTRACT["problem"]) | {"examples": [EXAMPLES["refusal"]]}}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (MAIN not in rule.rule, rule.rule)):
        contract = operation_of(app.view_functions[rule.endpoint])
        if contract:
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            spec.path(path, operations=_operations(app, rule, path, contract, answers))
    for name, schema in sorted(answers.items()):
        spec.components.schema(name, schema)
    for status, kind in KINDS.items():
        spec.components.example(kind.slug, {"value": _problem_example(status)})
    _describe(plugin.converter, spec.components.schemas)
    return spec.to_dict()


def text(app: Flask) -> str:
    """The document as YAML, always the same bytes."""
    return yaml.dump(document(app), Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=MOST_TEXT)


class _PlainDumper(yaml.SafeDumper):
    """YAML without anchors and aliases, which few readers of OpenAPI follow, and with lines as they are."""

    def ignore_aliases(self, _: Any) -> bool:
        return True

    def represent_str(self, data: str) -> yaml.ScalarNode:
        return self.represent_scalar("tag:yaml.org,2002:str", data, style="|" if "\n" in data else None)


_PlainDumper.add_representer(str, _PlainDumper.represent_str)


def _component_name(schema: type[Schema] | Schema | str) -> str:
    cls = schema if isinstance(schema, type) else type(schema)
    return cls.__name__.removesuffix("Schema")


def _describe(converter: OpenAPIConverter, schemas: dict[str, dict[str, Any]]) -> None:
    """Describe each object and each of its fields that has no description."""
    for key, name in converter.refs.items():
        schemas[name] = {"type": "object", "description": (key[0].__doc__ or "").strip(), **schemas[name]}
    explain(schemas)


def _operations(
    app: Flask, rule: Rule, path: str, contract: Operation, answers: dict[str, JsonSchema]
) -> dict[str, Any]:
    view = app.view_functions[rule.endpoint]
    methods = [method for method in _METHODS if method in (rule.methods or ())]
    operation: dict[str, Any] = {
        "operationId": view.__name__,
        "tags": [contract.tag],
        "summary": (view.__doc__ or "").strip().splitlines()[0],
    }
    in_path = {"in": "path", "required": True}
    paths = [{"name": name, **in_path, "description": told, "schema": _NAME} for name, told in contract.paths.items()]
    parameters = [*paths, *_query_parameters(contract)]
    if parameters:
        operation["parameters"] = parameters if contract.body else _with_examples(parameters, contract.example or {})
    if contract.body:
        content: dict[str, Any] = {"schema": contract.body}
        if contract.example:
            content["example"] = contract.example
        operation["requestBody"] = {"required": True, "content": {_JSON: content}}
    scope = scope_of(app, rule.endpoint)
    operation["security"] = security_of(scope)
    operation["responses"] = _responses(contract, statuses_of(scope), answers)
    if contract.worded:
        operation.setdefault("parameters", []).append(CONTRACT["accept_language"])
    if contract.validated:
        operation.setdefault("parameters", []).append(CONTRACT["if_none_match"])
        headers = {"ETag": CONTRACT["etag"]}
        operation["responses"]["200"]["headers"] = headers
        unchanged = {"description": CONTRACT["not_modified"], "headers": headers}
        operation["responses"] = dict(sorted({**operation["responses"], "304": unchanged}.items()))
    operation["x-codeSamples"] = samples(methods[0], path, operation, contract.example or {})
    return {method.lower(): operation for method in methods}


def _with_examples(parameters: list[dict[str, Any]], examples: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        known | {"example": examples[known["name"]]} if known["name"] in examples else known for known in parameters
    ]


def _query_parameters(contract: Operation) -> list[dict[str, Any]]:
    queries = [query for query in (contract.query, contract.beside) if query]
    found = [_query_parameter(name, known.field) for query in queries for name, known in query.parameters.items()]
    if contract.formats:
        form = {"type": "string", "enum": list(contract.formats), "default": contract.formats[0]}
        meaning = "Format of the answer; takes precedence over the Accept header."
        found.append({"name": PARAMETER, "in": "query", "description": meaning, "schema": form})
    return found


def _query_parameter(name: str, field: fields.Field[Any]) -> dict[str, Any]:
    parameter = {
        "name": name,
        "in": "query",
        "required": field.required,
        "description": name,
        **asked_for(field),
    }
    if isinstance(field, Several):
        assert isinstance(field.inner, StrictField)
        schema = {"type": "array", "items": field.inner.json_schema(), "minItems": 1}
        return parameter | {"schema": schema, "style": "form", "explode": False}
    schema = field.json_schema() if isinstance(field, StrictField) else _NAME
    return parameter | {"schema": schema}


def _responses(contract: Operation, guarding: tuple[int, ...], answers: dict[str, JsonSchema]) -> dict[str, Any]:
    statuses = sorted({*contract.problems, *guarding, *_ANY_FAULT})
    found: dict[str, Any] = {"200": {"description": "The answer.", "content": _content(contract, answers)}}
    for status in statuses:
        example = {"$ref": f"{_EXAMPLES}{KINDS[status].slug}"}
        content = {MEDIA_TYPE: {"schema": {"$ref": f"{COMPONENTS}Problem"}, "examples": {"problem": example}}}
        found[str(status)] = {"description": f"{KINDS[status].title}. {KINDS[status].advice}", "content": content}
    if contract.unavailable:
        content = {_JSON: {"schema": schema_of(contract.unavailable, answers)}}
        found["503"] = {"description": KINDS[503].title, "content": content}
    return dict(sorted(found.items()))


def _content(contract: Operation, answers: dict[str, JsonSchema]) -> dict[str, Any]:
    if contract.answers is None:
        return {name: {"schema": _of_text(name)} for name in contract.media_types}
    content: dict[str, Any] = {_JSON: {"schema": _answer_schema(contract, answers)}}
    content |= {_MEDIA_TYPES[name]: {"schema": _of_text(_MEDIA_TYPES[name])} for name in contract.formats[1:]}
    return content


def _of_text(media_type: str) -> JsonSchema:
    """The schema of JSON and YAML is that of the parsed document."""
    return {"type": "object"} if media_type.endswith(("json", "yaml")) else {"type": "string"}


def _answer_schema(contract: Operation, answers: dict[str, JsonSchema]) -> JsonSchema:
    if isinstance(contract.answers, dict):
        return dict(contract.answers)
    item = schema_of(contract.answers, answers)
    if contract.query is None or not isinstance(contract.query.schema, ListingSchema):
        return item
    page: JsonSchema = deepcopy(CONTRACT["page"])
    page["properties"]["items"]["items"] = item
    return page


def _problem_example(status: int) -> dict[str, Any]:
    """A refused question, or a problem whose detail is its kind's advice."""
    return (
        EXAMPLES["refusal"]
        if status == EXAMPLES["refusal"]["status"]
        else problem(status, KINDS[status].advice, EXAMPLES["refusal"]["instance"])
    )
