"""Processors whose model nobody states."""

from __future__ import annotations

from tests.service.engine.catalogs import bundled

from plimsoll_service.engine.machines import GENERIC, UNKNOWN_VENDOR, WEAKEST_FIRST, vectors_of


def test_an_unknown_processor_has_what_three_in_four_of_its_kind_have() -> None:
    """Of the same architecture and, where it is known, of the same maker."""
    processors = bundled().processors
    kinds = list(zip(processors.vendor, processors.architecture, processors.microarchitecture, strict=True))
    ranks = [WEAKEST_FIRST.index(vector) for vector in vectors_of(processors)]
    unknown = [row for row, kind in enumerate(kinds) if kind[2] == GENERIC]
    shares = []
    for row in unknown:
        maker, architecture, _ = kinds[row]
        alike = [
            rank >= ranks[row]
            for rank, kind in zip(ranks, kinds, strict=True)
            if kind[2] != GENERIC and kind[1] == architecture and maker in (kind[0], UNKNOWN_VENDOR)
        ]
        shares.append(sum(alike) / len(alike))

    assert unknown
    assert min(shares) >= 0.75


def test_an_unknown_processor_of_x86_has_avx2() -> None:
    """Zen 2 and 3, Haswell and Broadwell have no more."""
    processors = bundled().processors
    vectors = dict(zip(processors.name, vectors_of(processors), strict=True))

    assert ["avx2"] * 3 == [vectors[f"{of} generic"] for of in ("x86_64,", "AMD x86_64,", "Intel x86_64,")]
