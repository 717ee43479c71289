"""The package as its users see it."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys

import pytest

import plimsoll
from plimsoll import AsyncClient, Client, Fault, Problem, errors
from plimsoll.errors import api_error


def _methods(cls: type[object]) -> dict[str, list[str]]:
    public = {name: member for name, member in vars(cls).items() if not name.startswith("_")}
    return {
        name: [str(parameter) for parameter in inspect.signature(member).parameters.values()]
        for name, member in public.items()
    }


def test_both_clients_have_the_same_methods() -> None:
    """The asynchronous client is the synchronous one's twin, name by name and argument by argument."""
    assert _methods(Client) == _methods(AsyncClient)


def test_exported_names_are_sorted_and_exist() -> None:
    """``__all__`` is what can be imported, in order."""
    assert sorted(plimsoll.__all__) == plimsoll.__all__
    assert [name for name in plimsoll.__all__ if not hasattr(plimsoll, name)] == []


def test_every_error_is_exported_and_in_the_drawing() -> None:
    """Each class of the tree can be caught by its name, and the module's text draws it."""
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
    """The class of an error follows from the problem's status."""
    assert kind == type(api_error(Problem(status))).__name__


def test_an_error_survives_a_process_pool() -> None:
    """Errors are picklable with everything that they say."""
    error = api_error(
        Problem(422, title="Invalid", detail="1 fault", errors=(Fault("/limit", "too large"),), request_id="r1")
    )

    copy = pickle.loads(pickle.dumps(error))  # noqa: S301 - of our own making

    assert (type(error), str(error), error.errors) == (type(copy), str(copy), copy.errors)


def test_an_error_reads_well() -> None:
    """The text has status, title, detail, request and each fault on its own line."""
    error = api_error(
        Problem(422, title="Invalid", detail="1 fault", errors=(Fault("/limit", "too large"),), request_id="r1")
    )

    assert str(error) == "422 Invalid: 1 fault (request r1)\n  /limit: too large"


def test_importing_needs_nothing_but_httpx() -> None:
    """No package beyond httpx and what it brings itself is loaded."""
    script = (
        "import sys, httpx\n"
        "before = set(sys.modules)\n"
        "import plimsoll\n"
        "new = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(new - set(sys.stdlib_module_names)))"
    )

    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)

    assert loaded.stdout.strip() == "['plimsoll']"
