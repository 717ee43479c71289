"""The bundled prices, and lookups in a book of prices."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from plimsoll_service.prices.live import LivePrices
from plimsoll_service.prices.source import KeptSnapshot, PriceFilter, PriceRecord, UnknownSnapshot

CLOUDS = (None, "aws", "alibaba", "gcp")
REGIONS = (None, "us-east-1", "eu-west-1", "nowhere")
TYPES = (None, "p3.2xlarge", "ecs.gn6v", "trn1.2xlarge", "p9")
PURCHASES = (None, "on_demand", "spot", "reserved")


@pytest.fixture
def prices(catalog):
    """The book of the bundled prices."""
    return LivePrices(catalog).current()


def test_a_record_has_every_word_of_its_offer(prices):
    """A lookup has the offer's price, date, source and confidence, and the range of an estimate."""
    page = prices.lookup(PriceFilter("aws", "us-east-1", "p3.2xlarge", "spot"))

    expected = PriceRecord(
        cloud="aws",
        region="us-east-1",
        instance_type="p3.2xlarge",
        purchase="spot",
        usd_per_hour=0.918,
        as_of="2026-10-01",
        source="aws advisor",
        stale=False,
        confidence="estimated",
        current=True,
        low=prices.prices.low[1].item(),
        high=prices.prices.high[1].item(),
    )
    assert (expected,) == page.items
    assert expected.low < 0.918 < expected.high
    assert 1 == page.total


def test_an_undated_price_has_no_date(prices):
    """A price without a date has None, not an invented day."""
    (record,) = prices.lookup(PriceFilter(region="eu-west-1", instance_type="g5.xlarge")).items

    assert record.as_of is None
    assert "undated" == record.confidence


def test_an_offer_that_ended_is_marked(prices):
    """A type that is no longer sold in a region keeps its last price, marked as not current."""
    (record,) = prices.lookup(PriceFilter(region="eu-west-1", instance_type="p3.2xlarge")).items

    assert record.current is False


def test_any_combination_of_filters_answers_what_a_pass_over_all_records_would(prices):
    """The indexes find the same records in the same order as a comparison of each record."""
    names = ("cloud", "region", "instance_type", "purchase")
    everything = prices.lookup(limit=1000).items
    for filters in itertools.product(CLOUDS, REGIONS, TYPES, PURCHASES):
        expected = tuple(
            record
            for record in everything
            if all(word is None or getattr(record, name) == word for name, word in zip(names, filters, strict=True))
        )

        page = prices.lookup(PriceFilter(*filters))

        assert (expected, len(expected)) == (page.items, page.total), filters


def test_a_type_without_a_price_has_no_record(prices):
    """A type without a price has an empty page, never a price of 0."""
    page = prices.lookup(PriceFilter(instance_type="trn1.2xlarge"))

    assert () == page.items
    assert 0 == page.total


@pytest.mark.parametrize(("offset", "limit"), [(0, 2), (2, 2), (4, 2), (5, 10), (6, 10), (100, 10)])
def test_pages_are_slices_of_the_whole(prices, offset, limit):
    """Pages follow each other without gaps, and each names the total."""
    everything = prices.lookup().items

    page = prices.lookup(offset=offset, limit=limit)

    assert everything[offset : offset + limit] == page.items
    assert 6 == page.total


def test_the_bundled_prices_are_the_catalogs(catalog):
    """The bundled price is the catalog's, and the same book is returned each time."""
    source = LivePrices(catalog)

    prices = source.current().prices

    assert (catalog.version, catalog.prices_as_of) == (prices.version, prices.as_of)
    quoted = np.isnan(prices.low)
    assert catalog.offers.usd_per_hour[quoted].tolist() == prices.offers.usd_per_hour[quoted].tolist()
    assert catalog.offers.source is prices.offers.source
    assert source.current() is source.current()


def test_the_bundled_prices_can_be_replayed_by_their_version(catalog):
    """The catalog's version finds its prices; another version is unknown."""
    source = LivePrices(catalog)

    assert source.current() is source.at(catalog.version)
    with pytest.raises(UnknownSnapshot):
        source.at("2026-10-01-beef")


def test_only_the_bundled_prices_are_kept(catalog):
    """Without a publication, the list has one entry, without a time of publication."""
    assert (KeptSnapshot("2026-10-01-cafe", "2026-10-01", None, 6),) == LivePrices(catalog).kept()
