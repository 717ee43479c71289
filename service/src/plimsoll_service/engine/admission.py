"""What is wrong with a query beyond its shape: unknown names, fields without meaning, contradictions. All at once."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine import datasets, frameworks, models, names
from plimsoll_service.engine.answer import Fault, Refused
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.applicability import meaningless, pointer
from plimsoll_service.engine.demand.assume import profile_of
from plimsoll_service.engine.demand.software import datable
from plimsoll_service.engine.models.profile import ModelProfile
from plimsoll_service.engine.workload import LOSSY_PRECISIONS, Constraints, CustomModel, Hardware, Query, Workload

NAMED_LISTS = {
    "clouds": "cloud",
    "regions": "region",
    "architectures": "architecture",
    "cpu_vendors": "processor vendor",
    "accelerators": "accelerator",
}


def faults_of(query: Query, market: Market, on: tuple[Hardware, ...] = ()) -> tuple[Fault, ...]:
    """Every fault of a well-formed query, with the JSON pointer of what is to be mended; one ``on`` is no list."""
    return tuple(_faults(query, market, on))


def _faults(query: Query, market: Market, on: tuple[Hardware, ...]) -> Iterator[Fault]:
    workload = query.workload
    profile, unreadable = _profile(workload)
    yield from unreadable
    yield from _names(workload)
    if profile is not None or workload.task in (kind.PREPROCESSING, kind.HPC):
        what = kind.kind_of(workload, profile)
        yield from meaningless(workload, what, profile)
        yield from _contradictions(workload, what, profile)
        yield from _spot(query, what, on)
        yield from _serving_terms(query, what)
    yield from _constraints(query.constraints, market)
    for place, one in enumerate(on):
        yield from hardware_faults(one, market, "/on" if len(on) == 1 else f"/on/{place}")
    for place, one in enumerate(query.constraints.own_machines or ()):
        yield from _own(one, market, f"/constraints/own_machines/{place}")


def _profile(workload: Workload) -> tuple[ModelProfile | None, tuple[Fault, ...]]:
    """The model, or what is wrong with it."""
    if isinstance(workload.model, str) and workload.task not in (kind.PREPROCESSING, kind.HPC) and models.find(workload.model) is None:
        near = models.suggest(workload.model)
        meant = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
        text = f"unknown model {workload.model!r}{meant} (or describe it: an object with config, or family and parameters)"
        return None, (Fault("/workload/model", text),)
    try:
        return profile_of(workload), ()
    except Refused as refused:
        return None, refused.faults


def _names(workload: Workload) -> Iterator[Fault]:
    if workload.framework is not None and frameworks.find(workload.framework) is None:
        yield Fault("/workload/framework", _unknown("framework", workload.framework, frameworks.suggest(workload.framework)))
    name = workload.dataset.name
    if name is not None and datasets.find(name) is None and workload.dataset.size_bytes is None and workload.dataset.samples is None:
        text = _unknown("data set", name, datasets.suggest(name))
        yield Fault("/workload/dataset/name", f"{text} (or give its size and samples)")


def _unknown(what: str, name: str, near: tuple[str, ...]) -> str:
    return f"unknown {what} {name!r}" + (f"; did you mean {' or '.join(map(repr, near))}?" if near else "")


def _contradictions(workload: Workload, what: str, profile: ModelProfile | None) -> Iterator[Fault]:
    """Fields that exclude each other, or that the model or framework cannot honour."""
    if workload.tokens is not None and workload.epochs is not None:
        yield Fault("/workload/epochs", "tokens counts all passes together: give tokens or epochs, not both")
    if workload.batch_size is not None and workload.global_batch_size is not None and workload.batch_size > workload.global_batch_size:
        yield Fault("/workload/batch_size", "batch_size is per device and cannot exceed global_batch_size")
    if what == kind.TOKEN_TRAINING and workload.method not in ("lora", "qlora"):
        for name in ("lora_rank", "lora_targets"):
            if getattr(workload, name) is not None:
                yield Fault(pointer(name), f"{name} needs method lora or qlora")
    if workload.task == "training" and workload.precision in LOSSY_PRECISIONS and workload.precision != "fp8":
        yield Fault("/workload/precision", f"{workload.precision} is a format of inference; train in fp8 or wider (method qlora keeps 4-bit weights)")
    if workload.requests_per_second is not None and workload.concurrency is not None:
        yield Fault("/workload/concurrency", "give requests_per_second or concurrency, not both: the one follows from the other")
    if workload.bytes is not None and workload.flops is None and what == kind.HPC:
        yield Fault("/workload/bytes", "bytes needs flops: their ratio decides what binds")
    if what == kind.HPC and workload.flops is None:
        for name in ("deadline_hours", "budget_usd"):
            if getattr(workload, name) is not None:
                yield Fault(pointer(name), "without flops the job has no time: give flops")
    yield from _framework(workload, what, profile)
    yield from _lengths(workload, what, profile)


def _framework(workload: Workload, what: str, profile: ModelProfile | None) -> Iterator[Fault]:
    framework = frameworks.find(workload.framework) if workload.framework else None
    if framework is not None and profile is not None:
        named = profile.name if not isinstance(workload.model, CustomModel) else None
        if framework.name != "other" and not frameworks.supports(framework, workload.task, profile.family, named):
            yield Fault("/workload/framework", f"{framework.name} does not do {workload.task} of {profile.family} models such as {profile.name}")
    if workload.framework_version is not None and what in (kind.SAMPLE_TRAINING, kind.TOKEN_TRAINING, kind.INFERENCE, kind.SERVING):
        chosen = framework or (frameworks.default_for(workload.task, profile.family, profile.name) if profile is not None else None)
        if chosen is not None and not datable(chosen, workload.framework_version):
            text = f"no release date is known for {chosen.name} {workload.framework_version!r}; leave it out for today's"
            yield Fault("/workload/framework_version", text)


def _lengths(workload: Workload, what: str, profile: ModelProfile | None) -> Iterator[Fault]:
    """Sequences longer than the model's context."""
    if profile is None or profile.transformer is None or isinstance(workload.model, CustomModel):
        return
    most = profile.transformer.context_length
    if workload.sequence_length is not None and workload.sequence_length > most and profile.reference.image_size is None:
        yield Fault("/workload/sequence_length", f"{profile.name} sees at most {most} tokens")
    if what == kind.SERVING and (workload.input_tokens or 0) + (workload.output_tokens or 0) > most:
        yield Fault("/workload/input_tokens", f"input and output tokens together exceed the {most} that {profile.name} sees")


