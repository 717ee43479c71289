"""``/v1/rules``: the rules that reasons, warnings and rejections name."""

from __future__ import annotations

from flask import Blueprint, Response, request
from werkzeug.exceptions import NotFound

from ..engine.names import unknown
from ..engine.rules import RULES, Rule
from .examples import FEW, RULE
from .flat import FlatQuery
from .formats.registry import COLLECTION, ONLY_JSON
from .negotiate import answer, chosen, only_format
from .operation import operation
from .pages import listed, windowed
from .schemas.collections import RuleListingSchema
from .service import service

blueprint = Blueprint("rules", __name__)
QUERY = FlatQuery(RuleListingSchema())
_BY_ID = {rule.id: rule for rule in RULES}


@blueprint.get("/v1/rules")
@operation(
    "knowledge", validated=True, answers=Rule, query=QUERY, formats=tuple(COLLECTION), problems=(406, 422), example=FEW
)
def list_rules() -> Response:
    """Every rule: what it states, why, and on whose word."""
    return listed(request, QUERY, service().catalog.version, windowed(RULES))


@blueprint.get("/v1/rules/<id>")
@operation(
    "knowledge",
    validated=True,
    answers=Rule,
    problems=(404, 406, 422),
    paths={"id": "The id that reasons and warnings name."},
    example=RULE,
)
def show_rule(id: str) -> Response:  # noqa: A002 - the contract's name
    """One rule by its id."""
    only_format(request)
    form = chosen(request, ONLY_JSON)
    rule = _BY_ID.get(id)
    if rule is None:
        raise NotFound(unknown("rule", id, _BY_ID))
    return answer(form, rule, service().catalog)
