"""The client's API key: its source, its target, and the places where it never appears."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from plimsoll import ApiError, Client, Forbidden, PlimsollError, RateLimited, Retry, Unauthorized
from plimsoll.cli.app import plimsoll
from plimsoll_service.api.guard.key_file import changing
from plimsoll_service.api.guard.keys import ApiKey, minted
from plimsoll_service.app import create_app
from plimsoll_service.settings import RateLimit, Settings

ONCE = Retry(attempts=1)


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Keys by their purpose, and their file."""
    path: Path = tmp_path_factory.mktemp("keys") / "keys.jsonl"
    made: dict[str, tuple[str, ApiKey]] = {
        "size": minted("a", frozenset({"size"})),
        "read": minted("b", frozenset({"read"}), rate=RateLimit(1, "day")),
    }
    with changing(path) as keys:
        keys |= {key.id: key for _, key in made.values()}
    return {name: text for name, (text, _) in made.items()} | {"path": str(path)}


@pytest.fixture(scope="module")
def transport(keys: dict[str, str]) -> Iterator[httpx.WSGITransport]:
    """A service that asks for keys."""
    settings = Settings(api_keys_path=Path(keys["path"]), log_level="critical")
    return httpx.WSGITransport(app=create_app(settings))


def test_the_key_opens_what_it_is_for(transport: httpx.WSGITransport, keys: dict[str, str]) -> None:
    """The key gives access to its scope, and is refused by name for the rest."""
    with Client(api_key=keys["size"], transport=transport, retry=ONCE) as client:
        assert client.recommend(task="training").recommendations
        with pytest.raises(Forbidden, match="'read'"):
            list(client.rules())


def test_without_a_key_the_call_is_unauthorized(
    transport: httpx.WSGITransport, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says that a key is needed."""
    monkeypatch.delenv("PLIMSOLL_API_KEY", raising=False)
    with Client(transport=transport, retry=ONCE) as client, pytest.raises(Unauthorized, match="Authorization: Bearer"):
        client.recommend(task="training")


def test_the_environment_has_the_key(
    transport: httpx.WSGITransport, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without an explicit key, the client uses the environment's; the caller's own headers take precedence."""
    monkeypatch.setenv("PLIMSOLL_API_KEY", keys["size"])
    with Client(transport=transport, retry=ONCE) as client:
        assert client.recommend(task="training").recommendations
    with (
        Client(transport=transport, retry=ONCE, headers={"authorization": "Bearer other"}) as client,
        pytest.raises(Unauthorized),
    ):
        client.recommend(task="training")


def test_who_asks_too_much_learns_when_to_come_again(transport: httpx.WSGITransport, keys: dict[str, str]) -> None:
    """A wait of hours is left to the caller."""
    with Client(api_key=keys["read"], transport=transport) as client:
        list(client.rules())
        with pytest.raises(RateLimited) as refused:
            list(client.rules())

    assert (refused.value.retry_after or 0) > 0


def test_the_key_is_in_no_text(transport: httpx.WSGITransport, keys: dict[str, str]) -> None:
    """The key is in no text of the client, its parts, or its errors."""
    key = keys["read"]
    unreachable = Client("http://127.0.0.1:9", api_key=key, retry=ONCE)
    with pytest.raises(PlimsollError) as lost:
        unreachable.health()
    with Client(api_key=key, transport=transport, retry=ONCE) as client, pytest.raises(ApiError) as refused:
        client.recommend(task="training")
    texts = [repr(each) + str(each) for each in (client, client._options, client._sender, lost.value, refused.value)]
    texts.append(repr(vars(client)))

    assert [text for text in texts if key in text or key.split("_")[2] in text] == []
    assert key.encode() not in pickle.dumps(refused.value)


@pytest.mark.parametrize("key", ["plm_a b", "plm_\n", "plm_é"])
def test_what_cannot_be_a_key_is_refused_and_not_quoted(key: str) -> None:
    """A malformed key, such as one with a line break, is refused without being quoted."""
    with pytest.raises(ValueError, match="PLIMSOLL_API_KEY") as refused:
        Client(api_key=key)

    assert key not in str(refused.value)


def test_the_command_line_says_where_the_key_is_taken_from(
    keys: dict[str, str], transport: httpx.WSGITransport, monkeypatch: pytest.MonkeyPatch, service_url: str
) -> None:
    """A service without keys accepts any; no option takes a key, because others on the machine could read it."""
    monkeypatch.setenv("PLIMSOLL_API_KEY", keys["size"])
    found = CliRunner().invoke(plimsoll, ["models", "resnet50", "--url", service_url])

    assert found.exit_code == 0
    assert "api-key" not in CliRunner().invoke(plimsoll, ["models", "--help"]).output
