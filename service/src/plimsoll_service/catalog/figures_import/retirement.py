"""Which types their providers have retired, and which offers are no longer sold."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from plimsoll_service.catalog.figures_import.families import family_of
from plimsoll_service.catalog.figures_import.gathered import Gathered

NOT_OFFERED = "not-offered"
# Retired whatever a price list still says: (cloud/family or cloud/type, why).
RETIRED = (
    (r"gcp/.*\+nvidia-tesla-k80x\d+", "Google retired the K80 in 2024"),
    (r"azure/N[CV]r?_Promo", "Azure retired the NC and NV promotions in 2023"),
    (r"azure/NVs_v[23]", "Azure retired NVv2 and NVv3"),
    (r"azure/Standard_A(8|9|10|11)", "Azure retired A8 to A11"),
)


def retired_by_provider(key: tuple[str, str]) -> bool:
    """Whether the provider retired the type everywhere."""
    names = ("/".join(key), f"{key[0]}/{family_of(*key)}")
    return any(re.fullmatch(pattern, name) for pattern, _ in RETIRED for name in names)


def sold(row: Gathered) -> bool:
    """Whether the offer is still sold in its region."""
    return NOT_OFFERED not in row["source"] and not retired_by_provider(row.type_key)


def retired_types(rows: Iterable[Gathered], restricted: Mapping[tuple[str, str], bool]) -> set[tuple[str, str]]:
    """The types that no commercial region sells any more, given which regions are restricted."""
    still: dict[tuple[str, str], bool] = {}
    for row in rows:
        if not restricted.get((row["cloud"], row.region), False):
            still[row.type_key] = still.get(row.type_key, False) or sold(row)
    return {key for key, is_sold in still.items() if not is_sold}
