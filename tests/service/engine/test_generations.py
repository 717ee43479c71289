"""Facts about a generation of accelerators beyond its datasheets."""

from tests.service.engine.catalogs import bundled
from tests.service.fitted import FITTED

from plimsoll_service.engine.generations import GENERATIONS, Generation, generation_of


def test_a_generation_without_a_row_is_taken_for_one_of_today() -> None:
    """A generation that is new in the catalog has matrix units and stands for itself."""
    assert generation_of("Rubin") == Generation("Rubin", matrix_units=True, fitted_as=None)


def test_rows_are_of_generations_that_the_catalog_has() -> None:
    """A row whose name no accelerator bears says nothing: each name is spelled as in the catalog."""
    assert {row.name for row in GENERATIONS} <= set(bundled().accelerators.generation)


def test_a_generation_of_tuned_runs_alone_has_no_other_training_of_language_models() -> None:
    """Where the evidence has a stock training of a language model, its rate is no longer taken from tuned runs."""
    fleet = bundled().accelerators
    there = {
        name
        for name, generation in zip(fleet.name, fleet.generation, strict=True)
        if generation_of(generation).tuned_alone
    }
    cells = FITTED.known["token_training"].cells
    stock = {cell for cell, names in cells.items() if there & set(names.split()) and "megatron tuned" not in cell}

    assert there
    assert stock == set()
