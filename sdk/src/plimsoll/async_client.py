"""The asynchronous client, for asyncio."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar, overload

from plimsoll import _protocol, resources
from plimsoll._http import AsyncSender, AsyncTransport
from plimsoll.config import DEFAULT_RETRY, DEFAULT_TIMEOUTS, Retry, Timeouts
from plimsoll.errors import ApiError
from plimsoll.inputs import Constraints, Hardware, Json, Objective, Query, Workload
from plimsoll.models import Answer, Comparison, HardwareEstimate

T = TypeVar("T")


class AsyncClient:
    """Asks one Plimsoll service; tasks of one event loop may share it. Every method raises ``PlimsollError`` alone.

    ``base_url`` left out is that of ``PLIMSOLL_URL``, else http://127.0.0.1:8080. ``headers`` go with every request;
    ``transport`` replaces the network, as ``httpx.ASGITransport`` does in tests.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        timeouts: Timeouts = DEFAULT_TIMEOUTS,
        retry: Retry = DEFAULT_RETRY,
        headers: Mapping[str, str] | None = None,
        transport: AsyncTransport | None = None,
    ) -> None:
        self._sender = AsyncSender(base_url, timeouts, retry, headers or {}, transport)

    @overload
    async def recommend(
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
    async def recommend(
        self,
        workload: Workload | Json | None = None,
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
        limit: int | None = None,
        format: str,
        **fields: Any,
    ) -> str: ...

    async def recommend(
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
            return await self._sender.send(_protocol.recommend_as(body, format))
        return await self._sender.send(_protocol.recommend(body))

    async def recommend_batch(self, queries: Sequence[Query | Json]) -> tuple[Answer | ApiError, ...]:
        """One result a question, in order; a refused question has its error as result and does not fail the rest."""
        return await self._sender.send(_protocol.recommend_batch(queries))

    async def estimate(
        self,
        workload: Workload | Json,
        on: Hardware | Json,
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
    ) -> HardwareEstimate:
        """What given hardware makes of the workload, and why it is not the recommendation."""
        return await self._sender.send(_protocol.estimate(_protocol.question(workload, constraints, objective), on))

    async def compare(
        self,
        workload: Workload | Json,
        on: Sequence[Hardware | Json],
        *,
        constraints: Constraints | Json | None = None,
        objective: Objective | None = None,
    ) -> Comparison:
        """Given machines side by side, relative to the first that fits."""
        return await self._sender.send(_protocol.compare(_protocol.question(workload, constraints, objective), on))

    def instance_types(self, **filters: Any) -> AsyncIterator[resources.InstanceType]:
        """The catalog's instance types, page after page; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("instance-types", resources.InstanceType, filters))

    def accelerators(self, **filters: Any) -> AsyncIterator[resources.Accelerator]:
        """The accelerators that the service knows."""
        return self._items(_protocol.collection("accelerators", resources.Accelerator, filters))

    def models(self, **filters: Any) -> AsyncIterator[resources.Model]:
        """The models that the service knows by name."""
        return self._items(_protocol.collection("models", resources.Model, filters))

    def frameworks(self, **filters: Any) -> AsyncIterator[resources.Framework]:
        """The frameworks that the service knows by name."""
        return self._items(_protocol.collection("frameworks", resources.Framework, filters))

    def regions(self, **filters: Any) -> AsyncIterator[resources.Region]:
        """The clouds' regions."""
        return self._items(_protocol.collection("regions", resources.Region, filters))

    def disks(self, **filters: Any) -> AsyncIterator[resources.DiskProduct]:
        """The clouds' volume products."""
        return self._items(_protocol.collection("disks", resources.DiskProduct, filters))

    def prices(self, **filters: Any) -> AsyncIterator[resources.OfferPrice]:
        """Prices, filtered by ``cloud``, ``region``, ``instance_type`` and ``purchase``."""
        return self._items(_protocol.collection("prices", resources.OfferPrice, filters))

    def evidence(self, **filters: Any) -> AsyncIterator[resources.Measurement]:
        """The published measurements that estimates rest on; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("evidence", resources.Measurement, filters))

    def rules(self, **filters: Any) -> AsyncIterator[resources.Rule]:
        """The rules that answers rest on."""
        return self._items(_protocol.collection("rules", resources.Rule, filters))

    async def instance_type(self, cloud: str, name: str) -> resources.InstanceType:
        """One instance type of the catalog."""
        return await self._sender.send(_protocol.instance_type(cloud, name))

    async def rule(self, rule_id: str) -> resources.Rule:
        """One rule."""
        return await self._sender.send(_protocol.rule(rule_id))

    async def health(self) -> resources.Health:
        """Whether the process is alive."""
        return await self._sender.send(_protocol.health())

    async def ready(self) -> resources.Readiness:
        """With which catalog the service answers; raises ``Unavailable`` while it does not."""
        return await self._sender.send(_protocol.ready())

    async def close(self) -> None:
        """Closes the connections; ``async with`` does it too."""
        await self._sender.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _items(self, call: _protocol.Call[_protocol.Page[T]] | None) -> AsyncIterator[T]:
        while call is not None:
            page = await self._sender.send(call)
            for item in page.items:
                yield item
            call = page.next
