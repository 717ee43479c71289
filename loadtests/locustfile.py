"""A realistic mix of requests from this machine to a service on this machine; see README.md."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import urlencode, urlsplit

import gevent
from checks import estimate, instance_types, prices, recommendations
from locust import FastHttpUser, between, events, task
from locust.env import Environment
from workloads import EXAMPLES, variant

LOOPBACK = ("127.0.0.1", "localhost", "::1")
LONGEST_RUN_SECONDS = 3700  # whatever the command line says, or forgets to say
ACCELERATORS = ("V100-16GB", "T4", "A10G", "L4")
# Machines that hold ResNet-50 at any batch size asked for below.
MACHINES = ("p3.2xlarge", "g4dn.xlarge", "g5.xlarge", "p3.8xlarge")
NUMBERS = count()  # every request of a run is another one, but for those that are repeated on purpose
REPEATED = 5  # questions of each kind that come again and again
CONDITIONAL = 0.5  # of those who ask again still have the answer, and say so
QUERY = "task=training&framework=pytorch&model=resnet50&dataset_size=240GB&epochs={}"


@events.test_start.add_listener
def keep_to_this_machine(environment: Environment, **_: Any) -> None:
    """Refuse any target except loopback, and end the run in any case."""
    host = urlsplit(environment.host or Customer.host).hostname
    if host not in LOOPBACK:
        raise SystemExit(f"only a service on this machine is loaded, not {host}")
    if environment.runner:
        gevent.spawn_later(LONGEST_RUN_SECONDS, environment.runner.quit)


class Customer(FastHttpUser):
    """A pipeline or a person that asks, reads the answer, and asks again."""

    host = "http://127.0.0.1:8080"
    wait_time = between(0.05, 0.2)
    some_prices: list[dict[str, Any]]
    known: dict[str, tuple[bytes, str | None]]

    def on_start(self) -> None:
        """Learn some prices, to see later whether they are still answered."""
        self.known = {}
        with self.client.get("/v1/prices?cloud=aws&limit=200", name="GET /v1/prices (page)") as response:
            self.some_prices = response.json()["items"]

    @task(45)
    def recommend(self) -> None:
        """Ask about a new variant of one of the examples."""
        body = variant(random.choice(list(EXAMPLES)), next(NUMBERS))
        self._ask("POST", "/v1/recommendations", recommendations, json=body)

    @task(15)
    def repeat(self) -> None:
        """Repeat an earlier question, with and without If-None-Match: the answer is the same, byte for byte."""
        name, number = random.choice(list(EXAMPLES)), random.randrange(REPEATED)
        conditional = random.random() < CONDITIONAL
        body = variant(name, -1 - number)
        self._again("POST", f"{name} {number}", "/v1/recommendations", conditional=conditional, json=body)

    @task(10)
    def repeat_by_query(self) -> None:
        """Repeat an earlier question with query parameters."""
        query = QUERY.format(1 + random.randrange(REPEATED))
        conditional = random.random() < CONDITIONAL
        self._again("GET", query, f"/v1/recommendations?{query}", conditional=conditional)

    @task(10)
    def recommend_by_query(self) -> None:
        """Ask as a shell script does."""
        query = QUERY.format(30 + next(NUMBERS) % 1_000_000)
        self._ask("GET", "/v1/recommendations", recommendations, query=query)

    @task(10)
    def estimate(self) -> None:
        """Ask for the estimate of a training on a given machine."""
        workload = {"task": "training", "model": "resnet50", "batch_size": 16 + next(NUMBERS) % 32}
        body = {"workload": workload, "on": {"cloud": "aws", "instance_type": random.choice(MACHINES)}}
        self._ask("POST", "/v1/estimates", estimate, json=body)

    @task(10)
    def price(self) -> None:
        """Look one price up."""
        expected = random.choice(self.some_prices)
        query = urlencode({name: expected[name] for name in ("cloud", "region", "instance_type", "purchase")})
        self._ask("GET", "/v1/prices", lambda answer: prices(answer, expected), query=query)

    @task(10)
    def catalog(self) -> None:
        """Browse the machines that have an accelerator."""
        name = random.choice(ACCELERATORS)
        query = f"accelerator={name}&limit=50"
        self._ask("GET", "/v1/instance-types", lambda answer: instance_types(answer, name), query=query)

    def _ask(
        self,
        method: str,
        path: str,
        check: Callable[[dict[str, Any]], None],
        *,
        query: str = "",
        json: dict[str, Any] | None = None,
    ) -> None:
        """Send the request, counted under its route, and fail it if the answer is wrong."""
        url, name = f"{path}?{query}" if query else path, f"{method} {path}"
        with self.client.request(method, url, name=name, json=json, catch_response=True) as response:
            if response.status_code != 200:
                response.failure(f"{response.status_code}: {response.text}")
                return
            try:
                check(response.json())
            except (AssertionError, KeyError, TypeError, ValueError) as error:
                response.failure(f"{type(error).__name__}: {error}")

    def _again(self, method: str, key: str, url: str, *, conditional: bool = False, **options: Any) -> None:
        """Ask again; with ``conditional``, only if the answer is known, which must not have changed."""
        content, tag = self.known.get(key, (None, None))
        headers = {"If-None-Match": tag} if conditional and tag else {}
        name = f"{method} /v1/recommendations (again{', if changed' if headers else ''})"
        with self.client.request(method, url, name=name, headers=headers, catch_response=True, **options) as response:
            expected = 304 if headers else 200
            if response.status_code != expected:
                response.failure(f"{response.status_code} instead of {expected}: {response.text}")
            elif expected == 200 and content not in (None, response.content):
                response.failure("the answer to the same question has changed")
            elif expected == 200:
                recommendations(response.json())
                self.known[key] = response.content, response.headers.get("ETag")
