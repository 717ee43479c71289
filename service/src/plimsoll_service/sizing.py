"""The use case: a query over the catalog and the prices in force; the only caller of engine and stores together."""

from __future__ import annotations

from plimsoll_service.engine.admission import faults_of
from plimsoll_service.engine.answer import Answer, Assumption, CatalogStamp, Comparison, HardwareEstimate
from plimsoll_service.engine.choice.assumed import assumed_of_constraints, assumed_of_hardware
from plimsoll_service.engine.choice.echo import echo
from plimsoll_service.engine.choice.evaluate import evaluate, relative
from plimsoll_service.engine.choice.market import Market, market_of
from plimsoll_service.engine.choice.own import own_machines
from plimsoll_service.engine.choice.recommend import recommend
from plimsoll_service.engine.choice.selection import Selection, select
from plimsoll_service.engine.demand.assume import job_of
from plimsoll_service.engine.demand.job import Job
from plimsoll_service.engine.faults import Fault, Refused
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.workload import Hardware, Query
from plimsoll_service.prices.source import PriceSource


class Sizer:
    """Answers queries over one catalog; joins it again only when the price snapshot changes."""

    def __init__(self, catalog: Catalog, prices: PriceSource) -> None:
        self._catalog = catalog
        self._prices = prices
        self._in_force = market_of(catalog, prices.current().prices)

    def _current(self) -> tuple[Market, CatalogStamp]:
        """The market of the prices in force, and its stamp; both of one snapshot, whatever other threads do."""
        market, prices = self._in_force, self._prices.current().prices
        if market.prices.version != prices.version:
            market = self._in_force = market_of(self._catalog, prices)
        return market, CatalogStamp(prices.version, prices.as_of)

    def faults(self, query: Query, on: tuple[Hardware, ...] = ()) -> tuple[Fault, ...]:
        """Everything that is wrong with a well-formed query beyond its shape."""
        return faults_of(query, self._current()[0], on)

    def recommend(self, query: Query) -> Answer:
        """Ranked recommendations; raises ``Refused`` with every fault."""
        market, stamp = self._current()
        _admit(faults_of(query, market))
        return recommend(query, market, stamp)

    def estimate(self, query: Query, on: Hardware) -> HardwareEstimate:
        """What given hardware makes of the workload, and why it is not the choice; raises ``Refused``."""
        market, stamp = self._current()
        _admit(faults_of(query, market, (on,)))
        job = job_of(query)
        one = evaluate(job, market, on, _selection(job, market))
        return HardwareEstimate(
            catalog=stamp,
            workload=echo(job.workload),
            assumptions=_assumptions(job, market, (on,)),
            fits=one.fits,
            short=one.short,
            sizing=one.sizing,
            estimate=one.estimate,
            price=one.price,
            meets=one.meets,
            rank=one.rank,
            why_not=one.why_not,
            reasons=one.reasons,
            warnings=one.warnings,
        )

    def compare(self, query: Query, on: tuple[Hardware, ...]) -> Comparison:
        """A table of given machines, relative to the first that fits; raises ``Refused``."""
        market, stamp = self._current()
        _admit(faults_of(query, market, on))
        job = job_of(query)
        chosen = _selection(job, market)
        machines = [evaluate(job, market, one, chosen) for one in on]
        first = next((machine for machine in machines if machine.fits), None)
        rows = tuple(relative(machine, first) for machine in machines)
        return Comparison(stamp, echo(job.workload), _assumptions(job, market, on), rows)


def _admit(faults: tuple[Fault, ...]) -> None:
    if faults:
        raise Refused(faults)


def _assumptions(job: Job, market: Market, on: tuple[Hardware, ...]) -> tuple[Assumption, ...]:
    of_constraints = assumed_of_constraints(job.query.constraints, market)
    return (*job.assumptions, *assumed_of_hardware(on, market), *of_constraints)


def _selection(job: Job, market: Market) -> Selection:
    return select(job, market, own_machines(job.query.constraints.own_machines or (), market))
