"""The synchronous client."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from types import TracebackType
from typing import TYPE_CHECKING, Self, Unpack, overload

from plimsoll import _protocol
from plimsoll._http import HttpClient, Sender, Transport, in_process, through
from plimsoll._lookups import Lookups
from plimsoll._protocol import DEFAULT_CHUNK, DEFAULT_CONCURRENCY
from plimsoll.config import DEFAULT_RETRY, DEFAULT_TIMEOUTS, Retry, Timeout, options_of
from plimsoll.errors import ApiError

if TYPE_CHECKING:
    from plimsoll.inputs import (
        Constraints,
        ConstraintsFields,
        Format,
        Group,
        Hardware,
        HardwareFields,
        Objective,
        Query,
        QueryFields,
        Whole,
        Workload,
        WorkloadFields,
    )
    from plimsoll.models import Answer, Comparison, HardwareEstimate


class Client(Lookups):
    """Client of one service; threads may share it. Its errors are ``PlimsollError``.

    The default of ``base_url`` is ``PLIMSOLL_URL``, then http://127.0.0.1:8080; the default of ``api_key`` is
    ``PLIMSOLL_API_KEY``, then none. ``headers`` are sent with every request.
    ``timeout`` is one number of seconds or ``Timeouts``; ``max_retries`` changes the number of retries of ``retry``.
    ``http_client`` sends the requests and stays open.
    ``transport`` replaces the network, for example by ``httpx.WSGITransport`` in tests.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        timeout: Timeout = DEFAULT_TIMEOUTS,
        max_retries: int | None = None,
        retry: Retry = DEFAULT_RETRY,
        headers: Mapping[str, str] | None = None,
        http_client: HttpClient | None = None,
        transport: Transport | None = None,
    ) -> None:
        self._options = options_of(base_url, timeout, max_retries, retry, api_key, headers)
        self._sender = Sender(self._options, through(http_client, transport))

    @classmethod
    def local(cls) -> Self:
        """Return a client of the service in this process, without a socket; the environment configures it.

        Raises ``NotInstalled`` without plimsoll-service, ``ValueError`` where its settings are faulty.
        """
        from plimsoll import _local  # the service takes a second to load

        return cls(_local.URL, transport=in_process(_local.application()))

    @overload
    def recommend(
        self,
        workload: Workload | WorkloadFields | None = None,
        *,
        constraints: Constraints | ConstraintsFields | None = None,
        objective: Objective | None = None,
        limit: Whole | None = None,
        group: Group | None = None,
        snapshot: str | None = None,
        format: None = None,
        **fields: Unpack[WorkloadFields],
    ) -> Answer: ...

    @overload
    def recommend(
        self,
        workload: Workload | WorkloadFields | None = None,
        *,
        constraints: Constraints | ConstraintsFields | None = None,
        objective: Objective | None = None,
        limit: Whole | None = None,
        group: Group | None = None,
        snapshot: str | None = None,
        format: Format,
        **fields: Unpack[WorkloadFields],
    ) -> str: ...

    def recommend(
        self,
        workload: Workload | WorkloadFields | None = None,
        *,
        constraints: Constraints | ConstraintsFields | None = None,
        objective: Objective | None = None,
        limit: Whole | None = None,
        group: Group | None = None,
        snapshot: str | None = None,
        format: Format | None = None,  # noqa: A002 - the contract's word
        **fields: Unpack[WorkloadFields],
    ) -> Answer | str:
        """Ranked, sized and priced machines; text with ``format``. ``fields`` override those of ``workload``.

        ``snapshot`` is the ``catalog.version`` of an earlier answer, which it reproduces; every method takes it so.
        """
        body = _protocol.question(workload, constraints, objective, limit, fields, group)
        if format is not None:
            return self._sender.send(_protocol.recommend_as(body, format, snapshot))
        return self._sender.send(_protocol.recommend(body, snapshot))

    def recommend_batch(
        self, queries: Sequence[Query | QueryFields], *, snapshot: str | None = None
    ) -> tuple[Answer | ApiError, ...]:
        """One result for each question, in order; the result of a refused question is its error."""
        return self._sender.send(_protocol.recommend_batch(queries, snapshot))

    def recommend_many(
        self,
        queries: Iterable[Query | QueryFields],
        *,
        concurrency: int = DEFAULT_CONCURRENCY,
        chunk: int = DEFAULT_CHUNK,
        snapshot: str | None = None,
    ) -> Iterator[Answer | ApiError]:
        """``recommend_batch`` for any number of questions, which are read and answered in order as you iterate.

        ``concurrency`` batches of ``chunk`` questions are in progress at once; nothing more is kept in memory. A batch
        that fails as a whole raises in its turn.
        """
        _protocol.check_stream(concurrency, chunk)
        return self._stream(queries, concurrency, chunk, snapshot)

    def estimate(
        self,
        workload: Workload | WorkloadFields,
        on: Hardware | HardwareFields,
        *,
        constraints: Constraints | ConstraintsFields | None = None,
        objective: Objective | None = None,
        snapshot: str | None = None,
    ) -> HardwareEstimate:
        """Estimate of the workload on given hardware, and the reasons why it is not the recommendation."""
        body = _protocol.question(workload, constraints, objective)
        return self._sender.send(_protocol.estimate(body, on, snapshot))

    def compare(
        self,
        workload: Workload | WorkloadFields,
        on: Sequence[Hardware | HardwareFields],
        *,
        constraints: Constraints | ConstraintsFields | None = None,
        objective: Objective | None = None,
        snapshot: str | None = None,
    ) -> Comparison:
        """Comparison of given machines, relative to the first that fits."""
        body = _protocol.question(workload, constraints, objective)
        return self._sender.send(_protocol.compare(body, on, snapshot))

    def close(self) -> None:
        """Close the connections; ``with`` does it too."""
        self._sender.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _stream(
        self, queries: Iterable[Query | QueryFields], concurrency: int, chunk: int, snapshot: str | None
    ) -> Iterator[Answer | ApiError]:
        from plimsoll import _many  # loads asyncio and threads, which most programs do not need

        def ask(chunk: tuple[int, list[Query | QueryFields]]) -> tuple[Answer | ApiError, ...]:
            first, batch = chunk
            return self._sender.send(_protocol.recommend_batch(batch, snapshot, first))

        with closing(_many.in_order(ask, _many.chunks(queries, chunk), concurrency)) as batches:
            for results in batches:
                yield from results
