"""``prices refresh`` and ``prices status``: a file on the loopback, a real Redis, and the exit status."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.service.prices.feeds.loopback import Provider, Reply
from tests.service.prices.tables import CATALOG, current_of, offers_in

from plimsoll_service import cli
from plimsoll_service.prices.feeds import feeds_by_name
from plimsoll_service.prices.feeds.feed import FeedError
from plimsoll_service.prices.redis_link import connect
from plimsoll_service.prices.snapshots import join
from plimsoll_service.prices.snapshots.store import SnapshotStore

pytestmark = pytest.mark.usefixtures("own_logging")
HERE = current_of("lambda", "global", "on_demand", join.table_of(CATALOG))


@pytest.fixture
def provider() -> Iterator[Provider]:
    """Provider from which files of prices are fetched."""
    found = Provider()
    yield found
    found.close()


@pytest.fixture
def store(redis_server, monkeypatch) -> SnapshotStore:
    """The snapshots that the commands publish."""
    monkeypatch.setenv("PLIMSOLL_REDIS_URL", redis_server.url)
    return SnapshotStore(connect(redis_server.url, use="test", timeout_seconds=5.0), "plimsoll", 30)


def csv(prices):
    """A file of prices."""
    rows = [f"{cloud},{name},{region},{price!r},our contract" for (cloud, name, region, _), price in prices.items()]
    return "\n".join(["cloud,instance_type,region,usd_per_hour,source", *rows])


def from_file(provider, *more):
    """Arguments that publish a file."""
    return ["prices", "refresh", "--cloud", "file", "--url", f"{provider.url}/prices.csv", *more]


def test_a_file_is_fetched_and_published(store, provider, capsys):
    """The status is 0, with only the version on standard output, and progress on standard error."""
    provider.serve("/prices.csv", csv({key: price * 1.1 for key, price in HERE.items()}))

    assert 0 == cli.main(from_file(provider))

    told = capsys.readouterr()
    pointer = store.pointer()
    assert f"{join.version_of(pointer.digest, pointer.as_of, CATALOG)}\n" == told.out
    assert f"file: {len(HERE):,} prices, 0 new, 0 lost, 0 moved far" in told.err


def test_a_refused_file_changes_nothing(store, provider, capsys):
    """A refusal gives status 1 and the reason on standard error; with ``--accept``, the file is published."""
    provider.serve("/prices.csv", csv(dict(list(HERE.items())[:5])))

    assert 1 == cli.main(from_file(provider))

    told = capsys.readouterr()
    assert "" == told.out
    assert f"file: refused: {len(HERE) - 5} of {len(HERE)} lambda offers lost" in told.err
    assert store.pointer() is None
    assert 0 == cli.main(from_file(provider, "--accept"))


@pytest.mark.parametrize("reply", [Reply(status=404), Reply("no prices"), Reply("{")])
def test_an_unusable_file_is_refused(store, provider, capsys, reply):
    """An unusable file gives status 1 and its name, even with ``--accept``."""
    provider.serve("/prices.csv", reply)

    assert 1 == cli.main(from_file(provider, "--accept"))

    assert "file: refused: " in capsys.readouterr().err
    assert store.pointer() is None


class Failing:
    """A feed that raises a given error."""

    def __init__(self, name, error):
        self.name = name
        self._error = error

    def fetch(self, request):
        """Fail."""
        raise self._error


def test_one_cloud_that_fails_does_not_stop_the_others(store, provider, capsys, monkeypatch):
    """After a feed fails, the next is asked; the status is 1, and the version is that of the published prices."""
    file = feeds_by_name()["file"]
    secret = KeyError("token=s3cr3t")
    feeds = {"aws": Failing("aws", FeedError("aws: says no")), "gcp": Failing("gcp", secret), "file": file}
    monkeypatch.setattr("plimsoll_service.prices.refreshing.refresh.feeds_by_name", lambda: feeds)
    provider.serve("/prices.csv", csv(HERE))

    assert 1 == cli.main([*from_file(provider, "--cloud", "aws", "--cloud", "gcp")])

    told = capsys.readouterr()
    pointer = store.pointer()
    assert f"{join.version_of(pointer.digest, pointer.as_of, CATALOG)}\n" == told.out
    assert "aws: refused: says no" in told.err
    assert "gcp: refused: failed over the provider's answer: KeyError in test_cli_prices.py" in told.err
    assert "s3cr3t" not in told.err


def test_every_provider_is_asked_unless_some_are_named(store, capsys, monkeypatch):
    """Without ``--cloud``, all feeds except the file are asked."""
    feeds = {name: Failing(name, FeedError("says no")) for name in ("alibaba", "aws", "file", "gcp")}
    monkeypatch.setattr("plimsoll_service.prices.refreshing.refresh.feeds_by_name", lambda: feeds)

    assert 1 == cli.main(["prices", "refresh"])
    assert ["alibaba: refused: says no", "aws: refused: says no", "gcp: refused: says no"] == [
        *capsys.readouterr().err.splitlines()
    ]


def test_regions_are_asked_of_the_clouds_that_have_them(store, capsys, monkeypatch):
    """A region is asked of the clouds that have it; the others are left alone, with a note."""
    feeds = {name: Failing(name, FeedError("says no")) for name in ("aws", "gcp")}
    monkeypatch.setattr("plimsoll_service.prices.refreshing.refresh.feeds_by_name", lambda: feeds)

    assert 1 == cli.main(["prices", "refresh", "--region", "us-central1"])
    assert ["aws: left alone: it has no region us-central1", "gcp: refused: says no"] == [
        *capsys.readouterr().err.splitlines()
    ]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--cloud", "moon"], "no feed is named moon: there are alibaba, aws, azure, file, gcp"),
        (["--cloud", "file"], "--cloud file needs --url"),
        (["--cloud", "aws", "--url", "ftp://host"], "is no http:// or https:// address"),
        (["--cloud", "aws", "--region", "us-central1"], "the catalog knows no region us-central1 of aws"),
        (["--cloud", "file", "--url", "x.csv", "--region", "moon-1"], "no region moon-1"),
    ],
)
def test_a_call_that_cannot_be_meant_is_a_wrong_call(store, capsys, arguments, reason):
    """Contradictory arguments give status 2, before anything is fetched."""
    assert 2 == cli.main(["prices", "refresh", *arguments])
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["prices"],
        ["prices", "refresh", "--exchange-rate", "CNY"],
        ["prices", "refresh", "--exchange-rate", "CNY=0"],
        ["prices", "refresh", "--ttl", "soon"],
        ["prices", "refresh", "--ttl", "0h"],
        ["prices", "refresh", "--ttl", "infh"],
        ["prices", "status", "all"],
    ],
)
def test_arguments_that_cannot_be_are_a_wrong_call(arguments):
    """Invalid arguments give status 2, with the usage."""
    with pytest.raises(SystemExit) as stopped:
        cli.main(arguments)

    assert 2 == stopped.value.code


@pytest.mark.parametrize("command", ["refresh", "status"])
@pytest.mark.parametrize(
    ("url", "reason"),
    [("", "name it in PLIMSOLL_REDIS_URL"), ("http://:s3cr3t@h", "PLIMSOLL_REDIS_URL: unusable Redis URL: expected")],
)
def test_without_a_usable_redis_it_is_a_wrong_call(monkeypatch, capsys, command, url, reason):
    """Without a usable Redis, the status is 2, and the password in the URL is not shown."""
    monkeypatch.setenv("PLIMSOLL_REDIS_URL", url)

    assert 2 == cli.main(["prices", command])

    said = capsys.readouterr().err
    assert reason in said
    assert "s3cr3t" not in said


@pytest.mark.parametrize("command", [["refresh", "--cloud", "aws"], ["status"]])
def test_a_redis_that_does_not_answer_is_a_refusal(redis_server, store, capsys, command):
    """A Redis that does not answer gives status 1, with the reason."""
    redis_server.kill()

    assert 1 == cli.main(["prices", *command])
    assert "Connection refused" in capsys.readouterr().err


def test_the_status_lists_what_is_kept(store, provider, capsys):
    """The status has the versions, newest first, the sources with their age, and the memory in use."""
    assert 0 == cli.main(["prices", "status"])
    assert f"in force: the catalog's own prices, {CATALOG.version}" in capsys.readouterr().out

    provider.serve("/prices.csv", csv(HERE), csv({key: price * 1.1 for key, price in HERE.items()}))
    for ttl in ("0.0000001h", "24h"):
        assert 0 == cli.main(from_file(provider, "--ttl", ttl))
        versions = capsys.readouterr().out
        assert 0 == cli.main(["prices", "status"])
        lines = capsys.readouterr().out.splitlines()
        state = "stale since" if ttl.startswith("0") else "fresh until"
        assert f"{versions.strip()}  published" in lines[1]
        assert lines[1].endswith("offers  in force")
        assert any("lambda on_demand: 1 regions, " in line and f"0.0 hours old, {state}" in line for line in lines)

    assert lines[0].startswith("snapshots kept: 2, ")
    assert lines[0].endswith(" MiB in Redis")


def test_a_very_long_time_to_live_is_as_good_as_for_ever(store, provider):
    """A very long time to live does not overflow."""
    provider.serve("/prices.csv", csv(HERE))

    assert 0 == cli.main(from_file(provider, "--ttl", "1e300"))
    assert store.load(store.pointer().digest).coverage.fresh_until[0] > "2036"


def test_the_status_tells_of_a_lost_snapshot(store, redis_server, provider, capsys):
    """The status says that the snapshot in force is lost."""
    provider.serve("/prices.csv", csv(HERE))
    assert 0 == cli.main(from_file(provider))
    redis_server.client.delete(f"{{plimsoll:prices}}:snapshot:{store.pointer().digest}")

    assert 0 == cli.main(["prices", "status"])
    assert "the snapshot in force is lost or damaged" in capsys.readouterr().out


def test_a_part_that_is_set_aside_is_a_warning_or_with_strict_a_failure(store, provider, capsys):
    """The rest is published in both cases, and the offer keeps its price."""
    prices = {key: price * 1.05 for key, price in HERE.items()}
    wrong = next(key for key in prices if prices[key] > 1)
    provider.serve("/prices.csv", csv({**prices, wrong: prices[wrong] / 100}))

    assert [0, 1] == [cli.main(from_file(provider)), cli.main(from_file(provider, "--strict"))]

    told = capsys.readouterr()
    assert 2 == len(told.out.split())
    assert "file: warning: kept at the last price: 1 lambda prices more than 5 times off their kind" in told.err
    after = offers_in(store.load(store.pointer().digest))
    assert {**prices, wrong: HERE[wrong]} == {key: after[key] for key in prices}
