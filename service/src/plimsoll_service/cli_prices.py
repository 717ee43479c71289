"""``plimsoll-service prices``: fetch prices, publish them to Redis, and show the snapshots in it."""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial

import structlog

from .catalog import snapshot
from .catalog.faults import CatalogError
from .engine.hardware import Catalog
from .exit_status import DONE, REFUSED, say
from .prices.feeds.feed import FeedRequest
from .prices.redis_link import RedisRefused, RedisUnavailable
from .prices.refreshing.facts import cloud_facts
from .prices.refreshing.refresh import Call, labelled, refresh_all, store_of
from .prices.snapshots import join, moments
from .prices.snapshots.store import SnapshotStore
from .prices.snapshots.table import CoverageColumns
from .settings import Settings, hours_of, provider_environment, unknown_variables
from .tracing import configure, stop

HOUR = timedelta(hours=1)
MEBIBYTE = 1 << 20
EXCHANGE_RATE = re.compile(r"([A-Z]{3})=([0-9]+(?:\.[0-9]+)?)")


def add_prices(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the commands on prices to the parser."""
    prices = commands.add_parser("prices", help="fetch prices and publish them to Redis")
    actions = prices.add_subparsers(title="actions", required=True, metavar="ACTION")
    status = actions.add_parser("status", help="list the stored snapshots, their sources and the memory they use")
    status.set_defaults(command=partial(_with_settings, show_status))
    refresh = actions.add_parser("refresh", help="fetch, check and publish prices; prints the new version")
    refresh.add_argument("--cloud", action="append", default=[], help="a provider, or 'file'; default: all providers")
    refresh.add_argument("--region", action="append", default=[], help="a region; default: the catalog's regions")
    refresh.add_argument("--url", help="scheme and host instead of the provider's; with --cloud file: the file")
    refresh.add_argument("--accept", action="store_true", help="publish even if many offers are missing or changed")
    refresh.add_argument("--strict", action="store_true", help="exit with 1 if a part was not published")
    refresh.add_argument(
        "--exchange-rate",
        action="append",
        default=[],
        type=_rate,
        metavar="CNY=7.25",
        help="units of a currency per US dollar, for lists in that currency",
    )
    refresh.add_argument("--ttl", type=_hours, metavar="24h", help="hours until stale; default: PLIMSOLL_PRICE_TTL")
    refresh.set_defaults(command=partial(_with_settings, refresh_prices))


def refresh_prices(call: argparse.Namespace, settings: Settings, catalog: Catalog) -> int:
    """Fetch and publish; the last version published goes to standard output, everything else to standard error."""
    rates = dict(call.exchange_rate)
    asked = FeedRequest("", clouds=cloud_facts(catalog), environment=provider_environment(), units_per_usd=rates)
    wanted = Call(tuple(call.cloud), tuple(call.region), call.url, call.accept, call.ttl)
    version, status = None, DONE
    for refreshed in refresh_all(wanted, settings, catalog, asked, _tell):
        if refreshed.published is None:
            status = REFUSED
            _tell(*(f"{refreshed.cloud}: refused: {reason}" for reason in refreshed.reasons))
            continue
        done = refreshed.published
        version = done.version
        counts = f"{done.priced:,} prices, {done.new:,} new, {done.lost:,} lost, {done.moved:,} moved far"
        warnings = (f"warning: {why}" for why in done.left)
        _tell(*(labelled(refreshed.cloud, line) for line in (*done.notes, *warnings, f"{counts}: {version}")))
        if done.left and call.strict:
            status = REFUSED
    if version is not None:
        sys.stdout.write(f"{version}\n")
    return status


def show_status(_: argparse.Namespace, settings: Settings, catalog: Catalog) -> int:
    """Print the price snapshots in Redis."""
    try:
        lines = list(_status(store_of(settings), catalog, datetime.now(UTC)))
    except (RedisUnavailable, RedisRefused) as error:
        return say(f"Redis cannot be asked: {error}", REFUSED)
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return DONE


def _status(store: SnapshotStore, catalog: Catalog, now: datetime) -> Iterator[str]:
    """The lines of ``prices status``; errors of the store come before the first line."""
    in_force, kept, memory = store.pointer(), store.history(), store.memory_bytes()
    yield f"snapshots kept: {len(kept)}, {memory / MEBIBYTE:.1f} MiB in Redis"
    for entry in kept:
        mark = "  in force" if entry == in_force else ""
        version = join.version_of(entry.digest, entry.as_of, catalog)
        yield f"  {version}  published {entry.published_at}  {entry.offers:,} offers{mark}"
    if in_force is None:
        yield f"in force: the catalog's own prices, {catalog.version}"
        return
    table = store.load(in_force.digest)
    if table is None:
        yield "the snapshot in force is lost or damaged: services go on with what they hold, the next refresh mends it"
    else:
        yield "sources"
        yield from _sources(table.coverage, now)


def _sources(coverage: CoverageColumns, now: datetime) -> Iterator[str]:
    """One line for all regions of one answer of a feed."""
    columns = (coverage.cloud, coverage.purchase, coverage.source, coverage.fetched_at, coverage.fresh_until)
    rows = Counter(tuple(str(column[row]) for column in columns) for row in range(len(coverage)))
    for (cloud, purchase, source, fetched_at, fresh_until), regions in sorted(rows.items()):
        age = (now - moments.parsed(fetched_at)) / HOUR
        state = "stale since" if now > moments.parsed(fresh_until) else "fresh until"
        yield f"  {cloud} {purchase}: {regions} regions, {source}, {age:.1f} hours old, {state} {fresh_until}"


def _with_settings(run: Callable[[argparse.Namespace, Settings, Catalog], int], call: argparse.Namespace) -> int:
    """Run with the environment's settings and catalog."""
    structlog.configure(logger_factory=lambda *_: structlog.PrintLogger(sys.stderr))
    try:
        settings = Settings.from_environment()
        _tell(*(f"warning: {sentence}" for sentence in unknown_variables()))
        configure(settings.traces_endpoint)
        return run(call, settings, snapshot.load(settings.catalog_path))
    except CatalogError as error:
        return say(error, REFUSED)
    finally:
        stop()


def _tell(*lines: str) -> None:
    for line in lines:
        sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _rate(text: str) -> tuple[str, float]:
    match = EXCHANGE_RATE.fullmatch(text)
    if match is None or float(match[2]) <= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is no exchange rate such as CNY=7.25: units for one US dollar")
    return match[1], float(match[2])


def _hours(text: str) -> float:
    hours = hours_of(text)
    if hours is None:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of hours above 0, such as 24h")
    return hours
