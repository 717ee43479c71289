"""A table of prices as bytes."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from dataclasses import fields, replace
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.prices.tables import CATALOG, NOW, fetched, offers_in

from plimsoll_service import columns_file
from plimsoll_service.columns_file import coded
from plimsoll_service.engine.hardware import Coded
from plimsoll_service.prices.feeds.feed import VolumeQuote
from plimsoll_service.prices.refreshing import merge
from plimsoll_service.prices.refreshing.fetched import answer_of
from plimsoll_service.prices.snapshots import codec, join
from plimsoll_service.prices.snapshots.codec import SnapshotError
from plimsoll_service.prices.snapshots.table import accepted_prices, stacked

DAY = timedelta(hours=24)
P3 = ("aws", "p3.2xlarge", "us-east-1", "on_demand")
SPOT = ("aws", "p3.2xlarge", "us-east-1", "spot")


@pytest.fixture(scope="module")
def table():
    """Some offers, volumes and coverage."""
    volumes = (VolumeQuote("aws", "gp3", "us-east-1", 0.08, 0.005, 0.04), VolumeQuote("aws", "gp2", "eu-west-1", 0.11))
    answer = answer_of(fetched({P3: 3.06, SPOT: 1.1}, volumes=volumes), CATALOG, NOW, DAY)
    own = join.table_of(CATALOG)
    base = replace(own, offers=stacked((_first(own.offers, 40),)))
    return merge.merged(base, answer, merge.difference(base, answer, CATALOG))


def _first(offers, count):
    cut = {field.name: getattr(offers, field.name) for field in fields(offers)}
    return type(offers)(
        **{name: Coded(c.codes[:count], c.words) if isinstance(c, Coded) else c[:count] for name, c in cut.items()}
    )


def test_what_was_written_is_read(table):
    """Every column is read back, and written as the same bytes again."""
    content = codec.dumps(table)
    back = codec.loads(content)

    assert offers_in(table) == offers_in(back)
    assert [table.coverage.fresh_until[row] for row in range(2)] == [back.coverage.fresh_until[row] for row in range(2)]
    assert content == codec.dumps(back)
    assert codec.digest(content) == codec.digest(codec.dumps(back))


def test_the_whole_catalog_is_small():
    """A hundred thousand offers take less than a megabyte."""
    assert len(codec.dumps(join.table_of(CATALOG))) < 1 << 20


def test_bytes_cut_short_are_no_snapshot(table):
    """A missing end is noticed, wherever it begins."""
    content = codec.dumps(table)
    for end in (0, 1, 100, len(content) // 2, len(content) - 1):
        with pytest.raises(SnapshotError, match="is not a price snapshot"):
            codec.loads(content[:end])


@given(st.binary(max_size=400))
def test_garbage_is_no_snapshot(garbage):
    """Bytes of any kind are refused with the same error."""
    with pytest.raises(SnapshotError):
        codec.loads(garbage)


@given(place=st.floats(0, 1, exclude_max=True), patch=st.binary(min_size=1, max_size=30))
def test_damaged_bytes_are_refused_or_harmless(table, place, patch):
    """A damaged snapshot is refused, or is still a sound table."""
    content = bytearray(codec.dumps(table))
    start = int(place * len(content))
    content[start : start + len(patch)] = patch
    try:
        found = codec.loads(bytes(content))
    except SnapshotError:
        return
    assert offers_in(table) == offers_in(found)


def test_a_missing_column_is_named(table):
    """A snapshot of another layout is refused with its missing columns."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(codec.dumps(table))) as old, zipfile.ZipFile(kept, "w") as new:
        for name in old.namelist():
            if name != "offers.current.npy":
                new.writestr(name, old.read(name))
    with pytest.raises(SnapshotError, match=r"has no offers\.current"):
        codec.loads(kept.getvalue())


def _offers(**columns):
    return lambda table: replace(table, offers=replace(table.offers, **{k: v(table) for k, v in columns.items()}))


def _volumes(**columns):
    return lambda table: replace(table, volumes=replace(table.volumes, **{k: v(table) for k, v in columns.items()}))


def _first_price(usd):
    return lambda table: np.array([usd, *table.offers.usd_per_hour[1:]])


