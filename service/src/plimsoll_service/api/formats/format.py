"""A format of answers, and the machines that the tool behind it can launch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Generic, TypeVar

from ...engine.answer import Answer, Recommendation
from ...engine.faults import Fault, Refused
from ...engine.hardware import Catalog
from ...engine.names import index, key
from ...engine.workload import Query, Workload
from ..encode import encode
from .launch import Launch, launch_of
from .machines import CATALOGS_KEPT, OWN, Machine, machines

_CONSIDERED = 30  # recommendations, of which a tool gets the first that it can launch


@dataclass(frozen=True)
class Pick:
    """Launch that a tool makes of an answer (``None``: nothing), and the better ones that it cannot make, with why."""

    launch: Launch | None
    passed: tuple[tuple[Recommendation, str], ...]


@dataclass(frozen=True)
class Consumer:
    """A tool that launches machines: its clouds, the machines that it has, and why it cannot launch one of these.

    ``serves`` are its machines for services, where they are others than those for jobs.
    """

    title: str
    clouds: tuple[str, ...]
    launches: Callable[[Machine], bool] = lambda _: True
    serves: Callable[[Machine], bool] | None = None
    against: Callable[[Launch], str | None] = lambda _: None

    def has(self, machine: Machine, service: bool) -> bool:
        """Whether it has the machine for a service, or for a job."""
        return (self.serves if service and self.serves else self.launches)(machine)

    def pick(self, answer: Answer, catalog: Catalog) -> Pick:
        """The best recommendation that it can launch, and those before it."""
        passed: list[tuple[Recommendation, str]] = []
        for one in answer.recommendations:
            launch = launch_of(answer, one, catalog)
            reason = self.against_it(launch)
            if reason is None:
                return Pick(launch, tuple(passed))
            passed.append((one, reason))
        return Pick(None, tuple(passed))

    def against_it(self, launch: Launch) -> str | None:
        """Reason why the tool cannot launch this; ``None`` if it can."""
        if launch.one.cloud not in self.clouds:
            return f"{self.title} does not rent from {launch.one.cloud}"
        if not self.has(launch.machine, launch.service):
            return f"{self.title} does not have this machine for {'services' if launch.service else 'jobs'}"
        return self.against(launch)


def launchable(query: Query, form: Format[Any], catalog: Catalog) -> Query:
    """The query, restricted to machines that the format is for; raises ``Refused`` where none remain."""
    if form.consumer:
        return narrowed(query, form.consumer, form.name, catalog)
    stated = query.constraints
    if form.own_first and stated.own_machines and not stated.clouds:
        return query.within(clouds=(OWN,))
    return query


def narrowed(query: Query, consumer: Consumer, form: str, catalog: Catalog) -> Query:
    """The query, restricted to machines that the consumer can launch; raises ``Refused`` where no cloud remains."""
    spellings = index((cloud, ()) for cloud in consumer.clouds)
    asked = query.constraints.clouds or consumer.clouds
    clouds = tuple(dict.fromkeys(spellings[key(cloud)] for cloud in asked if key(cloud) in spellings))
    if not clouds:
        known = ", ".join(consumer.clouds)
        raise Refused((Fault("/constraints/clouds", f"the format {form!r} is for {known}: none of them is asked for"),))
    exclude = (*(query.constraints.exclude or ()), *lacking(consumer, catalog, _serving(query.workload))) or None
    # The tool may not be able to launch the first ones, for their number of machines or their purchase.
    return replace(query.within(clouds=clouds, exclude=exclude), limit=max(query.limit, _CONSIDERED))


def _serving(workload: Workload) -> bool:
    """Whether the question is about a service: inference without an amount of work."""
    amounts = (workload.requests, workload.tokens, workload.hours_of_audio, workload.dataset.samples)
    return workload.task == "inference" and all(amount is None for amount in amounts)


@lru_cache(maxsize=64 * CATALOGS_KEPT)
def lacking(consumer: Consumer, catalog: Catalog, service: bool = False) -> tuple[str, ...]:
    """The families that the consumer cannot launch, and the instance types where it can launch a part of a family."""
    kept: set[str] = set()
    lacks: defaultdict[str, list[str]] = defaultdict(list)
    for machine in machines(catalog):
        if machine.cloud not in consumer.clouds:
            continue
        family = machine.family or machine.instance_type
        if consumer.has(machine, service):
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
    """A way to write a value; ``consumer`` is the tool that reads it, if it launches machines.

    ``own_first``: it is for machines of one's own, where the question has any.
    """

    name: str
    media_type: str
    render: Callable[[Value, Catalog], bytes | str]
    consumer: Consumer | None = None
    own_first: bool = False


JSON: Format[Any] = Format("json", "application/json", lambda value, _: encode(value))
"""JSON, with all fields of the answer."""
