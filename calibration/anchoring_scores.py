"""Effect of an anchor on errors and ranges, by kind of estimate: coefficients, and the table of the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.anchoring import (
    FEW,
    PROCESSORS,
    Left,
    Told,
    lefts,
    reach,
    sharing_of,
    told,
    weights_of,
    widths_of,
)
from calibration.files import Document, Entry
from plimsoll_service.engine.anchors import MEMORY, Sharing, width_here
from plimsoll_service.engine.choice.anchoring import kinds_of
from plimsoll_service.engine.hardware import Catalog, Floats
from plimsoll_service.evidence import coefficients, published
from plimsoll_service.evidence.coefficients import OTHERWISE

# Other names that an entry holds for: kinds with too few rows of their own.
ALSO: Mapping[str, tuple[str, ...]] = {
    "token_training": ("token_training_adapters",),
    PROCESSORS: ("cpu_training", "cpu_inference", "cpu_tokens_per_second", "cpu_tpot", "cpu_ttft"),
}


@dataclass(frozen=True)
class Score:
    """One anchor on another device: rows, errors without and with it (mean of sources, median), coverage, width."""

    name: str
    rows: int
    before: float
    after: float
    median_before: float
    median_after: float
    held: float
    narrower: float  # median of what is left of ln(high ÷ low)


def score_of(name: str, found: Told) -> Score:
    """Return the score, whose coverage is of each model under the widths that the other models give."""
    named = np.array([row.row.model for row in found.rows])
    widths = np.ones((2, len(named)))
    for model in np.unique(named):
        mine = named == model
        others = found.take(~mine)
        widths[:, mine] = np.array([widths_of(others if len(others.rows) else found)]).T
    inside = np.all([reach(found, end) <= widths[end] for end in (0, 1)], axis=0)
    ends = np.abs([row.ends for row in found.rows]).T
    left = np.sum(ends * found.left * width_here(widths, found.informed), axis=0) / np.sum(ends, axis=0)
    before, after = np.abs(np.expm1(-found.before)), np.abs(np.expm1(-found.after))
    return Score(
        name, len(named), _by_source(found, before), _by_source(found, after), float(np.median(before)),
        float(np.median(after)), float(np.average(inside, weights=weights_of(found))), float(np.median(left)),
    )  # fmt: skip


def _by_source(found: Told, errors: Floats) -> float:
    """Mean of the sources' medians; a source with fewer than ten rows counts in proportion."""
    sources = np.array([row.row.source for row in found.rows])
    medians = [
        (float(np.median(errors[sources == name])), min(1.0, np.sum(sources == name) / 10))
        for name in np.unique(sources)
    ]
    return float(np.average([median for median, _ in medians], weights=[weight for _, weight in medians]))


def fitted(rows: Sequence[Left], catalog: Catalog) -> tuple[dict[str, Sharing], list[Score]]:
    """Return the sharing of every range with enough rows and of all others, and the scores."""
    kinds, found, scores = kinds_of(catalog.accelerators), {}, []
    for name in sorted({one.name for one in rows}):
        mine = [one for one in rows if one.name == name]
        sharing = sharing_of(mine, kinds)
        one = told(mine, kinds, sharing)
        if len(one.rows) < FEW:
            continue
        low, high = widths_of(one)
        found[name] = replace(sharing, low=low, high=high)
        scores.append(score_of(name, one))
    devices = [one for name, one in found.items() if name not in (MEMORY, PROCESSORS)]
    found[OTHERWISE] = Sharing(
        **{name: float(np.median([vars(one)[name] for one in devices])) for name in vars(devices[0])}
    )
    return found, scores


def refit(catalog: Catalog) -> tuple[Document, list[Score]]:
    """Return the file's content and the scores, from the written predictions and ranges."""
    with published.predictions_path().open(encoding="utf-8") as text:
        predictions = published.read_predictions(text)
    rows = lefts(published.measurements(), predictions, catalog, coefficients.spreads())
    found, scores = fitted(rows, catalog)
    return document_of(found), scores


HEAD = (
    "| kind of estimate | rows | error without | with one | of rows, without | with one | inside the range "
    "| width left |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
)


def table_of(scores: Sequence[Score]) -> str:
    """Return the scores as a table of Markdown."""
    lines = [
        f"| {one.name.replace('_', ' ')} | {one.rows} | {one.before:.1%} | {one.after:.1%} | {one.median_before:.1%} "
        f"| {one.median_after:.1%} | {one.held:.0%} | {one.narrower:.0%} |"
        for one in scores
    ]
    return "\n".join((*HEAD, *lines))


def document_of(sharings: Mapping[str, Sharing]) -> Document:
    """Return the content of the file of coefficients."""
    about = "How far a user's own measurement tells of other hardware, from left-out errors: standard deviations in ln."
    named = {other: one for name, one in sharings.items() for other in (name, *ALSO.get(name, ()))}
    return {
        "about": about,
        "sharings": {
            name: Entry({part: round(value, 3) for part, value in vars(one).items()})
            for name, one in sorted(named.items())
        },
    }
