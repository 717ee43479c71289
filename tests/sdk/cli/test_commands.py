"""Each command gives the service's answer, in each of its formats, with the status for scripts."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import Result

from plimsoll import Client

Run = Callable[..., Result]

TRAINING = ("--task", "training", "--model", "resnet50", "--epochs", "90", "--clouds", "aws,gcp")
IMPOSSIBLE = ("--max-usd-per-hour", "0.0001")
SHORT_OF_MEMORY = ("estimate", "aws/p3.2xlarge", "--task", "inference", "--model", "llama-3-70b", "--precision", "bf16")


def test_options_ask_what_the_client_asks(run: Run, client: Client) -> None:
    """The JSON is the service's answer to the same question."""
    found = run(
        "recommend", *TRAINING, "--deadline", "24h", "--dataset-name", "imagenet-1k", "--limit", "2", "-o", "json"
    )

    workload = {"task": "training", "model": "resnet50", "epochs": 90, "deadline": "24h"}
    expected = client.recommend(
        workload, dataset={"name": "imagenet-1k"}, constraints={"clouds": ["aws", "gcp"]}, limit=2
    )
    assert (json.loads(found.stdout), found.exit_code) == (expected.raw, 0)


def test_a_table_has_a_line_a_recommendation(run: Run, client: Client) -> None:
    """A piped table is aligned text: a head line, then the ranks."""
    lines = run("recommend", *TRAINING, "--limit", "3").stdout.splitlines()

    ranked = client.recommend(task="training", model="resnet50", epochs=90, constraints={"clouds": ["aws", "gcp"]})
    assert [line.split()[0] for line in lines] == ["rank", "1", "2", "3"]
    assert f"{ranked.recommendations[0].node_count} × {ranked.recommendations[0].instance_type}" in lines[1]


@pytest.mark.parametrize("output", ["csv", "env", "tfvars", "skypilot", "kubernetes"])
def test_formats_are_the_services_own(run: Run, client: Client, output: str) -> None:
    """A launcher's format comes from the service byte for byte."""
    found = run("recommend", *TRAINING, "-o", output)

    expected = client.recommend(
        task="training", model="resnet50", epochs=90, constraints={"clouds": ["aws", "gcp"]}, format=output
    )
    assert (found.stdout.replace("\r\n", "\n"), found.exit_code) == (expected.replace("\r\n", "\n"), 0)


def test_no_recommendation_is_a_status_of_its_own(run: Run) -> None:
    """The text names the limits to relax; a script's variables are empty, and the reason goes to standard error."""
    table = run("recommend", *TRAINING, *IMPOSSIBLE)
    env = run("recommend", *TRAINING, *IMPOSSIBLE, "-o", "env")

    assert (table.exit_code, env.exit_code) == (1, 1)
    assert "relax max_usd_per_hour" in table.stdout
    assert "INSTANCE_TYPE=''" in env.stdout.splitlines()
    assert "relax max_usd_per_hour" in env.stderr


@pytest.mark.parametrize("write", [json.dumps, yaml.safe_dump])
def test_a_question_comes_from_a_file(run: Run, tmp_path: Path, write: Callable[[object], str]) -> None:
    """A file is JSON or YAML, a whole question or a bare workload, or standard input; options override it."""
    workload = {"task": "training", "model": "resnet50", "epochs": 90}
    file = tmp_path / "question"
    file.write_text(write({"workload": workload, "constraints": {"clouds": ["azure"]}, "limit": 1}))

    whole = run("recommend", "--workload", str(file), "--clouds", "aws,gcp", "--limit", "5")
    bare = run("recommend", "--workload", "-", "--clouds", "aws,gcp", text=write(workload))

    assert whole.stdout == bare.stdout == run("recommend", *TRAINING).stdout


