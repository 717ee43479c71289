"""The last good prices in a file."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs
from tests.service.prices.published import snapshot, table

from plimsoll_service.app import configure_logging
from plimsoll_service.prices.live.last_prices import FILE, LastPrices


@pytest.fixture
def first(catalog):
    """A snapshot."""
    return snapshot(catalog, table(catalog, 1.0), 1)


@pytest.fixture
def second(catalog):
    """A newer one."""
    return snapshot(catalog, table(catalog, 2.0), 2)


def test_what_is_written_is_read_by_another_worker(tmp_path, first):
    """Pointer and bytes come back equal, and the directory is made where it is missing."""
    LastPrices(tmp_path / "new").write(first.pointer, first.content)

    assert (first.pointer, first.content) == LastPrices(tmp_path / "new").read()


def test_the_newest_stays(tmp_path, first, second):
    """A worker that is behind does not write over what another one kept; nothing else is left in the directory."""
    kept = LastPrices(tmp_path)
    for one in (first, second, first):
        kept.write(one.pointer, one.content)

    assert (second.pointer, second.content) == kept.read()
    assert [FILE] == [path.name for path in tmp_path.iterdir()]


def test_nothing_is_read_from_an_empty_directory(tmp_path):
    """No file is no prices."""
    assert LastPrices(tmp_path).read() is None


@pytest.mark.parametrize("damage", [lambda whole: whole[:-1], lambda whole: whole[:0], lambda whole: b"\xff\n" + whole])
def test_a_damaged_file_is_not_believed_and_is_replaced(tmp_path, first, damage):
    """A part of a file, or something else under its name, is no prices."""
    kept = LastPrices(tmp_path)
    kept.write(first.pointer, first.content)
    (tmp_path / FILE).write_bytes(damage((tmp_path / FILE).read_bytes()))

    damaged = kept.read()
    kept.write(first.pointer, first.content)

    assert damaged is None
    assert (first.pointer, first.content) == kept.read()


def test_a_directory_that_takes_nothing_is_logged_once(tmp_path, first):
    """Prices go on where no file can be written."""
    configure_logging("info")
    (tmp_path / "file").write_text("")
    kept = LastPrices(tmp_path / "file")

    with capture_logs() as logs:
        for _ in range(3):
            kept.write(first.pointer, first.content)

    assert ["last_prices_not_kept"] == [entry["event"] for entry in logs]
