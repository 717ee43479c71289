"""What is wrong with terms of one's own: clouds, families, types and regions that do not exist, prices of none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from plimsoll_service.engine import names
from plimsoll_service.engine.choice.constraints import in_families, of_cloud
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.faults import Fault
from plimsoll_service.engine.workload import Commitment, Constraints


def term_faults(constraints: Constraints, market: Market) -> Iterator[Fault]:
    """Discounts, quotas and commitments name clouds and what these sell."""
    for field in ("discounts", "quotas", "commitments"):
        for place, term in enumerate(getattr(constraints, field) or ()):
            at = f"/constraints/{field}/{place}"
            if names.find(term.cloud, market.spellings["cloud"]) is None:
                yield Fault(f"{at}/cloud", names.unknown("cloud", term.cloud, market.catalog.clouds))
            yield from _families(term.families or (), market, at)
    for place, commitment in enumerate(constraints.commitments or ()):
        yield from _commitment(commitment, market, f"/constraints/commitments/{place}")


def known_family(family: str, market: Market) -> bool:
    """Whether a cloud has a family, or a whole series of families, of that name."""
    words = market.catalog.instance_types.family.words
    series = family.lower() + "-"
    return names.find(family, market.spellings["instance family"]) is not None or any(
        word.lower().startswith(series) for word in words
    )


def _families(families: Iterable[str], market: Market, at: str) -> Iterator[Fault]:
    for position, family in enumerate(families):
        if not known_family(family, market):
            text = names.unknown("instance family", family, market.spellings["instance family"].values())
            yield Fault(f"{at}/families/{position}", text)


def _commitment(one: Commitment, market: Market, at: str) -> Iterator[Fault]:
    """What it covers exists in its cloud, and a price in USD is that of one instance type."""
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
        text = f"is the price of one machine, and these are {count} instance types: name them, or give percent"
        yield Fault(f"{at}/usd_per_hour", text)
