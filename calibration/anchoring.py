"""Fit of how much a measurement on one device says about another, from residuals of left-out predictions.

It reads the written predictions (``held_out.csv``), so that it can be fitted anew after any refit. A pair is two rows
of the same work (source, model, software, lengths) with the same group left out. Differences within pairs give the
variances of noise, device, generation, batch and precision; the slope of one residual on another gives the shared part.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.asked import asked
from calibration.pool import DEVICE_RANGES, MOE, OF_EXPERTS, SERVING_METRICS, TIMES_OF_RATES, inference_range
from calibration.results import generations_of
from calibration.spreads import SOURCE_EXPONENT, weighted_quantile
from plimsoll_service.engine.anchors import MEMORY, Kinds, Residuals, Sharing, effect_of
from plimsoll_service.engine.demand import kind
from plimsoll_service.engine.demand.kind import ADAPTED
from plimsoll_service.engine.hardware import Catalog, Floats
from plimsoll_service.engine.known import SAME_SPEED, kind_of_network
from plimsoll_service.engine.machines import VECTOR_CLASSES
from plimsoll_service.engine.models.families import family_of
from plimsoll_service.engine.spreads import ALIKE, CALIBRATED, INFERENCE, Spreads
from plimsoll_service.evidence import models
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import HeldOut
from plimsoll_service.evidence.statements import frameworks

# A user's own runs are of no laboratory that the fits have seen, and of a model that they may not have seen.
SCHEMES = ("source", "model")
PROCESSORS = "processors"
HELD = 0.8  # of the measurements, inside the range
NOISE = math.log(1.05)  # what equal machines differ (throughput study, section 6)
SAME_CONDITION = math.log(1.1)
MOST_SLOPE = 0.97
NORMAL = 1.4826  # standard deviation of a normal distribution over its median absolute deviation
TIMES = (*TIMES_OF_RATES, "ttft_ms", "tpot_ms")
ALL_PAIRS = 400  # of one work: more add nothing but time
OF_TOKENS = "tokens/s"


@dataclass(frozen=True, eq=False)
class Left:
    """A row with its group left out: ln(measured ÷ predicted) of the speed, or of the memory."""

    row: Measurement
    scheme: str
    name: str  # of the range
    log: float
    kind: int  # of hardware
    condition: tuple[float, ...]
    ends: tuple[float, float]  # of the range without anchors, in logarithms


@dataclass(frozen=True)
class Pair:
    """Two rows of one work; ``level``: other, vendor, generation or device, as far as their hardware agrees."""

    one: Left
    other: Left
    level: str
    weight: float

    @property
    def alike(self) -> bool:
        """Whether batch, load and lengths agree."""
        return all(abs(a - b) < SAME_CONDITION for a, b in zip(self.one.condition, self.other.condition, strict=True))

    @property
    def precise(self) -> bool:
        """Whether the precisions count as the same."""
        return _precision(self.one.row) == _precision(self.other.row)


def range_name(row: Measurement) -> str | None:
    """The name of the range of the row's estimate, as the service looks up its sharing; ``None`` for other figures."""
    profile = models.find(row.model, row.framework)
    if profile is None or row.metric in ("largest_batch", "fits"):
        return None
    if row.metric == "peak_memory_gib":
        return MEMORY
    if row.metric == "seconds":
        return kind.TABULAR_TRAINING
    if not row.accelerator:
        return PROCESSORS
    if row.task == "training":
        return _of_tokens(row, profile.family) if row.metric == OF_TOKENS else f"{kind_of_network(profile)}_training"
    return SERVING_METRICS.get(row.metric) if family_of(profile.family).language_model else INFERENCE


def _of_tokens(row: Measurement, family: str) -> str:
    """The range of training by tokens; language models that are counted in samples are trained as other networks."""
    if family == MOE:
        return OF_EXPERTS
    return DEVICE_RANGES["adapter_training" if row.method in ADAPTED else "llm_training"]


def lefts(
    measurements: Iterable[Measurement], predictions: Mapping[str, HeldOut], catalog: Catalog, spreads: Spreads
) -> list[Left]:
    """Return every undoubted row with a prediction by a fit without its source, and without its model."""
    rows = [row for row in measurements if row.id in predictions and not row.doubt]
    sources: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        sources[row.model].add(row.source)
    found = []
    kinds, generations = _kinds(catalog), generations_of(catalog)
    for row in rows:
        name, hardware = range_name(row), kinds.get(row.accelerator or asked(row)[1].cpu or "")
        for scheme in SCHEMES:
            predicted = getattr(predictions[row.id], scheme)
            if name is None or hardware is None or not predicted:
                continue
            log = math.log(row.value / predicted) * (-1.0 if row.metric in TIMES else 1.0)
            new = scheme == "model" or len(sources[row.model]) == 1
            of = spreads.of(_range_without(row, name, generations))[ALIKE if new else CALIBRATED]
            ends = math.log(of.low), math.log(of.high)
            found.append(Left(row, scheme, name, log, hardware, _condition(row), ends))
    return found


