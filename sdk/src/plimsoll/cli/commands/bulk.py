"""``plimsoll bulk``: every line of a file of workloads, answered in batches, in order and in bounded memory."""

from __future__ import annotations

import csv
import gzip
import io
import json
import sys
from collections import Counter, deque
from collections.abc import Iterator
from glob import escape
from itertools import islice
from pathlib import Path, PurePath
from shutil import copyfileobj
from typing import IO, Any

import click

from plimsoll import Answer, ApiError, Client
from plimsoll.cli.asking import asking, service_of
from plimsoll.cli.completing import completing
from plimsoll.cli.exit_status import ANSWERED, NOTHING
from plimsoll.cli.failures import guess, problem_of, refused
from plimsoll.cli.fields import FIELDS, PATHS
from plimsoll.cli.options import SectionCommand, SectionOption, service_options, snapshot_option
from plimsoll.frames import rows_of
from plimsoll.measurements import loads
from plimsoll.models import RECOMMENDATION_COLUMNS

CSV, JSONL = "csv", "jsonl"
ID = "id"  # a column, or a member of a JSON line, that is copied to the output
CHUNK = 50  # questions of a batch: their whole answers take about a megabyte
COLUMNS = ("line", ID, "status", "error", *RECOMMENDATION_COLUMNS[1:])  # the rank is always 1
RECOMMENDED, WITHOUT, REFUSED, FAILED = "recommended", "without a machine that is left", "refused", "failed"
NOTHING_LEFT = "no machine is left within the constraints; asked alone, the answer says what to relax"
PARTIAL = ".partial"
OK, UNPROCESSABLE, SERVER_ERROR = 200, 422, 500
_KIND_OF_SUFFIX = {".csv": CSV, ".jsonl": JSONL, ".ndjson": JSONL}
_EMPTY: dict[str, Any] = {"workload": {}}  # in place of a line that cannot be read
Asked = tuple[dict[str, Any], Any, str | None]  # the question of a line, its id, and why it cannot be read

_PARAMS = [
    click.Argument(["questions"], metavar="INPUT", type=click.Path(allow_dash=True)),
    click.Argument(["output"], type=click.Path(allow_dash=True)),
    *(
        SectionOption(
            f"--{name}-format", section="Files", metavar="FORMAT", shell_complete=completing((CSV, JSONL)),
            type=click.Choice((CSV, JSONL)), help=f"{CSV} or {JSONL}, if the {name}'s name does not show it.",
        )
        for name in ("input", "output")
    ),
    SectionOption(
        "--concurrency", section="Run", type=click.IntRange(min=1), default=4, show_default=True,
        help="Batches in progress at once: as many as the service has workers.",
    ),
    snapshot_option(),
    *service_options(),
]  # fmt: skip


@click.command(cls=SectionCommand, params=_PARAMS)
def bulk(
    questions: str, output: str, input_format: str | None, output_format: str | None,
    concurrency: int, snapshot: str | None, **options: Any,
) -> int:  # fmt: skip
    """Size every line of a file of workloads.

    INPUT and OUTPUT are files of CSV or JSON lines, also with .gz, or - for standard input and output. The same command
    resumes a run that ended early.
    """
    reading = _kind(questions, input_format, "--input-format")
    writing = _kind(output, output_format, "--output-format")
    with asking(service_of(options), quiet=True) as client, _opened(questions) as source:
        lines = csv_lines(source, questions) if reading == CSV else json_lines(source)
        if output == "-":
            fates = _run(client, lines, 0, _version(client, snapshot), writing, concurrency, sys.stdout)
        else:
            fates = _into_file(client, lines, Path(output), snapshot, writing, concurrency)
    told = ", ".join(f"{fates[fate]:,} {fate}" for fate in (RECOMMENDED, WITHOUT, REFUSED, FAILED))
    click.echo(f"{sum(fates.values()):,} lines: {told}", err=True)
    return NOTHING if fates[REFUSED] or fates[FAILED] else ANSWERED


def _kind(path: str, stated: str | None, option: str) -> str:
    name = PurePath(path)
    suffix = (name.with_suffix("") if name.suffix == ".gz" else name).suffix
    kind = stated or _KIND_OF_SUFFIX.get(suffix.lower())
    if kind is None:
        raise refused(f"{path}: the name does not tell the format ({', '.join(_KIND_OF_SUFFIX)}): give {option}")
    return kind


def _opened(path: str) -> IO[str]:
    try:
        raw: Any = click.open_file(path, "rb")  # standard input for -
    except OSError as error:
        raise refused(f"{path}: {error.strerror or error}") from error
    plain: Any = gzip.GzipFile(fileobj=raw) if path.endswith(".gz") else raw
    return io.TextIOWrapper(plain, encoding="utf-8-sig", errors="replace", newline="")


def json_lines(source: IO[str]) -> Iterator[Asked]:
    """Yield each line that is not blank as a question, which is a body of ``POST /v1/recommendations``."""
    for line in filter(str.strip, source):
        try:
            found = loads(line)
        except (ValueError, RecursionError) as error:
            yield _EMPTY, None, f"the line is not JSON: {error}"
            continue
        own = found.pop(ID, None) if isinstance(found, dict) else None
        yield found, own, None


def csv_lines(source: IO[str], path: str) -> Iterator[Asked]:
    """Yield each row as a question; columns have the names of the options, with ``_``, and unknown ones are refused."""
    rows = csv.reader(source)
    names = [name.strip() for name in next(rows, [])]
    unknown = [name for name in names if name != ID and name not in FIELDS]
    if unknown or not names:
        fault = f"unknown column {unknown[0]!r}{guess(unknown[0], FIELDS)}" if unknown else "has no head line"
        raise refused(f"{path}: {fault}")
    return (_from_cells(names, cells) for cells in rows if cells)


