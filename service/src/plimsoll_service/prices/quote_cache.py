"""A cache of quotes: dogpile's, in the memory of the process and, where there is one, in a Redis that others share."""

from __future__ import annotations

import random
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from threading import Lock, Thread
from typing import Any

import orjson
from dogpile.cache import CacheRegion, make_region
from dogpile.cache.api import CachedValue, CacheMutex, NoValueType
from dogpile.cache.proxy import ProxyBackend

from plimsoll_service.engine.hardware import CONFIDENCES
from plimsoll_service.prices.feeds.feed import OfferQuote
from plimsoll_service.prices.redis_link import Client, Link, RedisRefused, RedisUnavailable

KEEP_SECONDS = 24 * 3600
RETRY_SECONDS = 60  # after a question in vain
MOST_QUOTES = 20_000  # in the memory of one process, some ten megabytes
# A provider is waited for less long. A process that claims a quote for longer is taken for dead.
CLAIM_SECONDS = 4
WAIT_SECONDS = 5.0  # then another process has taken over from a dead one, and its quote is there
LONGEST_PAUSE_SECONDS = 0.1  # 200 waiting processes ask Redis some thousand times a second: a tenth of what it can do
_CHANCE = random.SystemRandom()


@dataclass(frozen=True, slots=True)
class Kept:
    """The last quote of an offer and when it was made (seconds since 1970); ``failed``: a later question was in vain.

    ``quote`` is ``None`` where the provider does not sell the offer or never answered.
    """

    quote: OfferQuote | None
    quoted_at: float
    failed: bool = False


class StillAsking(Exception):
    """Somebody else asks for the same offer, and takes too long."""


def quote_region(link: Link | None = None, prefix: str = "") -> CacheRegion:
    """A cache of ``Kept`` values, shared through ``link`` under keys that begin with ``prefix``.

    One caller makes a missing value while the others wait. An old value is returned at once and renewed in a thread.
    """
    shared = [] if link is None else [_Shared(link, prefix)]
    region = make_region(async_creation_runner=_renew)
    return region.configure("dogpile.cache.memory", arguments={"cache_dict": _Bounded()}, wrap=shared)


def _renew(region: CacheRegion, key: str, make: Callable[[], Kept], claim: CacheMutex) -> None:
    def run() -> None:
        try:
            region.set(key, make())
        finally:
            claim.release()

    Thread(target=run, daemon=True, name="price-renewal").start()


class _Bounded(OrderedDict[str, Any]):
    """The quotes that were kept last."""

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value)
        if len(self) > MOST_QUOTES:
            self.popitem(last=False)


class _Shared(ProxyBackend):
    """Quotes in Redis as well; whatever Redis does, those of this process are there."""

    def __init__(self, link: Link, prefix: str) -> None:
        self._link = link
        self._prefix = prefix

    def get(self, key: str) -> CachedValue | NoValueType | bytes:
        """Return the shared value, else the process's own."""
        try:
            found = self._link.run(lambda client: client.get(self._prefix + key))
        except (RedisUnavailable, RedisRefused):  # refused: such as a key of another type
            found = None
        value = _loaded(key, found) if isinstance(found, bytes) else None
        if value is None and found is not None:
            self._link.garbage()
        return value or self.proxied.get(key)

    def set(self, key: str, value: Any) -> None:
        """Keep a value here and, if Redis takes it, for others."""
        self.proxied.set(key, value)
        kept: Kept = value.payload
        content = orjson.dumps({"key": key, "metadata": value.metadata, **asdict(kept)})
        seconds = RETRY_SECONDS if kept.quote is None else KEEP_SECONDS
        self._write(lambda client: client.set(self._prefix + key, content, ex=seconds))

    def get_mutex(self, key: str) -> CacheMutex:
        """Return the claim to ask for an offer."""
        name = f"{self._prefix}{key}:claimed"
        return _Claim(
            lambda: self._write(lambda client: client.set(name, b"1", ex=CLAIM_SECONDS, nx=True)),
            lambda: self._write(lambda client: client.delete(name)),
        )

    def _write(self, command: Callable[[Client], object]) -> bool | None:
        """Whether Redis did it; ``None`` where it does not say."""
        try:
            return bool(self._link.run(command))
        except (RedisUnavailable, RedisRefused):
            return None


class _Claim(CacheMutex):
    """The claim to ask for an offer: of one thread in this process and, where Redis answers, of one process of all."""

    def __init__(self, claim: Callable[[], bool | None], release: Callable[[], object]) -> None:
        self._lock = Lock()
        self._claim = claim
        self._release = release

    def acquire(self, wait: bool = True) -> bool:
        """Return whether the claim is the caller's; raise ``StillAsking`` after a wait in vain."""
        deadline = time.monotonic() + (WAIT_SECONDS if wait else 0)
        if self._lock.acquire(timeout=max(0, deadline - time.monotonic())):
            granted = self._claim()
            others = granted is False
            while granted is False and time.monotonic() < deadline:
                time.sleep(LONGEST_PAUSE_SECONDS * _CHANCE.uniform(0.5, 1.0))
                granted = self._claim()
            # Where Redis is gone meanwhile the other process is still at work: not everyone must ask as well.
            if granted or (granted is None and not others):
                return True
            self._lock.release()
        if wait:
            raise StillAsking
        return False

    def release(self) -> None:
        """Let others ask again."""
        self._release()
        self._lock.release()

    def locked(self) -> bool:
        """Whether a thread of this process has the claim."""
        return self._lock.locked()


def _loaded(key: str, content: bytes) -> CachedValue | None:
    """The value that was kept under a key, or ``None`` where the bytes are anything else."""
    try:
        document = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    match document:
        case {
            "key": str(named),
            "metadata": {"ct": float(), "v": int()} as metadata,
            "quote": dict() | None as quote,
            "quoted_at": float(quoted_at),
            "failed": bool(failed),
        } if named == key and (quote is None or _is_quote(quote)):
            return CachedValue(Kept(OfferQuote(**quote) if quote else None, quoted_at, failed), metadata)
        case _:
            return None


def _is_quote(row: dict[str, object]) -> bool:
    """Whether these are the fields of a quote."""
    match row:
        case {
            "cloud": str(),
            "instance_type": str(),
            "region": str(),
            "purchase": str(),
            "usd_per_hour": float(usd_per_hour),
            "confidence": str(confidence),
            "source": str(),
            "as_of": str(),
            "interruptions_per_hour": float() | None,
        } if len(row) == len(fields(OfferQuote)):
            return usd_per_hour > 0 and confidence in CONFIDENCES
        case _:
            return False
