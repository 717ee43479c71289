"""The operator's terms, which apply to every query: joined to its constraints, and listed as assumptions.

The larger of two discounts and the smaller of two quotas apply, and commitments add up, from whichever source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from .. import names
from ..answer import Assumption
from ..workload import Commitment, Constraints, Discount, Hardware, Query, Quota, Terms
from .constraints import alone, figure_masks, linked
from .market import Market
from .own_machines import OWN_CLOUD, described_types

NO_TERMS = Terms()
WHY = "configured by the operator of this installation"


def with_terms(query: Query, concerned: Terms) -> Query:
    """Return the query with the relevant terms among its constraints, after its own."""
    if concerned == NO_TERMS:
        return query
    stated = query.constraints
    constraints = replace(
        stated,
        discounts=(*(stated.discounts or ()), *concerned.discounts) or None,
        commitments=(*(stated.commitments or ()), *concerned.commitments) or None,
        quotas=(*(stated.quotas or ()), *concerned.quotas) or None,
        own_machines=(*(stated.own_machines or ()), *concerned.own_machines) or None,
    )
    return replace(query, constraints=constraints)


def assumed_of_terms(concerned: Terms) -> tuple[Assumption, ...]:
    """Return each relevant term as an assumption."""
    return tuple(
        Assumption(f"constraints.{item.name}", _stated(term), WHY)
        for item in fields(Terms)
        for term in getattr(concerned, item.name)
    )


def concerning(constraints: Constraints, terms: Terms, market: Market) -> Terms:
    """Return the terms of the allowed clouds, and the machines that meet the constraints."""
    if terms == NO_TERMS:
        return terms

    def usable(term: Discount | Commitment | Quota) -> bool:
        spellings = market.spellings["cloud"]
        wanted = {names.find(cloud, spellings) for cloud in constraints.clouds or ()}
        unwanted = {names.find(cloud, spellings) for cloud in constraints.exclude_clouds or ()}
        meant = names.find(term.cloud, spellings)
        return (not wanted or meant in wanted) and meant not in unwanted

    return Terms(
        discounts=tuple(filter(usable, terms.discounts)),
        commitments=tuple(filter(usable, terms.commitments)),
        quotas=tuple(filter(usable, terms.quotas)),
        own_machines=tuple(_let_in(constraints, terms.own_machines, market)),
    )


def _let_in(constraints: Constraints, machines: tuple[Hardware, ...], market: Market) -> Iterator[Hardware]:
    """Own machines that meet the constraints; none if the query names providers' clouds, regions or machines."""
    others = bool(constraints.clouds) and OWN_CLOUD not in map(names.key, constraints.clouds or ())
    without = OWN_CLOUD in map(names.key, constraints.exclude_clouds or ())
    named = (others, without, constraints.regions, constraints.instance_types, constraints.instance_families)
    unknown = (constraints.architectures, constraints.cpu_vendors)  # unknown for a machine of the user's own
    if not machines or any(named) or any(unknown):
        return
    types = described_types(machines, market)
    passing = linked(types) | alone(types) | (constraints.interconnect != "nvlink")
    for _, mask in figure_masks(constraints, types, market):
        passing &= mask
    yield from (one for one, let_in in zip(machines, passing, strict=True) if let_in)


def _stated(term: Discount | Commitment | Quota | Hardware) -> dict[str, object]:
    """Fields of a term in the contract's form."""
    said = {item.name: getattr(term, item.name) for item in fields(term) if getattr(term, item.name) != item.default}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in said.items()}
