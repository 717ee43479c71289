"""Bulk on many machines: Dask's workers size partitions of JSON lines. Only this module imports dask."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from ..exit_status import DONE, REFUSED, WRONG_CALL, say
from ..settings import Settings, SettingsError
from . import BulkError
from .installed import in_force
from .run import sized_lines

try:
    from dask import bag, config
except ImportError as error:
    raise BulkError("this needs Dask: pip install 'plimsoll-service[dask]'") from error

BLOCK = "16MiB"  # some ten thousands of lines: seconds of work and megabytes of memory for a worker


def sized(lines: bag.Bag, settings: Settings, prices: str | None = None, *, whole: bool = False) -> bag.Bag:
    """Return the output lines of a bag of JSON lines, by partition and at prices of one version.

    ``settings`` are those of the workers, where the service is installed with the same catalog.
    """
    version = in_force(settings) if prices is None else prices
    return lines.map_partitions(partial(sized_lines, settings=settings, prices=version, whole=whole))


def main(arguments: Sequence[str] | None = None) -> int:
    """``python -m plimsoll_service.bulk.on_dask INPUT... OUTPUT/``."""
    call = _parser().parse_args(arguments)
    try:
        settings = Settings.from_environment()
    except SettingsError as error:
        return say(error, WRONG_CALL)
    try:
        with ExitStack() as running:
            running.enter_context(_scheduler(call.scheduler))
            packed = any(name.endswith(".gz") for name in call.input)  # a block of a gzip file cannot be read alone
            lines = bag.read_text(call.input, blocksize=None if packed else call.blocksize, errors="surrogateescape")
            sized(lines, settings, call.snapshot, whole=call.whole).to_textfiles(call.output, last_endline=True)
    except (BulkError, OSError) as error:
        return say(error, REFUSED)
    return DONE


def _scheduler(address: str | None) -> Any:
    """Return a client of a cluster, or processes of this machine."""
    if address is None:
        return config.set(scheduler="processes")
    from distributed import Client

    return Client(address)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m plimsoll_service.bulk.on_dask", description=__doc__)
    parser.add_argument("input", nargs="+", help="JSON lines: files or patterns, of any storage that fsspec knows")
    parser.add_argument("output", help="pattern of the files to write, such as answers/*.jsonl.gz")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="of the cluster; default: processes of this machine")
    parser.add_argument("--blocksize", default=BLOCK, help=f"bytes of a partition; default: {BLOCK}")
    parser.add_argument("--snapshot", metavar="VERSION", help="prices of that version; default: the current ones")
    parser.add_argument("--whole", action="store_true", help="whole answers; default: a flat row with the best of each")
    return parser


if __name__ == "__main__":
    sys.exit(main())
