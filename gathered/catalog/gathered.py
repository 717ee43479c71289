"""Gathered offers, one row for each instance type in a region, and the project's own tables that complete them."""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from plimsoll_service.catalog.faults import CatalogError

# By cloud: replacements that turn a type's name into the provider's family.
PATTERNS: dict[str, tuple[tuple[str, str], ...]] = {
    "aws": ((r"\..*", ""),),
    # n1-standard-8+nvidia-tesla-t4x1 -> n1-standard; ct5lp-hightpu-4t -> ct5lp-hightpu; v5litepod-8 -> v5litepod
    "gcp": ((r"\+.*", ""), (r"-\d+[gt]?(-.*)?$", "")),
    # Standard_E4-2ads_v5 -> Eads_v5: the numbers of vCPUs go, whatever tells hardware apart stays
    "azure": ((r"^Standard_", ""), (r"^([A-Z]+)\d+", r"\1"), (r"-\d+", "")),
    # ecs.gn6v-c8g1.2xlarge -> ecs.gn6v; ecs.vgn6i-m4-vws.xlarge -> ecs.vgn6i-vws
    "alibaba": ((r"^(ecs\.[^.]+)\..*", r"\1"), (r"-(l?c\d\w*|\d+x|m\d+s?|x\d+|\d+g)(?=-|$)", "")),
    "oci": ((r"\.(Flex.*|\d+)$", ""),),
    "lambda": ((r"_\d+x_", "_"),),
    "nebius": ((r"_.*", ""),),
    "hyperstack": ((r"x\d+", ""),),
    "verda": ((r"^\d+", ""), (r"\.\d+V.*$", "")),
    "ovh": ((r"-\d+$", ""),),
    "runpod": ((r"^\d+x_", ""),),
    "hyperbolic": ((r"^\d+x-", ""), (r"-.*", "")),
}


def family_name(key: tuple[str, str]) -> str:
    """Cloud and family of (cloud, instance type), in the form of the patterns."""
    return f"{key[0]}/{family_of(*key)}"


def family_of(cloud: str, instance_type: str) -> str:
    """The provider's own family of a type; for a cloud without a pattern, the type's name."""
    family = instance_type
    for pattern, replacement in PATTERNS.get(cloud, ()):
        family = re.sub(pattern, replacement, family)
    return family


OFFERS_PATTERN = "offers_*.csv.gz"
HARDWARE_FILE = "instance_hardware.csv.gz"
OFFER_COLUMNS = (
    "cloud", "instance_type", "vcpus", "memory_gib", "arch", "cpu", "accelerator", "accelerator_count",
    "accelerator_memory_gib", "local_nvme_gb", "network_gbps", "ebs_or_disk_mbps", "region", "price_usd_hour",
    "spot_usd_hour", "as_of", "source",
)  # fmt: skip
HARDWARE_COLUMNS = (
    "cloud", "instance_type", "cpu", "arch", "features", "vcpus", "sockets", "cores_per_socket", "threads_per_core",
    "l2_mib", "memory_read_gbs", "gzip5_mb_s_1thread", "gpu", "host_to_all_gbs", "d2d_read_gbs", "boot_seconds",
)  # fmt: skip
# The lists' word for a price that holds in every region, and the word for users.
EVERY_REGION = "all"
GLOBAL_REGION = "global"


@dataclass(frozen=True)
class Gathered:
    """One gathered row with its cells; the region is empty where a list names none."""

    file: str
    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    @property
    def type_key(self) -> tuple[str, str]:
        return self.cells["cloud"], self.cells["instance_type"]

    @property
    def family(self) -> str:
        """The cloud and the provider's own family."""
        return family_name(self.type_key)

    @property
    def region(self) -> str:
        region = self.cells["region"]
        return GLOBAL_REGION if region == EVERY_REGION else region

    def number(self, column: str) -> float | None:
        """Number in a cell; ``None`` where it is empty, that is unknown."""
        return float(self.cells[column]) if self.cells[column] else None


def gathered_offers(directory: Path) -> list[Gathered]:
    """Return every gathered offer; raises ``CatalogError`` where a file or a column is missing."""
    paths = sorted(directory.glob(OFFERS_PATTERN))
    if not paths:
        raise CatalogError([f"{directory}: {OFFERS_PATTERN} is missing"])
    return [row for path in paths for row in _read(path, OFFER_COLUMNS)]


def gathered_hardware(directory: Path) -> list[Gathered]:
    """Measurements on rented instances; raises ``CatalogError`` where the file or a column is missing."""
    path = directory / HARDWARE_FILE
    if not path.is_file():
        raise CatalogError([f"{directory}: {HARDWARE_FILE} is missing"])
    return list(_read(path, HARDWARE_COLUMNS))


def _read(path: Path, columns: tuple[str, ...]) -> Iterator[Gathered]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        missing = sorted(set(columns) - set(reader.fieldnames or ()))
        if missing:
            raise CatalogError(f"{path.name}: the column {column!r} is missing" for column in missing)
        for row in reader:
            yield Gathered(path.name, reader.line_num, {key: (row[key] or "").strip() for key in columns})


@cache
def own_table(name: str) -> tuple[dict[str, str], ...]:
    """The rows of a table in ``data``."""
    with (resources.files(__package__) / "data" / f"{name}.csv").open(encoding="utf-8") as file:
        return tuple(csv.DictReader(file))


def first_match(table: str, text: str) -> dict[str, str] | None:
    """The first row of a table in ``data`` whose pattern the text matches."""
    return next((row for row in own_table(table) if re.search(row["pattern"], text)), None)
