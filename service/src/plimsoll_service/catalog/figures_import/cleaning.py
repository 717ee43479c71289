"""The cleaning rules, as data: which gathered rows cannot be used, and why."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from plimsoll_service.catalog.faults import RejectedRow
from plimsoll_service.catalog.figures_import.families import family_of
from plimsoll_service.catalog.figures_import.gathered import Gathered

# Programmable chips and video transcoders: they stand in price lists beside accelerators and train nothing.
NO_ML_DEVICE = re.compile(r"^(aws/(f1|f2|vt1)|azure/(NPs|PBs|NMads_MA35D)|alibaba/ecs\.(f1|f3|f5|video-trans))$")
# A share of a card has its slice in the memory column; every other type must have the card's own memory.
ALIBABA_SLICE = re.compile(r"^ecs\.(sgn|vgn)")
# Lists state decimal or usable gigabytes: up to this far apart they mean the same card.
MEMORY_TOLERANCE = 0.1
# A list price differs by region by tens of percent; below half of the next cheapest it is a slip of the list.
SLIP_SHARE = 0.5


@dataclass(frozen=True)
class Rule:
    """A row for which ``applies`` is left out with ``reason``; ``{column}`` in it shows the row's cell."""

    reason: str
    applies: Callable[[Gathered, Mapping[str, float]], bool]


def _other_memory(row: Gathered, cards: Mapping[str, float]) -> bool:
    memory, card = row.number("accelerator_memory_gib"), cards.get(row["accelerator"])
    if not memory or not card or is_slice(row):
        return False
    return abs(memory / card - 1) > MEMORY_TOLERANCE


def is_slice(row: Gathered) -> bool:
    """Whether the type rents slices of a card, its memory column being one slice's."""
    return row["cloud"] == "alibaba" and bool(ALIBABA_SLICE.match(row["instance_type"]))


TYPE_RULES = (
    Rule(
        "is a machine with programmable chips or video cards, not with an accelerator for machine learning",
        lambda row, _: bool(NO_ML_DEVICE.match(f"{row['cloud']}/{family_of(*row.type_key)}")),
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
    """The rows whose hardware can be used, given the memory of each specified card, and the others."""
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
    """Rows (by ``id``) whose on-demand price is a slip, with the reason by name."""
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
