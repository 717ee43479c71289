"""Offers found by cloud, region, instance type and purchase option without a pass over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plimsoll_service.engine.hardware import PURCHASE_NAMES, Catalog, Ints, Offers


@dataclass(frozen=True, eq=False)
class Facet:
    """One property of the offers: its code by offer, and the offers (ascending) of each code as one slice."""

    codes: Ints
    code_by_word: dict[str, int]
    order: Ints
    starts: Ints

    def rows(self, word: str) -> Ints:
        """The offers that have ``word``, ascending; none for an unknown word."""
        code = self.code_by_word.get(word)
        return self.order[:0] if code is None else self.order[self.starts[code] : self.starts[code + 1]]

    def among(self, rows: Ints, word: str) -> Ints:
        """Those of ``rows`` that have ``word``."""
        matching: Ints = rows[self.codes[rows] == self.code_by_word.get(word, -1)]
        return matching


class OfferIndex:
    """Looks offers up by any combination of filters; starts from the filter that leaves the fewest."""

    def __init__(self, catalog: Catalog, offers: Offers) -> None:
        types = catalog.instance_types
        self._all = np.arange(len(offers), dtype=np.int32)
        self._facets = {
            "cloud": _facet([types.cloud[row] or "" for row in range(len(types))], offers.instance_type),
            "region": _facet(catalog.regions.name, offers.region),
            "instance_type": _facet(types.name, offers.instance_type),
            "purchase": _facet(PURCHASE_NAMES, offers.purchase),
        }

    def rows(self, **filters: str | None) -> Ints:
        """The offers that pass all filters (named as in ``PriceRecord``) that are not ``None``, ascending."""
        wanted = [(self._facets[name], word) for name, word in filters.items() if word is not None]
        if not wanted:
            return self._all
        wanted.sort(key=lambda pair: len(pair[0].rows(pair[1])))
        (facet, word), *others = wanted
        rows = facet.rows(word)
        for facet, word in others:
            rows = facet.among(rows, word)
        return rows


def _facet(words: Sequence[str], target: Ints) -> Facet:
    """The facet of a table whose row ``target[i]`` offer i points to; rows of the same word share a code."""
    code_by_word = {word: code for code, word in enumerate(dict.fromkeys(words))}
    code_by_row = np.array([code_by_word[word] for word in words], dtype=np.int32)
    codes = code_by_row[target]
    order = np.argsort(codes, kind="stable").astype(np.int32)
    starts = np.searchsorted(codes[order], np.arange(len(code_by_word) + 1)).astype(np.int32)
    return Facet(codes, code_by_word, order, starts)
