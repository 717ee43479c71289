"""Values that are computed before the fork."""

from __future__ import annotations

import gc

import pytest

from plimsoll_service.api.recommendations import REQUEST
from plimsoll_service.api.service import service
from plimsoll_service.app import create_app
from plimsoll_service.engine.workload import TASKS
from plimsoll_service.server.application import QUESTIONS, prepare
from plimsoll_service.settings import Settings


@pytest.fixture
def thawed():
    """Collect the objects that a test froze, and freeze those again that last as long as the process."""
    yield
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def test_there_is_a_question_of_every_task() -> None:
    """Every kind of work has a question, so that no worker meets one for the first time."""
    assert set(TASKS) == {question["task"] for question in QUESTIONS}


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["task"])
def test_the_bundled_catalog_answers_every_question(question) -> None:
    """The bundled catalog refuses none of the questions."""
    with create_app(Settings(log_level="error")).app_context():
        found = service().sizer.recommend(REQUEST.load({"workload": question}))

    assert found.recommendations


@pytest.mark.usefixtures("thawed")
def test_what_was_there_before_the_fork_is_never_looked_at_by_the_collector() -> None:
    """The garbage collector ignores objects from before the fork, because its writes would copy them."""
    before = gc.get_freeze_count()
    prepare(create_app(Settings(log_level="error")))

    assert gc.get_freeze_count() > before
