"""Fitted effects of architecture, software and device on a step's time, beyond the formulas.

An effect is a difference of ln(time), fitted with a normal prior about 0 (ridge). A level without a measurement
contributes 0: for an unknown model on an unknown device, the formula alone remains. Names of levels are the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from .generations import generation_of

# How a step computes: on matrix units at that precision, on plain units, on cores, or on a chip with its own compiler.
CLASSES = ("single", "tf32", "half", "plain_half", "byte", "cpu", "cpu_low", "chip")
MATRIX = ("tf32", "half", "byte")
_VARIANT = re.compile(r"-(\d+GB|PCIe|SXM\d?|NVL|Laptop|Max-Q|Super)\b")
CONSUMER_DEVICE = re.compile(r"^(GTX|Titan|RTX-\d{4}(?!-(Ada|Turing)))")
SAME_CARD = {"T4G": "T4"}  # beside an Arm processor (AWS, instances of G5g)
# Families whose training is another program than their inference, and tells nothing of it: a denoiser trains in single
# steps of its network as a library runs it; it makes images in many, with guidance, fused and loaded in 16 bits.
APART = ("diffusion",)
WITH_GDDR = "-GDDR"  # ends the name of a microarchitecture
_LAPTOP = re.compile(r"Laptop|Max-Q")


@dataclass(frozen=True)
class Work:
    """The work, in the words that levels are named by; an unknown model has only architecture and family, no name."""

    model: str
    architecture: str
    family: str
    mode: str  # training, inference
    framework: str
    tuning: str
    network: str  # the kind whose training errors it shares


@dataclass(frozen=True)
class Device:
    """The device that the work runs on; both fields are empty on processors."""

    name: str
    microarchitecture: str


@dataclass(frozen=True)
class Effects:
    """Fitted differences of ln(time) by level, and of measured configurations beyond them."""

    levels: Mapping[str, float] = field(default_factory=dict)
    matches: Mapping[str, float] = field(default_factory=dict)

    _of_chips: dict[tuple[str, Device], float] = field(default_factory=dict, compare=False, repr=False)

    def total(self, names: Iterable[str]) -> float:
        """The sum of the named levels' effects."""
        return sum(self.levels.get(name, 0.0) for name in names)

    def of_device(self, work: Work, arithmetic: str, device: Device) -> float:
        """The sum of the device's levels and of the model's on it; the few devices' own part is summed once."""
        own = self._of_chips.get((arithmetic, device))
        if own is None:
            own = self._of_chips[arithmetic, device] = self.total(chip_levels(arithmetic, device))
        if not device.name or not work.model:
            return own
        return own + self.levels.get(model_level(work, arithmetic, device), 0.0)


def work_levels(work: Work, arithmetic: str) -> tuple[str, ...]:
    """Levels that a step has on every device that computes in that way.

    A framework's own are of both tunings: what tuning adds is a coefficient of the formula, and what little differs.
    """
    unit, mode = unit_of(arithmetic), work.mode
    software = software_of(work)
    names = [
        f"family {_shared(work, work.family)} {unit}",
        f"software {work.framework}",
        f"software {work.framework} {unit} {mode}",
        f"framework {work.framework} {mode}",
    ]
    if work.tuning == "tuned":
        names += [f"tuned {work.framework}", f"tuned {work.framework} {unit} {mode}"]
    if mode == "training":
        names.append(f"network {work.network}")
    if work.architecture:
        names += [
            f"architecture {_shared(work, work.architecture)}",
            f"architecture {work.architecture} {arithmetic} {mode}",
        ]
    if work.model:
        names += [
            f"model {_shared(work, work.model)}",
            f"model {work.model} {arithmetic} {mode}",
            f"port {software} {work.model} {mode}",
            f"port {software} {work.model} {arithmetic} {mode}",
        ]
    return tuple(names)


def chip_levels(arithmetic: str, device: Device) -> tuple[str, ...]:
    """Levels that belong to the device, whatever the work."""
    if not device.name:
        return ()
    names = [
        f"microarchitecture {device.microarchitecture} {arithmetic}",
        f"device {device.name}",
        f"device {device.name} {arithmetic}",
        f"chip {_VARIANT.sub('', device.name)} {arithmetic}",
    ]
    if CONSUMER_DEVICE.match(device.name):
        names.append(f"consumer {unit_of(arithmetic)}")
    if _LAPTOP.search(device.name):
        names.append("laptop")
    return tuple(names)


def model_level(work: Work, arithmetic: str, device: Device) -> str:
    """The level of the model on the device's microarchitecture."""
    return f"microarchitecture {device.microarchitecture} {_shared(work, work.model)} {arithmetic}"


def _shared(work: Work, name: str) -> str:
    """The name of a level that training and inference share, where they do."""
    return f"{name}|{work.mode}" if work.family in APART else name


def microarchitecture_of(generation: str, gddr: bool) -> str:
    """The chip's microarchitecture: parts with GDDR are mostly other designs than a generation's data-centre parts."""
    if gddr and not generation_of(generation).one_design:
        return generation.replace(" ", "-") + WITH_GDDR
    return (generation_of(generation).fitted_as or generation).replace(" ", "-")


def match_of(work: Work, arithmetic: str, device: Device) -> str:
    """The configuration that a measurement must share to count as one of just this."""
    return f"{work.model} {work.mode} {arithmetic} {software_of(work)} {device.name}"


def unit_of(arithmetic: str) -> str:
    """Matrix units, cores, a compiled chip, or plain arithmetic units."""
    units = {**dict.fromkeys(MATRIX, "matrix"), "cpu": "cpu", "cpu_low": "cpu", "chip": "chip"}
    return units.get(arithmetic, "plain")


def software_of(work: Work) -> str:
    """Framework and tuning as one word."""
    return f"{work.framework}|{work.tuning}"
