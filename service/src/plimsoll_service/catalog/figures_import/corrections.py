"""Gathered hardware facts that a better source contradicts: what is put in their place, and why."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from plimsoll_service.catalog.figures_import.families import family_of
from plimsoll_service.catalog.figures_import.gathered import Gathered


@dataclass(frozen=True)
class Correction:
    """Cells of every row whose "cloud/family" matches ``pattern`` are replaced, for ``reason``."""

    pattern: str
    cells: dict[str, str]
    reason: str


CORRECTIONS = (
    Correction(
        r"azure/NCr?s_v3",
        {"accelerator": "V100-PCIe"},
        "Azure's NCv3 has the PCIe card; only its NDv2 has the SXM2 module with NVLink",
    ),
    Correction(
        r"azure/(HBrs(_v\d)?|HXrs|Ls_v2)",
        {"cpu": "AMD"},
        "HB, HX and Lsv2 run on EPYC processors; the list took the maker from the name",
    ),
)


def corrected(row: Gathered) -> Gathered:
    """``row`` with the better source's cells."""
    name = f"{row['cloud']}/{family_of(*row.type_key)}"
    for correction in CORRECTIONS:
        if re.fullmatch(correction.pattern, name):
            row = replace(row, cells=row.cells | correction.cells)
    return row
