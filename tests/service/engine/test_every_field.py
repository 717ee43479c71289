"""No field is ever silently ignored: for every kind of work it changes the answer, or is refused."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache

import pytest
from tests.service.engine.catalogs import STAMP, ask, bundled_market
from tests.service.engine.field_changes import (
    BASES,
    BESIDE,
    CONSTRAINTS,
    CUSTOM,
    CUSTOM_MODEL,
    DATASET,
    IMAGES,
    LANGUAGE,
    OF_KIND,
    WORKLOAD,
    Change,
)

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.answer import Answer
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.workload import Constraints, CustomModel, Dataset, Disk, Query, Workload


def shown(answer: Answer) -> Answer:
    """The answer without its copy of the question."""
    return replace(answer, workload={}, assumptions=())


def outcome(query: Query) -> Answer | None:
    """Parts of the answer that may show a change of the question; ``None`` if it is refused."""
    return None if faults_of(query, bundled_market()) else shown(recommend(query, bundled_market(), STAMP))


@cache
def answered(query: Query) -> Answer:
    """The answer of a base question, which must not be refused."""
    return shown(ask(query, bundled_market()))


def change_of(name: str, what: str) -> Change:
    return OF_KIND.get((name, what), WORKLOAD[name])


def matters(before: Query, after: Query) -> bool:
    """Whether the second question is refused, or answered otherwise than the first."""
    found = outcome(after)
    return found is None or found != answered(before)


@pytest.mark.parametrize("what", BASES)
def test_every_field_of_the_workload_counts_or_is_refused(what: str) -> None:
    """A workload's field changes the answer of each kind of work, or is refused for it."""
    for item in fields(Workload):
        before, after = asked(item.name, what)
        assert matters(before, after), item.name


def asked(name: str, what: str) -> tuple[Query, Query]:
    """A kind's question without and with the change of a field."""
    change, base = change_of(name, what), BASES[what]
    also = {other: value for other, value in change.also.items() if not refused(replace(base, **{other: value}))}
    before = Query(replace(base, **also), change.constraints)
    return before, replace(before, workload=replace(before.workload, **{name: change.value}))


def refused(workload: Workload) -> bool:
    return bool(faults_of(Query(workload), bundled_market()))


def test_every_field_of_the_workload_means_something_somewhere() -> None:
    """No field is refused by every kind of work."""
    for item in fields(Workload):
        assert any(not faults_of(asked(item.name, what)[1], bundled_market()) for what in BASES), item.name


@pytest.mark.parametrize("what", [kind.SAMPLE_TRAINING, kind.PREPROCESSING, kind.TABULAR_TRAINING])
@pytest.mark.parametrize("name", [item.name for item in fields(Dataset)])
def test_every_field_of_the_data_set_counts(name: str, what: str) -> None:
    """Size, samples, format and name of the data each change the answer."""
    base = replace(BASES[what], dataset=IMAGES)
    if what == kind.SAMPLE_TRAINING:
        base = replace(base, epochs=100)  # so long that several machines are worth it, which share the data
    changed = replace(base, dataset=DATASET[name].value)
    if name == "sharded" and what != kind.SAMPLE_TRAINING:
        assert refused(changed)
    else:
        assert matters(Query(base, objective="time"), Query(changed, objective="time"))


@pytest.mark.parametrize("what", BASES)
@pytest.mark.parametrize("disk", ["nvme", "ssd", "balanced", "efficiency", "hdd"])
def test_every_class_of_disk_counts(disk: str, what: str) -> None:
    """The class of the disk decides the product that is ordered, for every kind of work."""
    assert [item.name for item in fields(Disk)] == ["type"]
    answer = answered(Query(replace(BASES[what], disk=Disk(disk))))
    other = answered(Query(replace(BASES[what], disk=Disk("hdd" if disk != "hdd" else "ssd"))))
    assert answer != other


@pytest.mark.parametrize("name", [item.name for item in fields(CustomModel) if item.name != "name"])
def test_every_number_of_a_custom_model_counts(name: str) -> None:
    """Each figure of a described model changes the answer; its name is a label."""
    workload, changed = CUSTOM_MODEL[name]
    base = LANGUAGE if workload.model == "llama-3-8b" else CUSTOM
    if name == "active_parameters":
        base = replace(changed, active_parameters=None)
    before, after = replace(workload, model=base), replace(workload, model=changed)
    assert matters(Query(before), Query(after))


NEVER_PORTED = (kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE, kind.PREPROCESSING, kind.HPC)


@pytest.mark.parametrize("what", BASES)
def test_every_constraint_counts(what: str) -> None:
    """A constraint that binds changes the answer of each kind of work; work that is never split meets ``max_nodes``.

    Programs for any processor or GPU are never ported.
    """
    for name in (item.name for item in fields(Constraints)):
        workload = replace(BASES[what], **BESIDE.get((name, what), {}))
        before = Query(workload, limit=10, group="none")
        if name == "allow_porting" and what in NEVER_PORTED:
            assert "ported" not in {one.runs.status for one in answered(before).recommendations}
        elif name == "max_nodes" and what == kind.TABULAR_TRAINING:
            assert {1} == {one.node_count for one in answered(before).recommendations}
        elif name == "max_nodes" and what == kind.HPC:  # on one machine unless asked
            before = replace(before, constraints=Constraints(instance_types=("p4d.24xlarge",)))
            assert matters(before, replace(before, constraints=replace(before.constraints, max_nodes=2)))
        else:
            assert matters(before, replace(before, constraints=Constraints(**{name: CONSTRAINTS[name]}))), name
