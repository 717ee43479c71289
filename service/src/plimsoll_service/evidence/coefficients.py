"""What the engine is handed, read once: coefficients as ``make calibrate`` writes them, and statements."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import orjson

from ..engine.anchors import AnchorFit, Sharing
from ..engine.coefficients import Coefficients
from ..engine.effects import Effects
from ..engine.known import NOTHING, Agreed, Check, Known, joined
from ..engine.measured import parsed
from ..engine.spreads import Spread, Spreads, by_basis
from ..engine.support import SupportTable
from ..engine.waits import waits_of
from . import models, rules, statements

FORMS = (
    "roofline", "scaling", "memory", "token_training", "serving", "serving_hosts", "cpu_serving",
    "xgboost", "lightgbm", "xgboost_on_gpu",
)  # fmt: skip
# Files of the bundled measurements alone, and of runs in clouds as well; the second overrides the first.
KNOWN, SPREADS = ("known", "known_cloud"), ("spreads", "spreads_cloud")
ANCHORS, OTHERWISE = "anchors", "otherwise"  # the file, and its entry for work without one of its own

Form = TypeVar("Form", bound=Any)  # a dataclass


def folder() -> Path:
    """Folder of the files, one for each form."""
    return Path(str(resources.files(__package__) / "data/coefficients"))


@lru_cache(maxsize=1)
def load() -> Coefficients:
    """Return everything that is fitted or stated; the other fields keep their defaults."""
    found = starting()
    for name in FORMS:
        found = _with(found, _read(name)["coefficients"])
    effects = _read("effects")
    return replace(
        found,
        effects=Effects(_values(effects["levels"]), _values(effects["matches"])),
        measured=parsed(_read("measured")["rates"]),
        known=_known(),
        checks=by_cell(Check, _read("checks")["checks"]),
        agreed=by_cell(Agreed, _read("agreed")["agreed"]),
        spreads=spreads(),
        waits=waits_of(_read("queue")["waits"]),
        anchors=anchors_of(_read(ANCHORS)["sharings"]),
        support=statements.support(),
        rules={rule.id: rule.source for rule in rules.load()},
    )


@lru_cache(maxsize=1)
def starting() -> Coefficients:
    """Return what the fits start from, with the known models, data sets and programs."""
    return Coefficients(
        models=models.load(),
        clouds=statements.clouds(),
        datasets=statements.datasets(),
        batch_limits=statements.batch_limits(),
        sockets=statements.sockets(),
        traffic=statements.traffic(),
        frameworks=statements.frameworks(),
        support=SupportTable(programs=statements.programs(), frameworks=statements.frameworks()),
    )


def refitted(found: Coefficients, documents: Iterable[Mapping[str, Any]]) -> Coefficients:
    """Return the coefficients with the forms that are written in some of the files' contents."""
    for document in documents:
        found = _with(found, document.get("coefficients", {}))
    return found


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads((folder() / f"{name}.json").read_bytes())
    return found


def _with(form: Form, figures: Mapping[str, Any]) -> Form:
    """Return the form with those values; figures without a value belong to a part of the form."""
    changed = {
        name: one["value"] if "value" in one else _with(getattr(form, name), one) for name, one in figures.items()
    }
    return replace(form, **changed)


def _values(figures: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {name: one["value"] for name, one in figures.items()}


def _known() -> dict[str, Known]:
    found: dict[str, Known] = {}
    for name in KNOWN:
        for work, words in _read(name)["known"].items():
            found[work] = joined(found.get(work, NOTHING), known_of(words))
    return found


def known_of(words: Mapping[str, Any]) -> Known:
    """Coverage of one kind of work, from its lists of words."""
    sets = {name: frozenset(listed) for name, listed in words.items() if name not in ("cells", "loads")}
    return Known(**sets, cells=words.get("cells", {}), loads=words.get("loads", {}))


def by_cell(kind: type[Form], table: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, Form]]:
    """Checks or agreements by cell and accelerator, from the written table."""
    return {cell: {name: kind(**figures) for name, figures in found.items()} for cell, found in table.items()}


def anchors_of(table: Mapping[str, Mapping[str, float]]) -> AnchorFit:
    """The sharing of every kind of estimate, from the written table."""
    found = {name: Sharing(**figures) for name, figures in table.items()}
    return AnchorFit(found, found[OTHERWISE])


def spreads() -> Spreads:
    """The ranges as written, read anew."""
    shipped, cloud = (_read(name) for name in SPREADS)
    scaling = shipped["scaling"]
    return Spreads(
        {
            name: by_basis(*(Spread(*ends[novelty]) for novelty in ("known_model", "new_model", "modelled")))
            for name, ends in {**shipped["spreads"], **cloud["spreads"]}.items()
        },
        scaling["error"],
        scaling["growth"],
        shipped["load"]["growth"],
    )
