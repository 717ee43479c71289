"""A format of answers, and the machines that the tool behind it can launch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Generic, TypeVar

from ...engine.answer import Answer, Recommendation
from ...engine.faults import Fault, Refused
from ...engine.hardware import Catalog
from ...engine.names import index, key
from ...engine.workload import Query
from .machines import CATALOGS_KEPT, Machine, machine_of, machines


def _any_machine(_: Machine) -> bool:
    return True


@dataclass(frozen=True)
class Consumer:
    """A tool that launches machines: its clouds, and a predicate for the machines that it supports."""

    clouds: tuple[str, ...]
    launches: Callable[[Machine], bool] = _any_machine

    def first(self, answer: Answer, catalog: Catalog) -> Recommendation | None:
        """The best recommendation that it can launch."""
        return next((one for one in answer.recommendations if self._launches(one, catalog)), None)

    def _launches(self, recommendation: Recommendation, catalog: Catalog) -> bool:
        return recommendation.cloud in self.clouds and self.launches(machine_of(recommendation, catalog))


def narrowed(query: Query, consumer: Consumer, form: str, catalog: Catalog) -> Query:
    """The query, restricted to machines that the consumer can launch; raises ``Refused`` where no cloud remains."""
    spellings = index((cloud, ()) for cloud in consumer.clouds)
    asked = query.constraints.clouds or consumer.clouds
    clouds = tuple(dict.fromkeys(spellings[key(cloud)] for cloud in asked if key(cloud) in spellings))
    if not clouds:
        known = ", ".join(consumer.clouds)
        raise Refused((Fault("/constraints/clouds", f"the format {form!r} is for {known}: none of them is asked for"),))
    exclude = (*(query.constraints.exclude or ()), *lacking(consumer, catalog)) or None
    return replace(query, constraints=replace(query.constraints, clouds=clouds, exclude=exclude))


@lru_cache(maxsize=32 * CATALOGS_KEPT)
def lacking(consumer: Consumer, catalog: Catalog) -> tuple[str, ...]:
    """The families that the consumer cannot launch, and the instance types where it can launch a part of a family."""
    kept: set[str] = set()
    lacks: defaultdict[str, list[str]] = defaultdict(list)
    for machine in machines(catalog):
        if machine.cloud not in consumer.clouds:
            continue
        family = machine.family or machine.instance_type
        if consumer.launches(machine):
            kept.add(family)
        else:
            lacks[family].append(machine.instance_type)
    return tuple(
        name for family, types in lacks.items() for name in ((family,) if not _means_one_of(family, kept) else types)
    )


def _means_one_of(family: str, others: Iterable[str]) -> bool:
    """Whether the name, as a family, includes one of the others: ``c7i`` is the series of ``c7i-flex``."""
    return any(key(other) == key(family) or other.lower().startswith(f"{family.lower()}-") for other in others)


Value = TypeVar("Value", contravariant=True)


@dataclass(frozen=True)
class Format(Generic[Value]):
    """A way to write a value; ``consumer`` is the tool that reads it, if it launches machines."""

    name: str
    media_type: str
    render: Callable[[Value, Catalog], bytes | str]
    consumer: Consumer | None = None
