"""What the service knows, as both clients ask for it: its collections, single items and its state."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar

import plimsoll
from plimsoll import _protocol
from plimsoll._http import AsyncSender, Sender

T = TypeVar("T")


class Lookups:
    """The lookups of the synchronous client."""

    _sender: Sender

    def instance_types(self, **filters: Any) -> Iterator[plimsoll.resources.InstanceType]:
        """The catalog's instance types, page after page; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("instance-types", plimsoll.resources.InstanceType, filters))

    def accelerators(self, **filters: Any) -> Iterator[plimsoll.resources.Accelerator]:
        """The accelerators that the service knows."""
        return self._items(_protocol.collection("accelerators", plimsoll.resources.Accelerator, filters))

    def models(self, **filters: Any) -> Iterator[plimsoll.resources.Model]:
        """The models that the service knows by name."""
        return self._items(_protocol.collection("models", plimsoll.resources.Model, filters))

    def frameworks(self, **filters: Any) -> Iterator[plimsoll.resources.Framework]:
        """The frameworks that the service knows by name."""
        return self._items(_protocol.collection("frameworks", plimsoll.resources.Framework, filters))

    def regions(self, **filters: Any) -> Iterator[plimsoll.resources.Region]:
        """The clouds' regions."""
        return self._items(_protocol.collection("regions", plimsoll.resources.Region, filters))

    def disks(self, **filters: Any) -> Iterator[plimsoll.resources.DiskProduct]:
        """The clouds' volume products."""
        return self._items(_protocol.collection("disks", plimsoll.resources.DiskProduct, filters))

    def prices(self, **filters: Any) -> Iterator[plimsoll.offers.OfferPrice]:
        """Prices, filtered by ``cloud``, ``region``, ``instance_type`` and ``purchase``; of a ``snapshot``."""
        return self._items(_protocol.collection("prices", plimsoll.offers.OfferPrice, filters))

    def price_changes(
        self, before: str, after: str | None = None, **filters: Any
    ) -> Iterator[plimsoll.offers.PriceChange]:
        """What differs between two versions of the prices, ``after`` left out being those in force; the largest first.

        ``filters`` are the route's other query parameters, such as ``min_percent`` and ``change``.
        """
        return self._items(_protocol.price_changes(before, after, filters))

    def price_snapshots(self) -> Iterator[plimsoll.offers.PriceSnapshot]:
        """The price snapshots that answers can be had from again, newest first."""
        return self._items(_protocol.collection("prices/snapshots", plimsoll.offers.PriceSnapshot, {}))

    def evidence(self, **filters: Any) -> Iterator[plimsoll.resources.Measurement]:
        """The published measurements that estimates rest on; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("evidence", plimsoll.resources.Measurement, filters))

    def rules(self, **filters: Any) -> Iterator[plimsoll.resources.Rule]:
        """The rules that answers rest on."""
        return self._items(_protocol.collection("rules", plimsoll.resources.Rule, filters))

    def instance_type(self, cloud: str, name: str, *, snapshot: str | None = None) -> plimsoll.resources.InstanceType:
        """One instance type of the catalog, with its offers."""
        return self._sender.send(_protocol.instance_type(cloud, name, snapshot))

    def rule(self, rule_id: str) -> plimsoll.resources.Rule:
        """One rule."""
        return self._sender.send(_protocol.rule(rule_id))

    def health(self) -> plimsoll.resources.Health:
        """Whether the process is alive."""
        return self._sender.send(_protocol.health())

    def ready(self) -> plimsoll.resources.Readiness:
        """With which catalog the service answers; raises ``Unavailable`` while it does not."""
        return self._sender.send(_protocol.ready())

    def metrics(self) -> str:
        """The service's metrics as Prometheus reads them."""
        return self._sender.send(_protocol.metrics())

    def openapi(self) -> str:
        """The contract that the service serves, as OpenAPI 3.1 in YAML."""
        return self._sender.send(_protocol.openapi())

    def _items(self, call: _protocol.Call[_protocol.Page[T]] | None) -> Iterator[T]:
        while call is not None:
            page = self._sender.send(call)
            yield from page.items
            call = page.next


