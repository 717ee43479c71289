"""What is wrong with a query beyond its shape: unknown names, fields without meaning, contradictions. All at once."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine import datasets, frameworks, models
from plimsoll_service.engine.admission_machines import constraint_faults, hardware_faults, own_faults
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.applicability import meaningless, pointer
from plimsoll_service.engine.demand.assume import profile_of
from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import (
    LOSSY_PRECISIONS,
    Constraints,
    CustomModel,
    Hardware,
    Query,
    Terms,
    Workload,
)


def faults_of(query: Query, market: Market, on: tuple[Hardware, ...] = ()) -> tuple[Fault, ...]:
    """Every fault of a well-formed query, with the JSON pointer of what is to be mended; one ``on`` is no list."""
    return tuple(_faults(query, market, on))


def faults_of_terms(terms: Terms, market: Market) -> tuple[Fault, ...]:
    """Every fault of an operator's well-formed terms, with the JSON pointer into them."""
    agreed = Constraints(discounts=terms.discounts, quotas=terms.quotas, commitments=terms.commitments)
    prefix = "/constraints"
    found = [Fault(fault.pointer.removeprefix(prefix), fault.detail) for fault in constraint_faults(agreed, market)]
    for place, one in enumerate(terms.own_machines):
        found.extend(own_faults(one, market, f"/own_machines/{place}"))
    return tuple(found)


def _faults(query: Query, market: Market, on: tuple[Hardware, ...]) -> Iterator[Fault]:
    workload = query.workload
    profile, unreadable = _profile(workload)
    yield from unreadable
    yield from _names(workload)
    what = ""
    if profile is not None or workload.task in (kind.PREPROCESSING, kind.HPC):
        what = kind.kind_of(workload, profile)
        yield from meaningless(workload, what, profile)
        yield from _contradictions(workload, what, profile)
        yield from _spot(query, what, on)
    yield from constraint_faults(query.constraints, market)
    for place, one in enumerate(on):
        at = "/on" if len(on) == 1 else f"/on/{place}"
        yield from hardware_faults(one, market, at, served=what == kind.SERVING)
        if one.max_nodes is not None:
            yield Fault(f"{at}/max_nodes", "max_nodes belongs to own_machines; give node_count: how many work together")
    for place, one in enumerate(query.constraints.own_machines or ()):
        yield from own_faults(one, market, f"/constraints/own_machines/{place}")


def _profile(workload: Workload) -> tuple[ModelProfile | None, tuple[Fault, ...]]:
    """The model, or what is wrong with it."""
    if (
        isinstance(workload.model, str)
        and workload.task not in (kind.PREPROCESSING, kind.HPC)
        and models.find(workload.model) is None
    ):
        near = models.suggest(workload.model)
        meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        text = (
            f"unknown model {workload.model!r}{meant} (or describe it: an object with config, or family and parameters)"
        )
        return None, (Fault("/workload/model", text),)
    try:
        return profile_of(workload), ()
    except Refused as refused:
        return None, refused.faults


def _names(workload: Workload) -> Iterator[Fault]:
    if workload.framework is not None and frameworks.find(workload.framework) is None:
        yield Fault(
            "/workload/framework", _unknown("framework", workload.framework, frameworks.suggest(workload.framework))
        )
    name = workload.dataset.name
    if (
        name is not None
        and datasets.find(name) is None
        and workload.dataset.size_bytes is None
        and workload.dataset.samples is None
    ):
        text = _unknown("data set", name, datasets.suggest(name))
        yield Fault("/workload/dataset/name", f"{text} (or give its size and samples)")


def _unknown(what: str, name: str, near: tuple[str, ...]) -> str:
    return f"unknown {what} {name!r}" + (f"; did you mean {' or '.join(map(repr, near))}?" if near else "")


