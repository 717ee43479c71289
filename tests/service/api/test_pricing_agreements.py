"""The operator's file of pricing agreements: its content, the faults that stop the start, and its effect on answers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from tests.service.engine.catalogs import bundled_market

from plimsoll_service import cli
from plimsoll_service.api.pricing_agreements import PricingAgreementsError, digest, load_agreements
from plimsoll_service.app import create_app
from plimsoll_service.engine.workload import Commitment, Discount, Quota
from plimsoll_service.settings import Settings

PAGE = Path(__file__).resolve().parents[3] / "docs" / "pricing-agreements.md"
EXAMPLE = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
ON_P4D = {
    "workload": {"task": "training", "model": "resnet50", "epochs": 10},
    "on": {"cloud": "aws", "instance_type": "p4d.24xlarge", "node_count": 4},
}


def written(directory: Path, text: str) -> Path:
    path = directory / "terms.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def faults(directory: Path, text: str) -> list[str]:
    """All faults of a file."""
    with pytest.raises(PricingAgreementsError) as refused:
        load_agreements(written(directory, text), bundled_market())
    return list(refused.value.faults)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> FlaskClient:
    """A service under the agreements of the documentation."""
    path = written(tmp_path_factory.mktemp("terms"), EXAMPLE)
    return create_app(Settings(terms_path=path, log_level="error")).test_client()


def posted(client: FlaskClient, route: str, body: dict[str, Any]) -> Any:
    return client.post(route, json=body).get_json()


def test_the_documented_example_is_read(tmp_path: Path) -> None:
    """Every entry of docs/pricing-agreements.md becomes an agreement."""
    terms = load_agreements(written(tmp_path, EXAMPLE), bundled_market())
    reserved = Commitment(
        "aws", "reserved", 12.5, instance_types=("p4d.24xlarge",), regions=("us-east-1",), max_nodes=2
    )
    assert (Discount("aws", 12, ("g5", "g6")),) == terms.discounts
    assert reserved == terms.commitments[0]
    assert (Quota("azure", 1, ("NDasr_v4",)),) == terms.quotas
    assert ["lab"] == [one.label for one in terms.own_machines]


def test_json_is_read_too(tmp_path: Path) -> None:
    """The same agreements in JSON are equal."""
    text = '{"discounts": [{"cloud": "aws", "percent": 12}]}'
    same = "discounts: [{cloud: aws, percent: 12.0}] # as of January"
    found = [load_agreements(written(tmp_path, one), bundled_market()) for one in (text, same)]
    assert found[0] == found[1]
    assert digest(found[0]) == digest(found[1])


def test_all_faults_are_named_at_once(tmp_path: Path) -> None:
    """Faults of form and of meaning are named together, each with its place in the file."""
    found = faults(
        tmp_path,
        "discount: []\n"
        "discounts: [{cloud: awz, percent: 10}]\n"
        "commitments: [{cloud: aws, kind: leased, percent: 5, usd_per_hour: 3}, {cloud: aws, kind: reserved}]\n"
        "quotas: [{cloud: aws, max_nodes: -1}]\n"
        "own_machines: [{accelerator: V100}]\n",
    )
    places = {fault.partition(": ")[0] for fault in found}
    assert {
        "/discount",
        "/discounts/0/cloud",
        "/commitments/0/kind",
        "/commitments/0/percent",
        "/commitments/1/usd_per_hour",
        "/quotas/0/max_nodes",
        "/own_machines/0/usd_per_hour",
    } == places
    assert "/discount: unknown field; did you mean 'discounts'?" in found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("discounts: [", "is not YAML"),
        ("", "must be an object"),
        ("- 1", "must be an object"),
        ("discounts: []\nquotas: []\ndiscounts: []", "'discounts' stands twice"),
        ("discounts: [{cloud: aws, percent: .nan}]", "has a value that JSON cannot represent"),
        ("quotas: [{cloud: aws, max_nodes: 2026-01-01}]", "has a value that JSON cannot represent"),
        ("? [a, b]\n: 1", "is not YAML"),
    ],
)
def test_a_file_that_is_none_is_said_to_be_none(tmp_path: Path, text: str, words: str) -> None:
    """A file that is no document of agreements has one fault, which says so in words."""
    [fault] = faults(tmp_path, text)
    assert words in fault


def test_a_missing_file_is_a_fault(tmp_path: Path) -> None:
    """The message names the file."""
    with pytest.raises(PricingAgreementsError, match=r"absent\.yaml: cannot be read: No such file"):
        load_agreements(tmp_path / "absent.yaml", bundled_market())


def test_a_faulty_file_stops_the_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a faulty file, ``serve`` gives the reason before anything listens."""
    path = written(tmp_path, "quotas: [{cloud: awz, max_nodes: 1}]")
    with pytest.raises(PricingAgreementsError, match="unknown cloud 'awz'"):
        create_app(Settings(terms_path=path, log_level="error"))
    monkeypatch.setenv("PLIMSOLL_TERMS", str(path))
    assert 1 == cli.main(["serve"])
    assert "/quotas/0/cloud: unknown cloud 'awz'; did you mean 'aws'" in capsys.readouterr().err


