"""The snapshot file: read whole or not at all, written in one step."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plimsoll_service.catalog import snapshot
from plimsoll_service.catalog.build import build
from plimsoll_service.catalog.faults import CatalogError
from plimsoll_service.catalog.integrity import faults_of
from plimsoll_service.engine.hardware import Catalog


@pytest.fixture
def catalog(input_dir: Path) -> Catalog:
    """A small catalog."""
    return build(input_dir)[0]


def test_what_was_saved_is_loaded(catalog: Catalog, tmp_path: Path) -> None:
    """A loaded snapshot has every column."""
    snapshot.save(catalog, tmp_path / "deep" / "catalog.npz")
    loaded = snapshot.load(tmp_path / "deep" / "catalog.npz")

    assert loaded.version == catalog.version
    assert snapshot.dumps(loaded) == snapshot.dumps(catalog)


def test_missing_file_is_an_error_that_names_it(tmp_path: Path) -> None:
    """The error names the missing file."""
    with pytest.raises(CatalogError, match=r"catalog\.npz: cannot be read"):
        snapshot.load(tmp_path / "catalog.npz")


def test_any_changed_byte_of_the_content_is_noticed(catalog: Catalog) -> None:
    """A truncated or overwritten snapshot is refused, wherever the damage is."""
    content = snapshot.dumps(catalog)
    for end in (0, 1, len(content) // 2, len(content) - 1):
        with pytest.raises(CatalogError, match="is not a catalog snapshot"):
            snapshot.loads(content[:end])
    damaged = bytearray(content)
    damaged[200:260] = bytes(60)
    with pytest.raises(CatalogError):
        snapshot.loads(bytes(damaged))


def test_missing_column_is_named(catalog: Catalog) -> None:
    """A snapshot of another layout is refused with its missing columns."""
    kept = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(snapshot.dumps(catalog))) as old, zipfile.ZipFile(kept, "w") as new:
        for name in old.namelist():
            if name != "offers.current.npy":
                new.writestr(name, old.read(name))
    with pytest.raises(CatalogError, match=r"has no offers\.current"):
        snapshot.loads(kept.getvalue())


def test_pickled_objects_are_refused(tmp_path: Path) -> None:
    """A file that would run code when it is read is refused."""
    np.savez(tmp_path / "catalog.npz", version=np.array([{"a": 1}], dtype=object))
    with pytest.raises(CatalogError):
        snapshot.load(tmp_path / "catalog.npz")


@pytest.mark.parametrize("share", [0.0, -0.5, 1.01, np.nan])
def test_impossible_sustained_share_is_a_fault(catalog: Catalog, share: float) -> None:
    """A share that is not above 0 and at most 1 refuses the catalog."""
    types = replace(catalog.instance_types, sustained_cpu=np.array([1.0, share, 1.0]))

    assert faults_of(replace(catalog, instance_types=types)) == [
        "instance_types.sustained_cpu has a share that is not above 0 and at most 1"
    ]


def test_every_fault_is_named_and_nothing_is_written(catalog: Catalog, tmp_path: Path) -> None:
    """A faulty catalog is not saved, and every fault is named."""
    offers = replace(
        catalog.offers,
        usd_per_hour=np.array([0.25, 0.0, np.nan]),
        region=np.array([0, 0, 7], dtype=np.int32),
    )
    with pytest.raises(CatalogError) as raised:
        snapshot.save(replace(catalog, offers=offers), tmp_path / "new.npz")

    assert raised.value.faults == (
        "offers.region points outside its table",
        "offers.usd_per_hour has a price that is not a number above 0",
    )
    assert not (tmp_path / "new.npz").exists()


def test_columns_of_unequal_length_are_refused(catalog: Catalog) -> None:
    """A column without a row is a fault, not a crash."""
    types = replace(catalog.instance_types, vcpus=catalog.instance_types.vcpus[:-1])
    with pytest.raises(CatalogError, match=r"instance_types\.vcpus has 2 rows, not 3"):
        snapshot.loads(snapshot.dumps(replace(catalog, instance_types=types)))


def test_failed_write_leaves_the_old_file(catalog: Catalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers still find the old snapshot, and nothing else, if the disk fails before the last byte."""
    path = tmp_path / "out" / "catalog.npz"
    snapshot.save(catalog, path)
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        snapshot.save(replace(catalog, version="newer"), path)

    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_version_changes_with_the_content(catalog: Catalog) -> None:
    """Another price gives another version; the same content gives the same."""
    dearer = replace(catalog.offers, usd_per_hour=catalog.offers.usd_per_hour * 2)

    assert snapshot.stamped(catalog).version == catalog.version
    assert snapshot.stamped(replace(catalog, offers=dearer)).version != catalog.version