def _range_without(row: Measurement, name: str, generations: Mapping[str, str]) -> str:
    """The name of the range of the row's estimate without anchors: of one sharing there can be several."""
    if name == PROCESSORS:
        return f"cpu_{row.task}"
    profile = models.find(row.model, row.framework)
    if name != INFERENCE or profile is None:
        return name
    library = frameworks().of(row.framework).library
    return inference_range(generations.get(row.accelerator or "", ""), row.tuning == "tuned", library, profile.family)


def _kinds(catalog: Catalog) -> dict[str, int]:
    devices = {name: place for place, name in enumerate(catalog.accelerators.name)}
    first, processors = len(devices), catalog.processors
    named = [*zip(processors.microarchitecture, processors.vector, strict=True)]
    named += [*zip(processors.name, processors.vector, strict=True)]
    return devices | {name: first + VECTOR_CLASSES.index(vector) for name, vector in named if vector in VECTOR_CLASSES}


def _condition(row: Measurement) -> tuple[float, ...]:
    return tuple(math.log(float(one)) if one else 0.0 for one in (row.batch_size, row.concurrency))


def _precision(row: Measurement) -> str:
    return SAME_SPEED.get(row.precision, row.precision)


def work(left: Left) -> tuple[object, ...]:
    """Key of the work of a row: two rows with equal keys measured the same work."""
    row = left.row
    software = (row.printed_model, row.framework, row.framework_version, row.tuning, row.compiled, row.packed, row.load)
    shape = (row.sequence_length, row.image_size, row.input_tokens, row.output_tokens, row.steps)
    method = (row.method, row.optimizer, row.activation_recomputation)
    return (left.scheme, row.source, row.task, row.metric, row.model, *software, *shape, *method)


def grouped(rows: Iterable[Left]) -> list[list[Left]]:
    """Return the rows of each work that ran on several devices; one device alone says nothing about another."""
    found: dict[tuple[object, ...], list[Left]] = defaultdict(list)
    for one in rows:
        found[work(one)].append(one)
    return [group for group in found.values() if len({_device(one) for one in group}) > 1]


def _device(left: Left) -> tuple[str | None, int | None]:
    """The accelerator, or the processor; of networks on processors another size is another machine."""
    return left.row.accelerator or left.row.cpu, left.row.vcpus if left.name == PROCESSORS else None