def test_a_list_of_questions_is_answered_line_by_line(run: Run, tmp_path: Path) -> None:
    """Each question has its answer in order; a refused one does not fail the rest, and the worst sets the status."""
    file = tmp_path / "many.jsonl"
    file.write_text('{"task": "training"}\n{"task": "cooking"}\n{"workload": {"task": "hpc", "flops": 1e19}}\n')

    lines = run("recommend", "-w", str(file), "-o", "jsonl")
    rows = list(csv.DictReader(io.StringIO(run("recommend", "-w", str(file), "-o", "csv").stdout)))
    table = run("recommend", "-w", str(file)).stdout

    assert [json.loads(line)["status"] for line in lines.stdout.splitlines()] == [200, 422, 200]
    assert lines.exit_code == 2
    assert [bool(row["instance_type"]) for row in rows] == [True, False, True]
    assert "did you mean" in rows[1]["refused"] or "cooking" in rows[1]["refused"]
    assert f"{file}: 2: /workload/task" in table


@pytest.mark.parametrize(("more", "status"), [((), 0), (IMPOSSIBLE, 1)])
def test_options_hold_for_every_question_of_a_list(run: Run, more: tuple[str, ...], status: int) -> None:
    """A constraint in the options applies to every question of a list."""
    found = run("recommend", "-w", "-", *more, "-o", "json", text='[{"task": "training"}, {"task": "inference"}]')

    assert (len(json.loads(found.stdout)), found.exit_code) == (2, status)


def test_given_hardware_is_estimated(run: Run, client: Client) -> None:
    """A machine is given by its name or by its parts."""
    rented = run("estimate", "aws/p3.2xlarge,node_count=2", "--task", "training", "--model", "resnet50", "-o", "json")
    bare = run("estimate", "accelerator=V100-16GB,count=1,vcpus=8,memory_gib=61", "--task", "training", "-o", "csv")

    on = {"cloud": "aws", "instance_type": "p3.2xlarge", "node_count": 2}
    assert json.loads(rented.stdout) == client.estimate({"task": "training", "model": "resnet50"}, on).raw
    (row,) = csv.DictReader(io.StringIO(bare.stdout))
    assert (row["fits"], row["usd_per_hour"], bare.exit_code) == ("true", "", 0)


def test_hardware_that_does_not_fit_is_a_status_of_its_own(run: Run) -> None:
    """The answer names the resource that is short."""
    found = run(*SHORT_OF_MEMORY)

    assert ("accelerator_memory_gib (required" in found.stdout, found.exit_code) == (True, 1)


def test_machines_are_compared(run: Run, client: Client) -> None:
    """Machines are compared with the first that fits, in the given order."""
    machines = ("aws/p3.2xlarge", "label=mine,accelerator=T4,count=1,usd_per_hour=0.4")
    found = run("compare", *machines, "--task", "training", "--model", "resnet50", "-o", "csv")

    on = [
        {"cloud": "aws", "instance_type": "p3.2xlarge"},
        {"label": "mine", "accelerator": "T4", "count": 1, "usd_per_hour": 0.4},
    ]
    expected = client.compare({"task": "training", "model": "resnet50"}, on).machines
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [row["label"] for row in rows] == [machine.label for machine in expected]
    assert [float(row["relative_performance"]) for row in rows] == [
        pytest.approx(machine.relative_performance, rel=1e-5) for machine in expected
    ]


def test_no_machine_that_fits_is_a_status_of_its_own(run: Run) -> None:
    """The status is 0 if any machine fits, and 1 if none does."""
    large = ("--task", "inference", "--model", "llama-3-70b", "--precision", "bf16")

    assert run("compare", "aws/p3.2xlarge", "accelerator=T4,count=1", *large).exit_code == 1
    assert run("compare", "aws/p3.2xlarge", "aws/p4d.24xlarge", *large).exit_code == 0