def test_prices_are_those_of_the_terms(client: FlaskClient) -> None:
    """Four machines, two of them reserved, cost the mean, and the answer explains it."""
    found = posted(client, "/v1/estimates", ON_P4D)
    listed = float(found["price"]["source"].split("list price ")[1].split()[0])
    assert found["price"]["usd_per_hour"] == pytest.approx((12.5 + listed) / 2, rel=1e-5)
    assert "pricing agreement: 12.5 USD per hour (reserved) for 2 of 4 machines" in found["price"]["source"]
    assert "own-commitment" in {note["rule"] for note in found["reasons"]}
    assert "constraints.commitments" in {one["field"] for one in found["assumptions"]}


def test_own_machines_are_candidates(client: FlaskClient) -> None:
    """Own machines are recommended beside rented ones, unless the request names a cloud."""
    body = {"workload": ON_P4D["workload"], "limit": 100}
    clouds = {one["cloud"] for one in posted(client, "/v1/recommendations", body)["recommendations"]}
    assert "own" in clouds
    body["constraints"] = {"clouds": ["aws"]}
    assert {"aws"} == {one["cloud"] for one in posted(client, "/v1/recommendations", body)["recommendations"]}


def test_an_answer_is_replayed_under_the_same_terms_alone(client: FlaskClient) -> None:
    """The version names the agreements; under other ones the answer is refused with the reason."""
    first = posted(client, "/v1/estimates", ON_P4D)
    version = first["catalog"]["version"]
    plain, _, mark = version.partition("+terms.")
    assert re.fullmatch("[0-9a-f]{8}", mark)
    assert version == client.get("/readyz").get_json()["catalog"]["version"]
    assert first == posted(client, f"/v1/estimates?snapshot={plain}%2Bterms.{mark}", ON_P4D)
    for other in (plain, f"{plain}%2Bterms.00000000"):
        refused = client.post(f"/v1/estimates?snapshot={other}", json=ON_P4D)
        assert 404 == refused.status_code
        assert "other pricing agreements than those in force" in refused.get_json()["detail"]


def test_a_snapshot_that_is_not_kept_is_unknown_under_its_whole_version(client: FlaskClient) -> None:
    """The right agreements with unknown prices are refused with the known versions."""
    version = posted(client, "/v1/estimates", ON_P4D)["catalog"]["version"]
    mark = version.partition("+")[2]
    refused = client.post(f"/v1/estimates?snapshot=2020-01-01-00000000%2B{mark}", json=ON_P4D)
    assert 404 == refused.status_code
    assert version in refused.get_json()["detail"]
