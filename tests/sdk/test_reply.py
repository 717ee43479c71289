"""Malformed replies are read as far as possible."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plimsoll import ApiError, BadAnswer, _protocol
from plimsoll._reply import Reply


def test_text_that_is_no_utf8_is_a_bad_answer() -> None:
    """A text is decoded or refused, never changed."""
    with pytest.raises(BadAnswer, match="UTF-8"):
        _protocol.recommend_as({}, "table").result(Reply(200, b"\xff"))


@pytest.mark.parametrize("errors", [None, "x", [1], [{"pointer": 1}]])
def test_a_malformed_problem_is_read_as_far_as_it_goes(errors: Any) -> None:
    """A problem document with members of wrong types still becomes the error of its status."""
    with pytest.raises(ApiError) as caught:
        _protocol.health().result(Reply(418, json.dumps({"title": 1, "detail": "why", "errors": errors}).encode()))

    assert (caught.value.detail, caught.value.status) == ("why", 418)
