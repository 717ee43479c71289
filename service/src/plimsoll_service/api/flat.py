"""Query parameters, one for each field of a schema that can be written as text."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from marshmallow import Schema, fields
from werkzeug.datastructures import MultiDict

from ..engine.faults import Fault, Refused
from ..engine.names import unknown
from .loading import Judge, load
from .schemas.bounds import MOST_TEXT
from .schemas.fields import Several, StrictField
from .schemas.strict import StrictSchema
from .schemas.workload import Model


@dataclass(frozen=True)
class Parameter:
    """A query parameter, and the place in the document where its value goes."""

    name: str
    path: tuple[str, ...]
    field: StrictField | Several | Model


@dataclass(frozen=True)
class FlatQuery:
    """The query parameters of ``schema``; nested names join with ``_``, except below ``roots``."""

    schema: StrictSchema
    roots: tuple[str, ...] = ()

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """All parameters by name; raises ``ValueError`` where two fields would share one."""
        found: dict[str, Parameter] = {}
        for path, field in _leaves(self.schema):
            name = "_".join(path[1:] if path[0] in self.roots else path)
            if name in found:
                raise ValueError(f"two fields would share the query parameter {name}")
            found[name] = Parameter(name, path, field)
        return found

    def document(
        self, query: MultiDict[str, str], beside: Collection[str] = ()
    ) -> tuple[dict[str, Any], tuple[Fault, ...]]:
        """The document that the query describes, and faults of its names; ``beside`` are read elsewhere."""
        document: dict[str, Any] = {root: {} for root in self.roots}
        faults: list[Fault] = []
        for name, texts in query.lists():
            if name in beside:
                continue
            parameter = self.parameters.get(name)
            if parameter is None:
                faults.append(Fault(name[:MOST_TEXT], self._unknown(name[:MOST_TEXT], beside)))
            elif len(texts) > 1 and not isinstance(parameter.field, Several):
                faults.append(Fault(name, "is given more than once"))
                _put(
                    document, parameter.path, parameter.field.from_text(texts[0])
                )  # otherwise it would be reported as missing, too
            else:
                _put(document, parameter.path, parameter.field.from_text(",".join(texts)))
        return document, tuple(faults)

    def load(self, query: MultiDict[str, str], judge: Judge = lambda _: (), beside: Collection[str] = ()) -> Any:
        """The schema's value, which has no faults of meaning either; raises ``Refused`` with all faults."""
        document, faults = self.document(query, beside)
        with self.naming():
            value = load(self.schema, document, faults, judge)
            if unfit := judge(value):
                raise Refused(unfit)
            return value

    @contextmanager
    def naming(self) -> Iterator[None]:
        """Name query parameters in place of pointers in refusals."""
        try:
            yield
        except Refused as refused:
            faults = (Fault(self._name(fault.pointer), fault.detail) for fault in refused.faults)
            raise Refused(tuple(faults)) from refused

    def _unknown(self, name: str, beside: Collection[str]) -> str:
        if name in _by_post(self.schema):
            return "objects and lists of objects go by POST"
        return unknown("parameter", name, (*self.parameters, *beside))

    def _name(self, pointer: str) -> str:
        if not pointer.startswith("/"):
            return pointer  # already the name of a parameter
        path = tuple(pointer.split("/")[1:])
        for parameter in self.parameters.values():
            if path[: len(parameter.path)] == parameter.path:
                return parameter.name
        return "_".join(path[1:] if path[:1] and path[0] in self.roots else path)


def _leaves(schema: Schema, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for name, field in schema.fields.items():
        below = (*path, name)
        if isinstance(field, fields.Nested) and not isinstance(field, Model):
            yield from _leaves(field.schema, below)
        elif not _holds_objects(field):
            yield below, field


def _by_post(schema: Schema) -> set[str]:
    names = {name for name, field in schema.fields.items() if _holds_objects(field)}
    nested = (field.schema for field in schema.fields.values() if isinstance(field, fields.Nested))
    return names.union(*(_by_post(below) for below in nested))


def _holds_objects(field: object) -> bool:
    return isinstance(field, fields.List) and isinstance(field.inner, fields.Nested)


def _put(document: dict[str, Any], path: tuple[str, ...], value: object) -> None:
    *parents, last = path
    for parent in parents:
        document = document.setdefault(parent, {})
    document[last] = value
