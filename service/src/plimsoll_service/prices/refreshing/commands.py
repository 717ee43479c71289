"""The price commands as functions: refresh clouds one after the other, and say what is kept."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.prices.feeds.feed import Feed, FeedError
from plimsoll_service.prices.feeds.registry import feeds_by_name
from plimsoll_service.prices.redis_access.redis_link import RedisRefused, RedisUnavailable, connect
from plimsoll_service.prices.refreshing.refresh import Published, Refused, refresh
from plimsoll_service.prices.refreshing.requests import Asking, cloud_facts
from plimsoll_service.prices.snapshots.codec import SnapshotError
from plimsoll_service.prices.snapshots.store import SnapshotStore
from plimsoll_service.settings import Settings
from plimsoll_service.tracing import root

FILE = "file"  # the feed that has no provider: it is asked only by name
USE = "snapshots"  # the metrics' label of the link
LONGEST_TTL_HOURS = 10 * 365 * 24.0  # ten years are as good as for ever, and still a date
TIMEOUT_SECONDS = 10.0  # nobody waits for a refresh; a snapshot of a megabyte crosses slow links, too


class WrongCall(ValueError):
    """A call that cannot be meant; the message says why."""


@dataclass(frozen=True)
class Call:
    """What ``prices refresh`` was asked for; no clouds: all; no regions: all that the catalog knows."""

    clouds: tuple[str, ...] = ()
    regions: tuple[str, ...] = ()
    base_url: str | None = None
    accept: bool = False
    ttl_hours: float | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of one cloud's refresh: published, or the reasons why not."""

    cloud: str
    published: Published | None
    reasons: tuple[str, ...] = ()


def store_of(settings: Settings) -> SnapshotStore:
    """The snapshots of this installation; raises ``WrongCall`` where no usable Redis is named."""
    if not settings.redis_url:
        raise WrongCall("prices are published to a Redis: name it in PLIMSOLL_REDIS_URL")
    try:
        link = connect(settings.redis_url, use=USE, timeout_seconds=TIMEOUT_SECONDS)
    except ValueError as error:
        raise WrongCall(f"PLIMSOLL_REDIS_URL: {error}") from error
    return SnapshotStore(link, settings.redis_namespace, settings.price_snapshots)


def refreshes(
    call: Call, settings: Settings, catalog: Catalog, asking: Asking, report: Callable[[str], None]
) -> Iterator[Outcome]:
    """Refresh cloud by cloud; one that fails does not stop the others. Raises ``WrongCall`` before the first."""
    store = store_of(settings)
    chosen = _chosen(call, feeds_by_name(), asking)
    ttl = timedelta(hours=min(call.ttl_hours or settings.price_ttl_hours, LONGEST_TTL_HOURS))
    for feed, regions in chosen:
        if regions == ():
            report(labelled(feed.name, f"left alone: it has no region {', '.join(call.regions)}"))
            continue
        request = asking.request(feed.name, regions, base_url=call.base_url)
        request = replace(request, report=_reporting(feed.name, report))
        now = datetime.now(UTC)
        try:
            with root(f"refresh {feed.name}", attributes={"cloud.provider": feed.name}):
                done = refresh(feed, request, store, catalog, now=now, ttl=ttl, accept=call.accept)
        except Refused as error:
            for note in error.notes:
                request.report(note)
            yield Outcome(feed.name, None, error.reasons)
        except (FeedError, RedisUnavailable, RedisRefused, SnapshotError) as error:
            yield Outcome(feed.name, None, (_in_words(error).removeprefix(f"{feed.name}: "),))
        except Exception as error:  # a provider's answer of a shape that nobody foresaw must not stop the others
            yield Outcome(feed.name, None, (f"failed over the provider's answer: {_placed(error)}",))
        else:
            yield Outcome(feed.name, done)


def _in_words(error: Exception) -> str:
    if isinstance(error, RedisUnavailable):
        return f"Redis cannot be reached: {error}"
    return f"Redis refuses: {error}" if isinstance(error, RedisRefused) else str(error)


def _placed(error: Exception) -> str:
    """The error's kind and place; its text may hold anything of the answer or the request."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(place.filename).name}, line {place.lineno}"


def labelled(cloud: str, text: str) -> str:
    """A line about a cloud: it begins with the name, which a feed may have put there already."""
    return f"{cloud}: {text.removeprefix(f'{cloud}: ')}"


def _reporting(cloud: str, report: Callable[[str], None]) -> Callable[[str], None]:
    return lambda message: report(labelled(cloud, message))


def _chosen(call: Call, feeds: Mapping[str, Feed], asking: Asking) -> list[tuple[Feed, tuple[str, ...] | None]]:
    """The feeds to ask, each with the regions to ask it for: all (``None``), some, or none."""
    faults = list(_faults(call, feeds, asking))
    if faults:
        raise WrongCall("; ".join(faults))
    names = tuple(dict.fromkeys(call.clouds)) or tuple(name for name in feeds if name != FILE)
    if not call.regions:
        return [(feeds[name], None) for name in names]
    known = {name: tuple(region for region in call.regions if region in _regions(name, asking)) for name in names}
    return [(feeds[name], regions) for name, regions in known.items()]


def _faults(call: Call, feeds: Mapping[str, Feed], asking: Asking) -> Iterator[str]:
    unknown = sorted(set(call.clouds) - set(feeds))
    if unknown:
        yield f"no feed is named {', '.join(unknown)}: there are {', '.join(feeds)}"
    if FILE in call.clouds and not call.base_url:
        yield f"--cloud {FILE} needs --url: where the file is"
    if call.base_url and set(call.clouds) != {FILE} and not _is_web(call.base_url):
        yield "--url is no http:// or https:// address"  # and may hold a password
    names = call.clouds or tuple(feeds)
    known = {region for name in names for region in _regions(name, asking)}
    misplaced = sorted(set(call.regions) - known)
    if misplaced and not unknown:
        yield f"the catalog knows no region {', '.join(misplaced)} of {', '.join(names)}"


def _regions(name: str, asking: Asking) -> frozenset[str]:
    """The regions that a feed can be asked for: the file's are those of every cloud."""
    clouds: Sequence[str] = tuple(asking.clouds) if name == FILE else (name,)
    return frozenset().union(*(asking.clouds[cloud].known_regions for cloud in clouds if cloud in asking.clouds))


def _is_web(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.hostname)


def asking_of(catalog: Catalog, environment: Mapping[str, str], units_per_usd: Mapping[str, float]) -> Asking:
    """What all feeds are told of the catalog."""
    return Asking(cloud_facts(catalog), environment, units_per_usd)
