"""The calibration report: one page of tables and its plots, all figures from the calibration itself."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.coverage import ALL, Coverage
from calibration.files import Written, rounded
from calibration.pool import Pool, score
from calibration.regret import Regret
from calibration.spreads import CLASS_NAMES, Table
from plimsoll_service.engine.effects import CONSUMER_DEVICE
from plimsoll_service.evidence.measurement import Measurement
from plimsoll_service.evidence.published import SCHEMES


def table(head: Sequence[str], rows: Iterable[Sequence[object]], numbers_from: int = 1) -> str:
    """A table; columns from ``numbers_from`` on are set to the right."""
    ruler = ["---"] * numbers_from + ["---:"] * (len(head) - numbers_from)
    lines = [head, ruler, *([str(cell) for cell in row] for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def percent(share: float) -> str:
    """A share as whole percent, one decimal below ten."""
    return f"{100 * share:.1f}%" if abs(share) < 0.0995 else f"{100 * share:.0f}%"


def factor(value: float) -> str:
    """A factor with two decimals."""
    return f"{value:.2f}"


PROCESSORS = ("cpu_training", "cpu_inference", "cpu_llm_serving")
_WORKSTATION = re.compile(r"^(Quadro|RTX-)")


@dataclass(frozen=True)
class Target:
    """A statement about held-out errors: the mean over sources of their median may be at most ``most``."""

    name: str
    most: float
    kinds: tuple[str, ...]
    device_class: str = ""  # empty for all
    range_name: str = ""  # empty for all

    def of(self, pool: Pool) -> Pool:
        """Return the rows that the target covers."""
        chosen = np.isin(pool.kind, self.kinds)
        if self.device_class:
            chosen &= np.array([class_of_device(str(name)) == self.device_class for name in pool.device], dtype=bool)
        if self.range_name:
            chosen &= pool.range_name == self.range_name
        return pool.take(chosen)


TARGETS = (
    Target("training of convolutional networks, data-centre GPUs", 0.15, ("cnn_training",), "data centre"),
    Target("training of recurrent networks and transformers", 0.20, ("rnn_training", "transformer_training")),
    Target("language-model training, all weights", 0.10, ("llm_training",)),
    Target("language-model training, adapters", 0.10, ("adapter_training",)),
    Target("language-model serving, throughput", 0.13, ("llm_serving",), range_name="tokens_per_second"),
    Target("language-model serving, time per token", 0.13, ("llm_serving",), range_name="tpot"),
    Target("language-model serving, first token", 0.25, ("llm_serving",), range_name="ttft"),
    Target("classic inference", 0.22, ("classic_inference",)),
    Target("processors", 0.25, PROCESSORS),
    Target("peak device memory", 0.08, ("memory",)),
)


def class_of_device(name: str) -> str:
    """Data-centre, workstation or consumer, by the name of the card."""
    if CONSUMER_DEVICE.match(name):
        return "consumer"
    return "workstation" if _WORKSTATION.match(name) else "data centre"


WORST_ROWS = 25


def targets_table(pool: Pool) -> str:
    """Targets with the errors reached, by held-out group."""
    rows = []
    for target in TARGETS:
        chosen = target.of(pool)
        for scheme in SCHEMES:
            part = chosen.take(chosen.scheme == scheme)
            if len(part):
                found = score(part)
                met = "met" if found.mean_of_sources <= target.most else "missed"
                rows.append(
                    (target.name, scheme, len(part), percent(target.most), percent(found.mean_of_sources),
                     percent(found.median), percent(found.ninth_decile), met)
                )  # fmt: skip
    head = ("target", "held out", "rows", "at most", "mean of sources", "median of rows", "90th percentile", "")
    return table(head, rows, 2)


def errors_table(pool: Pool) -> str:
    """Median error by kind and source, one column a scheme."""
    rows = []
    for kind in np.unique(pool.kind):
        of_kind = pool.take(pool.kind == kind)
        for source in (*np.unique(of_kind.source), ALL):
            part = of_kind if source == ALL else of_kind.take(of_kind.source == source)
            counted = len(np.unique(part.measurement))
            rows.append((kind, source, counted, *(_error(part.take(part.scheme == scheme)) for scheme in SCHEMES)))
    return table(("kind", "source", "rows", *(f"{scheme} held out" for scheme in SCHEMES)), rows, 2)


def _error(pool: Pool) -> str:
    if not len(pool):
        return "–"
    found = score(pool)
    return f"{percent(found.mean_of_sources)} ({found.bias:+.2f})"


def ranges_table(spreads: Table) -> str:
    """Factors on the estimate by range and basis, with the held-out groups behind each."""
    rows = []
    for name in dict.fromkeys(name for name, _ in spreads):
        cells = []
        for code in CLASS_NAMES:
            one = spreads[name, code]
            cells.append(f"{factor(math.exp(one.low))} – {factor(math.exp(one.high))} ({one.groups})")
        rows.append((name, *cells))
    return table(("range", *CLASS_NAMES.values()), rows)


def coverage_table(coverages: Sequence[Coverage], named: tuple[str, str] = ("kind", "held out")) -> str:
    """Share inside and median width, by kind and scheme, or by what ``named`` says."""
    rows = [
        (one.kind, one.scheme, one.rows, percent(one.share), percent(one.share_by_source), factor(one.width))
        for one in coverages
    ]
    return table((*named, "rows", "inside", "inside, sources equal", "median high ÷ low"), rows, 2)


def regret_table(regrets: Sequence[Regret]) -> str:
    """Mean cost of the choice by kind, by price and by device."""
    rows = []
    words = {True: "USD per unit of work", False: "work per device", None: "either"}
    for kind in (*sorted({one.kind for one in regrets}), ALL):
        for priced, word in words.items():
            part = [one for one in regrets if priced in (one.priced, None) and kind in (one.kind, ALL)]
            if part and (priced is None) == (kind == ALL):
                shares = np.array([one.share for one in part])
                mean, worst = float(shares.mean()), float(shares.max())
                right = float(np.mean(shares == 0))
                rows.append((kind, word, len(part), percent(mean), percent(worst), percent(right)))
    return table(("kind", "judged by", "workloads", "mean regret", "worst", "best device picked"), rows, 2)


def coefficients_table(figures: Sequence[Written]) -> str:
    """Fitted values with the standard error of their logarithm and the value that the fit started from."""
    rows = [(f"`{one.name}`", rounded(one.value), f"±{one.error:.2f}", rounded(one.prior)) for one in figures]
    return table(("coefficient", "value", "error of ln", "start"), rows)


def worst_table(pool: Pool, measurements: Mapping[str, Measurement]) -> str:
    """The rows furthest from the estimate of the fit that had not seen their device."""
    chosen = pool.take(pool.scheme == "device")
    order = np.argsort(-np.abs(chosen.error), kind="stable")[:WORST_ROWS]
    rows = []
    for index in order:
        one = measurements[str(chosen.measurement[index])]
        software = f"{one.framework} {one.framework_version or ''}".strip()
        on = one.accelerator or one.cpu or ""
        ratio = math.exp(float(chosen.error[index]))
        rows.append((one.id, one.model, on, software, one.precision, one.metric, f"{one.value:.5g}", factor(ratio)))
    head = ("measurement", "model", "device", "software", "precision", "metric", "measured", "estimated ÷ measured")
    return table(head, rows, 6)


PAGE, PLOTS = "calibration.md", "calibration"
INTRODUCTION = """# Calibration report

