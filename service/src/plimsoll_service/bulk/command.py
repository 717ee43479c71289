"""``bulk``: size every line of a file of workloads.

Exit status: 0 every line was answered, 1 lines were refused or failed, or the run ended early, 2 wrong command line,
130 interrupted. The same command resumes a run that ended early.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ..exit_status import DONE, REFUSED, WRONG_CALL, say
from ..settings import Settings, SettingsError
from . import BulkError, answering
from .installed import in_force
from .output import Begun, Entry, Filed, Piped
from .reading import JSONL, KINDS, STANDARD, Form, Source, form_of
from .run import Progress, Work, run

INTERRUPTED = 130
# Rows are a few hundred bytes each, whole answers some twenty thousand: a chunk of either stays below 50 MB.
ROWS_A_CHUNK, ANSWERS_A_CHUNK = 10_000, 1_000
MOST_A_CHUNK, MOST_PROCESSES = 1_000_000, 1024


def add_bulk(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser("bulk", help="size every line of a file of workloads (CSV, JSON lines, Parquet)")
    add_arguments(parser)
    parser.set_defaults(command=bulk)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    parser.add_argument("input", help="file of workloads, or - for standard input; .csv, .jsonl, .parquet, and .gz")
    parser.add_argument("output", help="file to write, or - for standard output; its name decides the format")
    parser.add_argument("--input-format", choices=KINDS, help="if the input's name does not show it")
    parser.add_argument("--output-format", choices=KINDS, help="if the output's name does not show it")
    parser.add_argument("--processes", type=_up_to(MOST_PROCESSES), help="default: one for each core")
    parser.add_argument(
        "--chunk",
        type=_up_to(MOST_A_CHUNK),
        metavar="LINES",
        help=f"lines answered and written together; default: {ROWS_A_CHUNK:,}, or {ANSWERS_A_CHUNK:,} whole answers",
    )
    parser.add_argument("--snapshot", metavar="VERSION", help="prices of that version; default: the current ones")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")


def bulk(call: argparse.Namespace) -> int:
    """Run or resume, and print the fates of the lines."""
    try:
        settings = Settings.from_environment()
        reading = form_of(call.input, call.input_format, "--input-format")
        writing = form_of(call.output, call.output_format, "--output-format")
    except (SettingsError, BulkError) as error:
        return say(error, WRONG_CALL)
    try:
        with Source(call.input, reading) as source:
            entry = _run(call, settings, source, reading, writing)
    except BulkError as error:
        return say(error, REFUSED)
    except KeyboardInterrupt:
        return say("interrupted; the same command resumes the run", INTERRUPTED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python reports the error again at its end
        return REFUSED
    except OSError as error:  # such as a full disk
        return say(f"{error}; the same command resumes the run", REFUSED)
    return _summary(entry)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command alone, as ``python -m plimsoll_service.bulk``."""
    parser = argparse.ArgumentParser(prog="plimsoll bulk", description="Size every line of a file of workloads.")
    add_arguments(parser)
    return bulk(parser.parse_args(arguments))


def _run(call: argparse.Namespace, settings: Settings, source: Source, reading: Form, writing: Form) -> Entry:
    chunk = call.chunk or (ANSWERS_A_CHUNK if writing.kind == JSONL else ROWS_A_CHUNK)
    output = Piped() if call.output == STANDARD else Filed(Path(call.output), writing)
    before = output.begun() if isinstance(output, Filed) else None
    # A resumed run keeps the prices of its start.
    prices = call.snapshot or (before.prices if before else in_force(settings))
    work = Work(settings, prices, writing, chunk, call.processes or _cores())
    if isinstance(output, Filed):
        output.begin(Begun(prices, _said(reading), _said(writing), chunk))
    progress = Progress(sys.stderr, output.entry.lines, call.quiet)
    try:
        run(source, output, work, progress)
    finally:
        progress.end()
        if isinstance(output, Filed):
            output.close()
    return output.entry


def _summary(entry: Entry) -> int:
    told = {fate: entry.fates.get(fate, 0) for fate in answering.FATES}
    sys.stderr.write(
        f"{entry.lines:,} lines: {told[answering.RECOMMENDED]:,} recommended, "
        f"{told[answering.WITHOUT]:,} without a machine that is left, {told[answering.REFUSED]:,} refused, "
        f"{told[answering.FAILED]:,} failed\n"
    )
    return REFUSED if told[answering.REFUSED] or told[answering.FAILED] else DONE


def _said(form: Form) -> str:
    return f"{form.kind}.gz" if form.gzipped else form.kind


def _cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _up_to(most: int) -> Callable[[str], int]:
    def whole(text: str) -> int:
        if not (text.isascii() and text.isdigit() and 0 < int(text) <= most):
            raise argparse.ArgumentTypeError(f"{text!r} is no whole number from 1 to {most:,}")
        return int(text)

    return whole
