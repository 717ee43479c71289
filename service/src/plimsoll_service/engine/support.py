"""Support of software on hardware: the programs, and the form of the published statements on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .frameworks import FrameworkTable
from .names import by_key, key

SUPPORTED, UNTESTED, PORTED, NO = range(4)  # from good to bad: of several programs together, the worst counts
STATUSES = ("supported", "untested", "ported", "no")

# Words for hardware that the code names too; the others are the catalog's makers, generations and accelerators.
PROCESSOR, X86, ARM, AMX, AVX512, AVX2 = "processor", "x86", "Arm", "AMX", "AVX-512", "AVX2"
AMD_PROCESSOR = "AMD processor"
NVIDIA, APPLE = "NVIDIA", "Apple"


@dataclass(frozen=True)
class Program:
    """A program whose support differs from that of its framework; ``base`` must run there as well."""

    name: str
    title: str
    aliases: tuple[str, ...] = ()
    base: str = ""
    of_platform: bool = False  # made for one maker's chips: who names it means to port to them


FEATURES = {
    "nf4": "4-bit weights",
    "adamw8bit": "its 8-bit optimizer",
    "int4": "packed INT4 weights",
    "bitsandbytes": "bitsandbytes weights",
    "gguf": "GGUF files",
    "kv-fp8": "an FP8 cache",
    "kv-int8": "an INT8 cache",
    "fp4": "FP4 weights",
    "fp8": "FP8",
    "int8": "INT8",
    "fp16": "FP16",
    "half": "FP16, which a device without BF16 needs,",
}
# Parts that are silent where no row speaks.
KINDS_OF_WORK = ("training", "bf16-model", "nxd-inference", "neuron-network", "sglang-fp8-experts")
FEW_BITS = ("int4", "fp4")  # without a kernel of their own they do not run at all


class Support(NamedTuple):
    """A statement on a program, or on a feature of it.

    ``needs`` is what it requires, or a remark where nothing is certain. ``until`` is the last release that runs there.
    A row with ``before`` is about releases older than that alone, where the request states one.
    """

    program: str
    status: int
    on: tuple[str, ...]
    source: str
    needs: str = ""
    feature: str = ""
    host: str = ""  # ``X86`` or ``ARM``: where only machines with such a processor are meant
    task: str = ""
    until: str = ""
    before: str = ""
    models: tuple[str, ...] = ()  # where it holds for these alone, by the start of their names


NOT_FOUND = "no statement found, 2026-11-22"


@dataclass(frozen=True, eq=False)
class SupportTable:
    """Published statements on where software runs; the first of a program that matches decides."""

    statements: tuple[Support, ...] = ()
    programs: tuple[Program, ...] = ()
    frameworks: FrameworkTable = field(default=FrameworkTable())
    built_for_arm: frozenset[str] = frozenset()  # accelerators that come with an Arm processor alone
    overflow_in_fp16: tuple[str, ...] = ()  # models that are published in BF16, by the start of their names

    @cached_property
    def _by_part(self) -> dict[tuple[str, str], list[Support]]:
        found: dict[tuple[str, str], list[Support]] = {}
        for statement in self.statements:
            found.setdefault((statement.program, statement.feature), []).append(statement)
        return found

    def about(self, program: str, feature: str) -> Sequence[Support]:
        """Return the statements on a feature of a program, or on the program itself, particular ones first."""
        return self._by_part.get((program, feature), ())

    @cached_property
    def _programs(self) -> dict[str, Program]:
        return by_key(self.programs)

    def program_of(self, spelling: str | None, framework: str) -> str:
        """Return the program whose rows count: the one that was spelled, else the framework."""
        found = self._programs.get(spelling or "")
        return framework if found is None else found.name

    def of_platform(self, program: str) -> bool:
        """Whether the program is made for one maker's chips."""
        found = self._programs.get(key(program))
        return found is not None and found.of_platform

    def chain_of(self, program: str) -> tuple[str, ...]:
        """Return the program, followed by those that it is based on."""
        found = self._programs.get(key(program))
        return (program, *self.chain_of(found.base)) if found is not None and found.base else (program,)

    def called(self, program: str, feature: str) -> str:
        """Return the program in words, with its feature."""
        found = self._programs.get(key(program))
        title = self.frameworks.title_of(program) if found is None else found.title
        return f"{title} with {FEATURES[feature]}" if feature else title
