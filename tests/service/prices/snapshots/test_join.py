"""Prices by name over the rows of a catalog."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta

import numpy as np
import pytest
from tests.service.fitted import market_of
from tests.service.prices.tables import CATALOG, NOW, NOW_TEXT, current_of, fetched, offers_in

from plimsoll_service.catalog.snapshot import stamped
from plimsoll_service.engine.hardware import Coded, Regions
from plimsoll_service.engine.prices import bundled
from plimsoll_service.prices.feeds.feed import VolumeQuote
from plimsoll_service.prices.refreshing import merge
from plimsoll_service.prices.refreshing.fetched import answer_of
from plimsoll_service.prices.snapshots import codec, join

PLACE = ("aws", "eu-west-1", "on_demand")
GPU = ("aws", "p3.2xlarge", "us-east-1", "on_demand")
VOLUMES = (
    VolumeQuote("aws", "gp3", "us-east-1", 0.10, 0.006, 0.05),
    VolumeQuote("aws", "gp3", "eu-west-1", 0.12, 0.007),
    VolumeQuote("aws", "gp2", "eu-west-1", 0.15),
    VolumeQuote("oci", "block-volume-lower", "global", 0.03),
)


@pytest.fixture(scope="module")
def own():
    """The catalog's own prices by name."""
    return join.table_of(CATALOG)


@pytest.fixture(scope="module")
def refreshed(own):
    """Two refreshes, an hour apart: one of a region, one of a type elsewhere, with volumes."""
    table = own
    for hours, prices in ((0, current_of(*PLACE, own)), (1, {GPU: 3.0})):
        answer = answer_of(
            fetched({key: price * 1.1 for key, price in prices.items()}, volumes=VOLUMES),
            CATALOG,
            NOW + timedelta(hours=hours),
            timedelta(hours=24),
        )
        table = merge.merged(table, answer, merge.difference(table, answer, CATALOG))
    return table


def words(column):
    """A column in words."""
    return [column[row] for row in range(len(column))] if isinstance(column, Coded) else column.tolist()


def test_the_catalogs_own_prices_come_back(own):
    """The catalog's own prices by name give every column and range of the catalog again."""
    prices, expected = join.prices_of(codec.loads(codec.dumps(own)), "d1", CATALOG), bundled(CATALOG)

    for field in fields(CATALOG.offers):
        assert words(getattr(expected.offers, field.name)) == words(getattr(prices.offers, field.name))
    for name in ("low", "high", "sigma"):
        np.testing.assert_array_equal(getattr(expected, name), getattr(prices, name))
    assert CATALOG.prices_as_of == prices.as_of
    assert not prices.stale.any()
    assert np.isnan(prices.interruptions_per_hour).all()
    assert CATALOG.disks is prices.disks
    assert (prices.region_factor == 1).all()


def test_prices_can_be_chosen_from(refreshed):
    """Joined prices work as a market."""
    prices = join.prices_of(refreshed, "d1", CATALOG, 1)

    assert len(prices.offers) == len(market_of(CATALOG, prices).offers)


def test_a_version_names_date_snapshot_and_catalog(refreshed):
    """Another snapshot or catalog gives another version; its date is that of the newest price."""
    version = join.prices_of(refreshed, "d1", CATALOG).version
    other = replace(CATALOG, version="2026-01-01-00000000")

    assert version.startswith("2026-11-21-")
    assert len("2026-11-21-") + 8 == len(version)
    assert version == join.version_of("d1", "2026-11-21T08:30:00Z", CATALOG)
    assert version != join.prices_of(refreshed, "d2", CATALOG).version
    assert version != join.prices_of(refreshed, "d1", other).version
    assert "undated" == join.version_of("d1", "", CATALOG).split("-")[0]


