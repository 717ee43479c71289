"""The Helm chart as Kubernetes sees it: accepted values, refused values, and permissions of its pods."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.contract.deploy_readers.rendered import (
    CASES,
    DEFAULTS,
    ROOT,
    container,
    environment,
    manifests,
    of_cases,
    pods,
    rendered,
)

FURTHER = ("serviceEgress", "refreshEgress")
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no_secret": ({"redis": {"mode": "url"}}, "/redis/urlSecret/name"),
    "no_address": ({"redis": {"mode": "single"}}, "/redis/addresses"),
    "two_servers": ({"redis": {"mode": "single", "addresses": ["a", "b"]}}, "/redis/addresses"),
    "no_primary": ({"redis": {"mode": "sentinel", "addresses": ["a:26379"]}}, "/redis/service"),
    "database_of_a_cluster": ({"redis": {"mode": "cluster", "addresses": ["a"], "database": 1}}, "/redis/database"),
    "password_in_values": ({"redis": {"mode": "single", "addresses": ["a"], "password": "x"}}, "'password'"),
    "set_by_the_chart": ({"settings": {"PLIMSOLL_REDIS_URL": "redis://a"}}, "'PLIMSOLL_REDIS_URL'"),
    "no_file": ({"priceRefresh": {"jobs": {"file": {"enabled": True}}}}, "'url'"),
    "no_schedule": ({"priceRefresh": {"jobs": {"aws": {"schedule": "hourly"}}}}, "/priceRefresh/jobs/aws/schedule"),
    "misspelt": ({"replicaz": 3}, "'replicaz'"),
    "open_by_mistake": ({"service": {"type": "LoadBalancer"}}, "wants a secret of keys, or open: true"),
    "two_terms": ({"terms": {"configMap": "a", "secret": "b"}}, "state one of inline, configMap and secret"),
}


@pytest.fixture(scope="module")
def answers() -> dict[str, Any]:
    """Helm's output for each set of values."""
    return of_cases()


@pytest.fixture(scope="module")
def refusals() -> dict[str, Any]:
    """Helm's messages about values that cannot work."""
    return dict(zip(REFUSED, rendered([values for values, _ in REFUSED.values()]), strict=True))


@pytest.mark.parametrize("case", CASES)
def test_kubernetes_takes_what_helm_renders(answers: dict[str, Any], case: str) -> None:
    """Helm's linter finds nothing, and every manifest fits the oldest and the newest schemas."""
    answer = answers[case]

    assert answer.get("refused") is None
    assert (answer["faults"], answer["lint"]) == ([], [])


@pytest.mark.parametrize("case", REFUSED)
def test_values_that_cannot_work_are_refused_by_name(refusals: dict[str, Any], case: str) -> None:
    """Faulty values are named before anything is installed."""
    assert REFUSED[case][1] in refusals[case]["refused"]


def test_the_defaults_need_no_redis_and_refresh_nothing(answers: dict[str, Any]) -> None:
    """By default, the chart installs only the service with its protections, and a test."""
    kinds = sorted(each["kind"] for each in answers[DEFAULTS]["manifests"])

    assert kinds == [
        "ConfigMap",
        "Deployment",
        "HorizontalPodAutoscaler",
        "NetworkPolicy",
        "Pod",
        "PodDisruptionBudget",
        "Service",
        "ServiceAccount",
    ]
    assert not [name for name in environment(pods(answers, DEFAULTS)[0]) if "REDIS" in name]


@pytest.mark.parametrize("case", CASES)
def test_every_pod_may_do_nothing_that_it_need_not(answers: dict[str, Any], case: str) -> None:
    """Pods have the image's user, no capabilities and no token, and write only to a bounded scratch volume."""
    user = int(re.findall(r"^USER (\d+):", (ROOT / "Dockerfile").read_text(), re.MULTILINE)[0])
    for pod in pods(answers, case):
        scratch = {each["name"] for each in pod["spec"].get("volumes", []) if "sizeLimit" in each.get("emptyDir", {})}

        assert not pod["spec"]["automountServiceAccountToken"]
        assert pod["spec"]["securityContext"] == {
            "runAsNonRoot": True,
            "runAsUser": user,
            "runAsGroup": user,
            "fsGroup": user,
            "seccompProfile": {"type": "RuntimeDefault"},
        }
        for each in pod["spec"]["containers"]:
            assert each["securityContext"] == {
                "allowPrivilegeEscalation": False,
                "readOnlyRootFilesystem": True,
                "capabilities": {"drop": ["ALL"]},
            }
            assert all(mount.get("readOnly") or mount["name"] in scratch for mount in each.get("volumeMounts", []))
            assert each["resources"]["limits"]["memory"]


