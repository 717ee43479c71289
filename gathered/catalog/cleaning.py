"""The cleaning of gathered rows, as data: rows that cannot be used, cells to correct, and what is retired."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from gathered.catalog.gathered import Gathered
from plimsoll_service.catalog.faults import RejectedRow

# Programmable chips and video transcoders, which price lists have beside accelerators.
NO_ML_DEVICE = re.compile(r"^(aws/(f1|f2|vt1)|azure/(NPs|PBs|NMads_MA35D)|alibaba/ecs\.(f1|f3|f5|video-trans))$")
# Types that rent slices: their memory column is the slice's; other types must have the card's memory.
ALIBABA_SLICE = re.compile(r"^ecs\.(sgn|vgn)")
# Lists state decimal or usable gigabytes; up to this difference they mean the same card.
MEMORY_TOLERANCE = 0.1
# List prices of regions differ by tens of percent; below half of the next cheapest a price is an error.
SLIP_SHARE = 0.5


@dataclass(frozen=True)
class Rule:
    """Rejects a row for which ``applies``, with ``reason``, in which ``{column}`` is the row's cell."""

    reason: str
    applies: Callable[[Gathered, Mapping[str, float]], bool]


def _other_memory(row: Gathered, cards: Mapping[str, float]) -> bool:
    memory, card = row.number("accelerator_memory_gib"), cards.get(row["accelerator"])
    if not memory or not card or is_slice(row):
        return False
    return abs(memory / card - 1) > MEMORY_TOLERANCE


def is_slice(row: Gathered) -> bool:
    """Whether the type rents slices of a card, so that its memory column is that of one slice."""
    return row["cloud"] == "alibaba" and bool(ALIBABA_SLICE.match(row["instance_type"]))


TYPE_RULES = (
    Rule(
        "is a machine with programmable chips or video cards, not with an accelerator for machine learning",
        lambda row, _: bool(NO_ML_DEVICE.match(row.family)),
    ),
    Rule(
        "accelerator '{accelerator}' has no specification",
        lambda row, cards: bool(row["accelerator"]) and row["accelerator"] not in cards,
    ),
    Rule(
        "the number of accelerators ('{accelerator}') is unknown",
        lambda row, _: bool(row["accelerator"]) and not row["accelerator_count"],
    ),
    Rule("the number of vCPUs is unknown", lambda row, _: not row.number("vcpus")),
    Rule("the memory is unknown", lambda row, _: not row.number("memory_gib")),
    Rule(
        "accelerator '{accelerator}' does not have {accelerator_memory_gib} GiB, so that it is another device",
        _other_memory,
    ),
)


def reject_types(rows: Iterable[Gathered], cards: Mapping[str, float]) -> tuple[list[Gathered], list[RejectedRow]]:
    """Return the usable rows and the rejected ones, given the memory of each specified card."""
    kept: list[Gathered] = []
    rejected: list[RejectedRow] = []
    for row in rows:
        reasons = [rule.reason.format(**row.cells) for rule in TYPE_RULES if rule.applies(row, cards)]
        if reasons:
            name = "/".join((*row.type_key, row.region)).rstrip("/")
            rejected.append(RejectedRow(row.file, row.line, f"{name}: {'; '.join(reasons)}"))
        else:
            kept.append(row)
    return kept, rejected


def slips(rows: Iterable[Gathered]) -> dict[int, str]:
    """Return the rows (by ``id``) whose on-demand price is an error, with the reason."""
    priced: dict[tuple[str, str], list[tuple[float, Gathered]]] = defaultdict(list)
    for row in rows:
        price = row.number("price_usd_hour")
        if price:
            priced[row.type_key].append((price, row))
    found: dict[int, str] = {}
    for key, regions in priced.items():
        (cheapest, row), *others = sorted(regions, key=lambda item: item[0])
        if others and cheapest < SLIP_SHARE * others[0][0]:
            found[id(row)] = (
                f"{'/'.join(key)}/{row.region}: {cheapest} USD is under half of the second cheapest region's "
                f"{others[0][0]} USD, a slip of the list"
            )
    return found


@dataclass(frozen=True)
class Correction:
    """Replaces cells of every row whose "cloud/family" matches ``pattern``, for ``reason``."""

    pattern: str
    cells: dict[str, str]
    reason: str


CORRECTIONS = (
    Correction(
        r"azure/NCr?s_v3",
        {"accelerator": "V100-PCIe"},
        "Azure's NCv3 has the PCIe card; only its NDv2 has the SXM2 module with NVLink",
    ),
    Correction(
        r"azure/(HBrs(_v\d)?|HXrs|Ls_v2)",
        {"cpu": "AMD"},
        "HB, HX and Lsv2 run on EPYC processors; the list took the maker from the name",
    ),
)


def corrected(row: Gathered) -> Gathered:
    """Return ``row`` with the better source's cells."""
    for correction in CORRECTIONS:
        if re.fullmatch(correction.pattern, row.family):
            row = replace(row, cells=row.cells | correction.cells)
    return row


NOT_OFFERED = "not-offered"


def sold(row: Gathered) -> bool:
    """Whether the offer is still sold in its region."""
    return NOT_OFFERED not in row["source"]


def retired_types(rows: Iterable[Gathered], restricted: Mapping[tuple[str, str], bool]) -> set[tuple[str, str]]:
    """Return the types that no commercial region sells any more."""
    still: dict[tuple[str, str], bool] = {}
    for row in rows:
        if not restricted.get((row["cloud"], row.region), False):
            still[row.type_key] = still.get(row.type_key, False) or sold(row)
    return {key for key, is_sold in still.items() if not is_sold}
