"""A document as a frozen value, or every fault that it has, by JSON pointer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from marshmallow import ValidationError, fields

from ..engine.faults import Fault, Refused
from ..engine.workload import TASKS
from .schemas.strict import StrictSchema

OF_THE_WHOLE = "_schema"  # marshmallow's key for messages about an object itself


def pointer(parent: str, name: object) -> str:
    """The JSON pointer (RFC 6901) of a member of ``parent``."""
    escaped = str(name).replace("~", "~0").replace("/", "~1")
    return f"{parent}/{escaped}"


def flattened(messages: Any, parent: str = "") -> Iterator[Fault]:
    """Every message with the pointer to its field."""
    if isinstance(messages, dict):
        for name, below in messages.items():
            yield from flattened(below, parent if name == OF_THE_WHOLE else pointer(parent, name))
    elif isinstance(messages, list):
        for message in messages:
            yield from flattened(message, parent)
    else:
        yield Fault(parent, str(messages))


def merged(first: Iterable[Fault], further: Iterable[Fault]) -> tuple[Fault, ...]:
    """All of ``first``, and those of ``further`` about other fields."""
    known = tuple(first)
    new = tuple(fault for fault in further if not any(_related(fault.pointer, other.pointer) for other in known))
    return known + new


def _related(one: str, other: str) -> bool:
    """Whether one pointer equals or contains the other: a malformed field has no fault of meaning, too."""
    return one == other or one.startswith(f"{other}/") or other.startswith(f"{one}/")


Judge = Callable[[Any], tuple[Fault, ...]]


def load(schema: StrictSchema, document: Any, beside: tuple[Fault, ...] = (), judge: Judge = lambda _: ()) -> Any:
    """The schema's value; raises ``Refused`` with every fault: those found ``beside``, of shape, and of meaning.

    ``judge`` finds faults of meaning. A value without other faults is returned unjudged: the sizer judges it anyway.
    """
    try:
        value = schema.load(document)
    except ValidationError as error:
        raise Refused(beside + _all_faults(schema, error, judge)) from error
    if beside:
        raise Refused(merged(beside, judge(value)))
    return value


def _all_faults(schema: StrictSchema, error: ValidationError, judge: Judge) -> tuple[Fault, ...]:
    shape = tuple(flattened(error.messages))
    meaning = _meaning(schema, error, judge, {})
    if meaning is None:
        # A workload without a task: faults that every task would have.
        by_task = [_meaning(schema, error, judge, {"task": task}) or () for task in TASKS]
        meaning = tuple(fault for fault in by_task[0] if all(fault in others for others in by_task))
    return merged(shape, meaning)


def _meaning(
    schema: StrictSchema, error: ValidationError, judge: Judge, stand_ins: dict[str, Any]
) -> tuple[Fault, ...] | None:
    """Faults of meaning in the sound part; ``None`` where that part is too small to judge."""
    salvage = Salvage(stand_ins)
    value = salvage.value(schema, error.valid_data, error.messages)
    if value is None:
        return None
    return tuple(Fault(salvage.original(fault.pointer), fault.detail) for fault in judge(value))


@dataclass
class Salvage:
    """The sound part of a faulty document as a value, so that its meaning can be checked along with its shape.

    ``stand_ins`` replace required fields that are missing or faulty; ``kept`` maps the pointers of shortened lists to
    the original indices of their entries.
    """

    stand_ins: Mapping[str, Any] = field(default_factory=dict)
    kept: dict[str, list[int]] = field(default_factory=dict)

    def value(self, schema: StrictSchema, valid: Any, messages: Any, at: str = "") -> Any:
        """The schema's value without its faulty fields, or ``None`` where a required one is faulty."""
        if not isinstance(valid, dict):
            return valid
        faulty = messages if isinstance(messages, dict) else {}
        data = {}
        for name, member in schema.fields.items():
            attribute, key = member.attribute or name, member.data_key or name
            if attribute in valid or self._emptied(member, faulty.get(key)):
                data[attribute] = self._member(member, valid.get(attribute, {}), faulty.get(key), pointer(at, key))
        data = {name: found for name, found in data.items() if found is not None}
        required = [member.attribute or name for name, member in schema.fields.items() if member.required]
        data = {name: self.stand_ins[name] for name in required if name in self.stand_ins} | data
        return schema.build(data) if all(name in data for name in required) else None

    @staticmethod
    def _emptied(member: fields.Field[Any], messages: Any) -> bool:
        """Whether this was an object without a sound field, which marshmallow leaves out."""
        return isinstance(member, fields.Nested) and isinstance(messages, dict) and OF_THE_WHOLE not in messages

    def _member(self, member: fields.Field[Any], valid: Any, messages: Any, at: str) -> Any:
        if isinstance(member, fields.Nested):
            assert isinstance(member.schema, StrictSchema)
            return self.value(member.schema, valid, messages, at)
        if isinstance(member, fields.List) and isinstance(messages, dict):
            return self._entries(member.inner, valid, messages, at)
        return valid

    def _entries(self, inner: fields.Field[Any], valid: list[Any], messages: dict[Any, Any], at: str) -> list[Any]:
        """The sound entries; marshmallow drops faulty names from a list, but keeps the sound part of faulty objects."""
        nested = isinstance(inner, fields.Nested)
        total = len(valid) + len(messages)
        places = [place for place in range(total) if nested or place not in messages][: len(valid)]
        found = [
            (place, self._member(inner, entry, messages.get(place), pointer(at, place)))
            for place, entry in zip(places, valid, strict=True)
        ]
        sound = [(place, entry) for place, entry in found if entry is not None]
        self.kept[at] = [place for place, _ in sound]
        return [entry for _, entry in sound]

    def original(self, at: str) -> str:
        """The pointer into the request, from a pointer into the salvaged value."""
        parts = at.split("/")
        for end in range(1, len(parts)):
            places = self.kept.get("/".join(parts[:end]))
            if places is not None and parts[end].isdigit() and int(parts[end]) < len(places):
                parts[end] = str(places[int(parts[end])])
        return "/".join(parts)
