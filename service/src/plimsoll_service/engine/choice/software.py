"""Where a workload's software runs: the table of support, applied to machines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from ..demand import kind
from ..demand.job import Job, dimensions_of, profile_of
from ..demand.software import casts_weights
from ..frameworks import RECORDS, Framework, older, released, version_of
from ..hardware import Accelerators, Catalog, Flags, Ints, Places
from ..machines import VECTOR_CLASSES, Machines
from ..models.stored import AWQ, BITSANDBYTES, GGUF, GPTQ
from ..support import (
    AMD_PROCESSOR,
    AMX,
    APPLE,
    ARM,
    AVX2,
    AVX512,
    FEW_BITS,
    KINDS_OF_WORK,
    NO,
    NOT_FOUND,
    NVIDIA,
    PORTED,
    PROCESSOR,
    SUPPORTED,
    UNTESTED,
    X86,
    Support,
    SupportTable,
)
from ..workload import LOSSY_PRECISIONS, Constraints

ON_PROCESSORS = (kind.PREPROCESSING, kind.TABULAR_TRAINING, kind.TABULAR_INFERENCE)  # accelerators stay idle
ON_DEVICES = ("xgboost", "catboost")  # learners that use the accelerators of a machine that has some
LANGUAGE_KINDS = (kind.TOKEN_TRAINING, kind.SERVING)

# Features of formats whose kernels are not those of their precision.
FORMAT_FEATURES = {(AWQ, "int4"): "int4", (GPTQ, "int4"): "int4", (GPTQ, "int8"): "int4", (GGUF, "int4"): "gguf",
                   (GGUF, "int8"): "gguf"}  # fmt: skip

# Classes of processors: how they are called, and the words of the table that they answer to.
_PROCESSORS = {
    "amx": ("processors with AMX", (AMX, AVX512, AVX2, X86)),
    "avx512_bf16": ("processors with AVX-512", (AVX512, AVX2, X86)),
    "avx512_vnni": ("processors with AVX-512", (AVX512, AVX2, X86)),
    "avx512f": ("processors with AVX-512", (AVX512, AVX2, X86)),
    "avx2": ("processors with AVX2", (AVX2, X86)),
    "none": ("processors without AVX2", (X86,)),
    "neon": ("Arm processors", (ARM,)),
    "sve": ("Arm processors", (ARM,)),
    "sve2": ("Arm processors", (ARM,)),
    "": ("processors", (AVX2, X86)),
}
_ARM_CLASSES = [place for place, name in enumerate(VECTOR_CLASSES) if ARM in _PROCESSORS[name][1]]
HOSTS = (X86, ARM)


class Verdict(NamedTuple):
    """Whether the software runs on hardware (a place in ``support.STATUSES``), in words, and the source."""

    status: int
    why: str
    source: str
    what: str = ""  # the program that decides
    needed: str = ""  # what it requires
    where: str = ""  # the hardware that it is about
    of_release: bool = False  # it holds for the stated release, and for older ones than a certain one alone


class Needs(NamedTuple):
    """The software of a kind of work: the program and its base, then what else the work needs."""

    task: str
    parts: tuple[tuple[str, str], ...]
    version: str = ""  # of the framework, as stated
    year: float | None = None  # when that version came out
    model: str = ""  # its name, where it is a known one


class Hardware(NamedTuple):
    """A device or a class of processors, in the words of the table."""

    title: str
    words: frozenset[str]
    host: str  # the processor of the machine: one of ``HOSTS``


@dataclass(frozen=True, eq=False)
class Grounds:
    """The verdict on each of several machines or candidates, as codes into ``verdicts``."""

    code: Ints
    verdicts: tuple[Verdict, ...]

    def of(self, row: int) -> Verdict:
        return self.verdicts[self.code.item(row)]

    def take(self, rows: Ints | Places) -> Grounds:
        return Grounds(self.code.take(rows), self.verdicts)

    @cached_property
    def status(self) -> Ints:
        """Place in ``support.STATUSES``, by row."""
        return np.array([one.status for one in self.verdicts], dtype=np.int32)[self.code]

    @cached_property
    def untested(self) -> Flags:
        """The rows that no source vouches for."""
        untested: Flags = self.status == UNTESTED
        return untested


def no_grounds(rows: int) -> Grounds:
    """Return grounds for rows whose software is not in question."""
    return Grounds(np.zeros(rows, dtype=np.int32), (Verdict(SUPPORTED, "", ""),))


def grounds_of(job: Job, machines: Machines, catalog: Catalog) -> Grounds:
    """Return whether the job's software runs on each machine, and on what grounds."""
    accelerators = catalog.accelerators
    on_processors = len(HOSTS) * len(accelerators) + 2 * machines.vector + machines.amd_cores
    if job.kind in ON_PROCESSORS and job.program not in ON_DEVICES:
        code = on_processors
    else:
        on_devices = len(HOSTS) * machines.accelerator + np.isin(machines.vector, _ARM_CLASSES)
        code = np.where(machines.has_accelerator(), on_devices, on_processors)
    return Grounds(code.astype(np.int32), _verdicts(needs_of(job), accelerators, job.coefficients.support))


