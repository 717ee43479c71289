"""Pages as bytes."""

from __future__ import annotations

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plimsoll_service.prices.bundled import BundledPrices
from plimsoll_service.prices.lookups.cache import Kept
from plimsoll_service.prices.lookups.wire import dump, load

MADE_AT = 1_795_000_000.25


@pytest.fixture
def kept(catalog) -> Kept:
    """All prices, as kept at some moment."""
    return Kept(BundledPrices(catalog).current().lookup(), MADE_AT)


def test_a_page_comes_back_equal(kept):
    """Every record survives the way through bytes, to the last digit, and so does the moment."""
    assert kept == load("key", dump("key", kept))


def test_another_keys_page_is_refused(kept):
    """A page that was kept under another key is not believed."""
    assert load("other", dump("key", kept)) is None


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (0, None),
        (3, "reserved"),
        (4, 0.0),
        (4, -1.5),
        (4, "3.06"),
        (4, None),
        (4, True),
        (5, 20261001),
        (6, None),
        (7, 0),
        (8, "certain"),
        (9, "yes"),
        (10, "often"),
    ],
)
def test_a_row_with_a_wrong_value_is_refused(kept, place, value):
    """One value of a wrong type, or a price that cannot be, discards the whole page."""
    document = orjson.loads(dump("key", kept))
    document["rows"][1][place] = value

    assert load("key", orjson.dumps(document)) is None


@pytest.mark.parametrize(
    "change",
    [{"total": 1}, {"total": "6"}, {"rows": {}}, {"columns": ["cloud"]}, {"made_at": None}, {"made_at": "today"}],
)
def test_a_wrong_frame_is_refused(kept, change):
    """A total that is too small, another version's columns, rows of another kind or no moment discard the page."""
    document = orjson.loads(dump("key", kept))

    assert load("key", orjson.dumps(document | change)) is None


def test_a_total_that_is_no_number_is_refused(catalog):
    """True is not one record."""
    one = BundledPrices(catalog).current().lookup("aws", "us-east-1", "p3.2xlarge", "spot")
    document = orjson.loads(dump("key", Kept(one, MADE_AT)))

    assert load("key", orjson.dumps(document | {"total": True})) is None


@given(st.binary() | st.recursive(st.none() | st.text() | st.floats(), lambda inner: st.lists(inner)).map(orjson.dumps))
def test_garbage_is_no_page(value):
    """No bytes whatsoever raise an error."""
    assert load("key", value) is None
