"""Faults of a well-formed query, all at once: unknown names, fields that do not apply, contradictions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from . import names
from .choice.constraints import in_families, of_cloud
from .choice.market import Market
from .choice.own_machines import OWN_CLOUD
from .choice.staging import place_names, place_of
from .choice.stated_faults import field_faults, hardware_faults, own_faults
from .coefficients import Coefficients
from .demand import kind
from .demand.applicability import contradicting_loads, meaningless, pointer
from .demand.assume import fine_tuned
from .demand.data import amounts_of
from .demand.requested_model import profile_of
from .demand.weights import faults_of_serving, uneven_split
from .faults import Fault, Refused
from .frameworks import FrameworkTable, supports
from .models.by_size import resolve
from .models.profile import ModelProfile
from .models.stored import BITSANDBYTES, GPTQ
from .workload import LOSSY_PRECISIONS, Commitment, Constraints, CustomModel, Hardware, Query, Terms, Workload


def faults_of(query: Query, market: Market, on: tuple[Hardware, ...] = ()) -> tuple[Fault, ...]:
    """Return every fault of a well-formed query, with the JSON pointer of its field; a single ``on`` is no list."""
    return tuple(_faults(query, market, on))


def faults_of_terms(terms: Terms, market: Market) -> tuple[Fault, ...]:
    """Return every fault of an operator's well-formed terms, with its JSON pointer."""
    agreed = Constraints(discounts=terms.discounts, quotas=terms.quotas, commitments=terms.commitments)
    prefix = "/constraints"
    found = [Fault(fault.pointer.removeprefix(prefix), fault.detail) for fault in _constraint_faults(agreed, market)]
    for place, one in enumerate(terms.own_machines):
        found.extend(own_faults(one, market, f"/own_machines/{place}"))
    return tuple(found)


def _faults(query: Query, market: Market, on: tuple[Hardware, ...]) -> Iterator[Fault]:
    workload, frameworks = query.workload, market.coefficients.frameworks
    profile, unreadable = _profile(workload, market.coefficients)
    yield from unreadable
    yield from _names(workload, market.coefficients)
    yield from _data_region(query, market)
    what = ""
    if profile is not None or workload.task in (kind.PREPROCESSING, kind.HPC):
        what = kind.kind_of(workload, profile)
        yield from meaningless(workload, what, profile)
        yield from _contradictions(workload, what, profile, frameworks)
        yield from _spot(query, what, on)
    for place, measured in enumerate(workload.measurements or ()):
        yield from hardware_faults(measured.on, market, f"/workload/measurements/{place}/on")
    yield from field_faults(workload, what, profile)
    yield from _constraint_faults(query.constraints, market)
    for place, one in enumerate(on):
        at = "/on" if len(on) == 1 else f"/on/{place}"
        yield from hardware_faults(one, market, at)
        if what == kind.SERVING:
            yield from uneven_split(one, workload, frameworks.of(workload.framework).serving, profile, at)
        if one.max_nodes is not None:
            text = "max_nodes applies only to own_machines; state node_count, the number of machines that work together"
            yield Fault(f"{at}/max_nodes", text)
    for place, one in enumerate(query.constraints.own_machines or ()):
        yield from own_faults(one, market, f"/constraints/own_machines/{place}")


def _profile(workload: Workload, known: Coefficients) -> tuple[ModelProfile | None, tuple[Fault, ...]]:
    """The model, or its faults."""
    name = workload.model if workload.task not in (kind.PREPROCESSING, kind.HPC) else None
    if isinstance(name, str) and resolve(known.models, name) is None:
        text = known.models.why_unsized(name) or _unknown("model", name, known.models.suggest(name))
        text = f"{text} (or describe the model: an object with config, or with family and parameters)"
        return None, (Fault("/workload/model", text),)
    try:
        return profile_of(workload, known), ()
    except Refused as refused:
        return None, refused.faults


def _names(workload: Workload, known: Coefficients) -> Iterator[Fault]:
    if workload.framework is not None and known.frameworks.find(workload.framework) is None:
        near = known.frameworks.suggest(workload.framework)
        text = _unknown("framework", workload.framework, near)
        able = () if near else known.frameworks.of_task(workload.task)
        text += f"; those of {workload.task} are {', '.join(able)}" if able else ""
        yield Fault("/workload/framework", text)
    name, described = workload.dataset.name, amounts_of(workload.dataset) != (None, None)
    if name is not None and known.datasets.find(name) is None and not described:
        text = _unknown("data set", name, known.datasets.suggest(name))
        yield Fault("/workload/dataset/name", f"{text} (or state its size or its number of samples)")


def _data_region(query: Query, market: Market) -> Iterator[Fault]:
    name = query.workload.dataset.region
    if name is not None and place_of(name, query.constraints, market) is None:
        text = names.unknown("region or cloud", name, place_names(market))
        yield Fault("/workload/dataset/region", f"{text} (see /v1/regions)")


def _unknown(what: str, name: str, near: tuple[str, ...]) -> str:
    return f"unknown {what} {name!r}{names.did_you_mean(near)}"


