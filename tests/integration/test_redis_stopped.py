"""The HTTP service while its Redis is stopped and started."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

EXAMPLES = Path(__file__).parent.parent / "examples"
REQUESTS = 300
PAGES = (
    "/v1/prices",
    "/v1/prices?cloud=aws&limit=1000",
    "/v1/prices?instance_type=p3.2xlarge",
    "/v1/prices?region=us-east-1&purchase=spot",
)


@pytest.fixture(scope="module")
def without_redis():
    """A client of the service as it runs by default."""
    return create_app(Settings()).test_client()


@pytest.fixture
def client(redis_url):
    """A client of the service with a Redis."""
    return create_app(Settings(redis_url=redis_url)).test_client()


def requests(number):
    """A mixture without two equal neighbours: three price lookups, then a recommendation."""
    examples = [json.loads(path.read_text()) for path in sorted(EXAMPLES.glob("*.json"))]
    for turn in range(number):
        if turn % 4 == 3:
            yield "POST", "/v1/recommendations", examples[turn // 4 % len(examples)]
        else:
            yield "GET", f"/v1/prices?cloud=aws&limit=5&instance_type={('p3.2xlarge', 'g5.xlarge')[turn % 2]}", None


def send(client, request):
    """The response to one of the requests."""
    method, url, body = request
    return client.open(url, method=method, json=body)


def metric(client, line):
    """The value of one line of ``/metrics``."""
    (value,) = (text.split()[-1] for text in client.get("/metrics").text.splitlines() if text.startswith(line))
    return float(value)


@pytest.mark.parametrize("url", PAGES)
def test_answers_are_byte_identical_with_and_without_redis(without_redis, client, url):
    """Answers have the same bytes with and without Redis, for written and for read prices."""
    expected = without_redis.get(url)

    first, second = client.get(url), client.get(url)

    assert expected.status_code == first.status_code == second.status_code == 200
    assert expected.data == first.data == second.data


def test_no_request_fails_while_redis_dies_and_comes_back(without_redis, client, redis_server):
    """None of 300 mixed requests fails or differs while Redis is killed and started again."""
    answers = {}
    with capture_logs() as logs:
        for number, request in enumerate(requests(REQUESTS)):
            if number == REQUESTS // 3:
                redis_server.kill()
            if number == 2 * REQUESTS // 3:
                redis_server.start()
            response = send(client, request)
            assert response.status_code == 200, response.text
            answers.setdefault(json.dumps(request), set()).add(response.data)

    assert [] == [request for request, bodies in answers.items() if len(bodies) != 1]
    for request, bodies in answers.items():
        assert {send(without_redis, json.loads(request)).data} == bodies
    warnings = [(entry["event"], entry["use"]) for entry in logs if entry["log_level"] == "warning"]
    assert len(set(warnings)) == len(warnings)  # whoever uses Redis says so once


def test_a_redis_that_was_never_there_keeps_nothing_from_starting(without_redis, redis_server):
    """The service starts, is ready and answers although nothing listens at its Redis' address."""
    redis_server.kill()
    client = create_app(Settings(redis_url=redis_server.url)).test_client()

    statuses = [client.get("/healthz").status_code, client.get("/readyz").status_code]

    assert [200, 200] == statuses
    assert without_redis.get(PAGES[0]).data == client.get(PAGES[0]).data
    assert 0.0 == metric(client, 'plimsoll_redis_up{use="snapshots"}')