def _contradictions(workload: Workload, what: str, profile: ModelProfile | None) -> Iterator[Fault]:
    """Fields that exclude each other, or that the model or framework cannot honour."""
    if workload.tokens is not None and workload.epochs is not None:
        yield Fault("/workload/epochs", "tokens counts all passes together: give tokens or epochs, not both")
    each, together = workload.batch_size, workload.global_batch_size
    if each is not None and together is not None and each > together:
        yield Fault("/workload/batch_size", "batch_size is per device and cannot exceed global_batch_size")
    if workload.requests_per_second is not None and workload.concurrency is not None:
        text = "give requests_per_second or concurrency, not both: the one follows from the other"
        yield Fault("/workload/concurrency", text)
    loaded = workload.concurrency is not None or workload.requests_per_second is not None
    if what == kind.SERVING and workload.batch_size is not None and loaded:
        yield Fault("/workload/batch_size", "a serving batch is its concurrency: give one of them, or a rate")
    yield from _training(workload, what)
    yield from _hpc(workload, what)
    yield from _framework(workload, profile)
    yield from _lengths(workload, profile)


def _training(workload: Workload, what: str) -> Iterator[Fault]:
    if what == kind.TOKEN_TRAINING and workload.method not in ("lora", "qlora"):
        for name in ("lora_rank", "lora_targets"):
            if getattr(workload, name) is not None:
                yield Fault(pointer(name), f"{name} needs method lora or qlora")
    trainable = ("fp8", "fp4") if what == kind.TOKEN_TRAINING else ("fp8",)
    if workload.task == "training" and workload.precision in LOSSY_PRECISIONS and workload.precision not in trainable:
        text = f"{workload.precision} is a format of inference; train in fp8 or wider (qlora keeps 4-bit weights)"
        yield Fault("/workload/precision", text)


def _hpc(workload: Workload, what: str) -> Iterator[Fault]:
    """Without operations a job has a rate, but no time, and nothing that bytes could be weighed against."""
    if what != kind.HPC or workload.flops is not None:
        return
    if workload.bytes is not None:
        yield Fault("/workload/bytes", "bytes needs flops: their ratio decides what binds")
    for name in ("deadline_hours", "budget_usd"):
        if getattr(workload, name) is not None:
            yield Fault(pointer(name), "without flops the job has no time: give flops")


def _framework(workload: Workload, profile: ModelProfile | None) -> Iterator[Fault]:
    framework = frameworks.find(workload.framework) if workload.framework else None
    if framework is not None and profile is not None:
        named = profile.name if not isinstance(workload.model, CustomModel) else None
        if framework.name != "other" and not frameworks.supports(framework, workload.task, profile.family, named):
            yield Fault(
                "/workload/framework",
                f"{framework.name} does not do {workload.task} of {profile.family} models such as {profile.name}",
            )


def _lengths(workload: Workload, profile: ModelProfile | None) -> Iterator[Fault]:
    """Images of more sides than the model's."""
    sides = None if profile is None else profile.reference.image_size
    if profile is not None and sides is not None and len(workload.image_size or ()) > len(sides):
        yield Fault("/workload/image_size", f"{profile.name} sees images of {len(sides)} sides, not volumes")


def _spot(query: Query, what: str, on: tuple[Hardware, ...]) -> Iterator[Fault]:
    """Interruptions only happen where spot is allowed."""
    allowed = "spot" in (query.constraints.purchase or ()) or any(one.purchase == "spot" for one in on)
    if query.workload.interruptions_per_hour is not None and not allowed and what in kind.JOB_KINDS:
        yield Fault("/workload/interruptions_per_hour", 'interruptions need spot: add "spot" to constraints.purchase')
    interval, size = query.workload.checkpoint_interval_minutes, query.workload.checkpoint_gib
    if (
        interval is not None
        and what in (kind.PREPROCESSING, kind.HPC, kind.TABULAR_TRAINING)
        and size is None
        and not allowed
    ):
        yield Fault(
            "/workload/checkpoint_interval_minutes", "an interval needs checkpoint_gib: what is written each time"
        )
