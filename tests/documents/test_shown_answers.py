"""The README and docs/examples.md show what the service answers."""

from collections.abc import Callable
from pathlib import Path

import pytest
from docs.figures.examples import examples, readme
from flask.testing import FlaskClient

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("page", "updated"), [("README.md", readme), ("docs/examples.md", examples)])
def test_a_page_shows_the_answers_of_today(page: str, updated: Callable[[str, FlaskClient], str]) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    client = create_app(Settings(log_level="critical")).test_client()
    assert updated(text, client) == text, "run: make figures"


def test_a_stale_answer_is_replaced() -> None:
    text = (ROOT / "docs" / "examples.md").read_text(encoding="utf-8")
    client = create_app(Settings(log_level="critical")).test_client()
    assert examples(text.replace(" USD (", " EUR ("), client) == text
