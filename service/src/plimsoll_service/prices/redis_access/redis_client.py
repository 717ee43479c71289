"""Clients for the ways Redis is run: one server, behind Sentinels, a Cluster; over TCP, TLS or a Unix socket."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias, cast
from urllib.parse import unquote, urlsplit

from redis import Redis, cluster, connection, sentinel
from redis.backoff import NoBackoff
from redis.connection import Connection, SSLConnection
from redis.exceptions import RedisError
from redis.retry import Retry

Client: TypeAlias = Redis  # a Cluster's takes the same commands
Options: TypeAlias = dict[str, Any]
# These have no types of their own.
ClusterNode: Callable[[str, int], Any] = cluster.ClusterNode
Sentinel: Callable[..., Any] = sentinel.Sentinel
parse_url: Callable[[str], Options] = connection.parse_url
to_bool: Callable[[Any], bool | None] = connection.to_bool
DEFAULT_PORT, DEFAULT_SENTINEL_PORT = 6379, 26379
DISTRIBUTED = re.compile(r"(rediss?)\+(sentinel|cluster)://(?:([^/?#]*)@)?([^/?#@]*)(/[^?#]*)?(\?[^#]*)?")
FOR_SENTINELS = "sentinel_"
# What the Sentinels' connections share with the server's: an own value has the prefix above.
SHARED_WITH_SENTINELS = ("socket_", "ssl")
EXPECTED = (
    "expected redis://, rediss:// or unix:// with redis-py's options, "
    "redis+sentinel://host:port,host:port/service/db or redis+cluster://host:port,host:port"
)


def opener(url: str, timeout_seconds: float) -> Callable[[], Client]:
    """What makes a client for a URL; ``ValueError``, which never quotes the URL, where that is not one for Redis.

    Nothing is reached for here, but a Cluster's client reads the Cluster's layout when it is made.
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
    except (TypeError, ValueError, RedisError):
        # What the parsers say may hold the URL's password.
        raise ValueError(f"unusable Redis URL: {EXPECTED}") from None


def _limits(timeout_seconds: float) -> Options:
    return {"socket_timeout": timeout_seconds, "socket_connect_timeout": timeout_seconds, "protocol": 2}


def _no_retries() -> Retry:
    return Retry(NoBackoff(), retries=0)


def _single(url: str, timeout_seconds: float) -> Callable[[], Client]:
    client = Redis.from_url(url, retry=_no_retries(), **_limits(timeout_seconds))
    pool = client.connection_pool
    pool.connection_class(**pool.connection_kwargs)  # checks the options; making a connection does not open it
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
    """Raise for options that no connection takes."""
    plain = {name: value for name, value in options.items() if name != "ssl"}
    (SSLConnection if options["ssl"] else Connection)(**plain)


def _addresses(hosts: str, default_port: int) -> list[tuple[str, int]]:
    found = [urlsplit(f"//{host}") for host in hosts.split(",")]
    if not all(address.hostname for address in found):
        raise ValueError("no host")
    return [(unquote(address.hostname or ""), address.port or default_port) for address in found]
