"""The cost gate as a pipeline uses it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from plimsoll import Client

Run = Callable[..., Result]

PLAN: dict[str, Any] = {
    "workload": {"task": "training", "model": "resnet50", "epochs": 90},
    "constraints": {"clouds": ["aws"]},
    "baseline": "answer.json",
}


@pytest.fixture
def plan(tmp_path: Path) -> Path:
    """A plan whose baseline is the current answer."""
    return written(tmp_path / "plan.json", PLAN)


def written(path: Path, document: Any) -> Path:
    """The file with the document."""
    path.write_text(json.dumps(document))
    return path


def stored_with(run: Run, plan: Path, cost_factor: float) -> None:
    """Make the current answer the baseline, with a changed cost."""
    answer = json.loads(run("recommend", "-w", str(plan), "-o", "json").stdout)
    answer["recommendations"][0]["estimate"]["cost_usd"]["value"] *= cost_factor
    written(plan.parent / "answer.json", answer)


def test_the_answer_that_was_stored_passes(run: Run, plan: Path) -> None:
    """`check` reads the output of `recommend -o json`."""
    stored_with(run, plan, 1)

    found = run("check", str(plan), "--max-cost", "500", "--max-increase", "0")

    assert (found.exit_code, found.stdout.splitlines()[0]) == (0, "plan: passed")
    assert "changed" not in found.stdout


@pytest.mark.parametrize(
    ("option", "limit"),
    [("--max-cost", "1"), ("--max-usd-per-hour", "1"), ("--max-hours", "0.1"), ("--max-increase", "10%")],
)
def test_a_broken_limit_fails_with_its_reason(run: Run, plan: Path, option: str, limit: str) -> None:
    """A broken limit gives status 1 and its name."""
    stored_with(run, plan, 0.5)

    found = run("check", str(plan), option, limit)

    assert (found.exit_code, found.stdout.splitlines()[0]) == (1, "plan: FAILED")
    assert f"  broken   {option[2:].replace('-', '_')}: " in found.stdout


def test_limits_of_plan_and_pipeline_both_hold(run: Run, tmp_path: Path) -> None:
    """The lower of two limits applies."""
    strict = written(tmp_path / "strict.json", {"workload": PLAN["workload"], "limits": {"max_cost": 1}})

    assert run("check", str(strict), "--max-cost", "500").exit_code == 1


def test_several_plans_are_judged_each(run: Run, tmp_path: Path) -> None:
    """One failed plan fails the pipeline; the JSON names it."""
    serving = {"task": "inference", "model": "llama-3-8b", "requests_per_second": 5}
    plans = {
        "train": {"workload": PLAN["workload"], "limits": {"max_cost": 1}},
        "serve": {"workload": serving, "limits": {"max_usd_per_hour": 500}},
    }
    file = written(tmp_path / "plans.json", {"plans": plans})

    found = run("check", str(file), "-o", "json")

    verdict = json.loads(found.stdout)
    assert (found.exit_code, verdict["passed"]) == (1, False)
    assert [(plan["plan"], plan["passed"]) for plan in verdict["plans"]] == [("train", False), ("serve", True)]


def test_several_plans_have_a_total(run: Run, tmp_path: Path) -> None:
    """The total has the cost of all jobs, the hourly price of all services, and both increases."""
    serving = {"task": "inference", "model": "llama-3-8b", "requests_per_second": 5}
    plans = {"train": PLAN, "again": PLAN, "serve": {"workload": serving}}
    file = written(tmp_path / "plans.json", {"plans": plans})
    stored_with(run, written(tmp_path / "plan.json", PLAN), 0.5)

    jobs, services = json.loads(run("check", str(file), "-o", "json").stdout)["totals"]
    lines = run("check", str(file)).stdout.splitlines()

    assert (jobs["of"], jobs["plans"], services["plans"], services["stored"]) == ("job", 2, 1, None)
    assert jobs["now"]["value"] == pytest.approx(2 * jobs["stored"])
    assert lines[-2].startswith("total: ")
    assert lines[-2].endswith("(+100.0%)")
    assert lines[-1].endswith(" USD an hour for 1 service")


def test_a_comment_for_a_pull_request_is_markdown(run: Run, tmp_path: Path) -> None:
    """A comment has a row for each plan, the total, broken limits and changes; names cannot add Markdown."""
    names = ("a|b", "<b>@all</b>")
    plan = {"workload": PLAN["workload"]}
    file = written(tmp_path / "plans.json", {"plans": dict.fromkeys(names, plan)})

    found = run("check", str(file), "--max-cost", "1", "-o", "markdown")

    first, title, _, *rest = found.stdout.splitlines()
    assert (found.exit_code, first) == (1, "<!-- plimsoll check -->")
    assert title == "### Machine cost: 2 of 2 plans failed"
    assert {line.replace("\\|", "").count("|") for line in rest[:5]} == {7}
    assert rest[4].startswith("| **total** of 2 jobs | | ")
    assert "a\\|b" in found.stdout
    assert "<b>" not in found.stdout
    assert "@all" not in found.stdout
    assert "- **max\\_cost**: costs " in found.stdout


def test_annotations_stand_beside_the_file(run: Run, plan: Path) -> None:
    """Annotations are an error for each broken limit and a notice with the answer."""
    stored_with(run, plan, 1)

    lines = run("check", str(plan), "--max-cost", "1", "-o", "github").stdout.splitlines()

    assert lines[0].startswith(f"::error file={plan},title=plan%3A max_cost::costs ")
    assert lines[1].startswith(f"::notice file={plan},title=plan%3A failed::")


def test_the_answer_of_now_is_accepted(run: Run, plan: Path, client: Client) -> None:
    """--accept stores the answer in the plan's file, over any earlier content."""
    found = run("check", str(plan), "--accept")

    expected = client.recommend(PLAN["workload"], constraints=PLAN["constraints"])
    assert (found.exit_code, json.loads((plan.parent / "answer.json").read_text())) == (0, expected.raw)


