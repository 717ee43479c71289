"""The package as its users see it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import plimsoll
from plimsoll import (
    AsyncClient,
    BadAnswer,
    Client,
    ConnectionFailed,
    Fault,
    NotInstalled,
    PlimsollError,
    Problem,
    TimedOut,
    errors,
)
from plimsoll.errors import api_error


def _methods(cls: type[object]) -> dict[str, list[str]]:
    public = {name: getattr(cls, name) for name in dir(cls) if not name.startswith("_")}
    return {
        name: [
            # An asynchronous source of questions is what only the asynchronous client can read.
            str(parameter).replace(" | AsyncIterable[Query | QueryFields]", "")
            for parameter in inspect.signature(member).parameters.values()
        ]
        for name, member in public.items()
    }


def test_both_clients_have_the_same_methods() -> None:
    """Both clients have the same methods and arguments."""
    assert _methods(Client) == _methods(AsyncClient)


def test_exported_names_are_sorted_and_exist() -> None:
    """``__all__`` lists exactly the names that can be imported, sorted."""
    assert sorted(plimsoll.__all__) == plimsoll.__all__
    assert [name for name in plimsoll.__all__ if not hasattr(plimsoll, name)] == []


def test_names_that_load_late_are_those_that_type_checkers_see() -> None:
    """Names for type checkers, names that can be imported, and names loaded at first use are the same."""
    tree = ast.parse(inspect.getsource(plimsoll))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.col_offset > 0]
    seen = {(node.module, name.name) for node in imports for name in node.names}
    late = {(f"plimsoll.{module}", name) for module, names in plimsoll._NAMES.items() for name in names}
    modules = {("plimsoll", module) for module in ("models", "offers", "resources")}

    assert late | modules == seen
    assert {name for _, name in late} == set(plimsoll.__all__) - {"__version__"}


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    """A misspelt name is an AttributeError, although some names load late."""
    with pytest.raises(AttributeError, match="'Clint'"):
        _ = plimsoll.Clint


def test_every_error_is_exported_and_in_the_drawing() -> None:
    """Each error class can be caught by its name, and the module's text shows it."""
    tree = {name for name, member in vars(errors).items() if inspect.isclass(member) and issubclass(member, Exception)}

    assert tree <= set(plimsoll.__all__)
    assert {name for name in tree if name not in (errors.__doc__ or "")} == set()


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, "BadRequest"),
        (404, "NotFound"),
        (405, "ApiError"),
        (413, "TooLarge"),
        (415, "ApiError"),
        (422, "ValidationError"),
        (429, "RateLimited"),
        (500, "ServerError"),
        (503, "Unavailable"),
        (504, "ServerError"),
    ],
)
def test_each_status_has_its_error(status: int, kind: str) -> None:
    """The problem's status decides the class of the error."""
    assert kind == type(api_error(Problem(status))).__name__


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    """Another process, which imports what a task needs."""
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        yield executor


def fail(error: PlimsollError) -> None:
    """A task that ends in an error."""
    raise error


def test_an_error_survives_a_process_pool(pool: Executor) -> None:
    """Errors come from another process with all their attributes."""
    error = api_error(
        Problem(422, title="Invalid", detail="1 fault", errors=(Fault("/limit", "too large"),), request_id="r1")
    )

    copy = pool.submit(fail, error).exception()

    assert (type(error), str(error), error.errors) == (type(copy), str(copy), copy.errors)


@pytest.mark.parametrize("kind", [BadAnswer, ConnectionFailed, NotInstalled, TimedOut])
def test_an_error_without_a_problem_survives_a_process_pool(kind: type[PlimsollError], pool: Executor) -> None:
    """The id of the request stays with the error."""
    copy = pool.submit(fail, kind("GET /healthz", "r1")).exception()

    assert (type(copy), str(copy), copy.request_id) == (kind, "GET /healthz (request r1)", "r1")


def test_an_error_reads_well() -> None:
    """The text has status, title, request, and each fault on a line; without faults it has the detail."""
    detail, fault = "1 fault: /limit: too large", Fault("/limit", "too large")
    faulty = api_error(Problem(422, title="Invalid", detail=detail, errors=(fault,), request_id="r1"))
    busy = api_error(Problem(503, title="Unavailable", detail="come again", request_id="r2"))

    assert str(faulty) == "422 Invalid (request r1)\n  /limit: too large"
    assert str(busy) == "503 Unavailable: come again (request r2)"


def _loaded_by(statement: str, after: str = "sys") -> set[str]:
    """Modules that a statement loads in a fresh interpreter, besides those of ``after``."""
    script = (
        f"import sys, {after}\nbefore = set(sys.modules)\n{statement}\n"
        "print(*(name for name in set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_needs_nothing_but_httpx() -> None:
    """Everything that the package exports needs only httpx and its dependencies."""
    loaded = {name.partition(".")[0] for name in _loaded_by("from plimsoll import *", after="httpx")}

    assert loaded - set(sys.stdlib_module_names) == {"plimsoll"}


def test_what_is_not_used_is_not_loaded() -> None:
    """A client loads no classes of answers, and the bare package does not load httpx."""
    bare = _loaded_by("import plimsoll")
    client = _loaded_by("from plimsoll import Client")

    assert "httpx" not in bare
    assert "httpx" in client
    assert {"plimsoll.inputs", "plimsoll.models", "plimsoll.resources", "asyncio"} & client == set()
