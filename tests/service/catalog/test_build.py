"""Building a catalog from CSV files: accepted rows, rejected rows with reasons, and faults of the whole."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plimsoll_service.catalog import commands, snapshot
from plimsoll_service.catalog.build import build
from plimsoll_service.catalog.faults import CatalogError, RejectedRow
from plimsoll_service.engine.hardware import Catalog

AddLine = Callable[[str, str], int]


def row_of(catalog: Catalog, name: str) -> int:
    """The row of an instance type of the small catalog."""
    return catalog.instance_types.name.index(name)


def test_small_directory_builds(input_dir: Path) -> None:
    """Own instance types, offers and regions are enough; the other tables are the bundled ones."""
    catalog, rejected = build(input_dir)

    assert rejected == []
    assert catalog.instance_types.name == ("box", "gpu-box", "half-a-card")
    assert catalog.clouds == ("own",)
    assert catalog.regions.name == ("rack-1",)
    assert catalog.offers.usd_per_hour.tolist() == [0.25, 0.125, 3.5]
    assert catalog.prices_as_of == "2026-05-01"


def test_missing_figures_have_a_stated_meaning(input_dir: Path) -> None:
    """A price without a date is undated, a type without family is its own, a share has its share of memory."""
    catalog, _ = build(input_dir)
    types, offers = catalog.instance_types, catalog.offers

    assert [offers.confidence[row] for row in range(3)] == ["undated", "list", "list"]
    assert types.family[row_of(catalog, "box")] == "box"
    assert types.accelerator_memory_gib[row_of(catalog, "half-a-card")] == 12
    assert types.accelerator_memory_gib[row_of(catalog, "gpu-box")] == 16
    assert types.accelerator[row_of(catalog, "box")] == -1
    assert types.accelerator_count[row_of(catalog, "box")] == 0


def test_sustained_share_is_whole_unless_given(input_dir: Path) -> None:
    """Without the column, or with an empty cell, all vCPUs of a machine can be used continuously."""
    without, _ = build(input_dir)
    (input_dir / "instance_types.csv").write_text(
        "cloud,instance_type,vcpus,memory_gib,sustained_cpu\nown,box,32,128,\nown,half-box,32,128,0.5\n"
    )
    given, _ = build(input_dir)

    assert without.instance_types.sustained_cpu.tolist() == [1, 1, 1]
    assert given.instance_types.sustained_cpu.tolist() == [1, 0.5]


@pytest.mark.parametrize(("share", "reason"), [("0", "is 0, not above 0"), ("1.5", "is 1.5, above 1")])
def test_impossible_share_is_left_out(input_dir: Path, share: str, reason: str) -> None:
    """A share above 1 or of 0 is rejected."""
    (input_dir / "instance_types.csv").write_text(
        f"cloud,instance_type,vcpus,memory_gib,sustained_cpu\nown,box,32,128,1\nown,new,8,64,{share}\n"
    )
    _, rejected = build(input_dir)

    assert RejectedRow("instance_types.csv", 3, f"sustained_cpu {reason}") in rejected


def test_unknown_processor_is_the_generic_one(input_dir: Path) -> None:
    """A type without a processor gets the generic one of its vendor, else of its architecture."""
    catalog, _ = build(input_dir)
    types, names = catalog.instance_types, catalog.processors.name

    assert names[int(types.processor[row_of(catalog, "box")])] == "AMD x86_64, generic"
    assert names[int(types.processor[row_of(catalog, "half-a-card")])] == "x86_64, generic"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("own,new,,64,,,", "vcpus is empty"),
        ("own,new,many,64,,,", "vcpus is 'many', not a number"),
        ("own,new,8,0,,,", "memory_gib is 0, not above 0"),
        ("own,new,8,nan,,,", "memory_gib is 'nan', not a number"),
        ("own,new,-1,,,,", "vcpus is -1, not above 0; memory_gib is empty"),
        ("own,new,8,64,Abacus,1,", "accelerator 'Abacus' has no row in accelerators.csv"),
        ("own,new,8,64,T4,,", "accelerator_count is empty, so that the number of accelerators is unknown"),
        ("own,new,8,64,,1,", "accelerator_count is given without an accelerator"),
        ("own,new,8,64,T4", "has 5 cells where the header has 7"),
        ("own,box,8,64,,,", "own/box stands in instance_types.csv:2 already"),
    ],
)
def test_bad_instance_type_is_left_out(input_dir: Path, add_line: AddLine, line: str, reason: str) -> None:
    """An unusable row is rejected with file, line and every reason."""
    number = add_line("instance_types.csv", line)
    catalog, rejected = build(input_dir)

    assert rejected == [RejectedRow("instance_types.csv", number, reason)]
    assert len(catalog.instance_types) == 3


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("own,box,rack-2,on_demand,1,,x", "region own/rack-2 has no row in regions.csv"),
        ("own,crate,rack-1,on_demand,1,,x", "instance type own/crate has no row in instance_types.csv"),
        ("own,half-a-card,rack-1,on_demand,0,,x", "usd_per_hour is 0, not above 0"),
        ("own,half-a-card,rack-1,on_demand,,,x", "usd_per_hour is empty"),
        ("own,half-a-card,rack-1,lease,1,,x", "purchase is 'lease', not one of on_demand, spot"),
        ("own,half-a-card,rack-1,spot,1,May,x", "as_of is 'May', not a date (YYYY-MM-DD)"),
        ("own,half-a-card,rack-1,spot,1,,", "source is empty"),
        ("own,box,rack-1,spot,9,,x", "own/box/rack-1/spot stands in offers.csv:4 already"),
    ],
)
def test_bad_offer_is_left_out(input_dir: Path, add_line: AddLine, line: str, reason: str) -> None:
    """An unusable offer is rejected with file, line and reason."""
    number = add_line("offers.csv", line)
    catalog, rejected = build(input_dir)

    assert rejected == [RejectedRow("offers.csv", number, reason)]
    assert len(catalog.offers) == 3


@pytest.mark.parametrize("line", ["own,lost,,64,,,", "own,lost,8,64,Abacus,1,"])
def test_rejected_instance_type_takes_its_offers_with_it(input_dir: Path, add_line: AddLine, line: str) -> None:
    """Each offer of a rejected type is rejected too, with the row that caused it."""
    cause = add_line("instance_types.csv", line)
    number = add_line("offers.csv", "own,lost,rack-1,on_demand,1,,x")
    _, rejected = build(input_dir)

    assert [(row.file, row.line) for row in rejected] == [("instance_types.csv", cause), ("offers.csv", number)]
    assert rejected[1].reason == f"its instance type was rejected ({rejected[0]})"


def test_several_offer_files_are_one_table(input_dir: Path) -> None:
    """All files named offers*.csv are read, compressed ones too."""
    lines = "cloud,instance_type,region,purchase,usd_per_hour,source\nown,half-a-card,rack-1,on_demand,1,x\n"
    (input_dir / "offers-more.csv.gz").write_bytes(gzip.compress(lines.encode()))
    catalog, rejected = build(input_dir)

    assert rejected == []
    assert len(catalog.offers) == 4


def test_own_table_replaces_the_bundled_one(input_dir: Path) -> None:
    """A table of the directory replaces the bundled one completely."""
    (input_dir / "accelerators.csv").write_text(
        "name,vendor,generation,year,memory_gib,memory_type,memory_bandwidth_gb_s,interconnect,source\n"
        "L4,NVIDIA,Ada Lovelace,2023,24,GDDR6,300,PCIe,datasheet\n"
    )
    catalog, rejected = build(input_dir)

    assert catalog.accelerators.name == ("L4",)
    assert [row.file for row in rejected] == ["instance_types.csv", "offers.csv"]


def test_withdrawn_types_are_retired_and_no_longer_sold(input_dir: Path) -> None:
    """A row names a type, a family or a pattern; a reserved type is not retired, as it may be sold on spot."""
    (input_dir / "withdrawn.csv").write_text(
        "cloud,name,status,since,source,as_of\n"
        "own,box,retired,2026-04,a letter,2026-05-01\n"
        "own,gpu-*,reserved,,a page,2026-05-02\n"
        "own,half-*,closed,,a page,2026-05-03\n"
        "own,half-a-card,private,,a page,2026-05-04\n"
        "other,box,retired,,a page,2026-05-05\n"
    )
    catalog, rejected = build(input_dir)
    types, offers = catalog.instance_types, catalog.offers

    assert rejected == []
    assert types.retired.tolist() == [True, False, True]
    assert types.withdrawn.tolist() == [0, 1, 2]
    assert [catalog.withdrawn.status[row] for row in range(4)] == ["retired", "reserved", "closed", "private"]
    assert catalog.withdrawn.since == ("2026-04", "", "", "")
    assert offers.current.tolist() == [False, False, True]


def test_withdrawal_needs_a_source_and_a_date(input_dir: Path) -> None:
    """A row without them is rejected, and its type stays on sale."""
    (input_dir / "withdrawn.csv").write_text(
        "cloud,name,status,source,as_of\nown,box,retired,,2026-05-01\nown,gpu-box,gone,a letter,\n"
    )
    catalog, rejected = build(input_dir)

    assert [
        RejectedRow("withdrawn.csv", 2, "source is empty"),
        RejectedRow(
            "withdrawn.csv", 3,
            "status is 'gone', not one of retired, closed, preview, unlisted, private, reserved; as_of is empty",
        ),
    ] == rejected  # fmt: skip
    assert not catalog.instance_types.retired.any()


def test_every_fault_of_the_structure_is_named_at_once(input_dir: Path) -> None:
    """Missing files, and missing and misspelt columns of all files, are in one error."""
    (input_dir / "instance_types.csv").write_text("cloud,instance_type,vcpu,memory_gib\n")
    (input_dir / "offers.csv").unlink()
    with pytest.raises(CatalogError) as raised:
        build(input_dir)

    assert raised.value.faults == (
        "instance_types.csv: the column 'vcpus' is missing",
        "instance_types.csv: the column 'vcpu' is unknown; is it 'vcpus'?",
        f"{input_dir}: offers*.csv (or .gz) is missing",
    )


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"cloud,cloud,instance_type,region,usd_per_hour,source\n", "the column 'cloud' stands twice"),
        (b"\xff\xfe", "cannot be read"),
        (b'cloud,instance_type,region,usd_per_hour,source\nown,"box,rack-1,1,x\n', "is not CSV"),
        (b"", "the column 'cloud' is missing"),
        (b"cloud,instance_type,region,usd_per_hour,source\n", "no usable offer is left"),
    ],
)
def test_broken_file_refuses_the_whole(input_dir: Path, content: bytes, fault: str) -> None:
    """A file that cannot be read is an error, not a smaller catalog."""
    (input_dir / "offers.csv").write_bytes(content)
    with pytest.raises(CatalogError, match=fault):
        build(input_dir)


def test_damaged_archive_refuses_the_whole(input_dir: Path) -> None:
    """A truncated or overwritten compressed file is an error with its name."""
    (input_dir / "offers-more.csv.gz").write_bytes(gzip.compress(b"cloud,instance_type\n" * 50)[:-12] + b"x" * 12)
    with pytest.raises(CatalogError, match=r"offers-more\.csv\.gz: cannot be read"):
        build(input_dir)


def test_refused_build_writes_nothing(input_dir: Path, tmp_path: Path) -> None:
    """The output of an earlier build stays when a later one fails."""
    output = tmp_path / "catalog.npz"
    commands.build(input_dir, output)
    before = output.read_bytes()
    (input_dir / "instance_types.csv").unlink()
    with pytest.raises(CatalogError):
        commands.build(input_dir, output)

    assert output.read_bytes() == before
    assert sorted(tmp_path.iterdir()) == [output, input_dir]


def test_report_counts_and_names_what_was_left_out(input_dir: Path, add_line: AddLine, tmp_path: Path) -> None:
    """The report has the version, types and offers by cloud, and each rejected row."""
    number = add_line("offers.csv", "own,box,rack-2,on_demand,1,,x")
    report = commands.build(input_dir, tmp_path / "catalog.npz")

    assert (report.instance_types, report.offers) == ({"own": 3}, {"own": 3})
    assert report.version == snapshot.load(tmp_path / "catalog.npz").version
    assert f"  offers.csv:{number}: region own/rack-2 has no row in regions.csv" in str(report).splitlines()
    assert "own                       3         3" in str(report).splitlines()


CELL = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=12)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(cells=st.lists(CELL, min_size=7, max_size=7))
def test_any_text_gives_a_row_or_a_reason(input_dir: Path, cells: list[str]) -> None:
    """For any text in a row, the build ends with a valid catalog or with an error that gives the reason."""
    original = (input_dir / "instance_types.csv").read_text()
    quoted = ",".join('"' + cell.replace('"', '""') + '"' for cell in cells)
    try:
        (input_dir / "instance_types.csv").write_text(f"{original}{quoted}\n")
        catalog, rejected = build(input_dir)
        assert len(catalog.instance_types) + len(rejected) == 4
    finally:
        (input_dir / "instance_types.csv").write_text(original)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(price=st.floats(min_value=1e-6, max_value=1e6), vcpus=st.floats(min_value=0.01, max_value=1e4))
def test_numbers_keep_every_digit(input_dir: Path, price: float, vcpus: float) -> None:
    """Prices and sizes keep every digit."""
    types, offers = input_dir / "instance_types.csv", input_dir / "offers.csv"
    types.write_text(f"cloud,instance_type,vcpus,memory_gib\nown,box,{vcpus!r},128\n")
    offers.write_text(f"cloud,instance_type,region,usd_per_hour,source\nown,box,rack-1,{price!r},x\n")
    catalog, _ = build(input_dir)

    assert catalog.offers.usd_per_hour.tolist() == [price]
    assert catalog.instance_types.vcpus.tolist() == [vcpus]
