"""Price snapshots through every way to run Redis."""

from __future__ import annotations

import ssl
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
import trustme
from tests.service.prices.redis_ways import Servers, client, cluster, free_port, front, sentinel_group, servers, until

from plimsoll_service.catalog.snapshot import load
from plimsoll_service.prices.quote_cache import LastQuote, quote_region
from plimsoll_service.prices.redis_link import Link, RedisRefused, RedisUnavailable, SharedCounts, connect
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.store import SnapshotStore, prefix

NAMESPACE = "plimsoll-test"
# As an operator would copy it, with the test's namespace and a password that needs care in a URL.
DOCUMENTED = (Path(__file__).parents[3] / "docs/prices.md").read_text()
(PERMISSIONS,) = (line for line in DOCUMENTED.splitlines() if line.startswith("ACL SETUSER plimsoll "))
REFRESHER = PERMISSIONS.replace("plimsoll:", f"{NAMESPACE}:").replace(">password", ">p:ss/w@rd").split()[3:]
READER = ("on", ">p:ss/w@rd", f"~{{{NAMESPACE}:prices}}:*", "+get", "+exists", "+zrevrange", "+memory|usage")
PASSWORD_IN_URL = "p%3Ass%2Fw%40rd"


@pytest.fixture
def ways() -> Iterator[Servers]:
    """Servers of the test."""
    with tempfile.TemporaryDirectory(prefix="plimsoll-") as directory, servers(Path(directory)) as found:
        yield found


@pytest.fixture(scope="module")
def table():
    """Prices worth publishing."""
    return join.table_of(load())


def linked(url: str) -> Link:
    """A link with a short pause after a failure."""
    return connect(url, use="test", timeout_seconds=5.0, clock=lambda: time.monotonic() * 100)


def stored(url: str, keep: int = 3) -> SnapshotStore:
    """A store at a URL."""
    return SnapshotStore(linked(url), NAMESPACE, keep)


def publishes(url: str, table) -> None:
    """Publish twice and read back."""
    store = stored(url, keep=1)
    first = store.publish(table, None)
    second = store.publish(table, first)

    assert second == stored(url).pointer()
    assert (second,) == store.history()
    assert table.offers.usd_per_hour.sum() == store.load(second.digest).offers.usd_per_hour.sum()
    assert second.bytes <= store.memory_bytes() < second.bytes * 1.5


def test_a_user_with_few_permissions_publishes(ways, table) -> None:
    """The documented permissions are enough, and nothing outside the namespace is touched."""
    port = ways.start()
    client(port).execute_command("ACL", "SETUSER", "refresher", "reset", *REFRESHER)

    publishes(f"redis://refresher:{PASSWORD_IN_URL}@127.0.0.1:{port}/0", table)


def test_the_documented_user_has_all_that_the_service_asks_of_redis(ways, table) -> None:
    """The documented user can do everything that prices, quotes and shared limits need."""
    port = ways.start()
    client(port).execute_command("ACL", "SETUSER", "refresher", "reset", *REFRESHER)
    url = f"redis://refresher:{PASSWORD_IN_URL}@127.0.0.1:{port}/0"
    store = stored(url)
    pointer = store.publish(table, None)
    region = quote_region(linked(url), prefix(NAMESPACE))
    counts = SharedCounts(linked(url), NAMESPACE)

    assert store.fetch(pointer.digest) is not None
    assert store.restore(pointer, store.fetch(pointer.digest) or b"")
    assert abs(store.clock_ahead_seconds() or 0.0) < 60
    assert store.has(pointer.digest)
    assert [1, 3] == [counts.add("key:a", amount, 60) for amount in (1, 2)]
    assert region.get_or_create("quote:a", lambda: LastQuote(None, 1.0)) == LastQuote(None, 1.0)
    refused = {entry[b"object"] for entry in client(port).execute_command("ACL", "LOG")}
    assert refused <= {b"client|setinfo"}  # redis-py introduces itself, and goes on without


def test_a_reader_reads_and_may_not_publish(ways, table) -> None:
    """A user who may only read gets everything, and is refused when it writes."""
    port = ways.start()
    client(port).execute_command("ACL", "SETUSER", "reader", "reset", *READER)
    pointer = stored(f"redis://127.0.0.1:{port}").publish(table, None)
    store = stored(f"redis://reader:{PASSWORD_IN_URL}@127.0.0.1:{port}")

    assert pointer == store.pointer()
    assert store.load(pointer.digest) is not None
    with pytest.raises(RedisRefused, match="NoPermissionError"):
        store.publish(table, pointer)


