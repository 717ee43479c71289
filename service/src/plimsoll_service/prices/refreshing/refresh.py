"""Refreshes: ask each feed, compare its answer with the prices in force, publish both as the next snapshot."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from ...engine.hardware import Catalog
from ...settings import MOST_TTL_HOURS, Settings, SettingsError
from ...tracing import root, span
from ..feeds import feeds_by_name
from ..feeds.feed import NO_FACTS, CloudFacts, Feed, FeedError, FeedRequest
from ..redis_link import RETRY_SECONDS, RedisRefused, RedisUnavailable
from ..snapshots import join
from ..snapshots.codec import SnapshotError
from ..snapshots.store import MOST_CLOCK_AHEAD_SECONDS, Overtaken, Pointer, SnapshotStore, open_store
from ..snapshots.table import PriceTable
from . import merge, plausibility
from .fetched import Answer, answer_of
from .merge import Difference

FILE = "file"  # the feed without a provider is asked only by name
USE = "snapshots"  # the label of the link in the metrics
TIMEOUT_SECONDS = 10.0  # enough for a snapshot of a megabyte over a slow network
# A replica takes over within about ten seconds; a fetch of minutes is worth that wait.
ATTEMPTS = 8

Clouds = Mapping[str, CloudFacts]


@dataclass(frozen=True)
class Call:
    """The arguments of ``prices refresh``; no clouds: all; no regions: all that the catalog knows."""

    clouds: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    base_url: str | None = None
    accept: bool = False
    ttl_hours: float | None = None


class Refused(Exception):
    """The answer does not replace the prices in force; ``reasons`` are sentences with figures and names.

    ``notes`` are the feed's and may explain the reasons, such as prices estimated without credentials.
    """

    def __init__(self, reasons: tuple[str, ...], notes: tuple[str, ...] = ()) -> None:
        self.reasons = reasons
        self.notes = notes
        super().__init__("; ".join(reasons))


@dataclass(frozen=True)
class Published:
    """The result of a refresh: counts of the offers that it covers, and notes on what was left out."""

    pointer: Pointer
    version: str
    priced: int
    new: int
    lost: int
    moved: int
    notes: tuple[str, ...]
    left: tuple[str, ...] = ()  # sentences on what stays as it was: set aside, or missing from the answer


@dataclass(frozen=True)
class CloudRefresh:
    """One cloud's refresh: published, or the reasons against it."""

    cloud: str
    published: Published | None
    reasons: tuple[str, ...] = ()


def store_of(settings: Settings) -> SnapshotStore:
    """The snapshots of this installation; raises ``SettingsError`` if the settings name no usable Redis."""
    if not settings.redis_url:
        raise SettingsError("prices are published to a Redis: name it in PLIMSOLL_REDIS_URL")
    try:
        return open_store(settings, USE, TIMEOUT_SECONDS)
    except ValueError as error:
        raise SettingsError(f"PLIMSOLL_REDIS_URL: {error}") from error


def refresh_all(
    call: Call, settings: Settings, catalog: Catalog, asked: FeedRequest, report: Callable[[str], None]
) -> Iterator[CloudRefresh]:
    """Refresh cloud by cloud; a failure does not stop the others. Raises ``SettingsError`` before the first.

    ``asked`` holds the facts, credentials and exchange rates of every request.
    """
    store = store_of(settings)
    chosen = _chosen(call, feeds_by_name(), asked.clouds)
    ttl = timedelta(hours=min(call.ttl_hours or settings.price_ttl_hours, MOST_TTL_HOURS))
    for feed, regions in chosen:
        if regions == ():
            report(labelled(feed.name, f"left alone: it has no region {', '.join(call.regions)}"))
            continue

        def told(text: str, name: str = feed.name) -> None:
            report(labelled(name, text))

        request = replace(asked, cloud=feed.name, regions=regions, base_url=call.base_url, report=told)
        now = datetime.now(UTC)
        try:
            with root(f"refresh {feed.name}", attributes={"cloud.provider": feed.name}):
                done = refresh(feed, request, store, catalog, now=now, ttl=ttl, accept=call.accept)
        except Refused as error:
            for note in error.notes:
                request.report(note)
            yield CloudRefresh(feed.name, None, error.reasons)
        except (FeedError, RedisUnavailable, RedisRefused, SnapshotError) as error:
            yield CloudRefresh(feed.name, None, (_in_words(error).removeprefix(f"{feed.name}: "),))
        except Exception as error:  # an unforeseen answer must not stop the others
            yield CloudRefresh(feed.name, None, (f"failed over the provider's answer: {_placed(error)}",))
        else:
            yield CloudRefresh(feed.name, done)


def _in_words(error: Exception) -> str:
    if isinstance(error, RedisUnavailable):
        return f"Redis cannot be reached: {error}"
    return f"Redis refuses: {error}" if isinstance(error, RedisRefused) else str(error)


def _placed(error: Exception) -> str:
    """The error's type and place; its text could hold a part of the answer or the request."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"


def labelled(cloud: str, text: str) -> str:
    """A line that begins with the cloud's name, which a feed may have put there already."""
    return f"{cloud}: {text.removeprefix(f'{cloud}: ')}"


def _chosen(call: Call, feeds: Mapping[str, Feed], clouds: Clouds) -> list[tuple[Feed, tuple[str, ...] | None]]:
    """The feeds to ask, each with its regions: all (``None``), some, or none."""
    faults = list(_faults(call, feeds, clouds))
    if faults:
        raise SettingsError("; ".join(faults))
    names = tuple(dict.fromkeys(call.clouds)) or tuple(name for name in feeds if name != FILE)
    if not call.regions:
        return [(feeds[name], None) for name in names]
    known = {name: tuple(region for region in call.regions if region in _regions(name, clouds)) for name in names}
    return [(feeds[name], regions) for name, regions in known.items()]


