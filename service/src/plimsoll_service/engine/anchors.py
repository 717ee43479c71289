"""Conclusions from a user's own measurements for other hardware: a Gaussian process over ln(measured ÷ estimated).

A residual is the sum of independent effects: of the software and the model (everywhere the same), of a maker's
devices, of a generation, of a device, of the batch or load, of the precision, and noise. Their variances come from
left-out errors of the published measurements (``make calibrate``). Given the anchors, the effects
elsewhere follow as a conditional normal distribution (Rasmussen and Williams 2006, chapter 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from .hardware import Floats, Ints

RATE, PROMPT, TOKEN, MEMORY = "rate", "prompt", "token", "memory"
NEAR = 0.3  # share of the variance that anchors take away where an estimate is called anchored; rule basis-anchored
CONDITION_LENGTH = np.log(4.0)  # of ln batch, load or length: over a factor of 4 a residual keeps exp(−1) of its part
# Residuals further apart than so many standard deviations of equal machines contradict each other: 1 pair in 100.
DISAGREE = 2.58


@dataclass(frozen=True)
class Sharing:
    """Standard deviations of the effects in ln, and the widths of what is left of a range over the process's own.

    ``low`` and ``high``: of the range's two ends, because an anchor takes the bias away that makes a range lopsided.
    """

    shared: float = 0.3
    vendor: float = 0.15
    generation: float = 0.1
    device: float = 0.1
    condition: float = 0.1
    precision: float = 0.1
    noise: float = 0.05
    low: float = 1.0
    high: float = 1.0

    @property
    def prior(self) -> float:
        """Variance of an effect before any anchor, without noise."""
        parts = (self.shared, self.vendor, self.generation, self.device, self.condition, self.precision)
        return float(sum(part**2 for part in parts))


Sharings = Mapping[str, Sharing]  # by name of a range


@dataclass(frozen=True, eq=False)
class Kinds:
    """Hardware in the words of the kernel: the same number for the same vendor, generation, device."""

    vendor: Ints
    generation: Ints
    device: Ints

    def take(self, rows: Ints) -> Kinds:
        """The given rows."""
        return Kinds(self.vendor[rows], self.generation[rows], self.device[rows])


@dataclass(frozen=True, eq=False)
class Residuals:
    """ln(measured ÷ estimated) of anchors, on what, and how far their conditions are from those of the question."""

    kinds: Kinds
    condition: Floats  # anchors × logarithms of batch, load and lengths, over those of the question
    precision: Ints  # 0: that of the question
    log: Floats

    def __len__(self) -> int:
        return len(self.log)


@dataclass(frozen=True, eq=False)
class Effect:
    """By kind of hardware: ln of the factor on an estimate, the share of its range that is left, and its nearness."""

    log: Floats
    left: Floats  # two rows: of ln(low), of ln(high)
    informed: Floats  # share of the variance that the anchors take away

    @cached_property
    def factor(self) -> Floats:
        """The factor on an estimate."""
        return np.exp(self.log)


def _alike(one: Kinds, other: Kinds, sharing: Sharing) -> Floats:
    """Covariance of the effects of hardware, one × other."""
    parts = (
        (sharing.vendor, one.vendor, other.vendor),
        (sharing.generation, one.generation, other.generation),
        (sharing.device, one.device, other.device),
    )
    found = np.full((len(one.device), len(other.device)), sharing.shared**2)
    for deviation, mine, theirs in parts:
        found += deviation**2 * (mine[:, None] == theirs[None])
    return found


def _apart(one: Floats, other: Floats) -> Floats:
    """Correlation of the effects of conditions, one × other."""
    distance = np.abs(one[:, None] - other[None]).sum(axis=2)
    near: Floats = np.exp(-distance / CONDITION_LENGTH)
    return near


def covariance(residuals: Residuals, sharing: Sharing) -> Floats:
    """Of the anchors' residuals, without noise."""
    found = _alike(residuals.kinds, residuals.kinds, sharing)
    found += sharing.condition**2 * _apart(residuals.condition, residuals.condition)
    found += sharing.precision**2 * (residuals.precision[:, None] == residuals.precision[None])
    return found


