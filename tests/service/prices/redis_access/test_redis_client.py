"""Which Redis URLs are taken."""

from __future__ import annotations

import pytest

from plimsoll_service.prices.redis_access.redis_client import opener

SECRET = "s3cr3t"


@pytest.mark.parametrize(
    "url",
    [
        "redis://h",
        "redis://user:password@h:6380/2?socket_timeout=1.5&max_connections=5",
        "rediss://h:6380/0?ssl_ca_certs=/ca.pem&ssl_certfile=/own.pem&ssl_keyfile=/own.key&ssl_check_hostname=false",
        "unix:///run/redis.sock?db=1",
        "redis+sentinel://a:26379,b:26379/prices/1",
        "redis+sentinel://user:p%40ss@a,[::1]:26380/prices?sentinel_username=s&sentinel_password=t",
        "rediss+sentinel://a/prices?ssl_ca_certs=/ca.pem&sentinel_ssl=false",
        "redis+sentinel://a/prices?ssl=true&sentinel_ssl_ca_certs=/other.pem",
        "redis+cluster://user:password@a:6379,b:6380",
        "rediss+cluster://a?ssl_ca_certs=/ca.pem",
        "redis+cluster://a/0?ssl=true",
    ],
)
def test_every_way_has_a_url(url):
    """Nothing is reached for before the first command."""
    assert callable(opener(url, 0.1))


@pytest.mark.parametrize(
    "url",
    [
        "",
        "localhost:6379",
        f"http://:{SECRET}@h",
        f"redis://:{SECRET}@h:port/0",
        f"redis://:{SECRET}@h?colour={SECRET}",
        f"redis://:{SECRET}@h?socket_timeout={SECRET}",
        f"redis://:sl/ash{SECRET}@h",
        f"redis+sentinel://:{SECRET}@a:26379",
        f"redis+sentinel://:{SECRET}@/prices",
        f"redis+sentinel://:{SECRET}@a,,b/prices",
        f"redis+sentinel://:{SECRET}@a/prices/{SECRET}",
        f"redis+sentinel://:{SECRET}@a/prices?sentinel_colour=red",
        f"redis+sentinel://:{SECRET}@a/prices?colour=red",
        f"redis+cluster://:{SECRET}@a/1",
        f"redis+cluster://:{SECRET}@a:{SECRET}",
        f"redis+cluster://:{SECRET}@a?colour={SECRET}",
        "redis+cluster://",
        "redis+ring://a",
    ],
)
def test_another_url_is_an_error_that_does_not_quote_it(url):
    """The error says what is expected, and nothing of the URL, which may hold a password."""
    with pytest.raises(ValueError, match="unusable Redis URL: expected redis://") as raised:
        opener(url, 0.1)

    assert SECRET not in str(raised.value)
    assert raised.value.__suppress_context__
