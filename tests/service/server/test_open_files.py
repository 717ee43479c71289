"""More connections than files would end the worker that accepts them."""

from __future__ import annotations

import resource

import pytest

from plimsoll_service.server.open_files import FILES_BESIDE, most_connections


@pytest.fixture
def files():
    """Sets how many files this process may open; what was before holds again afterwards."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield lambda most: resource.setrlimit(resource.RLIMIT_NOFILE, (most, before[1]))
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.parametrize(
    ("most", "connections"),
    [(1024, 1024 - FILES_BESIDE), (4096, 1000), (FILES_BESIDE + 1, 4)],
    ids=["usual", "many", "few"],
)
def test_connections_leave_room_for_other_files(files, most, connections):
    """As many as wanted where there are files enough, and one for each of four threads in any case."""
    files(most)

    assert most_connections(1000, 4) == connections