def test_what_cannot_be_stored_says_why(run: Run, tmp_path: Path) -> None:
    """An answer without a recommendation cannot be stored, and a folder is no file."""
    nothing = written(tmp_path / "nothing.json", {**PLAN, "constraints": {"max_usd_per_hour": 0.001}})
    folder = written(tmp_path / "folder.json", {**PLAN, "baseline": "."})

    empty, unwritable = run("check", str(nothing), "--accept"), run("check", str(folder), "--accept")

    assert (empty.exit_code, "relax max_usd_per_hour" in empty.stderr) == (1, True)
    assert not (tmp_path / "answer.json").exists()
    assert (unwritable.exit_code, "cannot be written" in unwritable.stderr) == (2, True)


def test_the_prices_may_be_those_of_the_stored_answer(run: Run, plan: Path) -> None:
    """A snapshot is a version or the baseline's; one that is not kept is refused."""
    stored_with(run, plan, 1)
    version = json.loads((plan.parent / "answer.json").read_text())["catalog"]["version"]

    assert run("check", str(plan), "--snapshot", version).exit_code == 0
    assert run("check", str(plan), "--snapshot", "baseline").exit_code == 0
    assert "no prices of version" in run("check", str(plan), "--snapshot", "2020-01-01-0").stderr


def test_faults_of_a_plan_are_refused(run: Run, tmp_path: Path) -> None:
    """Faults of the file, refusals by the service and invalid limits are each named with their place."""
    unread = written(tmp_path / "unread.json", {"workloads": {}, "limits": {"max_cots": 5}})
    refused = written(tmp_path / "refused.json", {"workload": {"task": "cooking"}})
    plan = written(tmp_path / "plan.json", PLAN)

    assert "did you mean 'max_cost'" in run("check", str(unread)).stderr
    assert f"{refused}: plan: /workload/task" in run("check", str(refused)).stderr
    assert "--max-cost: must be a number" in run("check", str(refused), "--max-cost", "cheap").stderr
    assert "--accept" in run("check", str(plan)).stderr
    assert "no baseline" in run("check", str(refused), "--accept").stderr
    assert "no stored answer" in run("check", str(refused), "--snapshot", "baseline").stderr
    assert {run("check", str(file)).exit_code for file in (unread, refused, plan, tmp_path / "none")} == {2}


def test_a_baseline_that_is_no_answer_is_refused(run: Run, plan: Path) -> None:
    """A baseline that is no answer is refused with the name of the file."""
    written(plan.parent / "answer.json", {"recommendations": []})

    found = run("check", str(plan))

    assert (found.exit_code, f"{plan.parent / 'answer.json'}: no answer" in found.stderr) == (2, True)