def allowed(grounds: Grounds, named: Flags, constraints: Constraints) -> Flags:
    """Return the rows that may be recommended; what must be ported, only where it is named or porting is allowed."""
    ported = (grounds.status == PORTED) & (named | bool(constraints.allow_porting))
    may: Flags = (grounds.status <= UNTESTED) | ported
    return may


def status_on(
    program: str, task: str, accelerators: Accelerators, row: int, support: SupportTable, model: str = ""
) -> int:
    """Return whether a program runs on an accelerator, with a known model: a place in ``support.STATUSES``."""
    needs = Needs(task, tuple((one, "") for one in support.chain_of(program)), model=model)
    return _verdicts(needs, accelerators, support)[len(HOSTS) * row].status


@lru_cache(maxsize=256)  # kinds of work with different software
def _verdicts(needs: Needs, accelerators: Accelerators, support: SupportTable) -> tuple[Verdict, ...]:
    """Verdicts on each accelerator with each host, followed by those on the classes of processors."""
    return tuple(verdict(needs, hardware, support) for hardware in _hardware(accelerators, support.built_for_arm))


@lru_cache(maxsize=8)  # catalogs of a process
def _hardware(accelerators: Accelerators, built_for_arm: frozenset[str]) -> tuple[Hardware, ...]:
    found = []
    for name, generation, vendor in zip(accelerators.name, accelerators.generation, accelerators.vendor, strict=True):
        for stated in HOSTS:
            host = ARM if name in built_for_arm else stated
            title = f"{name} with an Arm processor" if host == ARM and vendor != APPLE else name
            found.append(Hardware(title, frozenset((name, generation, vendor)), host))
    for vector in VECTOR_CLASSES:
        title, words = _PROCESSORS[vector]
        host = ARM if ARM in words else X86
        found += [Hardware(title, frozenset((PROCESSOR, *words, *by)), host) for by in ((), (AMD_PROCESSOR,))]
    return tuple(found)


def needs_of(job: Job) -> Needs:
    """Return the software of a job, including what its method, optimizer, precision and model need."""
    if job.kind in (kind.PREPROCESSING, kind.HPC):
        library = job.framework.library
        writer = ((library, ""),) if library in RECORDS else ()
        return Needs(job.workload.task, ((job.kind, ""), *writer))
    parts = [*((program, "") for program in job.coefficients.support.chain_of(job.program)), *_bits(job), *_work(job)]
    model = job.profile.name if job.profile is not None and job.known_model else ""
    return Needs(job.workload.task, tuple(parts), job.workload.framework_version or "", job.software_year, model)


def _work(job: Job) -> Iterator[tuple[str, str]]:
    """Parts that hold whatever the program: training at all, and models that overflow in FP16."""
    if job.kind in kind.NEURAL_TRAINING:
        yield "training", ""
    profile = job.profile if job.kind in LANGUAGE_KINDS else None
    if profile and (profile.bf16_only or profile.name.startswith(job.coefficients.support.overflow_in_fp16)):
        # Activations of weights in fewer bits have 16; those of llama.cpp have 32 where it matters.
        widened = job.precision in LOSSY_PRECISIONS and job.workload.quantization not in (None, GGUF)
        if job.precision == "fp16":
            yield "bf16-model", "fp16"
        elif job.precision == "mixed" or widened or (job.precision == "bf16" and job.half_falls_back):
            yield "bf16-model", "half"


def _bits(job: Job) -> Iterator[tuple[str, str]]:
    stated = job.coefficients.support.about
    framework = job.framework
    if job.kind in kind.NEURAL_TRAINING:
        if job.method == "qlora":
            yield "bitsandbytes", "nf4"
        if job.optimizer == "adamw8bit":
            yield "bitsandbytes", "adamw8bit"
        if framework.base == "pytorch" and stated("transformer-engine", job.precision):
            yield "transformer-engine", job.precision
    elif job.kind == kind.INFERENCE and framework.name:
        yield from _bits_of_networks(job, framework)
    elif job.kind == kind.SERVING and framework.name:
        yield from _bits_of_language_models(job, framework)


