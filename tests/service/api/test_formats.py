"""Formats for scripts and people."""

from __future__ import annotations

import csv
import subprocess
from dataclasses import replace
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient

ROUTE = "/v1/recommendations?task=training"
FORMATS = (
    "json", "table", "csv", "env", "tfvars", "skypilot", "kubernetes", "sagemaker", "karpenter", "vertex", "azureml",
    "dstack", "slurm", "ray", "aws_batch", "kueue", "runs_on",
)  # fmt: skip


def written(client: FlaskClient, name: str) -> str:
    """Answer in a format."""
    text: str = client.get(f"{ROUTE}&format={name}").text
    return text


def pod(client: FlaskClient) -> dict[str, Any]:
    """Specification of the pods of a manifest."""
    found: dict[str, Any] = yaml.safe_load(written(client, "kubernetes"))["spec"]["template"]["spec"]
    return found


def in_shell(lines: str, expression: str) -> str:
    """Value of an expression in a POSIX shell that evaluated the lines."""
    script = f'eval "$LINES_OF_ENV"; printf %s "{expression}"'
    outcome = subprocess.run(
        ["sh", "-euc", script], env={"LINES_OF_ENV": lines}, capture_output=True, text=True, check=True
    )
    return outcome.stdout


@pytest.mark.parametrize("name", FORMATS)
def test_accept_asks_for_what_format_asks_for(client: FlaskClient, name: str) -> None:
    """An accepted media type gives the same bytes as its format, in a POST too."""
    by_name = client.get(f"{ROUTE}&format={name}")

    by_header = client.get(ROUTE, headers={"Accept": by_name.mimetype})
    by_post = client.post(f"/v1/recommendations?format={name}", json={"workload": {"task": "training"}})

    assert by_name.status_code == 200
    assert by_name.data == by_header.data == by_post.data


@pytest.mark.parametrize(
    "accept", ["*/*", "application/*", "text/html, */*;q=0.1", "application/json, text/csv;q=0.9", ""]
)
def test_json_is_answered_unless_something_else_is_preferred(client: FlaskClient, accept: str) -> None:
    """A wildcard does not ask for a script format."""
    assert client.get(ROUTE, headers={"Accept": accept}).mimetype == "application/json"


def test_an_unknown_format_names_the_known_ones(client: FlaskClient) -> None:
    """An unknown format gives 422 with all known ones."""
    detail = client.get(f"{ROUTE}&format=yml").json["errors"][0]["detail"]

    assert all(name in detail for name in FORMATS)


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("application/json; charset=utf-8", "application/json"),
        ("application/json;charset=UTF-8;q=0.9, */*;q=0.1", "application/json"),
        ("text/csv; header=present", "text/csv"),
        ("text/html;level=1, text/csv;charset=utf-8;q=0.5", "text/csv"),
    ],
)
def test_parameters_of_an_accepted_media_type_ask_for_no_other_format(
    client: FlaskClient, accept: str, expected: str
) -> None:
    """Parameters of a media type, such as a charset, do not change the format."""
    response = client.get(ROUTE, headers={"Accept": accept})

    assert (200, expected) == (response.status_code, response.mimetype)


def test_a_format_that_is_given_twice_is_refused(client: FlaskClient) -> None:
    """A format that is given twice is refused like any other parameter."""
    response = client.get(f"{ROUTE}&format=csv&format=json")

    assert (422, "format") == (response.status_code, response.json["errors"][0]["pointer"])


def test_accepting_nothing_that_is_offered_is_not_acceptable(client: FlaskClient) -> None:
    """An Accept header without an offered type gives 406 with a problem document."""
    response = client.get(ROUTE, headers={"Accept": "image/png"})

    assert (response.status_code, response.json["type"]) == (406, "/problems/not-acceptable")


def test_a_table_is_aligned(client: FlaskClient) -> None:
    """Each column begins or ends where its title does."""
    head, row = written(client, "table").splitlines()

    assert head.split()[:4] == ["rank", "cloud", "region", "instance_type"]
    assert head.index("instance_type") == row.index("g5.xlarge")


def test_csv_reads_back(client: FlaskClient) -> None:
    """CSV has a head line, and the ends of the ranges beside their values."""
    (row,) = csv.DictReader(written(client, "csv").splitlines())

    assert (row["instance_type"], row["time_hours_low"], row["time_hours_high"]) == ("g5.xlarge", "34.4", "45.7")


def test_env_lines_can_be_evaluated(client: FlaskClient) -> None:
    """A shell finds the values under their names."""
    assert in_shell(written(client, "env"), "$INSTANCE_TYPE x $NODE_COUNT in $REGION") == "g5.xlarge x 1 in us-east-1"


def test_env_lines_run_nothing(client: FlaskClient, sizer: Any) -> None:
    """A name with special characters of the shell stays a name."""
    evil = "x'; echo ran; $(echo ran) `echo ran` \"\n"
    first = replace(sizer.found.recommendations[0], instance_type=evil)
    sizer.found = replace(sizer.found, recommendations=(first,))

    assert in_shell(written(client, "env"), "$INSTANCE_TYPE") == evil


def test_tfvars_are_variables_of_the_first_recommendation(client: FlaskClient) -> None:
    """Terraform variables are JSON with the first recommendation."""
    variables = client.get(f"{ROUTE}&format=tfvars").json

    assert (variables["instance_type"], variables["node_count"], variables["disk_product"]) == ("g5.xlarge", 1, "gp3")


