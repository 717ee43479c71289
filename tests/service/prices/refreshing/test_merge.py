"""An answer, compared and merged with the prices before it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.prices.tables import CATALOG, NOW, current_of, fetched, offers_in, scope

from plimsoll_service.prices.feeds.feed import VolumeQuote
from plimsoll_service.prices.refreshing import merge, plausibility
from plimsoll_service.prices.refreshing.fetched import answer_of
from plimsoll_service.prices.snapshots import codec, join
from plimsoll_service.prices.snapshots.table import rows_of

DAY = timedelta(hours=24)
PLACE = ("aws", "us-east-1", "on_demand")
OWN = join.table_of(CATALOG)
BEFORE = offers_in(OWN)
HERE = current_of(*PLACE, OWN)
HISTORY = {
    key for key in offers_in(OWN, current=False) if (key[0], key[2], key[3]) == PLACE
}  # sold there once, with a last price


def merged_with(answer, base=OWN):
    """The answer, how it differs, and both as one table."""
    taken = answer_of(answer, CATALOG, NOW, DAY)
    change = merge.difference(base, taken, CATALOG)
    return merge.merged(base, taken, change), change


def test_only_what_the_answer_speaks_for_changes():
    """New prices replace those in the covered places; other clouds keep every column."""
    table, _ = merged_with(fetched({key: price * 1.2 for key, price in HERE.items()}))
    after = offers_in(table)

    assert {key: pytest.approx(price * 1.2) for key, price in HERE.items()} == {key: after[key] for key in HERE}
    assert {key: price for key, price in BEFORE.items() if key not in HERE} == {
        key: price for key, price in after.items() if key not in HERE
    }
    assert codec.loads(codec.dumps(table)).coverage.cloud[0] == "aws"


def test_what_is_listed_no_more_goes_and_history_stays():
    """An offer that vanished from the list is removed; one that ended earlier keeps its last price."""
    gone, *left = sorted(HERE)
    table, change = merged_with(fetched({key: HERE[key] for key in left}))
    after = offers_in(table)

    assert HISTORY
    assert gone not in after
    assert all(after[key] == BEFORE[key] for key in HISTORY)
    assert 1 == plausibility.lost(change).sum()


def test_what_is_sold_again_is_current():
    """A price makes an ended offer current again."""
    back = sorted(HISTORY)[0]
    table, change = merged_with(fetched({**HERE, back: 7.0}))

    assert 7.0 == offers_in(table, current=True)[back]
    assert 0 == plausibility.lost(change).sum()


def test_what_is_listed_without_a_usable_price_keeps_its_last_one():
    """An offer without a usable price keeps price and date, and counts as lost."""
    unusable, *left = sorted(HERE)
    answer = fetched({key: HERE[key] for key in left}, without=[unusable])
    table, change = merged_with(answer)
    row = list(offers_in(table)).index(unusable)

    assert BEFORE[unusable] == table.offers.usd_per_hour[row]
    assert table.offers.as_of[row] < "2026-11-21"
    assert 1 == plausibility.lost(change).sum()


def test_merging_an_answer_again_changes_nothing():
    """A refresh may be published twice without a change."""
    answer = fetched({key: price * 1.1 for key, price in HERE.items()})
    once, _ = merged_with(answer)
    twice, change = merged_with(answer, once)

    assert codec.dumps(once) == codec.dumps(twice)
    assert () == tuple(plausibility.objections(once.offers, change))


def test_coverage_and_volumes_are_replaced_one_by_one():
    """The newer answer replaces its own places and products; the others stay."""
    gp3 = (VolumeQuote("aws", "gp3", "us-east-1", 0.08), VolumeQuote("aws", "gp3", "eu-west-1", 0.09))
    once, _ = merged_with(fetched({**HERE, **current_of("aws", "eu-west-1", "on_demand", OWN)}, volumes=gp3))
    gp2 = (VolumeQuote("aws", "gp2", "us-east-1", 0.1),)
    taken = answer_of(fetched(HERE, volumes=gp2), CATALOG, NOW + timedelta(hours=6), DAY)
    twice = merge.merged(once, taken, merge.difference(once, taken, CATALOG))

    assert [("eu-west-1", "gp3"), ("us-east-1", "gp2"), ("us-east-1", "gp3")] == sorted(
        (twice.volumes.region[row], twice.volumes.product[row]) for row in range(len(twice.volumes))
    )
    assert {"eu-west-1": "2026-11-21T07:30:00Z", "us-east-1": "2026-11-21T13:30:00Z"} == {
        twice.coverage.region[row]: twice.coverage.fetched_at[row] for row in range(len(twice.coverage))
    }


def test_a_newer_catalogs_prices_count_where_no_feed_has_spoken():
    """Outside the feeds' coverage, the prices of today's catalog replace those of an older one."""
    table, _ = merged_with(fetched({key: price * 1.1 for key, price in HERE.items()}))
    dearer = replace(OWN, offers=replace(OWN.offers, usd_per_hour=OWN.offers.usd_per_hour * 2))

    renewed = merge.renewed(table, dearer)
    after = offers_in(renewed)

    assert {key: pytest.approx(HERE[key] * 1.1) for key in HERE} == {key: after[key] for key in HERE}
    elsewhere = [key for key in BEFORE if (key[0], key[2], key[3]) != PLACE]
    assert [BEFORE[key] * 2 for key in elsewhere] == [after[key] for key in elsewhere]
    assert {key: after[key] for key in HISTORY} == {key: BEFORE[key] for key in HISTORY}


def objections(prices, **changes):
    """Objections to an answer."""
    table_of_answer = answer_of(fetched(prices, **changes), CATALOG, NOW, DAY)
    return tuple(plausibility.objections(OWN.offers, merge.difference(OWN, table_of_answer, CATALOG)))


def share_left(share):
    """A list with the first part of the offers in the place."""
    return {key: HERE[key] for key in sorted(HERE)[: round(len(HERE) * share)]}


def moved(share, factor):
    """All offers of the place, a part of them at another price."""
    far = set(share_left(share))
    return {key: price * factor if key in far else price for key, price in HERE.items()}


def test_a_fifth_of_the_offers_may_be_lost():
    """Up to the limit nothing is reported; beyond it, the count, the share and some names."""
    assert () == objections(share_left(0.81))
    (reason,) = objections(share_left(0.75))

    assert " aws offers lost (25." in reason
    assert "at most 20%" in reason
    assert "us-east-1 on_demand" in reason


def test_unusable_prices_count_as_lost():
    """A list full of zeros counts like a truncated one."""
    left = share_left(0.75)
    (reason,) = objections(left, without=HERE.keys() - left.keys())

    assert "offers lost" in reason


@pytest.mark.parametrize(("factor", "far"), [(1.6, False), (1.61, True), (0.4, False), (0.39, True), (100.0, True)])
def test_a_few_prices_may_move_far(factor, far):
    """A price counts as moved beyond 60%; a twentieth of them may."""
    assert () == objections(moved(0.04, factor))
    reasons = objections(moved(0.06, factor))

    assert far is bool(reasons)
    assert all("prices moved by more than 60%" in reason for reason in reasons)


def test_every_reason_is_given():
    """A list with too many losses and changes is refused for both reasons."""
    assert 2 == len(objections({key: price * 2 for key, price in share_left(0.5).items()}))


def test_a_small_clouds_loss_does_not_hide_behind_a_large_one():
    """An answer for several clouds is judged cloud by cloud."""
    small = current_of("lambda", "global", "on_demand", OWN)
    left = dict(list(small.items())[: len(small) // 2])
    (reason,) = objections({**HERE, **left})

    assert f"{len(small) - len(left)} of {len(small)} lambda offers lost" in reason


def test_a_place_without_offers_may_gain_some():
    """A place without offers has nothing to lose, so it may gain some."""
    known = {(key[0], key[2], key[3]) for key in BEFORE}
    new = ("gcp", "a2-highgpu-1g", "europe-west4", "on_demand")
    assert scope([new]) <= known
    base = replace(OWN, offers=rows_of(OWN.offers, OWN.offers.cloud.codes != OWN.offers.cloud.code_of("gcp")))
    taken = answer_of(fetched({new: 3.0}), CATALOG, NOW, DAY)

    assert () == tuple(plausibility.objections(base.offers, merge.difference(base, taken, CATALOG)))


KEYS = sorted(HERE)[:12]
ELSEWHERE = ("gcp", "a2-highgpu-1g", "us-central1", "on_demand")
ALONE = replace(OWN, offers=rows_of(OWN.offers, np.array([list(BEFORE).index(ELSEWHERE)])))


@given(
    old=st.dictionaries(st.sampled_from(KEYS), st.floats(0.1, 10), min_size=1),
    new=st.dictionaries(st.sampled_from(KEYS), st.floats(0.1, 10), min_size=1),
    unusable=st.sets(st.sampled_from(KEYS)),
)
def test_merging_is_what_a_dictionary_would_do(old, new, unusable):
    """However old and new prices overlap, the result equals that of a dictionary."""
    base, _ = merged_with(fetched(old), ALONE)
    table, _ = merged_with(fetched(new, without=unusable - new.keys()), base)
    kept = {key: price for key, price in old.items() if key in unusable and key not in new}

    assert {**kept, **new, ELSEWHERE: BEFORE[ELSEWHERE]} == offers_in(table)
