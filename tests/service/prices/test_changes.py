"""Differences between two snapshots' offers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.service.api.published import rows_of

from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog
from plimsoll_service.prices.changes import Changes, changes


def shown(catalog: Catalog, found: Changes) -> list[tuple]:
    """The changes by name; None for NaN."""
    return [
        (
            catalog.instance_types.name[kind],
            catalog.regions.name[region],
            PURCHASE_NAMES[purchase],
            *(None if np.isnan(figure) else round(float(figure), 4) for figure in figures),
        )
        for kind, region, purchase, *figures in zip(
            found.instance_type, found.region, found.purchase, found.before, found.after, found.percent, strict=True
        )
    ]


def test_equal_offers_have_not_changed(catalog):
    """Equal offers are no change, and neither are those that are sold in neither snapshot."""
    assert 0 == len(changes(catalog, catalog.offers, catalog.offers))


def test_the_largest_changes_come_first_and_offers_without_a_counterpart_last(catalog):
    """The largest changes up or down come first, then additions and removals by type, region and purchase option."""
    prices = catalog.offers.usd_per_hour * [1.1, 0.5, 1.0, 1.0, 1.0, 1.25]
    later = replace(catalog.offers, usd_per_hour=prices)
    before, after = rows_of(catalog.offers, [0, 1, 2, 3, 5]), rows_of(later, [0, 1, 2, 4, 5])

    assert shown(catalog, changes(catalog, before, after)) == [
        ("p3.2xlarge", "us-east-1", "spot", 0.918, 0.459, -50.0),
        ("ecs.gn6v", "us-east-1", "on_demand", 4.0, 5.0, 25.0),
        ("p3.2xlarge", "us-east-1", "on_demand", 3.06, 3.366, 10.0),
        ("g5.xlarge", "us-east-1", "on_demand", 1.006, None, None),
        ("g5.xlarge", "eu-west-1", "on_demand", None, 1.123, None),
    ]


def test_what_is_no_longer_sold_counts_as_removed(catalog):
    """A price that is kept for the record is no offer."""
    gone = replace(catalog.offers, current=catalog.offers.current & (np.arange(6) != 3))

    assert [("g5.xlarge", "us-east-1", "on_demand", 1.006, None, None)] == shown(
        catalog, changes(catalog, catalog.offers, gone)
    )


def test_there_and_back_are_opposites(catalog):
    """Offers added in one direction are removed in the other, at the same prices."""
    fewer = rows_of(catalog.offers, [0, 3])
    there, back = changes(catalog, catalog.offers, fewer), changes(catalog, fewer, catalog.offers)

    assert there.before.tolist() == back.after.tolist()
    assert 3 == len(there)


def test_a_percentage_is_a_plain_figure(catalog):
    """A rise by 30 percent is exactly 30."""
    dearer = replace(catalog.offers, usd_per_hour=catalog.offers.usd_per_hour * 1.3)

    assert {30.0} == set(changes(catalog, catalog.offers, dearer).percent.tolist())


@pytest.mark.parametrize("side", ["before", "after"])
def test_an_empty_side_is_no_error(catalog, side):
    """Compared with nothing, every offer was added or removed."""
    nothing, everything = rows_of(catalog.offers, []), catalog.offers
    found = changes(catalog, nothing, everything) if side == "before" else changes(catalog, everything, nothing)

    assert 5 == len(found)
    assert np.isnan(getattr(found, side)).all()
