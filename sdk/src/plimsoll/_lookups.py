"""Parts that both clients share: options, and methods for the service's collections, single items and state."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping
from copy import copy
from typing import TYPE_CHECKING, Generic, Self, TypeVar, Unpack

from plimsoll import _lazy, _protocol
from plimsoll._http import AsyncSender, Sender
from plimsoll.config import Options, Retry, Timeout, retry_of, timeouts_of

if TYPE_CHECKING:
    from plimsoll.inputs import (
        AcceleratorFilters,
        DiskFilters,
        EvidenceFilters,
        FrameworkFilters,
        InstanceTypeFilters,
        ModelFilters,
        PriceChangeFilters,
        PriceFilters,
        RegionFilters,
        RuleFilters,
    )

T = TypeVar("T")
S = TypeVar("S", Sender, AsyncSender)


class Connected(Generic[S]):
    """A client's options, and the sender that follows them."""

    _options: Options
    _sender: S

    def with_options(
        self,
        *,
        timeout: Timeout | None = None,
        max_retries: int | None = None,
        retry: Retry | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Self:
        """Return a client with other timeouts, retries or more headers, over the same connections; close this one."""
        changed = copy(self)
        policy = retry_of(max_retries, retry or self._options.retry)
        changed._options = self._options.changed(None if timeout is None else timeouts_of(timeout), policy, headers)
        changed._sender = self._sender.with_options(changed._options)
        return changed


class Lookups(Connected[Sender]):
    """The lookups of the synchronous client."""

    def instance_types(self, **filters: Unpack[InstanceTypeFilters]) -> Iterator[_lazy.resources.InstanceType]:
        """The catalog's instance types, page after page; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("instance-types", _lazy.resources.InstanceType, filters))

    def accelerators(self, **filters: Unpack[AcceleratorFilters]) -> Iterator[_lazy.resources.Accelerator]:
        """The accelerators that the service knows."""
        return self._items(_protocol.collection("accelerators", _lazy.resources.Accelerator, filters))

    def models(self, **filters: Unpack[ModelFilters]) -> Iterator[_lazy.resources.Model]:
        """The models that the service knows by name."""
        return self._items(_protocol.collection("models", _lazy.resources.Model, filters))

    def frameworks(self, **filters: Unpack[FrameworkFilters]) -> Iterator[_lazy.resources.Framework]:
        """The frameworks that the service knows by name."""
        return self._items(_protocol.collection("frameworks", _lazy.resources.Framework, filters))

    def regions(self, **filters: Unpack[RegionFilters]) -> Iterator[_lazy.resources.Region]:
        """The clouds' regions."""
        return self._items(_protocol.collection("regions", _lazy.resources.Region, filters))

    def disks(self, **filters: Unpack[DiskFilters]) -> Iterator[_lazy.resources.DiskProduct]:
        """The clouds' volume products."""
        return self._items(_protocol.collection("disks", _lazy.resources.DiskProduct, filters))

    def prices(self, **filters: Unpack[PriceFilters]) -> Iterator[_lazy.offers.OfferPrice]:
        """Prices, filtered by ``cloud``, ``region``, ``instance_type`` and ``purchase``; of a ``snapshot``."""
        return self._items(_protocol.collection("prices", _lazy.offers.OfferPrice, filters))

    def price_changes(
        self, before: str, after: str | None = None, **filters: Unpack[PriceChangeFilters]
    ) -> Iterator[_lazy.offers.PriceChange]:
        """Differences between two versions of the prices, largest first; without ``after``, the prices in force.

        ``filters`` are the route's other query parameters, such as ``min_percent`` and ``change``.
        """
        return self._items(_protocol.price_changes(before, after, filters))

    def price_snapshots(self) -> Iterator[_lazy.offers.PriceSnapshot]:
        """The price snapshots that answers can be reproduced from, newest first."""
        return self._items(_protocol.collection("prices/snapshots", _lazy.offers.PriceSnapshot, {}))

    def evidence(self, **filters: Unpack[EvidenceFilters]) -> Iterator[_lazy.resources.Measurement]:
        """The published measurements that estimates rest on; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("evidence", _lazy.resources.Measurement, filters))

    def rules(self, **filters: Unpack[RuleFilters]) -> Iterator[_lazy.resources.Rule]:
        """The rules that answers rest on."""
        return self._items(_protocol.collection("rules", _lazy.resources.Rule, filters))

    def instance_type(self, cloud: str, name: str, *, snapshot: str | None = None) -> _lazy.resources.InstanceType:
        """One instance type of the catalog, with its offers."""
        return self._sender.send(_protocol.instance_type(cloud, name, snapshot))

    def rule(self, rule_id: str) -> _lazy.resources.Rule:
        """One rule."""
        return self._sender.send(_protocol.rule(rule_id))

    def health(self) -> _lazy.resources.Health:
        """Whether the process is alive."""
        return self._sender.send(_protocol.health())

    def ready(self) -> _lazy.resources.Readiness:
        """The catalog that the service answers from; raises ``Unavailable`` while it is not ready."""
        return self._sender.send(_protocol.ready())

    def metrics(self) -> str:
        """The service's metrics as Prometheus reads them."""
        return self._sender.send(_protocol.metrics())

    def openapi(self) -> str:
        """The service's API description, OpenAPI 3.1 in YAML."""
        return self._sender.send(_protocol.openapi())

    def _items(self, call: _protocol.Call[_protocol.Page[T]] | None) -> Iterator[T]:
        while call is not None:
            page = self._sender.send(call)
            yield from page.items
            call = page.next


class AsyncLookups(Connected[AsyncSender]):
    """The lookups of the asynchronous client."""

    def instance_types(self, **filters: Unpack[InstanceTypeFilters]) -> AsyncIterator[_lazy.resources.InstanceType]:
        """The catalog's instance types, page after page; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("instance-types", _lazy.resources.InstanceType, filters))

    def accelerators(self, **filters: Unpack[AcceleratorFilters]) -> AsyncIterator[_lazy.resources.Accelerator]:
        """The accelerators that the service knows."""
        return self._items(_protocol.collection("accelerators", _lazy.resources.Accelerator, filters))

    def models(self, **filters: Unpack[ModelFilters]) -> AsyncIterator[_lazy.resources.Model]:
        """The models that the service knows by name."""
        return self._items(_protocol.collection("models", _lazy.resources.Model, filters))

    def frameworks(self, **filters: Unpack[FrameworkFilters]) -> AsyncIterator[_lazy.resources.Framework]:
        """The frameworks that the service knows by name."""
        return self._items(_protocol.collection("frameworks", _lazy.resources.Framework, filters))

    def regions(self, **filters: Unpack[RegionFilters]) -> AsyncIterator[_lazy.resources.Region]:
        """The clouds' regions."""
        return self._items(_protocol.collection("regions", _lazy.resources.Region, filters))

    def disks(self, **filters: Unpack[DiskFilters]) -> AsyncIterator[_lazy.resources.DiskProduct]:
        """The clouds' volume products."""
        return self._items(_protocol.collection("disks", _lazy.resources.DiskProduct, filters))

    def prices(self, **filters: Unpack[PriceFilters]) -> AsyncIterator[_lazy.offers.OfferPrice]:
        """Prices, filtered by ``cloud``, ``region``, ``instance_type`` and ``purchase``; of a ``snapshot``."""
        return self._items(_protocol.collection("prices", _lazy.offers.OfferPrice, filters))

    def price_changes(
        self, before: str, after: str | None = None, **filters: Unpack[PriceChangeFilters]
    ) -> AsyncIterator[_lazy.offers.PriceChange]:
        """Differences between two versions of the prices, largest first; without ``after``, the prices in force.

        ``filters`` are the route's other query parameters, such as ``min_percent`` and ``change``.
        """
        return self._items(_protocol.price_changes(before, after, filters))

    def price_snapshots(self) -> AsyncIterator[_lazy.offers.PriceSnapshot]:
        """The price snapshots that answers can be reproduced from, newest first."""
        return self._items(_protocol.collection("prices/snapshots", _lazy.offers.PriceSnapshot, {}))

    def evidence(self, **filters: Unpack[EvidenceFilters]) -> AsyncIterator[_lazy.resources.Measurement]:
        """The published measurements that estimates rest on; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("evidence", _lazy.resources.Measurement, filters))

    def rules(self, **filters: Unpack[RuleFilters]) -> AsyncIterator[_lazy.resources.Rule]:
        """The rules that answers rest on."""
        return self._items(_protocol.collection("rules", _lazy.resources.Rule, filters))

    async def instance_type(
        self, cloud: str, name: str, *, snapshot: str | None = None
    ) -> _lazy.resources.InstanceType:
        """One instance type of the catalog, with its offers."""
        return await self._sender.send(_protocol.instance_type(cloud, name, snapshot))

    async def rule(self, rule_id: str) -> _lazy.resources.Rule:
        """One rule."""
        return await self._sender.send(_protocol.rule(rule_id))

    async def health(self) -> _lazy.resources.Health:
        """Whether the process is alive."""
        return await self._sender.send(_protocol.health())

    async def ready(self) -> _lazy.resources.Readiness:
        """The catalog that the service answers from; raises ``Unavailable`` while it is not ready."""
        return await self._sender.send(_protocol.ready())

    async def metrics(self) -> str:
        """The service's metrics as Prometheus reads them."""
        return await self._sender.send(_protocol.metrics())

    async def openapi(self) -> str:
        """The service's API description, OpenAPI 3.1 in YAML."""
        return await self._sender.send(_protocol.openapi())

    async def _items(self, call: _protocol.Call[_protocol.Page[T]] | None) -> AsyncIterator[T]:
        while call is not None:
            page = await self._sender.send(call)
            for item in page.items:
                yield item
            call = page.next