def test_a_wrong_password_is_said_without_it(ways) -> None:
    """The reason names the fault, but not the password."""
    port = ways.start()
    client(port).config_set("requirepass", "right")

    with pytest.raises(RedisUnavailable) as raised:
        stored(f"redis://:wr0ng@127.0.0.1:{port}").pointer()

    assert "wr0ng" not in str(raised.value)
    assert "AuthenticationError" in str(raised.value)


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    """Authority that signs the certificates."""
    return trustme.CA()


@pytest.fixture
def tls_port(ways, authority, tmp_path) -> Iterator[int]:
    """A Redis behind TLS that requires a certificate from its clients."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.configure_trust(context)
    context.verify_mode = ssl.CERT_REQUIRED
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    own = authority.issue_cert("refresher")
    own.private_key_pem.write_to_path(tmp_path / "own.key")
    own.cert_chain_pems[0].write_to_path(tmp_path / "own.pem")
    with front(ways.start(), tls=context) as port:
        yield port


def test_tls_with_a_certificate_of_ones_own(tls_port, tmp_path, table) -> None:
    """The server is checked with the authority in the URL, and the client shows its own certificate."""
    own = f"ssl_certfile={tmp_path}/own.pem&ssl_keyfile={tmp_path}/own.key"

    publishes(f"rediss://127.0.0.1:{tls_port}/0?ssl_ca_certs={tmp_path}/ca.pem&{own}", table)


def test_tls_to_a_server_that_nobody_vouches_for_is_refused(tls_port) -> None:
    """Without the authority, the server's certificate is refused."""
    with pytest.raises(RedisUnavailable, match="certificate verify failed"):
        stored(f"rediss://127.0.0.1:{tls_port}/0").pointer()


def test_a_replica_takes_over_behind_sentinels(ways, table) -> None:
    """After the primary's death, the same link reads and publishes at its replica."""
    primary, replica, sentinel = sentinel_group(ways, "prices")
    client(sentinel).execute_command("ACL", "SETUSER", "watcher", "reset", "on", ">secret", "+sentinel|masters")
    account = "sentinel_username=watcher&sentinel_password=secret"
    store = stored(f"redis+sentinel://127.0.0.1:1,127.0.0.1:{sentinel}/prices/0?{account}")
    pointer = store.publish(table, None)
    until(lambda: client(replica).exists(f"{{{NAMESPACE}:prices}}:pointer"))

    ways.kill(primary)
    published = []

    def goes_on() -> bool:
        with suppress(RedisUnavailable, RedisRefused):
            published.append(store.publish(table, store.pointer()))
        return bool(published)

    until(goes_on)

    assert published[0].sequence > pointer.sequence
    assert published[0].digest == pointer.digest
    assert (published[0], pointer) == store.history()


def test_a_server_that_became_a_replica_refuses_until_it_is_primary_again(ways, table) -> None:
    """Writes to a replica are refused, reads continue, and no restart is needed."""
    port = ways.start()
    store = stored(f"redis://127.0.0.1:{port}")
    pointer = store.publish(table, None)
    client(port).replicaof("127.0.0.1", 1)

    with pytest.raises(RedisRefused, match="ReadOnlyError"):
        store.publish(table, pointer)
    assert pointer == store.pointer()
    client(port).replicaof("NO", "ONE")

    assert store.publish(table, pointer).sequence > pointer.sequence


def test_a_cluster_takes_transactions(ways, table) -> None:
    """All keys are in one slot, so that publishing works on a Cluster, from any node's address."""
    ports = cluster(ways)
    for port in ports:
        client(port).execute_command("ACL", "SETUSER", "refresher", "reset", *REFRESHER, "+cluster|slots", "+command")

    publishes(f"redis+cluster://refresher:{PASSWORD_IN_URL}@127.0.0.1:1,127.0.0.1:{ports[0]}", table)


def test_a_cluster_that_comes_later_is_found(ways, table) -> None:
    """A Cluster that is missing at first is used as soon as it answers."""
    port = ways.start("--cluster-enabled", "yes", "--cluster-port", str(free_port()))
    store = stored(f"redis+cluster://127.0.0.1:{port}")
    with pytest.raises(RedisUnavailable):
        store.pointer()

    client(port).execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
    until(lambda: client(port).execute_command("CLUSTER INFO")["cluster_state"] == "ok")

    assert store.publish(table, None) == store.pointer()