def _from_cells(names: list[str], cells: list[str]) -> Asked:
    if len(cells) != len(names):
        return _EMPTY, None, f"the line has {len(cells)} cells, the head line {len(names)}"
    question: dict[str, Any] = {"workload": {}}
    said = {name: cell for name, cell in zip(names, cells, strict=True) if cell}
    own = said.pop(ID, None)
    for name, cell in said.items():
        *parents, last = PATHS[name]
        place = question
        for parent in parents:
            place = place.setdefault(parent, {})
        flag = {"true": True, "false": False}.get(cell.lower()) if FIELDS[name].kind == "flag" else None
        place[last] = FIELDS[name].value(cell) if flag is None else flag
    return question, own, None


def _version(client: Client, snapshot: str | None) -> str:
    """The version of the prices of a run: that of its beginning."""
    if snapshot is not None:
        return snapshot
    catalog = client.ready().catalog
    if catalog is None:
        raise refused("the service does not tell the version of its prices: name one by --snapshot")
    return catalog.version


def _into_file(
    client: Client, lines: Iterator[Asked], target: Path, snapshot: str | None, kind: str, concurrency: int
) -> Counter[str]:
    """Write beside the target, under a name with the version of the prices, until the output is complete."""
    if target.exists():
        raise refused(f"{target}: exists already; remove it, or give another name")
    begun = next(target.parent.glob(f"{escape(target.name)}.*{PARTIAL}"), None)
    version = begun.name[len(target.name) + 1 : -len(PARTIAL)] if begun else _version(client, snapshot)
    if snapshot not in (None, version):
        raise refused(f"{begun} was begun with the prices {version}: continue with them, or remove it")
    partial = target.with_name(f"{target.name}.{version}{PARTIAL}")
    fates = _fates_so_far(partial, kind)
    with partial.open("a", encoding="utf-8", newline="") as file:
        fates += _run(client, lines, fates.total(), version, kind, concurrency, file)
    if target.suffix == ".gz":
        packed = target.with_name(f"{target.name}.packed")
        with partial.open("rb") as plain, packed.open("wb") as whole, gzip.GzipFile("", "wb", fileobj=whole) as file:
            copyfileobj(plain, file)
        packed.replace(target)
        partial.unlink()
    else:
        partial.replace(target)
    return fates


def _fates_so_far(partial: Path, kind: str) -> Counter[str]:
    """The fates of the lines of an earlier run; what it did not write whole is cut off."""
    if not partial.exists():
        return Counter()
    with partial.open("r+b") as file:
        content = file.read()
        file.truncate(content.rfind(b"\n") + 1)
    text = content[: content.rfind(b"\n") + 1].decode()
    if kind == CSV:
        return Counter(_fate(int(row["status"]), row["cloud"]) for row in csv.DictReader(io.StringIO(text)))
    found = map(json.loads, text.splitlines())
    return Counter(_fate(each["status"], each.get("recommendations")) for each in found)


def _run(
    client: Client, lines: Iterator[Asked], done: int, version: str, kind: str, concurrency: int, file: IO[str]
) -> Counter[str]:
    """Answer the lines after those that are done, and return the fates of these."""
    under_way: deque[Asked] = deque()

    def questions() -> Iterator[Any]:
        for asked in islice(lines, done, None):
            under_way.append(asked)
            # A row has the best recommendation alone.
            yield {**asked[0], "limit": 1} if kind == CSV and isinstance(asked[0], dict) else asked[0]

    table = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
    if kind == CSV and not done:
        table.writeheader()
    fates: Counter[str] = Counter()
    results = client.recommend_many(questions(), concurrency=concurrency, chunk=CHUNK, snapshot=version)
    for number, result in enumerate(results, start=done + 1):
        _, own, unreadable = under_way.popleft()
        document = _document(result, unreadable)
        best = result.best if isinstance(result, Answer) and unreadable is None else None
        fates[_fate(document["status"], best)] += 1
        if kind == CSV:
            told = {"line": number, ID: _text(own), "status": document["status"], "error": _error(document)}
            table.writerow(told | (rows_of(best)[0] if best else {}))
        else:
            file.write(json.dumps({"line": number, ID: own, **document}, ensure_ascii=False) + "\n")
        file.flush()
    return fates


def _document(result: Answer | ApiError, unreadable: str | None) -> dict[str, Any]:
    """A line's whole answer or problem, with its status, as in the answer to a batch."""
    if unreadable is not None:
        return {"status": UNPROCESSABLE, "title": "Unreadable line", "detail": unreadable, "errors": []}
    return {"status": OK, **result.raw} if isinstance(result, Answer) else problem_of(result)


def _error(document: dict[str, Any]) -> str | None:
    """All faults of a refused line, or that no machine is left, on one line."""
    if document["status"] == OK:
        return None if document["recommendations"] else NOTHING_LEFT
    faults = [f"{fault['pointer']}: {fault['detail']}" for fault in document["errors"]]
    return " ".join(("; ".join(faults) or document["detail"] or document["title"]).split())


def _fate(status: int, best: object) -> str:
    if status == OK:
        return RECOMMENDED if best else WITHOUT
    return FAILED if status >= SERVER_ERROR else REFUSED


def _text(own: Any) -> str | None:
    """The caller's id on one line; other values are written as JSON."""
    return own if own is None else " ".join(own.split()) if isinstance(own, str) else json.dumps(own)