def _contradictions(
    workload: Workload, what: str, profile: ModelProfile | None, frameworks: FrameworkTable
) -> Iterator[Fault]:
    """Fields that exclude each other, or that the model or framework cannot honour."""
    if workload.tokens is not None and workload.epochs is not None:
        yield Fault("/workload/epochs", "tokens counts all passes together; state tokens or epochs, not both")
    each, together = workload.batch_size, workload.global_batch_size
    if each is not None and together is not None and together % each:
        yield Fault("/workload/batch_size", "batch_size is per device and must divide global_batch_size")
    if workload.requests_per_second is not None and workload.concurrency is not None:
        text = "state requests_per_second or concurrency, not both; one follows from the other"
        yield Fault("/workload/concurrency", text)
    if what in kind.INFERENCE_KINDS:
        yield from contradicting_loads(workload)
    if what == kind.SERVING and workload.batch_size is not None and kind.loaded(workload):
        text = "for serving, batch_size is the concurrency; state only one of them, or a rate"
        yield Fault("/workload/batch_size", text)
    if what == kind.SERVING:
        yield from faults_of_serving(workload, frameworks.of(workload.framework).serving)
    yield from _training(workload, what, fine_tuned(workload, profile) is not None)
    if workload.task == "training" and workload.precision == "fp8" and profile is not None and not _linear(profile):
        text = f"no framework trains {profile.family} models in fp8, which is for linear layers; use mixed"
        yield Fault("/workload/precision", text)
    if workload.method == "qlora" and profile is not None and not _linear(profile):
        text = f"qlora keeps linear layers in 4 bits; {profile.family} models have few of them (use lora)"
        yield Fault("/workload/method", text)
    yield from _hpc(workload, what)
    yield from _framework(workload, profile, frameworks)
    yield from _lengths(workload, profile)


def _linear(profile: ModelProfile) -> bool:
    """Whether most of a model's parameters lie in linear layers."""
    return profile.transformer is not None or profile.family == "diffusion"


def _training(workload: Workload, what: str, adapted_unasked: bool) -> Iterator[Fault]:
    if what in kind.NEURAL_TRAINING and workload.method not in kind.ADAPTED and not adapted_unasked:
        for name in ("lora_rank", "lora_targets"):
            if getattr(workload, name) is not None:
                yield Fault(pointer(name), f"{name} requires method lora or qlora")
    stated = workload.quantization
    packed = stated is None or (workload.method == "qlora" and stated in (GPTQ, BITSANDBYTES))
    if what == kind.TOKEN_TRAINING and not packed:
        text = "in training, quantization is of frozen weights: state method qlora, with gptq or bitsandbytes"
        yield Fault("/workload/quantization", text)
    trainable = ("fp8", "fp4") if what == kind.TOKEN_TRAINING else ("fp8",)
    if workload.task == "training" and workload.precision in LOSSY_PRECISIONS and workload.precision not in trainable:
        text = f"{workload.precision} is a format for inference; train in fp8 or wider (qlora keeps 4-bit weights)"
        yield Fault("/workload/precision", text)


def _hpc(workload: Workload, what: str) -> Iterator[Fault]:
    """Faults of an HPC job without operations: it has no run time, and bytes cannot be compared with operations."""
    if what != kind.HPC or workload.flops is not None:
        return
    if workload.bytes is not None:
        text = "bytes requires flops; their ratio decides whether compute or memory is the limit"
        yield Fault("/workload/bytes", text)
    for name in ("deadline_hours", "budget_usd"):
        if getattr(workload, name) is not None:
            yield Fault(pointer(name), "a job without flops has no run time; state flops")


def _framework(workload: Workload, profile: ModelProfile | None, frameworks: FrameworkTable) -> Iterator[Fault]:
    if workload.framework is None or profile is None:
        return
    framework = frameworks.find_for(workload.framework, workload.task, profile.family)
    named = profile.name if not isinstance(workload.model, CustomModel) else None
    if framework is None or framework.name == "other":
        return
    able = frameworks.trains(workload.framework, profile.family)
    if not able or not supports(framework, workload.task, profile.family, named):
        what = f"{workload.task} of {profile.family} models such as {profile.name}"
        yield Fault("/workload/framework", f"{workload.framework} does not support {what}")


FLAT = 2  # sides of an image that a language model reads


def _lengths(workload: Workload, profile: ModelProfile | None) -> Iterator[Fault]:
    """Faults of images with more sides than the model takes."""
    sides = None if profile is None else profile.reference.image_size
    taken = len(sides) if sides is not None else FLAT
    if profile is not None and (sides is not None or profile.reads_images) and len(workload.image_size or ()) > taken:
        yield Fault("/workload/image_size", f"{profile.name} takes {taken} sides; unet-3d takes volumes")


