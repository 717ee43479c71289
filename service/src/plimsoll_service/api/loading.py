"""From a document to a frozen value, or to every fault that it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from marshmallow import ValidationError

from ..engine.faults import Fault, Refused
from ..engine.workload import TASKS
from .faults import flattened, merged
from .salvage import Salvage
from .schemas.strict import StrictSchema

Judge = Callable[[Any], tuple[Fault, ...]]


def load(schema: StrictSchema, document: Any, beside: tuple[Fault, ...] = ()) -> Any:
    """The schema's value; raises ``Refused`` with every fault of shape, after those found ``beside``."""
    return load_judged(schema, document, lambda _: (), beside)


def load_judged(schema: StrictSchema, document: Any, judge: Judge, beside: tuple[Fault, ...] = ()) -> Any:
    """As ``load``, but where there is a fault, what ``judge`` finds wrong with the meaning is raised along with it.

    A value without faults of shape is returned unjudged: what works with it judges it anyway.
    """
    try:
        value = _value(schema, document)
    except ValidationError as error:
        raise Refused(beside + _all_faults(schema, error, judge)) from error
    if beside:
        raise Refused(merged(beside, judge(value)))
    return value


def _value(schema: StrictSchema, document: Any) -> Any:
    """What the schema loads; nearly all documents are sound, and only the rest is searched for all that is wrong."""
    try:
        return schema.sound(document)
    except ValidationError:
        return schema.load(document)


def _all_faults(schema: StrictSchema, error: ValidationError, judge: Judge) -> tuple[Fault, ...]:
    shape = tuple(flattened(error.messages))
    meaning = _meaning(schema, error, judge, {})
    if meaning is None:
        # Without its task a workload cannot be judged: what is wrong whichever it is, is wrong.
        by_task = [_meaning(schema, error, judge, {"task": task}) or () for task in TASKS]
        meaning = tuple(fault for fault in by_task[0] if all(fault in others for others in by_task))
    return merged(shape, meaning)


def _meaning(
    schema: StrictSchema, error: ValidationError, judge: Judge, stand_ins: dict[str, Any]
) -> tuple[Fault, ...] | None:
    """What is wrong with the meaning of the sound part; ``None`` where too little of it is sound."""
    salvage = Salvage(stand_ins)
    value = salvage.value(schema, error.valid_data, error.messages)
    if value is None:
        return None
    return tuple(Fault(salvage.original(fault.pointer), fault.detail) for fault in judge(value))