@pytest.mark.parametrize(
    ("broken", "fault"),
    [
        (_offers(usd_per_hour=_first_price(0.0)), "price that is not above 0"),
        (_offers(usd_per_hour=_first_price(np.nan)), "price that is not above 0"),
        (_offers(usd_per_hour=_first_price(-1.0)), "price that is not above 0"),
        (_offers(usd_per_hour=_first_price(1e9)), "at most 50,000"),
        (_offers(usd_per_hour=lambda t: t.offers.usd_per_hour[1:]), "offers.usd_per_hour has shape"),
        (_offers(interruptions_per_hour=lambda t: np.full(len(t.offers), -0.1)), "interruptions_per_hour"),
        (_offers(purchase=lambda t: coded(["reserved"] * len(t.offers))), "the unknown word 'reserved'"),
        (_offers(confidence=lambda t: coded(["sure"] * len(t.offers))), "the unknown word 'sure'"),
        (_offers(cloud=lambda t: coded([None] * len(t.offers))), "offers.cloud has a code outside its words"),
        (_offers(region=lambda t: Coded(t.offers.region.codes + 9999, t.offers.region.words)), "outside its words"),
        (_offers(instance_type=lambda t: coded(["same"] * len(t.offers))), "have one of them twice"),
        (_offers(source=lambda t: Coded(t.offers.source.codes, t.offers.source.words[::-1])), "not sorted"),
        (_volumes(usd_per_gib_month=lambda _: np.zeros(2)), "volumes.usd_per_gib_month"),
        (_volumes(usd_per_iops_month=lambda _: np.full(2, -1.0)), "volumes.usd_per_iops_month"),
        (
            lambda t: replace(t, coverage=replace(t.coverage, fresh_until=coded(["tomorrow"] * 2))),
            "'tomorrow', which is no moment",
        ),
    ],
)
def test_a_broken_promise_is_neither_written_nor_read(table, broken, fault):
    """An unsound table is refused by name when it is written, and also when it is read."""
    with pytest.raises(SnapshotError, match=fault):
        codec.dumps(broken(table))


def test_an_unsound_snapshot_is_not_read(table, monkeypatch):
    """A written price of 0 is refused when it is read."""
    with monkeypatch.context() as patched:
        patched.setattr(codec, "faults_of", lambda _: [])
        content = codec.dumps(_offers(usd_per_hour=_first_price(0.0))(table))
    with pytest.raises(SnapshotError, match="price that is not above 0"):
        codec.loads(content)


def test_a_column_of_another_kind_is_refused(table):
    """Prices that are written as words are refused."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(codec.dumps(table))) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            other = "offers.current.npy" if name == "offers.usd_per_hour.npy" else name
            new.writestr(name, old.read(other))
    with pytest.raises(SnapshotError, match=r"offers\.usd_per_hour is of type bool"):
        codec.loads(changed.getvalue())


def test_what_a_version_before_wrote_is_read(table):
    """An older snapshot has no accepted prices: its own count, and all offers count as named."""
    arrays = {key: array for key, array in columns_file.unpack(codec.dumps(table)).items() if "accepted" not in key}
    arrays.pop("offers.named")
    old = codec.loads(columns_file.pack(arrays.items(), 6))

    assert list(table.offers.usd_per_hour) == list(accepted_prices(old.offers))
    assert list(table.offers.current) == list(old.offers.named)


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("offers.cloud", np.zeros(codec.MOST_UNPACKED_BYTES + 1, dtype=np.uint8)),
        ("offers.cloud.words", np.full(codec.MOST_WORD_BYTES + 1, ord("\n"), dtype=np.uint8)),
    ],
    ids=["zeros", "words"],
)
def test_a_bomb_is_not_unpacked(table, name, array):
    """A few bytes in Redis cannot fill the memory of every worker."""
    arrays = columns_file.unpack(codec.dumps(table)) | {name: array}
    bomb = columns_file.pack(arrays.items(), 9)
    del arrays
    tracemalloc.start()
    try:
        with pytest.raises(SnapshotError, match="more than"):
            codec.loads(bomb)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(bomb) < 1 << 20
    assert peak < 2 * codec.MOST_UNPACKED_BYTES
