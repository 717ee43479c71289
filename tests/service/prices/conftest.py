"""A catalog that is small enough to know every price."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from plimsoll_service.app import configure_logging
from plimsoll_service.engine.hardware import (
    CONFIDENCES,
    PURCHASE_NAMES,
    Accelerators,
    Catalog,
    Coded,
    Disks,
    InstanceTypes,
    Offers,
    Processors,
    Regions,
    Withdrawn,
)

# Two clouds share a region's name, as AWS and Alibaba do with us-east-1.
REGIONS = (("aws", "us-east-1"), ("aws", "eu-west-1"), ("alibaba", "us-east-1"))
TYPES = (("aws", "p3.2xlarge"), ("aws", "g5.xlarge"), ("alibaba", "ecs.gn6v"), ("aws", "trn1.2xlarge"))
# instance type, region, purchase, USD an hour, current, as of, source, confidence; sorted by instance type.
OFFERS = (
    (0, 0, "on_demand", 3.06, True, "2026-10-01", "aws list", "list"),
    (0, 0, "spot", 0.918, True, "2026-10-01", "aws advisor", "estimated"),
    (0, 1, "on_demand", 3.305, False, "2024-05-01", "aws list", "list"),
    (1, 0, "on_demand", 1.006, True, "2026-10-01", "aws list", "list"),
    (1, 1, "on_demand", 1.123, True, None, "aws list", "undated"),
    (2, 2, "on_demand", 4.0, True, "2026-10-01", "alibaba list", "derived"),
)


@pytest.fixture(autouse=True)
def audible() -> None:
    """Log warnings, although structlog's configuration is shared and other tests silence it."""
    configure_logging("info")


@pytest.fixture
def catalog() -> Catalog:
    """Four instance types, three regions, six offers; trn1.2xlarge has none."""
    columns = list(zip(*OFFERS, strict=True))
    offers = Offers(
        instance_type=np.array(columns[0], dtype=np.int32),
        region=np.array(columns[1], dtype=np.int32),
        purchase=np.array([PURCHASE_NAMES.index(name) for name in columns[2]], dtype=np.int32),
        usd_per_hour=np.array(columns[3]),
        current=np.array(columns[4]),
        as_of=coded(columns[5]),
        source=coded(columns[6]),
        confidence=coded(columns[7], CONFIDENCES),
    )
    types = nothing(InstanceTypes) | {
        "cloud": coded([cloud for cloud, _ in TYPES]),
        "name": tuple(name for _, name in TYPES),
        "family": coded([name.partition(".")[0] for _, name in TYPES]),
    }
    regions = nothing(Regions) | {
        "cloud": coded([cloud for cloud, _ in REGIONS]),
        "name": tuple(name for _, name in REGIONS),
    }
    return Catalog(
        version="2026-10-01-cafe",
        prices_as_of="2026-10-01",
        clouds=("aws", "alibaba"),
        regions=Regions(**regions),
        accelerators=Accelerators(**nothing(Accelerators)),
        processors=Processors(**nothing(Processors)),
        disks=Disks(**nothing(Disks)),
        withdrawn=Withdrawn(**nothing(Withdrawn)),
        instance_types=InstanceTypes(**types),
        offers=offers,
        unpriced=np.zeros(len(TYPES), dtype=np.int32),
    )


def coded(values, words=None) -> Coded:
    """A column of these words, in which None is unknown."""
    words = tuple(words or dict.fromkeys(value for value in values if value is not None))
    return Coded(np.array([-1 if value is None else words.index(value) for value in values], dtype=np.int32), words)


def nothing(table) -> dict:
    """An empty column for each field of a table that prices do not read."""
    return dict.fromkeys((field.name for field in fields(table)), ())
