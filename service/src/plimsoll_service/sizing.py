"""The use case: a query over the catalog and the prices in force; the only caller of engine and stores together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from .engine.admission import faults_of
from .engine.answer import Answer, Assumption, CatalogStamp, Comparison, HardwareEstimate
from .engine.choice.anchoring import anchored_job_of, anchors_said
from .engine.choice.beside_cards import own_beside_cards
from .engine.choice.engines import with_suited_engine
from .engine.choice.evaluate import evaluate, relative
from .engine.choice.kept import Kept
from .engine.choice.market import Market, market_of, repriced
from .engine.choice.own_machines import own_alone, own_machines
from .engine.choice.pricing_agreements import NO_TERMS, assumed_of_terms, concerning, with_terms
from .engine.choice.recommend import recommend
from .engine.choice.selection import Selection, select
from .engine.choice.understood import assumed_of_job, echo
from .engine.coefficients import Coefficients
from .engine.demand.job import Job
from .engine.faults import Fault, Refused
from .engine.hardware import Catalog
from .engine.prices import Prices
from .engine.workload import Hardware, Query, Terms
from .prices.memory import memory
from .prices.source import PriceSource

MOST_MARKETS = 4  # the one in force, the next, and two that are being replayed: a few megabytes each


@dataclass(frozen=True, eq=False)
class PreparedMarket:
    """A market with the values that were prepared on it for the most recent kinds of jobs."""

    market: Market
    kept: Kept


class Sizer:
    """Answers queries over one catalog at the prices in force, or at those of any other snapshot that is given.

    Prices left out are those in force; who asks twice about one request gives them, so that both are of one version.
    The operator's ``terms`` hold for every query.
    """

    def __init__(
        self, catalog: Catalog, coefficients: Coefficients, prices: PriceSource, terms: Terms = NO_TERMS
    ) -> None:
        self._prices = prices
        self._terms = terms
        self._markets = Markets(market_of(catalog, coefficients, prices.current().prices))
        prices.subscribe(self._markets.at)  # before the first request at new prices

    def faults(self, query: Query, on: tuple[Hardware, ...] = (), prices: Prices | None = None) -> tuple[Fault, ...]:
        """Everything that is wrong with a well-formed query beyond its form."""
        return faults_of(query, self._prepared(prices).market, on)

    def recommend(self, query: Query, prices: Prices | None = None) -> Answer:
        """Ranked recommendations; raises ``Refused`` with every fault."""
        prepared = self._prepared(prices)
        market = prepared.market
        _admit(faults_of(query, market))
        query, suited = with_suited_engine(query, own_alone(query.constraints), market)
        concerned = concerning(query.constraints, self._terms, market)
        found = recommend(with_terms(query, concerned), market, _stamp(market), prepared.kept)
        told = (*suited, *assumed_of_terms(concerned))
        return replace(found, assumptions=(*found.assumptions, *told)) if told else found

    def estimate(self, query: Query, on: Hardware, prices: Prices | None = None) -> HardwareEstimate:
        """Estimate of the workload on named hardware, and why it is not the choice; raises ``Refused``."""
        job, market, chosen, assumptions = self._asked(query, (on,), prices)
        one = evaluate(job, market, on, chosen)
        return HardwareEstimate(
            catalog=_stamp(market),
            workload=echo(job.workload),
            assumptions=assumptions,
            anchors=anchors_said(job),
            **one.parts_of(HardwareEstimate),
        )

    def compare(self, query: Query, on: tuple[Hardware, ...], prices: Prices | None = None) -> Comparison:
        """A table of given machines, relative to the first that fits; raises ``Refused``."""
        job, market, chosen, assumptions = self._asked(query, on, prices)
        machines = [evaluate(job, market, one, chosen) for one in on]
        first = next((machine for machine in machines if machine.fits), None)
        rows = tuple(relative(machine, first, market.coefficients.rules) for machine in machines)
        return Comparison(_stamp(market), echo(job.workload), assumptions, rows, anchors_said(job))

    def _asked(
        self, query: Query, on: tuple[Hardware, ...], prices: Prices | None
    ) -> tuple[Job, Market, Selection, tuple[Assumption, ...]]:
        """The job on named hardware, the market, its choice, and the assumptions; raises ``Refused``."""
        prepared = self._prepared(prices)
        market = prepared.market
        _admit(faults_of(query, market, on))
        query, suited = with_suited_engine(query, on, market)
        concerned = concerning(query.constraints, self._terms, market)
        job = anchored_job_of(with_terms(query, concerned), market, prepared.kept)
        own = own_beside_cards(job, market, own_machines(job.query.constraints.own_machines or (), market))
        assumptions = (*assumed_of_job(job, market, on), *suited, *assumed_of_terms(concerned))
        return job, market, select(job, market, own, prepared.kept), assumptions

    def _prepared(self, prices: Prices | None) -> PreparedMarket:
        return self._markets.at(self._prices.current().prices if prices is None else prices)


class Markets:
    """The markets used last, by the version of their prices; each is made once, even for concurrent callers."""

    def __init__(self, first: Market) -> None:
        self._latest = PreparedMarket(first, Kept())
        self._kept = memory(MOST_MARKETS)
        self._kept.set(first.prices.version, self._latest)

    def at(self, prices: Prices) -> PreparedMarket:
        """The market of these prices."""
        found = self._latest
        if found.market.prices.version != prices.version:
            found = self._latest = self._kept.get_or_create(prices.version, partial(self._make, prices))
        return found

    def _make(self, prices: Prices) -> PreparedMarket:
        # Where only sources went stale the offers are the same, and so is nearly all of the market used last.
        return PreparedMarket(repriced(self._latest.market, prices), Kept())


def _stamp(market: Market) -> CatalogStamp:
    return CatalogStamp(market.prices.version, market.prices.as_of)


def _admit(faults: tuple[Fault, ...]) -> None:
    if faults:
        raise Refused(faults)