def _bits_of_language_models(job: Job, framework: Framework) -> Iterator[tuple[str, str]]:
    """Parts that engines need to serve tokens in few bits: kernels for the weights' format and for the cache."""
    stated = job.coefficients.support.about
    if job.program == "neuron":
        yield "nxd-inference", ""
    stored = job.workload.quantization
    feature = FORMAT_FEATURES.get((stored or "", job.precision), job.precision)
    if stored == BITSANDBYTES:
        yield (job.program, "bitsandbytes") if stated(job.program, "bitsandbytes") else ("bitsandbytes", "nf4")
    elif stated(job.program, feature):
        yield job.program, feature
    elif feature == "int4" and framework.base == "pytorch":
        yield "packed-weights", ""
    if job.program == "sglang" and feature == "fp8" and dimensions_of(job).moe is not None:
        yield "sglang-fp8-experts", ""
    cache = f"kv-{job.workload.kv_cache_precision}"
    if stated(job.program, cache):
        yield job.program, cache


def _bits_of_networks(job: Job, framework: Framework) -> Iterator[tuple[str, str]]:
    """Parts that networks other than language models need: few runtimes have kernels of few bits for them.

    Weights that are cast to 16 bits need none.
    """
    stated = job.coefficients.support.about
    if job.program == "neuron":
        yield "neuron-network", ""
    if casts_weights(job, profile_of(job)):
        return
    if job.precision == "int4":
        network = profile_of(job)  # most of whose weights are those of linear layers, if it is one of these
        linear = network.traffic in ("transformer", "unfused_attention") or network.family == "diffusion"
        yield ("bitsandbytes", "nf4") if linear and framework.base == "pytorch" else ("4-bit-network", "int4")
    elif stated(framework.name, job.precision):
        yield framework.name, job.precision
    elif framework.base == "pytorch" and stated("transformer-engine", job.precision):
        yield "transformer-engine", job.precision
    elif framework.base == "pytorch" and stated("pytorch", job.precision):
        yield "pytorch", job.precision


def verdict(needs: Needs, hardware: Hardware, support: SupportTable) -> Verdict:
    """Return whether all of the software runs on the hardware: the worst of its parts, or all of them together."""
    found = [one for part in needs.parts if (one := _of_part(needs, *part, hardware, support)) is not None]
    worst = max(found, key=lambda one: one.status)
    if worst.status != SUPPORTED:
        return worst
    source = "; ".join(dict.fromkeys(one.source for one in found))
    together = Verdict(SUPPORTED, _together(found, hardware), source, worst.what)
    old = next((one for one in found if one.of_release), None)
    return together if old is None else together._replace(needed=old.needed, of_release=True)


def _together(found: Sequence[Verdict], hardware: Hardware) -> str:
    """One sentence on several programs that all run there."""
    if len(found) == 1:
        return found[0].why
    *others, last = (one.what for one in found)
    needs = "".join(f"; {one.what} requires {one.needed}" for one in found if one.needed)
    where = next((one.where for one in found if one.where == hardware.title), found[0].where)
    return f"{', '.join(others)} and {last} run on {where}{needs}"


def _of_part(needs: Needs, program: str, feature: str, hardware: Hardware, support: SupportTable) -> Verdict | None:
    """The verdict on one part; ``None`` where it says nothing about this hardware.

    A device beside an Arm processor must pass two statements: that on the device, and that on such machines.
    """
    rows = [row for row in support.about(program, feature) if _matches(row, needs, hardware)]
    if not rows:
        unsaid = _unsaid(program, feature, hardware, support)
        return None if unsaid is None else _said(unsaid, support.called(program, feature), hardware, "", NOT_FOUND)
    found = [_of_row(needs, row, hardware, support) for row in (rows[0], *_on_arm(rows, hardware))]
    if found[0].status == UNTESTED and _about_models(rows[0], hardware, support):
        text = UNTESTED_MODEL.format(found[0].what, found[0].where)
        found[0] = found[0]._replace(why=text + (f" ({found[0].needed})" if found[0].needed else ""))
    if _silent_on_arm(rows, hardware, support) and found[0].status == SUPPORTED:
        found.append(_said(UNTESTED, support.called(program, feature), hardware, "", rows[0].source))
    return max(found, key=lambda one: one.status)


