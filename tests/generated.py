"""Examples of generated tests: the same ones in every run, and others under ``make search``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from traceback import clear_frames, walk_tb

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

settings.register_profile(
    "suite",
    settings.get_profile("default"),
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("suite")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option of `make search`."""
    times = "run the generated tests alone, each with so many times its examples, drawn at random"
    parser.addoption("--search", type=int, metavar="TIMES", help=times)


def pytest_configure(config: pytest.Config) -> None:
    """Draw at random if a search is requested."""
    if config.option.search:
        settings.register_profile("search", settings.get_profile("suite"), derandomize=False)
        settings.load_profile("search")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep no data of a failed generated test, and run only generated tests, with their examples, in a search."""
    generated = [item for item in items if is_hypothesis_test(item.obj)]
    times = config.option.search
    for test in {item.obj for item in generated}:
        test.hypothesis.inner_test = without_traces(test.hypothesis.inner_test)
        if times:
            stated = test._hypothesis_internal_use_settings
            test._hypothesis_internal_use_settings = settings(stated, max_examples=times * stated.max_examples)
    if times:
        items[:] = [item for item in items if item in generated or item.get_closest_marker("generated")]


def without_traces(test: Callable[..., None]) -> Callable[..., None]:
    """The test, which keeps no local variables after a failure.

    Hypothesis holds on to hundreds of failures while it looks for the simplest, and each to the arrays of its answers.
    """

    @wraps(test)
    def run(*values: object, **named: object) -> None:
        try:
            test(*values, **named)
        except Exception as error:
            clear_frames(error.__traceback__)
            for frame, _ in walk_tb(error.__traceback__):
                _ = frame.f_locals  # the copy that an assert's message made of them: brought up to date
            raise

    return run