def _spot(query: Query, what: str, on: tuple[Hardware, ...]) -> Iterator[Fault]:
    """Interruptions only happen where spot is allowed."""
    allowed = "spot" in (query.constraints.purchase or ()) or any(one.purchase == "spot" for one in on)
    if query.workload.interruptions_per_hour is not None and not allowed and what in kind.JOB_KINDS:
        yield Fault("/workload/interruptions_per_hour", 'interruptions need spot: add "spot" to constraints.purchase')
    interval, size = query.workload.checkpoint_interval_minutes, query.workload.checkpoint_gib
    if interval is not None and what in (kind.PREPROCESSING, kind.HPC, kind.TABULAR_TRAINING) and size is None and not allowed:
        yield Fault("/workload/checkpoint_interval_minutes", "an interval needs checkpoint_gib: what is written each time")


def _serving_terms(query: Query, what: str) -> Iterator[Fault]:
    if what == kind.SERVING and query.workload.tuning == "tuned" and query.workload.framework is not None:
        framework = frameworks.find(query.workload.framework)
        if framework is not None and framework.name != "tensorrt-llm":
            yield Fault("/workload/tuning", f"{framework.name} has no tuned variant; name framework tensorrt-llm, or leave framework out")


def _constraints(constraints: Constraints, market: Market) -> Iterator[Fault]:
    for field, what in NAMED_LISTS.items():
        spellings = market.spellings[what]
        for place, name in enumerate(getattr(constraints, field) or ()):
            if names.find(name, spellings) is None:
                yield Fault(f"/constraints/{field}/{place}", names.unknown(what, name, spellings.values()))
    for field in ("instance_types", "instance_families", "exclude"):
        for place, name in enumerate(getattr(constraints, field) or ()):
            yield from _machine_name(field, place, name, market)
    for field in ("discounts", "quotas"):
        for place, term in enumerate(getattr(constraints, field) or ()):
            if names.find(term.cloud, market.spellings["cloud"]) is None:
                yield Fault(f"/constraints/{field}/{place}/cloud", names.unknown("cloud", term.cloud, market.catalog.clouds))
            for position, family in enumerate(term.families or ()):
                if not _known_family(family, market):
                    text = names.unknown("instance family", family, market.spellings["instance family"].values())
                    yield Fault(f"/constraints/{field}/{place}/families/{position}", text)
    low, high = constraints.min_accelerators, constraints.max_accelerators
    if low is not None and high is not None and low > high:
        yield Fault("/constraints/min_accelerators", "min_accelerators exceeds max_accelerators")