def effect_of(residuals: Residuals, targets: Kinds, sharing: Sharing) -> Effect:
    """The effect on each kind of hardware under the conditions of the question.

    No weight is negative, so that a faster anchor never makes an estimate slower.
    """
    prior, sharing = sharing.prior, _as_large(residuals, sharing)
    among = covariance(residuals, sharing)
    noisy = among + sharing.noise**2 * np.eye(len(residuals))
    here = np.zeros((1, residuals.condition.shape[1]))
    between = _alike(targets, residuals.kinds, sharing)
    between += sharing.condition**2 * _apart(here, residuals.condition)
    between += sharing.precision**2 * (residuals.precision == 0)
    weights = np.maximum(np.linalg.solve(noisy, between.T).T, 0.0)
    rest = sharing.prior - 2 * np.sum(weights * between, axis=1) + np.sum((weights @ noisy) * weights, axis=1)
    rest = np.clip(rest, 0.0, prior)
    informed = 1 - rest / prior
    # A width below 1 was earned among the devices of one maker, and one above 1 between devices: on the very device
    # only noise is left. Processors have many sizes of one kind.
    maker = (targets.vendor[:, None] == residuals.kinds.vendor[None]).any(axis=1)
    device = (targets.device[:, None] == residuals.kinds.device[None]).any(axis=1) & (targets.vendor >= 0)
    width = width_here(np.array([[sharing.low], [sharing.high]]), informed)
    width = np.where(device, np.minimum(width, 1.0), np.where(maker, width, np.maximum(width, 1.0)))
    left = width * np.sqrt((rest + sharing.noise**2) / (prior + sharing.noise**2))
    wider = max(float(_differences(residuals, sharing).max()) / DISAGREE, 1.0)
    return Effect(weights @ residuals.log, np.minimum(left * wider, np.maximum(left, 1.0)), informed)


def width_here(width: Floats, informed: Floats) -> Floats:
    """The width where anchors take that share of the variance away: 1 where they take none."""
    return 1 + (width - 1) * informed


def _as_large(residuals: Residuals, sharing: Sharing) -> Sharing:
    """The sharing with a shared effect as large as the residuals say: software may be slower than any that was seen."""
    seen, mean = sharing.prior + sharing.noise**2, float(np.mean(residuals.log))
    return replace(sharing, shared=float(np.sqrt(sharing.shared**2 + max(mean**2 - seen, 0.0))))


def _differences(residuals: Residuals, sharing: Sharing) -> Floats:
    """Differences of two residuals in standard deviations of what such machines differ, in pairs."""
    among = covariance(residuals, sharing)
    variance = np.diag(among)
    differs = variance[:, None] + variance[None] - 2 * among + 2 * sharing.noise**2
    return np.abs(residuals.log[:, None] - residuals.log[None]) / np.sqrt(differs)


def disagrees(residuals: Residuals, sharing: Sharing) -> list[tuple[int, int]]:
    """Pairs of anchors that contradict each other, the worst first."""
    found = np.triu(_differences(residuals, sharing))
    pairs = np.argwhere(found > DISAGREE)
    return [(int(one), int(other)) for one, other in pairs[np.argsort(-found[found > DISAGREE], kind="stable")]]


@dataclass(frozen=True)
class AnchorSaid:
    """A figure that the user measured, beside the estimate of that run without it; ``why``: why it changes nothing."""

    on: str
    figure: str
    said: float
    estimated_without: float | None
    used: bool
    why: str | None = None


@dataclass(frozen=True, eq=False)
class Anchoring:
    """Effects of a question's measurements, by what they change; kinds of hardware are devices, then vector classes.

    ``basis``: the place in ``spreads.BASES`` by kind of hardware; -1 where no anchor is near.
    """

    devices: int  # of the catalog: the vector classes of processors follow
    effects: Mapping[str, Effect]
    basis: Ints
    memory_factor: float = 1.0
    memory_left: tuple[float, ...] = (1.0, 1.0)  # of the low and the high end
    most_nodes: int = 1  # of the machines that were measured together
    anchors: tuple[AnchorSaid, ...] = ()
    names: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())  # of devices, and of processors, whose speed was measured
    disagree: str = ""  # which anchors, in words

    def kind_of(self, accelerator: Ints, vector: Ints) -> Ints:
        """The kind of hardware of machines."""
        return np.where(accelerator >= 0, accelerator, self.devices + vector)


@dataclass(frozen=True)
class AnchorFit:
    """The fitted sharing of every kind of estimate; ``otherwise`` is that of work that nobody measured."""

    of_kind: Sharings = field(default_factory=dict)
    otherwise: Sharing = field(default_factory=Sharing)

    def of(self, name: str) -> Sharing:
        """The sharing of a range."""
        return self.of_kind.get(name, self.otherwise)