@pytest.mark.parametrize("case", CASES)
def test_selectors_find_the_replicas_and_nothing_else(answers: dict[str, Any], case: str) -> None:
    """Service, Deployment and budget choose the service's pods, not those of price jobs or tests."""
    (service,) = manifests(answers, case, "Service")
    (deployment,) = manifests(answers, case, "Deployment")
    budgets = [each["spec"]["selector"]["matchLabels"] for each in manifests(answers, case, "PodDisruptionBudget")]
    selectors = [service["spec"]["selector"], deployment["spec"]["selector"]["matchLabels"], *budgets]
    chosen = [
        [pod for pod in pods(answers, case) if selector.items() <= pod["metadata"]["labels"].items()]
        for selector in selectors
    ]

    assert all(found == [deployment["spec"]["template"]] for found in chosen)


def test_a_replica_has_the_time_to_end_its_requests(answers: dict[str, Any]) -> None:
    """The proxy stops first, then the service; Kubernetes kills neither before gunicorn has finished requests."""
    pod = pods(answers, DEFAULTS)[0]
    drained = int(environment(pod)["PLIMSOLL_DRAIN_SECONDS"]["value"])
    graceful = int(environment(pod)["GUNICORN_CMD_ARGS"]["value"].split()[-1])
    (deployment,) = manifests(answers, DEFAULTS, "Deployment")
    word, taken = pod["spec"]["containers"][1]["lifecycle"]["preStop"]["exec"]["command"]

    assert (word, int(taken) < drained) == ("sleep", True)
    assert pod["spec"]["terminationGracePeriodSeconds"] > drained + graceful
    assert deployment["spec"]["strategy"]["rollingUpdate"]["maxUnavailable"] == 0


def test_passwords_are_known_before_the_url_that_has_them(answers: dict[str, Any]) -> None:
    """Passwords are stated before the URL that contains them, because Kubernetes replaces only earlier variables."""
    names = list(environment(pods(answers, "sentinel")[0]))

    assert names.index("PLIMSOLL_REDIS_URL") > max(names.index(name) for name in names if "PASSWORD" in name)


def test_each_job_sees_its_own_credentials_alone(answers: dict[str, Any]) -> None:
    """A job refers only to the secrets of its own provider and of Redis."""
    secrets = {"plimsoll-aws", "plimsoll-gcp", "plimsoll-alibaba"}
    seen = {}
    for job in manifests(answers, "everything", "CronJob"):
        pod = job["spec"]["jobTemplate"]["spec"]["template"]
        seen[container(pod)["args"][3]] = {name for name in secrets if f"'{name}'" in str(pod["spec"])}

    assert seen == {
        "aws": {"plimsoll-aws"},
        "azure": set(),
        "gcp": {"plimsoll-gcp"},
        "alibaba": {"plimsoll-alibaba"},
        "file": set(),
    }


def reached(policy: dict[str, Any]) -> set[int]:
    """Ports that a policy lets its pods reach at any address."""
    return {port["port"] for rule in policy["spec"]["egress"] for port in rule.get("ports", [])}


@pytest.mark.parametrize("case", CASES)
def test_pods_reach_what_they_need_and_nothing_else(answers: dict[str, Any], case: str) -> None:
    """Pods reach names, each address of Redis, HTTPS for refreshes, and otherwise only the stated targets."""
    policies = {each["metadata"]["name"]: each for each in manifests(answers, case, "NetworkPolicy")}
    values = CASES[case]
    redis = values.get("redis", {})
    addresses = {int(address.split(":")[1]) for address in redis.get("addresses", [])}
    own = values.get("networkPolicy", {})
    ports = addresses | set(own.get("redisPorts", [6379, 26379] if redis else []))
    live = {443} if values.get("settings", {}).get("PLIMSOLL_LIVE_PRICES") else set()
    stated = {name: {port["port"] for rule in own.get(name, []) for port in rule["ports"]} for name in FURTHER}
    expected = {"release-plimsoll": {53} | ports | live | stated["serviceEgress"]}
    if redis:
        expected["release-plimsoll-prices"] = {53, 443} | ports | stated["refreshEgress"]

    assert {name: reached(policy) for name, policy in policies.items()} == ({} if case == "bare" else expected)


def test_every_price_list_is_at_the_port_that_jobs_reach() -> None:
    """Every feed uses only HTTPS at its usual port."""
    feeds = ROOT / "service/src/plimsoll_service/prices/feeds"
    asked = re.findall(r'"(https?://[^"/]+)', "".join(path.read_text() for path in feeds.rglob("*.py")))

    assert asked
    assert [url for url in asked if not url.startswith("https://") or re.search(r":\d+$", url)] == []
