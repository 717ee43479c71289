"""All prices of one moment by name: what a snapshot holds, whichever catalog reads it."""

from __future__ import annotations

from dataclasses import dataclass

from plimsoll_service.engine.hardware import Coded, Flags, Floats


@dataclass(frozen=True, eq=False)
class OfferColumns:
    """Offers as in ``engine.hardware.Offers``, by name; sorted by cloud, instance type, region, purchase option."""

    cloud: Coded
    instance_type: Coded
    region: Coded
    purchase: Coded
    usd_per_hour: Floats
    current: Flags
    interruptions_per_hour: Floats  # of one machine on spot; NaN where nobody states it
    as_of: Coded
    source: Coded
    confidence: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class VolumeColumns:
    """Prices of volume products by region; NaN where that part is not sold apart."""

    cloud: Coded
    product: Coded
    region: Coded
    usd_per_gib_month: Floats
    usd_per_iops_month: Floats
    usd_per_mib_s_month: Floats
    as_of: Coded
    source: Coded
    confidence: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class CoverageColumns:
    """What feeds have answered for: the offers of a cloud, region and purchase option are fresh until then (UTC)."""

    cloud: Coded
    region: Coded
    purchase: Coded
    source: Coded
    fetched_at: Coded
    fresh_until: Coded

    def __len__(self) -> int:
        return len(self.cloud)


@dataclass(frozen=True, eq=False)
class PriceTable:
    """The whole of a price snapshot."""

    offers: OfferColumns
    volumes: VolumeColumns
    coverage: CoverageColumns
