"""``/v1/evidence``: filters, names, pages."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plimsoll_service.evidence import published
from plimsoll_service.evidence.published import measurements

ROWS = measurements()


def asked(client: FlaskClient, query: str) -> dict[str, Any]:
    """The page of that query."""
    response = client.get(f"/v1/evidence?{query}")
    assert response.status_code == 200, response.get_data(as_text=True)
    found: dict[str, Any] = response.get_json()
    return found


def test_an_item_has_the_columns_and_the_source(client: FlaskClient) -> None:
    """An item has the table's columns, and the title, address and licence of its source."""
    (item,) = asked(client, "source=lambda&limit=1")["items"]

    assert item["id"] == "lambda-0001"
    assert item["value"] > 0
    assert item["source_title"]
    assert item["source_url"].startswith("https://")
    assert item["source_licence"]


def test_an_item_has_what_fits_that_had_not_seen_it_say(client: FlaskClient) -> None:
    """An item has the written predictions beside the measured value, and null if no fit was judged by it."""
    items = asked(client, "model=resnet50&task=training&doubtful=false&limit=1000")["items"]
    predicted = {item["id"]: item["predicted_without_device"] for item in items}

    assert predicted == {key: published.predictions().get(key, published.NONE).device for key in predicted}
    assert sum(value is not None for value in predicted.values()) > 50
    assert None in predicted.values()


def test_all_rows_are_there(client: FlaskClient) -> None:
    """Without a filter, all rows are listed, page after page."""
    page = asked(client, "limit=1000")

    assert page["total"] == len(ROWS)
    assert len(page["items"]) == 1000
    assert client.get(page["next"]).get_json()["items"][0]["id"] == ROWS[1000].id


@pytest.mark.parametrize(
    ("query", "column", "value"),
    [
        ("model=ResNet-50", "model", "resnet50"),
        ("accelerator=nvidia-tesla-v100", "accelerator", "V100-16GB"),
        ("accelerator=a100+80gb+sxm4", "accelerator", "A100-80GB"),
        ("framework=TF2", "framework", "tensorflow"),
        ("task=inference", "task", "inference"),
        ("precision=int8", "precision", "int8"),
        ("metric=ttft_ms", "metric", "ttft_ms"),
        ("tuning=tuned", "tuning", "tuned"),
        ("cloud=AWS", "cloud", "aws"),
        ("instance_type=C5.18xlarge", "instance_type", "c5.18xlarge"),
        ("load=offline", "load", "offline"),
        ("device_count=64", "device_count", 64),
        ("accelerator=none", "accelerator", None),
    ],
)
def test_filters_take_usual_spellings(query: str, column: str, value: object, client: FlaskClient) -> None:
    """Filters in usual spellings list all their rows and no others."""
    page = asked(client, f"{query}&limit=1000")

    assert page["total"] == sum(getattr(row, column) == value for row in ROWS) > 0
    assert {item[column] for item in page["items"]} == {value}


def test_filters_hold_together(client: FlaskClient) -> None:
    """Any value of a filter and all filters must match."""
    page = asked(client, "model=resnet50,bert-large&task=training&accelerator=V100-16GB&doubtful=false&limit=1000")

    assert {item["model"] for item in page["items"]} == {"resnet50", "bert-large"}
    assert all(item["accelerator"] == "V100-16GB" and item["doubt"] == "" for item in page["items"])


def test_doubtful_rows_say_why(client: FlaskClient) -> None:
    """`doubtful=true` lists the rows that fits exclude, with the reason."""
    page = asked(client, "doubtful=true&limit=1000")

    assert page["total"] == sum(bool(row.doubt) for row in ROWS)
    assert all(item["doubt"] for item in page["items"])


def test_a_known_name_without_a_measurement_lists_nothing(client: FlaskClient) -> None:
    """A known device without a measurement lists nothing."""
    measured = {row.accelerator for row in ROWS}
    assert "RTX-PRO-4500" not in measured

    assert asked(client, "accelerator=RTX-PRO-4500") == {"items": [], "total": 0, "next": None}


def test_unknown_names_are_refused_together(client: FlaskClient) -> None:
    """Unknown names are all refused, with suggestions."""
    response = client.get("/v1/evidence?model=resnet5O&accelerator=V1OO&metric=furlongs&source=lamda&size=3")
    faults = {fault["pointer"]: fault["detail"] for fault in response.get_json()["errors"]}

    assert response.status_code == 422
    assert {"model", "accelerator", "metric", "source", "size"} == set(faults)
    assert "lambda" in faults["source"]


def test_a_cursor_of_another_table_is_refused(client: FlaskClient) -> None:
    """A cursor of another table is refused."""
    link = client.get("/v1/models?limit=1").get_json()["next"]
    cursor = link.split("cursor=")[1]

    assert client.get(f"/v1/evidence?cursor={cursor}").status_code == 422


@pytest.mark.parametrize("form", ["table", "csv"])
def test_other_formats(form: str, client: FlaskClient) -> None:
    """Other formats have one line for each row."""
    text = client.get(f"/v1/evidence?source=glample&limit=2&format={form}").get_data(as_text=True)

    assert "glample-0001" in text
    assert "Theano" not in text.splitlines()[0]
