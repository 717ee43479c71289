"""Redis: a client for each way to run it, a link with a circuit breaker, and counts that processes share."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from threading import Lock
from typing import Any, TypeAlias, TypeVar, cast
from urllib.parse import unquote, urlsplit

import structlog
from redis import Redis, cluster, connection, exceptions, sentinel
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection
from redis.retry import Retry

from ..metrics import REDIS_ERRORS, REDIS_UP
from ..tracing import span

Client: TypeAlias = Redis  # a Cluster's client takes the same commands
Options: TypeAlias = dict[str, Any]
# redis-py does not type these.
ClusterNode: Callable[[str, int], Any] = cluster.ClusterNode
Sentinel: Callable[..., Any] = sentinel.Sentinel
parse_url: Callable[[str], Options] = connection.parse_url
to_bool: Callable[[Any], bool | None] = connection.to_bool
DEFAULT_PORT, DEFAULT_SENTINEL_PORT = 6379, 26379
DISTRIBUTED = re.compile(r"(rediss?)\+(sentinel|cluster)://(?:([^/?#]*)@)?([^/?#@]*)(/[^?#]*)?(\?[^#]*)?")
FOR_SENTINELS = "sentinel_"
# Options that Sentinels share with the server, unless they have values of their own with the prefix above.
SHARED_WITH_SENTINELS = ("socket_", "ssl")
EXPECTED = (
    "expected redis://, rediss:// or unix:// with redis-py's options, "
    "redis+sentinel://host:port,host:port/service/db or redis+cluster://host:port,host:port"
)
RETRY_SECONDS = 5.0  # a dead Redis costs one time-out in each; one that came back is used after it
# Answers of a Cluster that is being rearranged; the next trial finds the slots' new places.
REARRANGED = (exceptions.AskError, exceptions.ClusterError, exceptions.TryAgainError)
# Errors of redis-py, of sockets, and of its parsers if the server is no Redis.
BROKEN = (
    exceptions.RedisError,
    exceptions.RedisClusterException,
    OSError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
)

T = TypeVar("T")
USE = "limits"  # the label of the link in the metrics
# Every request waits for it. If Redis takes longer, each process counts by itself.
TIMEOUT_SECONDS = 0.1


def opener(url: str, timeout_seconds: float) -> Callable[[], Client]:
    """A function that makes a client for a URL; raises ``ValueError`` for an unusable URL, without quoting it.

    Nothing is connected here. The function of a Cluster reads the Cluster's layout.
    """
    try:
        distributed = DISTRIBUTED.fullmatch(url)
        if distributed is None:
            return _single(url, timeout_seconds)
        scheme, kind, account, hosts, path, query = distributed.groups(default="")
        options = _limits(timeout_seconds) | parse_url(f"redis://{account}@/{query}")
        tls = to_bool(options.pop("ssl", None)) or scheme == "rediss"
        make = _sentinels if kind == "sentinel" else _cluster
        return make(hosts, path.strip("/"), options, tls=tls)
    except (TypeError, ValueError, exceptions.RedisError):
        # The parsers' messages may hold the URL's password.
        raise ValueError(f"unusable Redis URL: {EXPECTED}") from None


def _limits(timeout_seconds: float) -> Options:
    return {"socket_timeout": timeout_seconds, "socket_connect_timeout": timeout_seconds, "protocol": 2}


def _no_retries() -> Retry:
    return Retry(NoBackoff(), retries=0)


def _single(url: str, timeout_seconds: float) -> Callable[[], Client]:
    client = Redis.from_url(url, retry=_no_retries(), **_limits(timeout_seconds))
    pool = client.connection_pool
    pool.connection_class(**pool.connection_kwargs)  # checks the options without connecting
    return lambda: client


def _sentinels(hosts: str, path: str, options: Options, *, tls: bool) -> Callable[[], Client]:
    service, _, database = path.partition("/")
    if not service:
        raise ValueError("no service")
    own = {
        name.removeprefix(FOR_SENTINELS): options.pop(name) for name in list(options) if name.startswith(FOR_SENTINELS)
    }
    options |= {"db": int(database or 0), "ssl": tls, "retry": _no_retries()}
    shared = {name: value for name, value in options.items() if name.startswith(SHARED_WITH_SENTINELS)}
    watching = shared | own | {"protocol": 2, "retry": _no_retries()}
    watching["ssl"] = to_bool(watching["ssl"])
    if not watching["ssl"]:
        watching = {name: value for name, value in watching.items() if not name.startswith("ssl_")}
    for kept in (options, watching):
        _check(kept)
    addresses = _addresses(hosts, DEFAULT_SENTINEL_PORT)
    client: Client = Sentinel(addresses, sentinel_kwargs=watching, **options).master_for(unquote(service))
    return lambda: client


def _cluster(hosts: str, path: str, options: Options, *, tls: bool) -> Callable[[], Client]:
    if int(path or 0):
        raise ValueError("a Cluster has one database")
    options |= {"ssl": tls}
    _check(options)
    addresses = _addresses(hosts, DEFAULT_PORT)

    def make() -> Client:
        nodes = [ClusterNode(host, port) for host, port in addresses]
        return cast(Client, cluster.RedisCluster(startup_nodes=nodes, retry=_no_retries(), **options))

    return make


def _check(options: Options) -> None:
    """Raise for options that connections do not take."""
    plain = {name: value for name, value in options.items() if name != "ssl"}
    (SSLConnection if options["ssl"] else Connection)(**plain)


def _addresses(hosts: str, default_port: int) -> list[tuple[str, int]]:
    found = [urlsplit(f"//{host}") for host in hosts.split(",")]
    if not all(address.hostname for address in found):
        raise ValueError("no host")
    return [(unquote(address.hostname or ""), address.port or default_port) for address in found]


class RedisUnavailable(Exception):
    """Redis does not answer, or failed recently and is not asked for now."""


class RedisRefused(Exception):
    """Redis refuses a command: out of memory, read-only, no permission, a key of another type."""


class RedisChanged(Exception):
    """A key that a transaction watched has changed; the transaction did nothing."""


class Link:
    """A client for one use, ``use`` in the metrics; threads share it, the first command connects it.

    After a failure it is a circuit breaker: until Redis answers again, one command in ``RETRY_SECONDS`` is tried.
    """

    def __init__(self, make: Callable[[], Client], *, use: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._make = make
        self._use = use
        self._clock = clock
        self._retry_at: float | None = None  # since a failure
        self._lock = Lock()
        self._client: Client | None = None
        self._making = Lock()
        self._tried = 0
        self._up: bool | None = None

    def run(self, command: Callable[[Client], T]) -> T:
        """Return the answer of ``command``; raise ``RedisUnavailable``, ``RedisRefused`` or ``RedisChanged``.

        ``command`` only speaks to the client. After an error it may or may not have been carried out.
        """
        if self._retry_at is not None and not self._tries_again():
            raise RedisUnavailable("did not answer lately")
        try:
            with span(f"redis {self._use}", "client", {"db.system.name": "redis", "plimsoll.redis.use": self._use}):
                answer = command(self._connected())
        except exceptions.WatchError as error:
            self._reached()
            raise RedisChanged(str(error)) from error
        except REARRANGED as error:
            raise self._lost(error) from error
        except exceptions.ResponseError as error:
            raise self._refused(error) from error
        except BROKEN as error:
            raise self._lost(error) from error
        self._reached()
        return answer

    def garbage(self) -> None:
        """Count a value that is not in the form in which it was written."""
        REDIS_ERRORS.labels(self._use, "garbage").inc()

    def _connected(self) -> Client:
        if self._client is None:
            tried = self._tried
            with self._making:
                if self._client is None and self._tried != tried:
                    raise RedisUnavailable("could not be connected to")  # another thread has just tried
                if self._client is None:
                    try:
                        self._client = self._make()
                    finally:
                        self._tried += 1
        return self._client

    def _tries_again(self) -> bool:
        """Return whether to try now, which delays the next trial."""
        with self._lock:
            now, retry_at = self._clock(), self._retry_at
            if retry_at is not None and now >= retry_at:
                self._retry_at = now + RETRY_SECONDS
            return retry_at is None or now >= retry_at

    def _turned(self, retry_at: float | None) -> bool:
        """Note a failure or a success; return whether it is the first one."""
        with self._lock:
            before, self._retry_at = self._retry_at, retry_at
            return (before is None) is not (retry_at is None)

    def _reached(self) -> None:
        self._show(up=True)
        if self._retry_at is not None and self._turned(None):
            structlog.get_logger(__name__).info("redis_available_again", use=self._use)

    def _lost(self, error: Exception) -> RedisUnavailable:
        REDIS_ERRORS.labels(self._use, "unreachable").inc()
        self._show(up=False)
        if self._turned(self._clock() + RETRY_SECONDS):
            structlog.get_logger(__name__).warning("redis_unavailable", use=self._use, error=_text(error))
        return RedisUnavailable(_text(error))

    def _refused(self, error: exceptions.ResponseError) -> RedisRefused:
        REDIS_ERRORS.labels(self._use, "refused").inc()
        self._reached()
        if isinstance(error, exceptions.ReadOnlyError):
            # The host name may belong to another server by now: the next command resolves it again.
            pool = getattr(self._client, "connection_pool", None)
            if pool is not None:
                pool.disconnect(inuse_connections=False)
        return RedisRefused(_text(error))

    def _show(self, *, up: bool) -> None:
        if self._up is not up:
            self._up = up
            REDIS_UP.labels(self._use).set(up)


def connect(url: str, *, use: str, timeout_seconds: float, clock: Callable[[], float] = time.monotonic) -> Link:
    """A link to the Redis at ``url``, not yet connected; raises ``ValueError`` for an unusable URL."""
    return Link(opener(url, timeout_seconds), use=use, clock=clock)


def _text(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


class SharedCounts:
    """Numbers in Redis by name, each forgotten some seconds after the last addition."""

    def __init__(self, link: Link, namespace: str) -> None:
        self._link = link
        self._prefix = f"{namespace}:rate:"

    def add(self, name: str, amount: int, seconds: int) -> int | None:
        """Return the number after adding; ``None`` if Redis is away or refuses."""
        key = self._prefix + name

        def command(client: Client) -> int:
            with client.pipeline(transaction=False) as pipe:
                pipe.incrby(key, amount)
                pipe.expire(key, seconds)
                return int(pipe.execute()[0])

        try:
            return self._link.run(command)
        except (RedisUnavailable, RedisRefused, RedisChanged):
            return None


def shared_counts(redis_url: str, namespace: str) -> SharedCounts:
    """Counts in the Redis at the URL, not yet connected; raises ``ValueError`` for an unusable URL."""
    return SharedCounts(connect(redis_url, use=USE, timeout_seconds=TIMEOUT_SECONDS), namespace)
