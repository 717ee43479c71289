"""A catalog at other prices."""

from __future__ import annotations

from dataclasses import replace

from tests.service.api.published import moved, rows_of
from tests.service.engine.catalogs import bundled, bundled_market
from tests.service.fitted import market_of

from plimsoll_service.engine.choice.market import repriced
from plimsoll_service.engine.prices import bundled as bundled_prices


def test_a_repriced_catalog_is_what_a_join_from_scratch_makes() -> None:
    """Other prices of fewer offers lead to the same market by either way."""
    prices = moved(bundled(), 3)

    one, other = repriced(bundled_market(), prices), market_of(bundled(), prices)

    assert one.prices is other.prices
    assert one.offers is other.offers
    for name in ("first_offer", "offers_by_region", "first_in_region", "priced"):
        assert getattr(one, name).tolist() == getattr(other, name).tolist()
    for mine, theirs in zip(one.sold, other.sold, strict=True):
        assert {name: column.tolist() for name, column in vars(mine).items()} == {
            name: column.tolist() for name, column in vars(theirs).items()
        }


def test_what_depends_on_the_catalog_alone_is_not_joined_again() -> None:
    """Machines, spellings and the order of names are the very same."""
    later = repriced(bundled_market(), moved(bundled(), 1))

    for name in ("catalog", "machines", "spellings", "type_rows", "rows_of_name", "name_order"):
        assert getattr(later, name) is getattr(bundled_market(), name)


def test_sources_that_went_stale_leave_the_market_as_it_was() -> None:
    """Prices and availability of the same offers are not computed again."""
    prices = bundled_prices(bundled())
    stale = replace(prices, version=f"{prices.version}+stale1", stale=~prices.stale)

    later = repriced(market_of(bundled(), prices), stale)

    assert later.prices is stale
    assert later.offers is prices.offers
    assert later.sold is repriced(later, prices).sold


def test_a_type_without_an_offer_has_no_cheapest_one() -> None:
    """A provider that stops selling everything leaves nothing to recommend."""
    nothing = rows_of(bundled().offers, bundled_market().first_offer[:0])

    later = repriced(bundled_market(), replace(moved(bundled(), 1), offers=nothing))

    assert {-1} == {int(row) for one in later.sold for row in one.cheapest}
    assert not later.priced.any()