def _of_row(needs: Needs, row: Support, hardware: Hardware, support: SupportTable) -> Verdict:
    status, needed = _at_version(needs, row, support)
    what, meant = support.called(row.program, row.feature), _as_stated(row, hardware, status)
    return _said(status, what, meant, needed, row.source)._replace(of_release=bool(row.before))


def _as_stated(row: Support, hardware: Hardware, status: int) -> Hardware:
    """The hardware, without the instructions of its processors where the statement asks for none."""
    if AMD_PROCESSOR in row.on:
        return hardware._replace(title="AMD processors")
    if status != SUPPORTED:
        return hardware
    asked = ARM in hardware.words or PROCESSOR not in hardware.words or bool({AMX, AVX512, AVX2}.intersection(row.on))
    return hardware if asked else hardware._replace(title=_PROCESSORS[""][0])


def _about_models(row: Support, hardware: Hardware, support: SupportTable) -> bool:
    """Whether it is the model that is untested there: the program runs others."""
    others = (one for one in support.about(row.program, row.feature) if one.models and one.status == SUPPORTED)
    return bool(row.models) or any(not hardware.words.isdisjoint(one.on) for one in others)


def _on_arm(rows: Sequence[Support], hardware: Hardware) -> Sequence[Support]:
    """The first of the statements that are about devices beside an Arm processor alone."""
    return [row for row in rows if row.host == ARM and PROCESSOR not in hardware.words][:1]


def _silent_on_arm(rows: Sequence[Support], hardware: Hardware, support: SupportTable) -> bool:
    """Whether no statement on a compiled program is about a device beside an Arm processor: its builds may be for x86.

    Programs in Python go where the one that they are based on goes; a feature goes where its program does. What a
    statement says of Apple's devices it says of chips with Arm cores: there are no others.
    """
    compiled = rows[0].program not in KINDS_OF_WORK and len(support.chain_of(rows[0].program)) == 1
    beside_arm = hardware.host == ARM and hardware.words.isdisjoint((PROCESSOR, APPLE))
    return beside_arm and compiled and not rows[0].feature and not _on_arm(rows, hardware)


def _matches(row: Support, needs: Needs, hardware: Hardware) -> bool:
    """Whether the row is about this release, this task, this model and this hardware."""
    if row.before and not (row.program == needs.parts[0][0] and older(needs.version, row.before)):
        return False
    meant = row.task in ("", needs.task) and (not row.models or needs.model.startswith(row.models))
    return meant and row.host in ("", hardware.host) and not hardware.words.isdisjoint(row.on)


def _unsaid(program: str, feature: str, hardware: Hardware, support: SupportTable) -> int | None:
    """The status without a row: untried on the usual hardware, impossible elsewhere."""
    if program in KINDS_OF_WORK or len(support.chain_of(program)) > 1:
        return None
    if feature:
        return NO if feature in FEW_BITS else UNTESTED
    return UNTESTED if hardware.words.intersection((PROCESSOR, NVIDIA)) else NO


def _at_version(needs: Needs, row: Support, support: SupportTable) -> tuple[int, str]:
    """The status of a row at the stated version, and what it takes; without one, an old release is a port."""
    if not row.until:
        return row.status, row.needs
    needed = " and ".join(filter(None, (f"release {row.until} or older", row.needs)))
    if not needs.version:  # who names a maker's own program means its release of today
        return NO if support.of_platform(row.program) else PORTED, needed
    return (row.status if _is_old(needs, row, support) else NO), needed


def _is_old(needs: Needs, row: Support, support: SupportTable) -> bool:
    """Whether the stated version still runs there: by its date, else by its number."""
    last = released(support.frameworks.of(row.program).releases, row.until)
    if last is not None and needs.year is not None:
        return needs.year <= last
    stated, until = version_of(needs.version), version_of(row.until)
    return stated is not None and until is not None and stated <= until


# By the verdict, and behind that what it takes.
SENTENCES = {
    SUPPORTED: ("{} runs on {}", "; it requires {}"),
    UNTESTED: ("no source states that {} runs on {}", " ({})"),
    PORTED: ("{} runs on {}", " only with {}"),
    NO: ("{} does not run on {}", ": {}"),
}
UNTESTED_MODEL = "no source states that {} runs this model on {}"


def _said(status: int, what: str, hardware: Hardware, needed: str, source: str) -> Verdict:
    where, (runs, what_it_takes) = hardware.title, SENTENCES[status]
    text = runs.format(what, where) + (what_it_takes.format(needed) if needed or status == PORTED else "")
    return Verdict(status, text, source, what, needed, where)