`make calibrate` writes this page; no figure is entered by hand.
*Held out* means that the fit used no row of that device, model or source (laboratory).
The estimates of that fit are then compared with those rows.
*Error* is |estimated ÷ measured − 1|: the median within each source, then the mean over sources.
A source with fewer than ten rows has a proportionally smaller weight.
The figure in brackets is the median of ln(estimated ÷ measured).
"""
RANGES = """
The ranges are factors on the estimate: the 10th and 90th percentile of measured ÷ estimated over held-out rows.
The weight of a row is the number of rows of its source to the power −0.4.
Each range is at least as wide as the range from only those rows whose laboratory was held out.
If few groups are held out (their number is in brackets), the range is shrunk towards the range of the wider group.
No range is narrower than the difference between equal machines.

- *Known model*: the fit had rows of the software, of the model, and of a device of the same generation.
  Answers that are *measured*, or *calibrated* on the model itself, have this range.
  Runs of the same work in other laboratories differ by as much.
- *New model*: the same, but the fit had only rows of other models of its family (*calibrated*).
- *Modelled*: the fit lacked the software, the family or the generation.

On more than one device, training counted in samples adds the error of scaling in quadrature.
"""
BETWEEN = """
This table covers the rows whose laboratory is held out, by range and by the rows that the fit still had.
In *inside, sources equal*, every laboratory has the same weight.
"""
COVERAGE = """
The coverage is nested: the range of each held-out group comes from the residuals of all other groups.
A range is an 80% prediction interval, so it should contain 80% of the held-out rows; the target is 75–85%.
Rows are not counted if no other source can give their range.
The weight of sources, the shrinkage and the groups are the best of sixteen variants, judged by these same shares.
The shares are therefore optimistic: expect lower coverage for measurements of new laboratories.
"""
REGRET = """
Regret is the extra cost of choosing a device by the estimates instead of the measurements.
It covers every workload with at least four measured devices; each device is held out of its own estimate.
Prices are the catalog's cheapest current on-demand offer of each device, outside restricted regions.
If fewer than four of the devices have a price, devices are compared by work per device.
Workloads that differ only in prompt length are counted separately, so the number of independent workloads is smaller.
"""


@dataclass(frozen=True, eq=False)
class Findings:
    """Everything that the report shows."""

    pool: Pool
    measurements: Mapping[str, Measurement]
    bundled: int  # measurements with residuals that are part of the project
    spreads: Table
    coverages: Sequence[Coverage]
    between: Sequence[Coverage]  # of rows whose laboratory was held out, by range and class
    regrets: Sequence[Regret]
    figures: Mapping[str, Sequence[Written]]  # by form
    notes: Sequence[str]  # paragraphs from the problems


def write(found: Findings, folder: Path) -> list[Path]:
    """Write the page and the plots under ``folder``; raises ``ModuleNotFoundError`` where matplotlib is missing."""
    from calibration import plots  # only a report needs the plotting library

    pictures = folder / PLOTS
    pictures.mkdir(parents=True, exist_ok=True)
    measured = {name: one.value for name, one in found.measurements.items()}
    plots.predicted_against_measured(found.pool, measured, pictures / "predicted.svg")
    plots.error_bars(found.pool, "family", "Error by family", pictures / "families.svg")
    plots.error_bars(found.pool, "device", "Error by device", pictures / "devices.svg")
    plots.coverage_bars(found.coverages, pictures / "coverage.svg")
    page = folder / PAGE
    page.write_text(text(found), encoding="utf-8")
    return [page, *sorted(pictures.glob("*.svg"))]


def text(found: Findings) -> str:
    """The page."""
    parts = [
        INTRODUCTION,
        _summary(found),
        "## Targets\n",
        targets_table(found.pool),
        "![Estimated against measured, one panel per kind](calibration/predicted.svg)\n",
        "## Errors by kind and source\n",
        errors_table(found.pool),
        "![Error by family](calibration/families.svg)\n\n![Error by device](calibration/devices.svg)\n",
        "## Ranges\n" + RANGES,
        ranges_table(found.spreads),
        "## Coverage\n" + COVERAGE,
        coverage_table(found.coverages),
        "![Share of measurements inside their range](calibration/coverage.svg)\n",
        "### Between laboratories\n" + BETWEEN,
        coverage_table(found.between, ("range", "the fit had")),
        "## Choosing by the estimate\n" + REGRET,
        regret_table(found.regrets),
        "## Does it fit\n",
        *(f"{note}\n" for note in found.notes),
        "## Coefficients\n",
        *(f"### {name}\n\n{coefficients_table(figures)}" for name, figures in found.figures.items()),
        "## Worst rows\n",
        worst_table(found.pool, found.measurements),
    ]
    return "\n".join(parts)


def _summary(found: Findings) -> str:
    """Paragraph on the number of rows and the coverage of the ranges."""
    whole = next(one for one in found.coverages if one.kind == one.scheme == ALL)
    rows = len(set(found.pool.measurement))
    bundled = f"{found.bundled} bundled, the others from rented cloud machines, which are not part of the project"
    origin = bundled if found.bundled < rows else "all bundled"
    sources = len(set(found.pool.source))
    return (
        f"The fits use {rows} measurements of {sources} sources: {origin}.\n"
        f"{percent(whole.share)} of held-out rows lie inside their range. "
        f"The median ratio of the high to the low end is {factor(whole.width)}.\n"
    )
