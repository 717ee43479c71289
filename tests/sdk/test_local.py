"""The service in this process: the same bytes as over a socket, and a clear error if it is not installed."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest

from plimsoll import AsyncClient, Client, ValidationError

EXAMPLES = sorted((Path(__file__).resolve().parents[1] / "examples").glob("*.json"))
FORMATS = ["json", "csv", "env"]


@pytest.fixture(scope="module")
def local() -> Client:
    """A client of the service in this process."""
    return Client.local()


@pytest.mark.parametrize("text_format", FORMATS)
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_answer_is_the_same_bytes_as_over_a_socket(
    local: Client, service_url: str, example: Path, text_format: str
) -> None:
    """The answer has the same bytes as over a socket."""
    question = json.loads(example.read_text())
    workload = question.pop("workload")

    with Client(service_url) as remote:
        expected = remote.recommend(workload, **question, format=text_format)

    assert expected == local.recommend(workload, **question, format=text_format)


def test_the_asynchronous_client_has_the_service_too(local: Client) -> None:
    """Concurrent calls are all answered, as by the synchronous client."""

    async def ask() -> list[str]:
        async with AsyncClient.local() as client:
            return await asyncio.gather(
                *(client.recommend(task="training", epochs=n, format="json") for n in (1, 2, 3))
            )

    assert asyncio.run(ask()) == [local.recommend(task="training", epochs=n, format="json") for n in (1, 2, 3)]


def test_a_refusal_is_the_same_error(local: Client) -> None:
    """A local client refuses the same requests as the service, with the same error."""
    with pytest.raises(ValidationError, match="/workload/task"):
        local.recommend(task="cooking")


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    """A local client prints nothing, because the output belongs to the program."""
    with Client.local() as client:
        client.recommend(task="training")

    assert capfd.readouterr() == ("", "")


def test_the_logging_of_the_program_stays_as_it_is() -> None:
    """A program's own structlog configuration stays unchanged."""
    script = (
        "import structlog\n"
        "processors = [structlog.processors.JSONRenderer()]\n"
        "structlog.configure(processors=processors)\n"
        "from plimsoll import Client\n"
        "Client.local()\n"
        "print(structlog.get_config()['processors'] is processors)\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert done.stdout == "True\n"


@pytest.mark.parametrize("variable", ["PLIMSOLL_TERMS", "PLIMSOLL_CATALOG", "PLIMSOLL_PRICE_TTL"])
def test_a_faulty_setting_is_named(variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fault of a variable or of its file is an error that callers need not import."""
    monkeypatch.setenv(variable, str(tmp_path / "none"))

    with pytest.raises(ValueError, match="none"):
        Client.local()


def test_without_the_service_the_error_names_the_package() -> None:
    """Without plimsoll-service, local() names the package; a client over HTTP does not need it."""
    script = (
        "import sys\n"
        "sys.modules['plimsoll_service'] = None\n"  # as Python marks what cannot be imported
        "from plimsoll import Client, NotInstalled\n"
        "Client()\n"
        "try:\n    Client.local()\n"
        "except NotInstalled as error:\n    print(error)\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert "install plimsoll-service" in done.stdout
