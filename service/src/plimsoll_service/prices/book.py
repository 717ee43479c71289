"""The prices of one snapshot, found by name."""

from __future__ import annotations

import math
from functools import cached_property

from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog, Coded, Ints
from plimsoll_service.engine.prices import Prices
from plimsoll_service.prices.index import OfferIndex
from plimsoll_service.prices.source import DEFAULT_LIMIT, PricePage, PriceRecord


class CatalogBook:
    """Prices over the rows of a catalog."""

    def __init__(self, catalog: Catalog, prices: Prices) -> None:
        self._catalog = catalog
        self.prices = prices

    @cached_property
    def _index(self) -> OfferIndex:
        return OfferIndex(self._catalog, self.prices.offers)

    def restated(self, prices: Prices) -> CatalogBook:
        """The same offers with other words about them, such as which are stale: the index is shared."""
        book = CatalogBook(self._catalog, prices)
        book.__dict__["_index"] = self._index  # where a cached property keeps its value
        return book

    def lookup(
        self,
        cloud: str | None = None,
        region: str | None = None,
        instance_type: str | None = None,
        purchase: str | None = None,
        *,
        offset: int = 0,
        limit: int = DEFAULT_LIMIT,
    ) -> PricePage:
        """The offers that match all filters given, in the catalog's order."""
        rows = self._index.rows(cloud=cloud, region=region, instance_type=instance_type, purchase=purchase)
        return PricePage(self._records(rows[offset : offset + limit]), len(rows))

    def _records(self, rows: Ints) -> tuple[PriceRecord, ...]:
        types, regions, offers = self._catalog.instance_types, self._catalog.regions, self.prices.offers
        type_rows = offers.instance_type[rows].tolist()
        risks = self.prices.interruptions_per_hour[rows].tolist()
        return tuple(
            PriceRecord(
                cloud=_known(types.cloud, type_row),
                region=regions.name[offers.region[row]],
                instance_type=types.name[type_row],
                purchase=PURCHASE_NAMES[offers.purchase[row]],
                usd_per_hour=float(offers.usd_per_hour[row]),
                as_of=offers.as_of[row],
                source=_known(offers.source, row),
                stale=bool(self.prices.stale[row]),
                confidence=_known(offers.confidence, row),
                current=bool(offers.current[row]),
                interruptions_per_hour=None if math.isnan(risk) else risk,
            )
            for row, type_row, risk in zip(rows.tolist(), type_rows, risks, strict=True)
        )


def _known(column: Coded, row: int) -> str:
    """The word of a column in which the catalog leaves none unknown."""
    return column.words[int(column.codes[row])]