def _machine_name(field: str, place: int, name: str, market: Market) -> Iterator[Fault]:
    """An instance type or family, as the field takes it."""
    known_type = names.find(name, market.spellings["instance type"]) is not None
    if field == "instance_types" and not known_type:
        text = names.unknown("instance type", name, market.spellings["instance type"].values())
        yield Fault(f"/constraints/{field}/{place}", text)
    elif field != "instance_types" and not _known_family(name, market) and not (field == "exclude" and known_type):
        text = names.unknown("instance family", name, market.spellings["instance family"].values())
        yield Fault(f"/constraints/{field}/{place}", text)


def _known_family(family: str, market: Market) -> bool:
    words = market.catalog.instance_types.family.words
    series = family.lower() + "-"
    return names.find(family, market.spellings["instance family"]) is not None or any(word.lower().startswith(series) for word in words)


def hardware_faults(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """What is wrong with given hardware: in the catalog, or described, not half of each."""
    in_catalog = one.cloud is not None or one.instance_type is not None
    if in_catalog:
        yield from _catalog_machine(one, market, at)
    else:
        yield from _bare(one, market, at)
    for name in ("pipeline_parallel", "expert_parallel"):
        if (getattr(one, name) or 1) != 1:
            yield Fault(f"{at}/{name}", f"{name} above 1 is not modelled; leave it out")


def _catalog_machine(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    for name in ("cloud", "instance_type"):
        if getattr(one, name) is None:
            yield Fault(f"{at}/{name}", "a machine of the catalog needs cloud and instance_type")
    for item in ("accelerator", "count", "cpu", "vcpus", "memory_gib"):
        if getattr(one, item) is not None:
            yield Fault(f"{at}/{item}", "the catalog says this of an instance type; leave it out, or describe bare hardware")
    cloud = names.find(one.cloud, market.spellings["cloud"]) if one.cloud else None
    if one.cloud is not None and cloud is None:
        yield Fault(f"{at}/cloud", names.unknown("cloud", one.cloud, market.catalog.clouds))
    if cloud is not None and one.instance_type is not None and (cloud, names.key(one.instance_type)) not in market.type_rows:
        types = market.catalog.instance_types
        mine = [name for row, name in enumerate(types.name) if types.cloud[row] == cloud]
        yield Fault(f"{at}/instance_type", names.unknown(f"instance type of {cloud}", one.instance_type, mine))
    if one.region is not None and names.find(one.region, market.spellings["region"]) is None:
        yield Fault(f"{at}/region", names.unknown("region", one.region, market.catalog.regions.name))


def _bare(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    if one.accelerator is None and one.cpu is None and one.vcpus is None:
        yield Fault(at, "name a machine: cloud and instance_type, or accelerator and count, or cpu or vcpus")
    if one.accelerator is not None and names.find(one.accelerator, market.spellings["accelerator"]) is None:
        yield Fault(f"{at}/accelerator", names.unknown("accelerator", one.accelerator, market.catalog.accelerators.name))
    if one.count is not None and one.accelerator is None:
        yield Fault(f"{at}/count", "count needs accelerator")
    if one.cpu is not None and names.find(one.cpu, market.spellings["processor"]) is None:
        yield Fault(f"{at}/cpu", names.unknown("processor", one.cpu, market.spellings["processor"].values()))
    for name in ("region", "purchase"):
        if getattr(one, name) is not None:
            yield Fault(f"{at}/{name}", f"{name} needs a machine of the catalog: cloud and instance_type")


def _own(one: Hardware, market: Market, at: str) -> Iterator[Fault]:
    """A machine of the user's own is bare and has a price."""
    if one.cloud is not None or one.instance_type is not None:
        yield Fault(at, "own machines are described, not named: accelerator and count, or cpu, vcpus and memory_gib")
        return
    yield from hardware_faults(one, market, at)
    if one.usd_per_hour is None:
        yield Fault(f"{at}/usd_per_hour", "what does an hour of it cost? an unknown price is never guessed")
    if one.node_count != 1:
        yield Fault(f"{at}/node_count", "give max_nodes: how many there are")


