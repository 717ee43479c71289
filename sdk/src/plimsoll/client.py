"""The synchronous client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, overload

from plimsoll import _protocol, resources
from plimsoll._http import Sender, Transport
from plimsoll.config import DEFAULT_RETRY, DEFAULT_TIMEOUTS, Retry, Timeouts
from plimsoll.errors import ApiError
from plimsoll.inputs import Constraints, Hardware, Json, Objective, Query, Workload
from plimsoll.models import Answer, Comparison, HardwareEstimate

T = TypeVar("T")


class Client:
    """Asks one Plimsoll service; may be shared between threads. Every method raises ``PlimsollError`` alone.

    ``base_url`` left out is that of ``PLIMSOLL_URL``, else http://127.0.0.1:8080. ``headers`` go with every request;
    ``transport`` replaces the network, as ``httpx.WSGITransport`` does in tests.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        retry: Retry = DEFAULT_RETRY,
        headers: Mapping[str, str] | None = None,
        transport: Transport | None = None,
    ) -> None:
        self._sender = Sender(base_url, timeouts, retry, headers or {}, transport)

    @overload
    def recommend(
        self,
        workload: Workload | Json | None = None,
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
        limit: int | None = None,
        format: None = None,
        **fields: Any,
    ) -> Answer: ...

    @overload
    def recommend(
        self,
        workload: Workload | Json | None = None,
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
        limit: int | None = None,
        format: str,
        **fields: Any,
    ) -> str: ...

    def recommend(
        self,
        workload: Workload | Json | None = None,
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
        limit: int | None = None,
        format: str | None = None,  # noqa: A002 - the contract's word
        **fields: Any,
    ) -> Answer | str:
        """Ranked, sized, priced machines; as text with ``format``. ``fields`` are the workload's, over ``workload``."""
        body = _protocol.question(workload, constraints, objective, limit, fields)
        if format is not None:
            return self._sender.send(_protocol.recommend_as(body, format))
        return self._sender.send(_protocol.recommend(body))

    def recommend_batch(self, queries: Sequence[Query | Json]) -> tuple[Answer | ApiError, ...]:
        """One result a question, in order; a refused question has its error as result and does not fail the rest."""
        return self._sender.send(_protocol.recommend_batch(queries))

    def estimate(
        self,
        workload: Workload | Json,
        on: Hardware | Json,
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
    ) -> HardwareEstimate:
        """What given hardware makes of the workload, and why it is not the recommendation."""
        return self._sender.send(_protocol.estimate(_protocol.question(workload, constraints, objective), on))

    def compare(
        self,
        workload: Workload | Json,
        on: Sequence[Hardware | Json],
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
    ) -> Comparison:
        """Given machines side by side, relative to the first that fits."""
        return self._sender.send(_protocol.compare(_protocol.question(workload, constraints, objective), on))

    def instance_types(self, **filters: Any) -> Iterator[resources.InstanceType]:
        """The catalog's instance types, page after page; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("instance-types", resources.InstanceType, filters))

    def accelerators(self, **filters: Any) -> Iterator[resources.Accelerator]:
        """The accelerators that the service knows."""
        return self._items(_protocol.collection("accelerators", resources.Accelerator, filters))

    def models(self, **filters: Any) -> Iterator[resources.Model]:
        """The models that the service knows by name."""
        return self._items(_protocol.collection("models", resources.Model, filters))

    def frameworks(self, **filters: Any) -> Iterator[resources.Framework]:
        """The frameworks that the service knows by name."""
        return self._items(_protocol.collection("frameworks", resources.Framework, filters))

    def regions(self, **filters: Any) -> Iterator[resources.Region]:
        """The clouds' regions."""
        return self._items(_protocol.collection("regions", resources.Region, filters))

    def disks(self, **filters: Any) -> Iterator[resources.DiskProduct]:
        """The clouds' volume products."""
        return self._items(_protocol.collection("disks", resources.DiskProduct, filters))

    def prices(self, **filters: Any) -> Iterator[resources.OfferPrice]:
        """Prices, filtered by ``cloud``, ``region``, ``instance_type`` and ``purchase``."""
        return self._items(_protocol.collection("prices", resources.OfferPrice, filters))

    def evidence(self, **filters: Any) -> Iterator[resources.Measurement]:
        """The published measurements that estimates rest on; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("evidence", resources.Measurement, filters))

    def rules(self, **filters: Any) -> Iterator[resources.Rule]:
        """The rules that answers rest on."""
        return self._items(_protocol.collection("rules", resources.Rule, filters))

    def instance_type(self, cloud: str, name: str) -> resources.InstanceType:
        """One instance type of the catalog."""
        return self._sender.send(_protocol.instance_type(cloud, name))

    def rule(self, rule_id: str) -> resources.Rule:
        """One rule."""
        return self._sender.send(_protocol.rule(rule_id))

    def health(self) -> resources.Health:
        """Whether the process is alive."""
        return self._sender.send(_protocol.health())

    def ready(self) -> resources.Readiness:
        """With which catalog the service answers; raises ``Unavailable`` while it does not."""
        return self._sender.send(_protocol.ready())

    def close(self) -> None:
        """Closes the connections; ``with`` does it too."""
        self._sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _items(self, call: _protocol.Call[_protocol.Page[T]] | None) -> Iterator[T]:
        while call is not None:
            page = self._sender.send(call)
            yield from page.items
            call = page.next
