"""Columns of words: made, joined and put into the one form in which equal content gives equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from plimsoll_service.engine.hardware import Coded, Ints


def coded(values: Iterable[str | None]) -> Coded:
    """A column of these words, ``None`` being unknown."""
    codes: dict[str, int] = {}
    column = [-1 if value is None else codes.setdefault(value, len(codes)) for value in values]
    return canonical(Coded(np.array(column, dtype=np.int32), tuple(codes)))


def canonical(column: Coded) -> Coded:
    """The same column with its words sorted, each there once and used."""
    used = {column.words[code] for code in np.flatnonzero(np.bincount(column.codes + 1)[1:]).tolist()}
    words = tuple(sorted(used))
    return Coded(places(column, {word: place for place, word in enumerate(words)}), words)


def joined(columns: Sequence[Coded]) -> Coded:
    """Columns one below the other."""
    words = sorted({word for column in columns for word in column.words})
    place_by_word = {word: place for place, word in enumerate(words)}
    codes = np.concatenate([places(column, place_by_word) for column in columns])
    return canonical(Coded(codes, tuple(words)))


def places(column: Coded, place_by_word: Mapping[str, int]) -> Ints:
    """For each row the place of its word; -1 where the word has none or is unknown."""
    place = np.array([*(place_by_word.get(word, -1) for word in column.words), -1], dtype=np.int32)
    found: Ints = place[column.codes]
    return found


def rows_named(cloud: Coded, name: Sequence[str], in_cloud: Coded, named: Coded) -> Ints:
    """For each pair of a cloud and a name the row of the table (its clouds, its names) that has both; -1 for none."""
    table = np.full((len(in_cloud.words), len(named.words)), -1, dtype=np.int32)
    own_cloud = places(cloud, {word: code for code, word in enumerate(in_cloud.words)})
    code_by_name = {word: code for code, word in enumerate(named.words)}
    own_name = np.array([code_by_name.get(word, -1) for word in name], dtype=np.int32)
    known = np.flatnonzero((own_cloud >= 0) & (own_name >= 0)).astype(np.int32)
    table[own_cloud[known], own_name[known]] = known
    found: Ints = table[in_cloud.codes, named.codes]
    return found


def ranked(*keys: Sequence[Coded]) -> list[NDArray[np.int64]]:
    """For each of several tables' key columns one number a row: equal where the words are, in any of the tables."""
    ranks = [np.zeros(len(columns[0]), dtype=np.int64) for columns in keys]
    for column in zip(*keys, strict=True):
        words = sorted({word for part in column for word in part.words})
        place_by_word = {word: place for place, word in enumerate(words)}
        ranks = [
            rank * max(1, len(words)) + places(part, place_by_word) for rank, part in zip(ranks, column, strict=True)
        ]
    return ranks
