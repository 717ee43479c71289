"""Answers and collections as pandas data frames."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
from typing import Any

import pandas as pd
import pytest

from plimsoll import Client, to_dataframe

TRAINING = {"task": "training", "model": "resnet50"}
SERVING = {"task": "inference", "model": "llama-3-8b"}
MACHINES = [
    {"cloud": "aws", "instance_type": "p3.2xlarge"},
    {"label": "mine", "accelerator": "T4", "count": 1},
]
SIGNIFICANT = 1e-5  # CSV has six digits


@pytest.mark.parametrize("workload", [TRAINING, SERVING], ids=["job", "serving"])
def test_an_answers_frame_is_the_services_csv(client: Client, workload: dict[str, str]) -> None:
    """The frame equals ``format="csv"``, column by column and figure by figure."""
    frame = client.recommend(workload).to_dataframe()

    lines = list(csv.DictReader(io.StringIO(client.recommend(workload, format="csv"))))
    assert list(lines[0]) == list(frame.columns)
    for line, (_, row) in zip(lines, frame.iterrows(), strict=True):
        assert [_as_read(text, row[name]) for name, text in line.items()] == [_cell(value) for value in row]


def _as_read(text: str, value: object) -> str | float:
    return float(text) if text and isinstance(value, int | float) else text


def _cell(value: Any) -> Any:
    if pd.isna(value):
        return ""
    return value if isinstance(value, str) else pytest.approx(value, rel=SIGNIFICANT)


def test_a_frame_without_rows_has_its_columns(client: Client) -> None:
    """An empty answer has its columns, so that a program can read them."""
    nothing = client.recommend(TRAINING, constraints={"max_usd_per_hour": 0.0001}).to_dataframe()

    assert nothing["cost_usd"].tolist() == []
    assert list(nothing.columns) == list(client.recommend(TRAINING).to_dataframe().columns)


def test_a_comparison_has_a_row_a_machine(client: Client) -> None:
    """An unknown value is missing, never 0."""
    frame = client.compare(TRAINING, MACHINES).to_dataframe()

    assert frame["label"].tolist()[1] == "mine"
    assert frame["relative_performance"].tolist()[0] == 1
    assert pd.isna(frame["usd_per_hour"].tolist()[1])


def test_an_estimate_has_one_row_even_where_nothing_fits(client: Client) -> None:
    """Without a fit, the columns stay, without figures."""
    fits = client.estimate(TRAINING, MACHINES[0]).to_dataframe()
    short = client.estimate({"task": "inference", "model": "llama-3-70b", "precision": "bf16"}, MACHINES[0])

    assert list(fits.columns) == list(short.to_dataframe().columns)
    assert short.to_dataframe().loc[0, "short"] == "accelerator_memory_gib"
    assert fits.loc[0, "throughput"] > 0


def test_a_collection_becomes_a_frame_without_its_raw_objects(client: Client) -> None:
    """Members of an object join its name with an underscore."""
    frame = to_dataframe(client.instance_types(cloud="aws", family="p3"))

    assert set(frame["accelerator_name"]) == {"V100-16GB"}
    assert "raw" not in frame.columns


def test_recommendations_may_be_gathered_from_many_answers(client: Client) -> None:
    """The best recommendations of several answers make one frame."""
    best = [client.recommend(workload).best for workload in (TRAINING, SERVING)]

    assert to_dataframe(best)["rank"].tolist() == [1, 1]


@pytest.mark.parametrize("wrong", [3, "text", {"a": 1}, [None]])
def test_what_is_no_result_has_no_rows(wrong: object) -> None:
    """The error names the type."""
    with pytest.raises(TypeError, match=r"no rows? can be made"):
        to_dataframe(wrong)


def test_without_pandas_the_error_names_the_extra() -> None:
    """Without pandas, only the frame fails, and names the package to install."""
    script = (
        "import sys\n"
        "sys.modules['pandas'] = None\n"  # as Python marks what cannot be imported
        "from plimsoll import NotInstalled, to_dataframe\n"
        "try:\n    to_dataframe([])\n"
        "except NotInstalled as error:\n    print(error)\n"
    )

    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert "pip install 'plimsoll-sdk[pandas]'" in done.stdout