def test_prices_become_stale_source_by_source(refreshed):
    """At each moment of expiry, a feed's offers become stale, and the version says so."""
    first, second = join.expiries(refreshed)
    fresh, one, both = (join.prices_of(refreshed, "d1", CATALOG, expired) for expired in range(3))
    regions = CATALOG.regions
    place = next(row for row in range(len(regions)) if (regions.cloud[row], regions.name[row]) == PLACE[:2])
    in_place = (one.offers.region == place) & (one.offers.purchase == 0) & one.offers.current

    assert (NOW + timedelta(hours=24)).timestamp() == first == second - 3600
    assert not fresh.stale.any()
    assert np.array_equal(in_place, one.stale)
    assert one.stale.sum() + 1 == both.stale.sum()
    assert [fresh.version + suffix for suffix in ("", "+stale1", "+stale2")] == [
        prices.version for prices in (fresh, one, both)
    ]


def test_a_refreshed_price_has_its_moment(refreshed):
    """A price from a feed is dated to the second; the others keep their date."""
    prices = join.prices_of(refreshed, "d1", CATALOG)
    row = words(prices.offers.as_of).index(NOW_TEXT)

    assert "2026-11-21T08:30:00Z" == prices.as_of
    assert "test list" == prices.offers.source[row]
    assert set(CATALOG.offers.as_of.words) & set(words(prices.offers.as_of))


def test_what_the_catalog_lacks_is_left_out(own):
    """Offers of types and regions that the catalog lacks are left out; the others are in its order."""
    regions, types = CATALOG.regions, CATALOG.instance_types
    renamed = Regions(
        cloud=regions.cloud,
        name=tuple("elsewhere" if name == "us-east-1" else name for name in regions.name),
        location=regions.location,
        restricted=regions.restricted,
    )
    other = replace(
        CATALOG,
        regions=renamed,
        instance_types=replace(types, name=tuple(name.replace("p3.", "q3.") for name in types.name)),
    )

    prices = join.prices_of(own, "d1", other)

    kept = [key for key in offers_in(own) if key[2] != "us-east-1" and not key[1].startswith("p3.")]
    assert 0 < len(kept) < len(own.offers)
    assert len(kept) == len(prices.offers)
    assert (np.diff(prices.offers.instance_type) >= 0).all()


def test_volumes_are_priced_where_their_cloud_prices_them(refreshed):
    """A product has its reference region's price, and other regions a factor; an unknown factor is 1."""
    prices = join.prices_of(refreshed, "d1", CATALOG)
    disks, regions = prices.disks, CATALOG.regions
    product = {name: row for row, name in enumerate(disks.product)}
    region = {(regions.cloud[row], name): row for row, name in enumerate(regions.name)}
    gp3, gp2 = product["gp3"], product["gp2"]
    ireland = region["aws", "eu-west-1"]

    assert [0.10, 0.006, 0.05] == [
        column[gp3] for column in (disks.usd_per_gib_month, disks.usd_per_iops_month, disks.usd_per_mib_s_month)
    ]
    assert pytest.approx(1.2) == prices.region_factor[gp3, ireland]
    assert 1.0 == prices.region_factor[gp3, region["aws", "us-east-1"]] == prices.region_factor[gp3, 0]
    # gp2 is not priced in us-east-1: the catalog's price there stays, and the factor is over that.
    assert CATALOG.disks.usd_per_gib_month[gp2] == disks.usd_per_gib_month[gp2]
    assert pytest.approx(0.15 / disks.usd_per_gib_month[gp2]) == prices.region_factor[gp2, ireland]
    assert ("2026-11-21T08:30:00Z", "test list", "list") == (
        disks.as_of[gp3],
        disks.source[gp3],
        disks.confidence[gp3],
    )
    assert CATALOG.disks.source[gp2] == disks.source[gp2]


def test_a_cloud_without_a_reference_region_takes_the_one_that_prices_most(refreshed):
    """Another cloud's reference region is the one with prices for the most products."""
    disks = join.prices_of(refreshed, "d1", CATALOG).disks

    assert 0.03 == disks.usd_per_gib_month[disks.product.index("block-volume-lower")]


def test_stamping_is_as_it_was():
    """The catalog's own version does not depend on the form in which prices are stored."""
    assert CATALOG.version == stamped(CATALOG).version
