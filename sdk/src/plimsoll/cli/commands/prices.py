"""``plimsoll prices``, ``plimsoll prices snapshots``, ``plimsoll prices changes``."""

from __future__ import annotations

from typing import Any

import click

from plimsoll._words import Cells
from plimsoll.cli.cells import figure, usd
from plimsoll.cli.listing import PRICE_CHANGES, PRICES, Listing, listing_options, show
from plimsoll.cli.options import SectionCommand, SectionGroup, snapshot_option
from plimsoll.offers import OfferPrice, PriceChange, PriceSnapshot


def _price(item: OfferPrice) -> Cells:
    return {
        "cloud": item.cloud,
        "region": item.region,
        "instance type": item.instance_type,
        "purchase": item.purchase,
        "USD/h": usd(item.usd_per_hour),
        "as of": item.as_of or "",
        "confidence": item.confidence or "",
        "stale": "stale" if item.stale else "",
    }


def _change(item: PriceChange) -> Cells:
    return {
        "cloud": item.cloud,
        "region": item.region,
        "instance type": item.instance_type,
        "purchase": item.purchase,
        "what": item.change,
        "from": usd(item.from_usd_per_hour),
        "to": usd(item.to_usd_per_hour),
        "change": "" if item.percent is None else f"{item.percent:+.3g}%",
    }


def _snapshot(item: PriceSnapshot) -> Cells:
    return {
        "version": item.version,
        "prices as of": item.prices_as_of or "",
        "published at": item.published_at or "with the service",
        "offers": figure(item.offers),
    }


@click.group(cls=SectionGroup, invoke_without_command=True, params=listing_options(PRICES, snapshot_option()))
@click.pass_context
def prices(context: click.Context, /, **options: Any) -> int | None:
    """List hourly prices of machines."""
    if context.invoked_subcommand is not None:
        return None
    return show(Listing(lambda client, wanted: client.prices(**wanted), _price), options)


@prices.command(cls=SectionCommand, params=listing_options(()))
def snapshots(**options: Any) -> int:
    """List the versions of the prices for --snapshot, newest first."""
    return show(Listing(lambda client, _: client.price_snapshots(), _snapshot), options)


_CHANGES = [
    click.Argument(["before"]),
    click.Argument(["after"], required=False),
    *listing_options(PRICE_CHANGES),
]


@prices.command(cls=SectionCommand, params=_CHANGES)
def changes(before: str, after: str | None, **options: Any) -> int:
    """List price changes from version BEFORE to AFTER, by default the current one, largest first."""
    return show(Listing(lambda client, wanted: client.price_changes(before, after, **wanted), _change), options)
