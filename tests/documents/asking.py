"""Questions to the service over HTTP, as the cases of the source documents ask them."""

from __future__ import annotations

from functools import cache
from typing import Any

from flask.testing import FlaskClient

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

Json = dict[str, Any]
IMAGENET = {
    "task": "training",
    "model": "resnet50",
    "precision": "mixed",
    "dataset": {"name": "imagenet-1k", "format": "recordio"},
    "epochs": 90,
}
CLASSIFYING = {"task": "inference", "model": "resnet50"}


@cache
def client() -> FlaskClient:
    """The whole service over the bundled catalog."""
    return create_app(Settings()).test_client()


def get(path: str) -> Json:
    """The JSON of a resource that is there."""
    reply = client().get(path)
    assert 200 == reply.status_code, reply.text
    found: Json = reply.get_json()
    return found


def post(path: str, body: Json) -> Json:
    """The JSON answer to a question that is understood."""
    reply = client().post(path, json=body)
    assert 200 == reply.status_code, reply.text
    found: Json = reply.get_json()
    return found


def recommend(
    workload: Json,
    families: tuple[str, ...] = (),
    objective: str | None = None,
    limit: int = 20,
    group: str = "hardware",
    **constraints: object,
) -> Json:
    """Recommendations on AWS, only of the named families (also retired ones) if any are named."""
    body: Json = {"workload": workload, "constraints": {"clouds": ["aws"], **constraints}, "limit": limit}
    body["group"] = group
    if families:
        body["constraints"] |= {"instance_families": list(families), "retired": True}
    if objective:
        body["objective"] = objective
    return post("/v1/recommendations", body)


def names(answer: Json) -> list[str]:
    """Instance types in the order of their ranks."""
    return [one["instance_type"] for one in answer["recommendations"]]


def families(answer: Json) -> list[str]:
    """Families in the order of their best ranks, each once."""
    return list(dict.fromkeys(name.partition(".")[0] for name in names(answer)))


def estimate(workload: Json, on: str | Json, constraints: Json | None = None) -> Json:
    """The answer for an AWS instance type by name, or for described hardware."""
    machine = {"cloud": "aws", "instance_type": on} if isinstance(on, str) else on
    return post("/v1/estimates", {"workload": workload, "on": machine, "constraints": constraints or {}})


def throughput(answer: Json) -> float:
    """Samples (or tokens, or GFLOP) a second in the middle of the range."""
    rate: float = answer["estimate"]["throughput"]["value"]
    return rate


def instance_type(name: str) -> Json:
    """An AWS instance type of the catalog."""
    return get(f"/v1/instance-types/aws/{name}")


@cache
def _accelerators() -> dict[str, Json]:
    return {one["name"]: one for one in get("/v1/accelerators?limit=1000")["items"]}


def accelerator(name: str) -> Json:
    """A device of the catalog."""
    return _accelerators()[name]


def precisions(name: str) -> set[str]:
    """The precisions for which a device has a peak rate."""
    return set(accelerator(name)["precisions"])


def notes(one: Json) -> dict[str, Json]:
    """Reasons and warnings by the rule that they name."""
    return {note["rule"]: note for note in (*one["reasons"], *one["warnings"])}


def cites(one: Json, rule: str, fact: str) -> bool:
    """Whether a reason or warning names the rule, and the rule the fact."""
    return rule in notes(one) and fact in notes(one)[rule]["source"]