def pairs(groups: Iterable[Sequence[Left]], kinds: Kinds) -> Iterator[Pair]:
    """Yield the pairs of each work; a work with many pairs counts less for each."""
    for group in groups:
        several = [(one, other) for place, one in enumerate(group) for other in group[place + 1 :]]
        several = several[:: max(1, len(several) // ALL_PAIRS)]
        for one, other in several:
            yield Pair(one, other, _level(one, other, kinds), len(several) ** SOURCE_EXPONENT)


def _level(one: Left, other: Left, kinds: Kinds) -> str:
    if kinds.device[one.kind] == kinds.device[other.kind]:
        return "device"
    if kinds.generation[one.kind] == kinds.generation[other.kind]:
        return "generation"
    return "vendor" if kinds.vendor[one.kind] == kinds.vendor[other.kind] else "other"


def _deviation(some: Sequence[Pair]) -> float | None:
    """Standard deviation of one of two residuals about what they share; ``None`` of too few."""
    if len(some) < FEW:
        return None
    apart = np.array([abs(pair.one.log - pair.other.log) for pair in some])
    return NORMAL * weighted_quantile(apart, np.array([pair.weight for pair in some]), 0.5) / math.sqrt(2)


FEW = 8


def _slope(some: Sequence[Pair]) -> float:
    """Slope through the origin of one residual on the other that has the least absolute errors, either way."""
    both = [(pair.one.log, pair.other.log, pair.weight) for pair in some]
    x, y, weight = (np.array(column) for column in zip(*(both + [(b, a, w) for a, b, w in both]), strict=True))
    known = np.abs(x) > 1e-9
    ratio, weight = y[known] / x[known], weight[known] * np.abs(x[known])
    return float(np.clip(weighted_quantile(ratio, weight, 0.5), 0.0, MOST_SLOPE))


def sharing_of(rows: Sequence[Left], kinds: Kinds) -> Sharing:
    """Return the fitted sharing of one range; its width is 1."""
    found = list(pairs(grouped(rows), kinds))
    same = [pair for pair in found if pair.alike and pair.precise]
    # Rows of one device differ by layout and by what nobody states: of a user's own runs only noise is left.
    repeated = max(_deviation([pair for pair in same if pair.level == "device"]) or 0.0, NOISE)
    total = {"device": repeated}
    for level, nearer in (("generation", "device"), ("vendor", "generation")):
        total[level] = max(_deviation([pair for pair in same if pair.level == level]) or total[nearer], total[nearer])
    on_device = [pair for pair in found if pair.level == "device"]
    condition = _beyond([pair for pair in on_device if pair.precise and not pair.alike], repeated)
    precision = _beyond([pair for pair in on_device if not pair.precise], repeated)
    elsewhere = [pair for pair in same if pair.level != "device"] or same
    slope = _slope(elsewhere)
    rest = total["vendor"] ** 2 + condition**2 + precision**2
    # Conditions and precision agree in these pairs: their effects are a part of what the pairs share.
    common = max(slope / (1 - slope) * total["vendor"] ** 2 - condition**2 - precision**2, rest * LEAST_COMMON)
    half = math.sqrt(common / 2)  # no laboratory ran the same software on the devices of two makers
    return Sharing(
        shared=half,
        vendor=half,
        generation=math.sqrt(total["vendor"] ** 2 - total["generation"] ** 2),
        device=math.sqrt(total["generation"] ** 2 - NOISE**2),
        condition=condition,
        precision=precision,
        noise=NOISE,
    )


LEAST_COMMON = 0.1


def _beyond(some: Sequence[Pair], repeated: float) -> float:
    """Standard deviation beyond that of repeated runs."""
    found = _deviation(some)
    return 0.0 if found is None else math.sqrt(max(found**2 - repeated**2, 0.0))


@dataclass(frozen=True, eq=False)
class Told:
    """Rows estimated with one anchor on another device: errors in ln, and what the process makes of it."""

    rows: tuple[Left, ...]
    before: Floats
    after: Floats
    left: Floats  # the share of the range that is left, with widths of 1
    informed: Floats  # the share of the variance that the anchor takes away

    def take(self, chosen: NDArray[np.bool_]) -> Told:
        """The given rows."""
        rows = tuple(row for row, taken in zip(self.rows, chosen, strict=True) if taken)
        return Told(rows, self.before[chosen], self.after[chosen], self.left[chosen], self.informed[chosen])


def told(rows: Sequence[Left], kinds: Kinds, sharing: Sharing) -> Told:
    """Return every row with the nearest anchor on another device: that of the same precision and nearest batch."""
    found = []
    plain = replace(sharing, low=1.0, high=1.0)
    for group in grouped(rows):
        for one in group:
            others = [other for other in group if _device(other) != _device(one)]
            anchor = min(others, key=lambda other: _distance(one, other))
            effect = effect_of(_residual(one, anchor, kinds), kinds.take(np.array([one.kind])), plain)
            after = one.log - float(effect.log[0])
            found.append((one, one.log, after, float(effect.left[0, 0]), float(effect.informed[0])))
    if not found:
        return Told((), *np.empty((4, 0)))
    some, *columns = zip(*found, strict=True)
    return Told(some, *map(np.array, columns))


def _distance(one: Left, other: Left) -> tuple[float, ...]:
    apart = sum(abs(a - b) for a, b in zip(one.condition, other.condition, strict=True))
    return (
        float(_precision(one.row) != _precision(other.row)),
        apart,
        abs(one.row.device_count - other.row.device_count),
    )


def _residual(one: Left, anchor: Left, kinds: Kinds) -> Residuals:
    """The anchor as a question about the row would state it."""
    apart = [b - a for a, b in zip(one.condition, anchor.condition, strict=True)]
    return Residuals(
        kinds.take(np.array([anchor.kind])),
        np.array([apart]),
        np.array([int(_precision(one.row) != _precision(anchor.row))]),
        np.array([anchor.log]),
    )


def weights_of(found: Told) -> Floats:
    names = np.array([f"{row.row.source}|{row.scheme}" for row in found.rows])
    _, place, counts = np.unique(names, return_inverse=True, return_counts=True)
    weight: Floats = counts[place].astype(np.float64) ** SOURCE_EXPONENT
    return weight


def reach(found: Told, end: int) -> Floats:
    """Return the width that each row asks of that end of its range, the low (0) or the high one (1)."""
    ends = np.abs([row.ends[end] for row in found.rows])
    beyond = np.maximum(found.after * (2 * end - 1), 0.0)
    asked: Floats = 1 + (beyond / (ends * found.left) - 1) / np.maximum(found.informed, LEAST_INFORMED)
    return asked


def widths_of(found: Told) -> tuple[float, float]:
    """Return the widths of the low and the high end at which ``HELD`` of the rows lie between them."""
    if not len(found.rows):
        return 1.0, 1.0
    weights, share = weights_of(found), (1 + HELD) / 2
    low, high = (weighted_quantile(reach(found, end), weights, share) for end in (0, 1))
    return float(np.clip(low, *WIDTHS)), float(np.clip(high, *WIDTHS))


WIDTHS = 0.5, 3.0  # on the measured device itself no end is narrower than the noise, nor as wide as without an anchor
LEAST_INFORMED = 0.01  # an anchor that tells less leaves the range as it was
