"""The operator's own terms out of their file (YAML, of which JSON is a part): all of it holds, or its faults do."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import yaml

from ..engine.admission import faults_of_terms
from ..engine.choice.market import Market, market_of
from ..engine.choice.operator_terms import NO_TERMS
from ..engine.coefficients import Coefficients
from ..engine.faults import Refused
from ..engine.hardware import Catalog
from ..engine.workload import Terms
from .loading import load_judged
from .schemas.terms import TermsSchema

DIGEST_CHARACTERS = 8


class TermsError(Exception):
    """The file of own terms cannot be used; ``faults`` names everything that is wrong with it."""

    def __init__(self, path: Path, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{path}: {fault}" for fault in self.faults))


def installed(path: Path | None, catalog: Catalog) -> Terms:
    """The terms of an installation, none without a file; raises ``TermsError``."""
    return NO_TERMS if path is None else load_terms(path, market_of(catalog, Coefficients()))


def load_terms(path: Path, market: Market) -> Terms:
    """The terms of a file; raises ``TermsError`` with every fault of it."""
    document = _document(path)
    try:
        terms: Terms = load_judged(TermsSchema(), document, lambda found: faults_of_terms(found, market))
    except Refused as refused:
        raise TermsError(path, (f"{fault.pointer or '/'}: {fault.detail}" for fault in refused.faults)) from refused
    faults = faults_of_terms(terms, market)
    if faults:
        raise TermsError(path, (f"{fault.pointer}: {fault.detail}" for fault in faults))
    return terms


def digest(terms: Terms) -> str:
    """What tells these terms from others, whatever the file looks like."""
    said = json.dumps(asdict(terms), sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:DIGEST_CHARACTERS]


class _UniqueKeys(yaml.SafeLoader):
    """YAML in which a key that stands twice is an error, where the language would quietly drop the first."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for place, key in enumerate(keys):
            if key in keys[:place]:
                raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep=deep)


def _document(path: Path) -> Any:
    """The file's content, of JSON's kinds of values alone."""
    try:
        found = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)  # noqa: S506 - a safe loader
        return json.loads(json.dumps(found, allow_nan=False))
    except OSError as error:
        raise TermsError(path, [f"cannot be read: {error.strerror or error}"]) from error
    except yaml.YAMLError as error:
        raise TermsError(path, [f"is not YAML: {' '.join(str(error).split())}"]) from error
    except (UnicodeDecodeError, TypeError, ValueError, RecursionError) as error:
        raise TermsError(path, [f"holds what JSON cannot say: {error}"]) from error
