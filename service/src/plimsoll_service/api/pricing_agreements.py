"""The operator's pricing agreements from their file (YAML or JSON)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import yaml
from marshmallow import fields

from ..engine.admission import faults_of_terms
from ..engine.choice.market import Market, market_of
from ..engine.choice.pricing_agreements import NO_TERMS
from ..engine.coefficients import Coefficients
from ..engine.faults import Refused
from ..engine.hardware import Catalog
from ..engine.workload import Terms
from .loading import load
from .schemas import bounds
from .schemas.constraints import CommitmentSchema, DiscountSchema, QuotaSchema
from .schemas.fields import Several
from .schemas.hardware import OwnMachineSchema
from .schemas.strict import StrictSchema

DIGEST_CHARACTERS = 8


class PricingAgreementsSchema(StrictSchema):
    """Agreements with providers and machines of the operator: the constraints of these names, for every query."""

    target = Terms

    discounts = Several(fields.Nested(DiscountSchema), most=bounds.MOST_MACHINES)
    commitments = Several(fields.Nested(CommitmentSchema), most=bounds.MOST_MACHINES)
    quotas = Several(fields.Nested(QuotaSchema), most=bounds.MOST_MACHINES)
    own_machines = Several(fields.Nested(OwnMachineSchema), most=bounds.MOST_MACHINES)


class PricingAgreementsError(Exception):
    """The file of pricing agreements cannot be used; ``faults`` names all of its faults."""

    def __init__(self, path: Path, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{path}: {fault}" for fault in self.faults))


def installed(path: Path | None, catalog: Catalog) -> Terms:
    """The agreements of an installation, none without a file; raises ``PricingAgreementsError``."""
    return NO_TERMS if path is None else load_agreements(path, market_of(catalog, Coefficients()))


def load_agreements(path: Path, market: Market) -> Terms:
    """The agreements of a file; raises ``PricingAgreementsError`` with every fault of it."""
    document = _document(path)
    try:
        judge = partial(faults_of_terms, market=market)
        found: Terms = load(PricingAgreementsSchema(), document, judge=judge)
        faults = judge(found)
    except Refused as refused:
        faults = refused.faults
    if faults:
        raise PricingAgreementsError(path, (f"{fault.pointer or '/'}: {fault.detail}" for fault in faults))
    return found


def digest(terms: Terms) -> str:
    """A digest of the agreements, which does not depend on the form of the file."""
    said = json.dumps(asdict(terms), sort_keys=True)
    return hashlib.sha256(said.encode()).hexdigest()[:DIGEST_CHARACTERS]


class _UniqueKeys(yaml.SafeLoader):
    """YAML in which a duplicate key is an error; the language itself would silently drop the first one."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        for place, key in enumerate(keys):
            if key in keys[:place]:
                raise yaml.constructor.ConstructorError(None, None, f"{key!r} stands twice", node.start_mark)
        return super().construct_mapping(node, deep=deep)


def _document(path: Path) -> Any:
    """The file's content, with values of JSON only."""
    try:
        found = _UniqueKeys(path.read_text(encoding="utf-8")).get_single_data()
        return json.loads(json.dumps(found, allow_nan=False))
    except OSError as error:
        raise PricingAgreementsError(path, [f"cannot be read: {error.strerror or error}"]) from error
    except yaml.YAMLError as error:
        raise PricingAgreementsError(path, [f"is not YAML: {' '.join(str(error).split())}"]) from error
    except (UnicodeDecodeError, TypeError, ValueError, RecursionError) as error:
        raise PricingAgreementsError(path, [f"has a value that JSON cannot represent: {error}"]) from error
