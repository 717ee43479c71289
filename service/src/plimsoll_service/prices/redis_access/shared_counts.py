"""Counts that all workers and replicas of an installation share."""

from __future__ import annotations

from plimsoll_service.prices.redis_access.redis_client import Client
from plimsoll_service.prices.redis_access.redis_link import Link, RedisChanged, RedisRefused, RedisUnavailable, connect

USE = "limits"  # the metrics' label of the link
# Every request waits for it: what takes longer is dead, and each process then counts by itself.
TIMEOUT_SECONDS = 0.1


class SharedCounts:
    """Numbers in Redis, each under a name of its own, forgotten some seconds after it was last added to."""

    def __init__(self, link: Link, namespace: str) -> None:
        self._link = link
        self._prefix = f"{namespace}:rate:"

    def add(self, name: str, amount: int, seconds: int) -> int | None:
        """The number after adding; ``None`` where Redis is away or refuses."""
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
    """Counts in the Redis at the URL, not yet reached for; ``ValueError`` for what is none."""
    return SharedCounts(connect(redis_url, use=USE, timeout_seconds=TIMEOUT_SECONDS), namespace)