def test_skypilot_gets_a_task(client: FlaskClient) -> None:
    """Cloud, region and instance type are the recommendation's; the disk is rounded up."""
    task = yaml.safe_load(written(client, "skypilot"))

    assert task["num_nodes"] == 1
    assert "service" not in task
    assert task["resources"] == {
        "cloud": "aws",
        "region": "us-east-1",
        "instance_type": "g5.xlarge",
        "use_spot": False,
        "disk_size": 300,
        "disk_tier": "high",
        "ordered": [
            {"cloud": "aws", "region": "us-east-1", "instance_type": "g5.xlarge"},
            {"cloud": "aws", "region": "us-west-2", "instance_type": "g5.xlarge"},
        ],
    }


def test_skypilot_names_the_accelerator_where_it_is_attached(client: FlaskClient, sizer: Any) -> None:
    """On Google Cloud, the accelerator is named, because the instance type does not show it."""
    first = sizer.found.recommendations[0]
    gpu = replace(first.accelerator, name="V100-16GB", count=2.0)
    on_gcp = replace(first, cloud="gcp", instance_type="n1-standard-8+nvidia-tesla-v100x2", accelerator=gpu)
    sizer.found = replace(sizer.found, recommendations=(on_gcp,))

    resources = yaml.safe_load(written(client, "skypilot"))["resources"]
    selector = pod(client)["nodeSelector"]
    assert (resources["instance_type"], resources["accelerators"]) == ("n1-standard-8", {"V100": 2})
    assert selector["node.kubernetes.io/instance-type"] == "n1-standard-8"
    assert "MACHINE_TYPE=n1-standard-8\n" in written(client, "env")


def test_kubernetes_places_a_pod(client: FlaskClient) -> None:
    """Requests leave the node its own share; the device's taint is tolerated."""
    placement = pod(client)
    (container,) = placement["containers"]

    assert placement["nodeSelector"]["node.kubernetes.io/instance-type"] == "g5.xlarge"
    assert container["resources"]["limits"] == {"nvidia.com/gpu": 1}
    # GKE's rule for 4 vCPUs: 6% of the first, 1% of the second, 0.5% of the other two.
    assert container["resources"]["requests"] == {
        "cpu": "3920m",
        "memory": "12390Mi",
        "ephemeral-storage": "300Gi",
        "nvidia.com/gpu": 1,
    }
    assert placement["tolerations"][0]["key"] == "nvidia.com/gpu"


def test_sagemaker_gets_a_training_job(client: FlaskClient) -> None:
    """Instance types have SageMaker's prefix; the volume is at most the machine's own disk (250 GB)."""
    job = client.get(f"{ROUTE}&format=sagemaker").json

    assert job["ResourceConfig"] == {"InstanceType": "ml.g5.xlarge", "InstanceCount": 1, "VolumeSizeInGB": 232}


def test_sagemaker_asks_for_aws_alone(client: FlaskClient, sizer: Any) -> None:
    """With format=sagemaker, only AWS is sized, and a request for another cloud is refused."""
    client.get(f"{ROUTE}&format=sagemaker")
    elsewhere = client.get(f"{ROUTE}&format=sagemaker&clouds=gcp")

    assert sizer.seen[0].constraints.clouds == ("aws",)
    assert [error["pointer"] for error in elsewhere.json["errors"]] == ["clouds"]


@pytest.mark.usefixtures("nothing_found")
@pytest.mark.parametrize(
    ("name", "expected"),
    [(name, {}) for name in FORMATS[4:]],
)
def test_no_recommendation_gives_a_launcher_nothing_to_launch(client: FlaskClient, name: str, expected: object) -> None:
    """Without a recommendation, the document is empty, so that a launcher fails."""
    assert yaml.safe_load(written(client, name)) == expected


@pytest.mark.usefixtures("nothing_found")
def test_no_recommendation_is_said_to_people_and_shells(client: FlaskClient) -> None:
    """The table gives the reason, and the shell's variables are empty, so that none of an earlier call remains."""
    assert "rejected by deadline: 31" in written(client, "table")
    assert "to relax: deadline to 60 and budget to 20 (12.5 USD)" in written(client, "table")
    assert in_shell(written(client, "env"), "$RECOMMENDATIONS[$INSTANCE_TYPE]") == "0[]"
    assert len(written(client, "csv").splitlines()) == 1


@pytest.mark.parametrize("route", ["/v1/instance-types", "/v1/accelerators", "/v1/prices", "/v1/rules"])
def test_collections_are_written_as_table_and_csv(client: FlaskClient, route: str) -> None:
    """Table and CSV have one line for each item, below a head line."""
    table = client.get(f"{route}?limit=5&format=table").text
    rows = list(csv.DictReader(client.get(f"{route}?limit=5&format=csv").text.splitlines()))

    assert (len(table.splitlines()), len(rows)) == (6, 5)


def test_a_region_that_is_none_is_left_out(client: FlaskClient, sizer: Any) -> None:
    """A provider with one price everywhere has no region for a scheduler or SkyPilot."""
    anywhere = replace(sizer.found.recommendations[0], cloud="lambda", region="global")
    sizer.found = replace(sizer.found, recommendations=(anywhere,))
    assert "region" not in yaml.safe_load(written(client, "skypilot"))["resources"]
    anywhere = replace(anywhere, cloud="oci")
    sizer.found = replace(sizer.found, recommendations=(anywhere,))
    selector = pod(client)["nodeSelector"]
    assert ["node.kubernetes.io/instance-type"] == list(selector)
