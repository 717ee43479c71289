"""The RPC signature, checked with the example of the ECS API reference."""

from __future__ import annotations

import httpx
import pytest

from plimsoll_service.prices.feeds.alibaba.api import Keys, Signed, keys_in, signature
from plimsoll_service.prices.feeds.feed import FeedError


def test_signs_the_documented_example():
    """The reference's key, nonce and time give the signature of the reference."""
    parameters = {
        "Timestamp": "2016-02-23T12:46:24Z",
        "Format": "XML",
        "AccessKeyId": "testid",
        "Action": "DescribeRegions",
        "SignatureMethod": "HMAC-SHA1",
        "SignatureNonce": "3ee8c1b8-83d3-44af-a94f-4e0ad82fd6cf",
        "Version": "2014-05-26",
        "SignatureVersion": "1.0",
    }

    assert "OLeaidS1JvxuMvnyHOwuJ+uX5qY=" == signature("GET", parameters, "testsecret")


def test_what_is_sent_carries_its_own_signature_and_a_new_nonce_each_time():
    """A request is signed as it is sent; another attempt has another signature."""
    sent: list[dict[str, str]] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(dict(request.url.params))
        return httpx.Response(200)

    with httpx.Client(transport=httpx.MockTransport(answer)) as http:
        for _ in range(2):
            http.get("https://ecs.us-west-1.aliyuncs.com/", params={"Words": "a b*~/é"}, auth=Signed(Keys("id", "s")))

    for query in sent:
        assert query.pop("Signature") == signature("GET", query, "s")
        assert "a b*~/é" == query["Words"]
    assert sent[0]["SignatureNonce"] != sent[1]["SignatureNonce"]


def test_a_temporary_key_sends_its_token():
    """With a security token the query holds it; without one it has no such parameter."""
    queries = [
        dict(next(Signed(keys).auth_flow(httpx.Request("GET", "https://ecs.aliyuncs.com/"))).url.params)
        for keys in (Keys("id", "secret", "token"), Keys("id", "secret"))
    ]

    assert ["token", None] == [query.get("SecurityToken") for query in queries]


def test_keys_do_not_show_themselves():
    """The text of a key contains no part of it."""
    assert "Keys()" == repr(Keys("LTAIid", "secret", "token"))


@pytest.mark.parametrize("present", ["ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"])
def test_half_a_key_is_named(present: str):
    """An access key with one part is an error that does not show that part."""
    missing = {"ALIBABA_CLOUD_ACCESS_KEY_ID", "ALIBABA_CLOUD_ACCESS_KEY_SECRET"} - {present}

    with pytest.raises(FeedError, match=missing.pop()) as raised:
        keys_in({present: "hidden"})

    assert "hidden" not in str(raised.value)


def test_an_environment_without_a_key_has_none():
    """Empty variables count as no key."""
    assert keys_in({"ALIBABA_CLOUD_ACCESS_KEY_ID": "", "HOME": "/"}) is None