def _spot(query: Query, what: str, on: tuple[Hardware, ...]) -> Iterator[Fault]:
    """Faults of interruptions without spot, and of intervals without checkpoints."""
    allowed = "spot" in (query.constraints.purchase or ()) or any(one.purchase == "spot" for one in on)
    if allowed:
        return
    workload = query.workload
    if workload.interruptions_per_hour is not None and (what in kind.JOB_KINDS or kind.has_end(workload, what)):
        text = 'interruptions_per_hour requires spot; add "spot" to constraints.purchase'
        yield Fault("/workload/interruptions_per_hour", text)
    without_size = what in (kind.PREPROCESSING, kind.HPC, kind.TABULAR_TRAINING) and workload.checkpoint_gib is None
    if workload.checkpoint_interval_minutes is not None and without_size:
        text = "checkpoint_interval_minutes requires checkpoint_gib, the size of a checkpoint"
        yield Fault("/workload/checkpoint_interval_minutes", text)


_NAMED_LISTS = {
    "clouds": "cloud",
    "exclude_clouds": "cloud",
    "regions": "region",
    "architectures": "architecture",
    "cpu_vendors": "processor vendor",
    "accelerators": "accelerator",
}


def _constraint_faults(constraints: Constraints, market: Market) -> Iterator[Fault]:
    """Faults of constraints; ``own`` is the cloud of own machines, from the request and the operator."""
    for field, what in _NAMED_LISTS.items():
        spellings = market.spellings[what]
        for place, name in enumerate(getattr(constraints, field) or ()):
            mine = field in ("clouds", "exclude_clouds") and names.key(name) == OWN_CLOUD
            if not mine and names.find(name, spellings) is None:
                yield Fault(f"/constraints/{field}/{place}", names.unknown(what, name, spellings.values()))
    for field in ("instance_types", "instance_families", "exclude"):
        for place, name in enumerate(getattr(constraints, field) or ()):
            yield from _machine_name(field, place, name, market)
    yield from _term_faults(constraints, market)
    low, high = constraints.min_accelerators, constraints.max_accelerators
    if low is not None and high is not None and low > high:
        yield Fault("/constraints/min_accelerators", "min_accelerators exceeds max_accelerators")


def _machine_name(field: str, place: int, name: str, market: Market) -> Iterator[Fault]:
    """Fault of an unknown instance type or family, by field."""
    known, what = names.find(name, market.spellings["instance type"]) is not None, "instance type"
    if field != "instance_types":
        known, what = _known_family(name, market) or (field == "exclude" and known), "instance family"
    if not known:
        yield Fault(f"/constraints/{field}/{place}", names.unknown(what, name, market.spellings[what].values()))


def _term_faults(constraints: Constraints, market: Market) -> Iterator[Fault]:
    """Faults of discounts, quotas and commitments: unknown clouds, families, types and regions."""
    for field in ("discounts", "quotas", "commitments"):
        for place, term in enumerate(getattr(constraints, field) or ()):
            at = f"/constraints/{field}/{place}"
            if names.find(term.cloud, market.spellings["cloud"]) is None:
                yield Fault(f"{at}/cloud", names.unknown("cloud", term.cloud, market.catalog.clouds))
            yield from _families(term.families or (), market, at)
    for place, commitment in enumerate(constraints.commitments or ()):
        yield from _commitment(commitment, market, f"/constraints/commitments/{place}")


def _known_family(family: str, market: Market) -> bool:
    """Whether a cloud has a family, or a whole series of families, of that name."""
    series = (
        word for word in market.catalog.instance_types.family.words if word.lower().startswith(f"{family.lower()}-")
    )
    return names.find(family, market.spellings["instance family"]) is not None or any(series)


def _families(families: Iterable[str], market: Market, at: str) -> Iterator[Fault]:
    for position, family in enumerate(families):
        if not _known_family(family, market):
            text = names.unknown("instance family", family, market.spellings["instance family"].values())
            yield Fault(f"{at}/families/{position}", text)


def _commitment(one: Commitment, market: Market, at: str) -> Iterator[Fault]:
    """Faults of a commitment: unknown instance types and regions, or one price for several instance types."""
    cloud = names.find(one.cloud, market.spellings["cloud"])
    types = market.catalog.instance_types
    for position, name in enumerate(one.instance_types or ()):
        if cloud is not None and (cloud, names.key(name)) not in market.type_rows:
            mine = [other for row, other in enumerate(types.name) if types.cloud[row] == cloud]
            text = names.unknown(f"instance type of {cloud}", name, mine)
            yield Fault(f"{at}/instance_types/{position}", text)
    for position, region in enumerate(one.regions or ()):
        if names.find(region, market.spellings["region"]) is None:
            text = names.unknown("region", region, market.catalog.regions.name)
            yield Fault(f"{at}/regions/{position}", text)
    if one.usd_per_hour is None or one.instance_types is not None:
        return
    covered = of_cloud(one.cloud, market)
    if one.families:
        covered &= in_families(one.families, market)
    count = int(np.count_nonzero(covered))
    if count > 1:
        text = f"usd_per_hour is the price of one machine; name which of {count} instance types, or state percent"
        yield Fault(f"{at}/usd_per_hour", text)
