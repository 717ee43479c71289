"""What the public price list says of machines on demand, as offers and as notes for the operator."""

from __future__ import annotations

from plimsoll_service.prices.feeds.alibaba_list import MachineList
from plimsoll_service.prices.feeds.alibaba_money import rate_of
from plimsoll_service.prices.feeds.alibaba_sweep import Sweep
from plimsoll_service.prices.feeds.feed import ON_DEMAND, FeedError, FeedRequest, OfferQuote

NAMED = 5


def offers_listed(request: FeedRequest, listed: MachineList) -> Sweep:
    """The hourly prices of the list; raises ``FeedError`` for a region that is asked for by name and not listed."""
    rate = rate_of(request, listed.currency)
    source = source_of(listed) + rate.remark
    found = Sweep()
    for (region, name), price in sorted(listed.prices.items()):
        if not request.wants(region):
            continue
        if price is None:
            found.unusable.add((request.cloud, name, region, ON_DEMAND))
            found.faults["listed at no amount above 0"] += 1
            continue
        found.offers.append(
            OfferQuote(
                request.cloud,
                name,
                region,
                ON_DEMAND,
                price * rate.usd_per_unit,
                confidence=rate.confidence,
                source=source,
                as_of=None if listed.edition.current else listed.published,
            )
        )
    found.regions = sorted(region for region in _regions(listed) if request.wants(region))
    missing = sorted(set(request.regions or ()) - set(found.regions))
    if missing:
        raise FeedError(f"alibaba: the public price list has no hourly price in {', '.join(missing)}")
    return found


def source_of(listed: MachineList) -> str:
    """Where its prices come from; says the date of a list that may not be the newest."""
    if listed.edition.current:
        return "Alibaba Cloud price list"
    return f"Alibaba Cloud price list {listed.edition.number} of {listed.published or 'an unknown date'}"


def list_notes(request: FeedRequest, listed: MachineList) -> list[str]:
    """Which list was read, and what of it was left out."""
    edition = listed.edition
    said = [f"on_demand: by the public price list {edition.package} {edition.number} in {listed.currency}"]
    if not edition.current:
        said.append(
            f"the pricing page links no edition of that list: {edition.number} is the last one known, "
            f"published {listed.published or 'nobody says when'}"
        )
    if listed.monthly_only:
        said.append(f"on_demand: {listed.monthly_only} offers are sold by the month only and left out")
    unlisted = sorted(
        region for region in request.known_regions if request.wants(region) and region not in _regions(listed)
    )
    if unlisted:
        said.append(f"on_demand: not in the list: {', '.join(unlisted)}")
    said += _unknown("instance types", listed.unknown_types) + _unknown("regions", listed.unknown_regions)
    return said


def _regions(listed: MachineList) -> set[str]:
    return {region for region, _ in listed.prices}


def _unknown(what: str, names: set[str]) -> list[str]:
    """A note of what the catalog does not know."""
    if not names:
        return []
    more = "" if len(names) <= NAMED else " …"
    return [f"{len(names)} {what} that the catalog lacks are left out: {', '.join(sorted(names)[:NAMED])}{more}"]