def _faults(call: Call, feeds: Mapping[str, Feed], clouds: Clouds) -> Iterator[str]:
    unknown = sorted(set(call.clouds) - set(feeds))
    if unknown:
        yield f"no feed is named {', '.join(unknown)}: there are {', '.join(feeds)}"
    if FILE in call.clouds and not call.base_url:
        yield f"--cloud {FILE} needs --url: where the file is"
    if call.base_url and set(call.clouds) != {FILE} and not _is_web(call.base_url):
        yield "--url is no http:// or https:// address"  # it is not quoted, as it may hold a password
    names = call.clouds or tuple(feeds)
    known = {region for name in names for region in _regions(name, clouds)}
    misplaced = sorted(set(call.regions) - known)
    if misplaced and not unknown:
        yield f"the catalog knows no region {', '.join(misplaced)} of {', '.join(names)}"


def _regions(name: str, clouds: Clouds) -> frozenset[str]:
    """The regions that a feed can be asked for; those of the file are the regions of all clouds."""
    wanted = clouds.values() if name == FILE else [clouds.get(name, NO_FACTS)]
    return frozenset().union(*(facts.known_regions for facts in wanted))


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def refresh(
    feed: Feed,
    request: FeedRequest,
    store: SnapshotStore,
    catalog: Catalog,
    *,
    now: datetime,
    ttl: timedelta,
    accept: bool,
    sleep: Callable[[float], None] = time.sleep,
) -> Published:
    """Publish the answer of ``feed``; prices that it does not cover stay.

    Raises ``FeedError`` for an unusable answer, ``Refused`` for one that changes too much unless ``accept``, and the
    errors of the store. The prices in force then stay.
    """
    _check_clock(store)  # also finds a missing Redis before minutes of fetching
    with span("fetch"):
        fetched = feed.fetch(request)
    answer = answer_of(fetched, catalog, now, ttl)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return _publish(answer, store, catalog, accept=accept)
        except Overtaken:
            continue  # another cloud's refresh was quicker: merge with its prices
        except RedisUnavailable:
            if attempt == ATTEMPTS:
                raise
            sleep(RETRY_SECONDS)
    raise Refused((f"overtaken by other refreshes {ATTEMPTS} times",))


def _check_clock(store: SnapshotStore) -> None:
    """Raise ``Refused`` if this machine's clock would date prices far from the true time."""
    ahead = store.clock_ahead_seconds()
    if ahead is not None and abs(ahead) > MOST_CLOCK_AHEAD_SECONDS:
        where = "ahead of" if ahead > 0 else "behind"
        raise Refused((f"this machine's clock is {timedelta(seconds=round(abs(ahead)))} {where} that of Redis",))


def newest(store: SnapshotStore, catalog: Catalog) -> tuple[Pointer | None, PriceTable]:
    """The pointer, and the newest whole snapshot in Redis over the catalog's own prices."""
    in_force = store.pointer()
    candidates = (*((in_force,) if in_force else ()), *store.history())
    tables = (store.load(digest) for digest in dict.fromkeys(candidate.digest for candidate in candidates))
    base = next((table for table in tables if table is not None), None)
    own = join.table_of(catalog)
    return in_force, own if base is None else merge.renewed(base, own)


@dataclass(frozen=True, eq=False)
class Outcome:
    """The table that an answer leads to, the part of the answer in it, and sentences as in ``Published``."""

    table: PriceTable
    taken: Answer
    change: Difference
    accepted: tuple[str, ...]
    left: tuple[str, ...]


def outcome(base: PriceTable, answer: Answer, catalog: Catalog, *, accept: bool) -> Outcome:
    """The prices after an answer; raises ``Refused``."""
    change = merge.difference(base, answer, catalog)
    reasons = tuple(plausibility.objections(base.offers, change))
    if reasons and not accept:
        raise Refused(reasons, answer.notes)
    aside = plausibility.set_aside(base, answer, change, catalog)
    taken = answer if accept else plausibility.without(answer, aside, base)
    left = () if accept else (*aside.implausible, *aside.changed)
    if not len(taken.offers):
        raise Refused(left, answer.notes)
    change_taken = merge.difference(base, taken, catalog)
    named = change.listed if accept else change.listed | aside.kept
    return Outcome(
        table=merge.merged(base, taken, change_taken, named=named, accept=accept),
        taken=taken,
        change=change_taken,
        accepted=(*reasons, *aside.implausible) if accept else (),
        left=(*answer.missing, *(f"kept at the last price: {why}" for why in left)),
    )


def _publish(answer: Answer, store: SnapshotStore, catalog: Catalog, *, accept: bool) -> Published:
    over, base = newest(store, catalog)
    found = outcome(base, answer, catalog, accept=accept)
    taken, change = found.taken, found.change
    pointer = store.publish(found.table, over)
    return Published(
        pointer=pointer,
        version=join.version_of(pointer.digest, pointer.as_of, catalog),
        priced=len(taken.offers),
        new=len(taken.offers) - int(change.listed.sum()),
        lost=int((plausibility.lost(change) & (accept | ~change.unusable)).sum()),
        moved=int(plausibility.moved(change).sum()),
        notes=(*answer.notes, *(f"accepted: {reason}" for reason in found.accepted)),
        left=found.left,
    )
