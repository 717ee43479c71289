"""Where the price of an option comes from: the price list, terms of one's own over it, or the machine's owner."""

from __future__ import annotations

from collections.abc import Iterator

from plimsoll_service.engine.answer import Note
from plimsoll_service.engine.choice.market import Market
from plimsoll_service.engine.choice.options import Options
from plimsoll_service.engine.choice.pricing_agreements import AgreedPrices, Use
from plimsoll_service.engine.quantities import Price
from plimsoll_service.engine.rules import choice

PRICE = "%.6g"
LISTED, DERIVED, UNDATED = "list", "derived", "undated"
KIND_WORDS = {"reserved": "reserved", "savings_plan": "savings plan"}


def usd(value: float) -> float:
    """A price to the digits that an answer shows."""
    return float(PRICE % value)


def price_of(market: Market, prices: AgreedPrices, options: Options, option: int, nodes: float) -> Price:
    """The price of one of ``nodes`` machines with its provenance; of described machines the stated one.

    What is wholly agreed beforehand has no date. What is part agreed, part list price is derived from both.
    """
    shown, offer = usd(options.usd_per_hour.item(option)), options.offer.item(option)
    if offer < 0:
        return Price(shown, None, "stated with the machine", False, LISTED)
    offers = market.offers
    source, confidence = offers.source[offer] or "", offers.confidence[offer] or UNDATED
    uses = prices.uses(offer, nodes)
    if not uses:
        return Price(shown, offers.as_of[offer], source, market.prices.stale.item(offer), confidence)
    source = f"own terms: {_text(uses, nodes)}; list price {usd(offers.usd_per_hour.item(offer)):g} of {source}"
    agreed = sum(use.machines for use in uses if use.commitment is not None)
    if agreed == nodes and all(use.percent == 0 for use in uses):
        return Price(shown, None, source, False, LISTED)
    if len(uses) > 1 or 0 < agreed < nodes:
        confidence = DERIVED
    return Price(shown, offers.as_of[offer], source, market.prices.stale.item(offer), confidence)


def term_notes(market: Market, prices: AgreedPrices, options: Options, option: int, nodes: float) -> Iterator[Note]:
    """A reason for each own term that the price of an option rests on."""
    offer = options.offer.item(option)
    for use in prices.uses(offer, nodes) if offer >= 0 else ():
        listed = usd(market.offers.usd_per_hour.item(offer))
        rule = choice.OWN_DISCOUNT if use.commitment is None else choice.OWN_COMMITMENT
        yield rule.note(f"{_text((use,), nodes)}; the list price is {listed:g} USD an hour")


def _text(uses: tuple[Use, ...], nodes: float) -> str:
    """Each term in force, and for how many machines where not for all."""
    texts = []
    for use in uses:
        price = f"{usd(use.usd_per_hour):g} USD an hour"
        what = f"{use.percent:g}% discount" if use.commitment is None else KIND_WORDS[use.commitment.kind]
        share = "" if use.machines == nodes else f" for {use.machines:.0f} of {nodes:.0f} machines"
        texts.append(f"{what}, {price}{share}")
    return ", ".join(texts)
