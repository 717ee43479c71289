"""Two versions of the service at the same time, as in an upgrade and a rollback: one Redis, two catalogs."""

from __future__ import annotations

import dataclasses
import json
import time

import numpy as np
import pytest
from tests.integration.conftest import NAMESPACE
from tests.service.prices.published import table

from plimsoll_service import columns_file
from plimsoll_service.api.guard import key_file
from plimsoll_service.api.guard.keys import minted
from plimsoll_service.prices.build import price_source
from plimsoll_service.prices.snapshots import codec
from plimsoll_service.prices.snapshots.store import Pointer, prefix
from plimsoll_service.prices.source import PriceFilter
from plimsoll_service.settings import Settings

SOON = 5.0
STEPS_SECONDS = 2.5  # a watcher looks once a second
COLUMNS_BEFORE = ("offers.accepted_usd_per_hour", "offers.named")  # which the version before does not write
FIELDS_OF_A_KEY = {"id", "name", "scopes", "sha256", "created", "expires", "rate_limit"}  # since 0.1.0


@pytest.fixture
def later(catalog):
    """The catalog of the next version, with another date and without one kind of machine."""
    offers = catalog.offers
    kept = np.flatnonzero(offers.instance_type != offers.instance_type[0])
    columns = {field.name: getattr(offers, field.name) for field in dataclasses.fields(offers)}
    fewer = {
        name: dataclasses.replace(column, codes=column.codes[kept]) if hasattr(column, "codes") else column[kept]
        for name, column in columns.items()
    }
    return dataclasses.replace(catalog, version="2027-01-01", offers=dataclasses.replace(offers, **fewer))


@pytest.fixture
def watching(redis_server, tmp_path):
    """Make a watching service with its own catalog and its own folder for last prices."""

    def service(catalog):
        settings = Settings(redis_url=redis_server.url, last_prices_directory=tmp_path / catalog.version)
        source = price_source(settings, catalog)
        source.watch()
        return source

    return service


def put(client, content, **stated):
    """Put bytes into force as another version would write them; return their pointer."""
    pointer = Pointer(int(time.time()), codec.digest(content), "2026-11-23T12:00:00Z", "2026-08-19", 1, len(content))
    written = json.dumps(dataclasses.asdict(pointer) | stated).encode()
    client.set(f"{prefix(NAMESPACE)}snapshot:{pointer.digest}", content)
    client.zadd(f"{prefix(NAMESPACE)}snapshots", {written: pointer.sequence})
    client.set(f"{prefix(NAMESPACE)}pointer", written)
    return written


def rewritten(content, change):
    """A snapshot with other columns."""
    arrays = columns_file.unpack(content)
    change(arrays)
    return columns_file.pack(arrays.items(), 1)


def factor(source, catalog):
    """Price that the service answers divided by the catalog's price, for an offer that both catalogs have."""
    wanted = PriceFilter(instance_type=catalog.instance_types.name[catalog.offers.instance_type[-1]])
    own = [record.usd_per_hour for record in price_source(Settings(), catalog).current().lookup(wanted).items]
    now = [record.usd_per_hour for record in source.current().lookup(wanted).items]
    return round(now[0] / own[0], 6)


def until(condition):
    """Wait for an action of a watcher."""
    end = time.monotonic() + SOON
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("of", ["old", "new"])
def test_both_versions_follow_the_refreshes_of_either(store, watching, catalog, later, of):
    """Each version follows the refreshes of both over its own catalog, and overwrites nothing of the other."""
    old, new = watching(catalog), watching(later)
    pointer = store.publish(table(catalog if of == "old" else later, 2.0), None)

    until(lambda: (factor(old, catalog), factor(new, later)) == (2.0, 2.0))
    time.sleep(STEPS_SECONDS)

    assert (pointer,) == store.history()
    assert old.current().prices.version != new.current().prices.version


def test_a_snapshot_of_the_version_before_is_in_force(store, watching, redis_server, catalog):
    """A snapshot of an earlier version lacks columns, which get default values."""
    content = rewritten(
        codec.dumps(table(catalog, 3.0)), lambda arrays: [arrays.pop(column) for column in COLUMNS_BEFORE]
    )
    put(redis_server.client, content)

    assert factor(watching(catalog), catalog) == 3.0


def test_a_snapshot_of_a_later_version_is_in_force_and_stays(store, watching, redis_server, catalog):
    """After a rollback, unknown columns and facts of the later version stay unchanged."""
    service = watching(catalog)
    store.publish(table(catalog, 2.0), None)
    until(lambda: factor(service, catalog) == 2.0)
    content = rewritten(codec.dumps(table(catalog, 4.0)), lambda arrays: arrays.update({"offers.more": np.arange(3)}))
    written = put(redis_server.client, content, compression="none")

    until(lambda: factor(service, catalog) == 4.0)
    time.sleep(STEPS_SECONDS)

    assert redis_server.client.get(f"{prefix(NAMESPACE)}pointer") == written


def test_a_snapshot_that_cannot_be_read_changes_nothing(store, watching, redis_server, catalog):
    """A version that cannot read a snapshot keeps its own prices and leaves the snapshot in place."""
    service = watching(catalog)
    store.publish(table(catalog, 2.0), None)
    until(lambda: factor(service, catalog) == 2.0)
    content = rewritten(codec.dumps(table(catalog, 4.0)), lambda arrays: arrays.pop("offers.usd_per_hour"))
    written = put(redis_server.client, content)

    time.sleep(STEPS_SECONDS)

    assert factor(service, catalog) == 2.0
    assert redis_server.client.get(f"{prefix(NAMESPACE)}pointer") == written
    assert codec.digest(content) in written.decode()


def test_either_version_reads_the_keys_that_the_other_writes(tmp_path):
    """The file of keys has only the fields that every version so far knows, so that older ones can read it."""
    _, key = minted("pipeline", frozenset({"size"}))
    path = tmp_path / "keys.jsonl"
    with key_file.changing(path) as keys:
        keys[key.id] = key

    assert json.loads(path.read_text()).keys() == FIELDS_OF_A_KEY
    assert key_file.read(path) == {key.id: key}
