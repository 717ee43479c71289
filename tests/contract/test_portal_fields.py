"""The page's form against the API's description: the same names, and the same words to choose from."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from flask import Flask

from plimsoll_service import portal

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def form() -> str:
    """The page's form as it is served."""
    app = Flask("page")
    app.register_blueprint(portal.blueprint)
    return app.test_client().get("/").text.partition("<form")[2].partition("</form>")[0]


@pytest.fixture(scope="module")
def parameters() -> dict[str, dict]:
    """The schemas of the query parameters of ``GET /v1/recommendations``, by name."""
    contract = yaml.safe_load((ROOT / "openapi.yaml").read_text())
    described = contract["paths"]["/v1/recommendations"]["get"]["parameters"]
    return {parameter["name"]: parameter["schema"] for parameter in described if parameter.get("in") == "query"}


def words_of(schema: dict) -> set[str] | None:
    """The words that a parameter takes, or None where it takes others."""
    words = schema.get("enum") or schema.get("items", {}).get("enum")
    return {word for word in words if word is not None} if words else None


def test_form_asks_only_what_the_api_takes(form: str, parameters: dict[str, dict]) -> None:
    """Each field of the form carries the name of a query parameter."""
    assert set(re.findall(r'\sname="([^"]+)"', form)) - set(parameters) == set()


def test_choices_are_the_api_s_own_words(form: str, parameters: dict[str, dict]) -> None:
    """Each option of a select is a word that its parameter takes, or the empty one for "not said"."""
    strange = {}
    for name, options in re.findall(r'<select[^>]* name="([^"]+)".*?>(.*?)</select>', form, re.DOTALL):
        offered = {word for value in re.findall(r'value="([^"]*)"', options) for word in value.split(",") if word}
        if extra := offered - (words_of(parameters[name]) or offered):
            strange[name] = extra

    assert strange == {}