def test_a_recommendation_is_explained(run: Run, client: Client) -> None:
    """The text has every reason with its rule and source, every assumption with its reason, and the rejections."""
    text = run("explain", *TRAINING).stdout

    answer = client.recommend(task="training", model="resnet50", epochs=90, constraints={"clouds": ["aws", "gcp"]})
    assert answer.best is not None
    for note in (*answer.best.reasons, *answer.best.warnings):
        assert note.rule in text
        assert note.text in text
        assert (note.source or "") in text
    assert all(each.field in text and each.why in text for each in answer.assumptions)
    assert all(name in text for name in answer.rejected)


def test_another_rank_is_explained(run: Run) -> None:
    """The JSON has only the recommendation of that rank."""
    found = json.loads(run("explain", *TRAINING, "--rank", "2", "-o", "json").stdout)

    assert [each["rank"] for each in found["recommendations"]] == [2]


def test_why_not_a_named_machine(run: Run) -> None:
    """The text has each reason against the machine, and its estimate."""
    found = run("explain", "aws/p3.2xlarge", *TRAINING, "--deadline", "24h")

    assert "retired: no longer offered" in found.stdout
    assert "deadline-at-high-end" in found.stdout
    assert found.exit_code == 0


def test_nothing_to_explain_says_why(run: Run) -> None:
    """Without a recommendation, the text names the constraints that rejected all candidates."""
    found = run("explain", *TRAINING, *IMPOSSIBLE)

    assert ("max_usd_per_hour" in found.stdout, found.exit_code) == (True, 1)


def test_instances_are_filtered(run: Run, client: Client) -> None:
    """The command's filters are those of the route."""
    found = run("instances", "--cloud", "aws", "--accelerator", "A100", "--no-retired", "-o", "json")

    assert json.loads(found.stdout) == [
        item.raw for item in client.instance_types(cloud="aws", accelerator="A100", retired=False)
    ]


def test_a_listing_ends_where_it_was_wished(run: Run) -> None:
    """--limit counts items over all pages."""
    assert len(run("instances", "--limit", "3", "-o", "jsonl").stdout.splitlines()) == 3


def test_models_are_found_by_part_of_a_name(run: Run) -> None:
    """A part of a name finds models by alias, too; nothing found has its own status."""
    found = run("models", "llama-8b")
    nothing = run("models", "no such model")

    assert "llama-3.1-8b" in found.stdout
    assert (nothing.stdout, nothing.stderr, nothing.exit_code) == ("", "nothing found\n", 1)


def test_prices_are_looked_up(run: Run, client: Client) -> None:
    """Prices are also those of a snapshot."""
    wanted = ("--cloud", "aws", "--region", "us-east-1", "--instance-type", "p3.2xlarge", "--purchase", "on_demand")
    version = client.recommend(task="training").catalog.version

    now = run("prices", *wanted, "-o", "json")

    assert [price["region"] for price in json.loads(now.stdout)] == ["us-east-1"]
    assert run("prices", *wanted, "--snapshot", version, "-o", "json").stdout == now.stdout


def test_versions_of_prices_are_listed_and_compared(run: Run, client: Client) -> None:
    """The version of an answer is listed, and does not differ from itself."""
    version = client.recommend(task="training").catalog.version

    listed = json.loads(run("prices", "snapshots", "-o", "json").stdout)
    changes = run("prices", "changes", version, version)

    assert version in [snapshot["version"] for snapshot in listed]
    assert (changes.stderr, changes.exit_code) == ("nothing found\n", 1)


def test_an_answer_comes_again_by_its_version(run: Run, client: Client) -> None:
    """--snapshot asks at the prices of an earlier answer."""
    version = client.recommend(task="training").catalog.version

    again = run("recommend", *TRAINING, "--snapshot", version, "-o", "json")

    assert again.stdout == run("recommend", *TRAINING, "-o", "json").stdout


def test_the_service_in_this_process_answers_alike(run: Run) -> None:
    """--local needs no socket and gives the same answer."""
    assert run("recommend", *TRAINING, "--local").stdout == run("recommend", *TRAINING).stdout