class AsyncLookups:
    """The lookups of the asynchronous client."""

    _sender: AsyncSender

    def instance_types(self, **filters: Any) -> AsyncIterator[plimsoll.resources.InstanceType]:
        """The catalog's instance types, page after page; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("instance-types", plimsoll.resources.InstanceType, filters))

    def accelerators(self, **filters: Any) -> AsyncIterator[plimsoll.resources.Accelerator]:
        """The accelerators that the service knows."""
        return self._items(_protocol.collection("accelerators", plimsoll.resources.Accelerator, filters))

    def models(self, **filters: Any) -> AsyncIterator[plimsoll.resources.Model]:
        """The models that the service knows by name."""
        return self._items(_protocol.collection("models", plimsoll.resources.Model, filters))

    def frameworks(self, **filters: Any) -> AsyncIterator[plimsoll.resources.Framework]:
        """The frameworks that the service knows by name."""
        return self._items(_protocol.collection("frameworks", plimsoll.resources.Framework, filters))

    def regions(self, **filters: Any) -> AsyncIterator[plimsoll.resources.Region]:
        """The clouds' regions."""
        return self._items(_protocol.collection("regions", plimsoll.resources.Region, filters))

    def disks(self, **filters: Any) -> AsyncIterator[plimsoll.resources.DiskProduct]:
        """The clouds' volume products."""
        return self._items(_protocol.collection("disks", plimsoll.resources.DiskProduct, filters))

    def prices(self, **filters: Any) -> AsyncIterator[plimsoll.offers.OfferPrice]:
        """Prices, filtered by ``cloud``, ``region``, ``instance_type`` and ``purchase``; of a ``snapshot``."""
        return self._items(_protocol.collection("prices", plimsoll.offers.OfferPrice, filters))

    def price_changes(
        self, before: str, after: str | None = None, **filters: Any
    ) -> AsyncIterator[plimsoll.offers.PriceChange]:
        """What differs between two versions of the prices, ``after`` left out being those in force; the largest first.

        ``filters`` are the route's other query parameters, such as ``min_percent`` and ``change``.
        """
        return self._items(_protocol.price_changes(before, after, filters))

    def price_snapshots(self) -> AsyncIterator[plimsoll.offers.PriceSnapshot]:
        """The price snapshots that answers can be had from again, newest first."""
        return self._items(_protocol.collection("prices/snapshots", plimsoll.offers.PriceSnapshot, {}))

    def evidence(self, **filters: Any) -> AsyncIterator[plimsoll.resources.Measurement]:
        """The published measurements that estimates rest on; ``filters`` are the route's query parameters."""
        return self._items(_protocol.collection("evidence", plimsoll.resources.Measurement, filters))

    def rules(self, **filters: Any) -> AsyncIterator[plimsoll.resources.Rule]:
        """The rules that answers rest on."""
        return self._items(_protocol.collection("rules", plimsoll.resources.Rule, filters))

    async def instance_type(
        self, cloud: str, name: str, *, snapshot: str | None = None
    ) -> plimsoll.resources.InstanceType:
        """One instance type of the catalog, with its offers."""
        return await self._sender.send(_protocol.instance_type(cloud, name, snapshot))

    async def rule(self, rule_id: str) -> plimsoll.resources.Rule:
        """One rule."""
        return await self._sender.send(_protocol.rule(rule_id))

    async def health(self) -> plimsoll.resources.Health:
        """Whether the process is alive."""
        return await self._sender.send(_protocol.health())

    async def ready(self) -> plimsoll.resources.Readiness:
        """With which catalog the service answers; raises ``Unavailable`` while it does not."""
        return await self._sender.send(_protocol.ready())

    async def metrics(self) -> str:
        """The service's metrics as Prometheus reads them."""
        return await self._sender.send(_protocol.metrics())

    async def openapi(self) -> str:
        """The contract that the service serves, as OpenAPI 3.1 in YAML."""
        return await self._sender.send(_protocol.openapi())

    async def _items(self, call: _protocol.Call[_protocol.Page[T]] | None) -> AsyncIterator[T]:
        while call is not None:
            page = await self._sender.send(call)
            for item in page.items:
                yield item
            call = page.next
