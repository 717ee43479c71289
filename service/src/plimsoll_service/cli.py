"""``plimsoll-service``: serve, refresh prices, size files of workloads, build catalogs, calibrate, write the contract.

Exit status: 0 done, 1 refused (the reason on standard error; what was there stays), 2 wrong call.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

from .api import openapi, own_terms
from .app import contract
from .bulk.command import add_bulk
from .catalog import commands, snapshot
from .catalog.faults import CatalogError
from .cli_prices import add_prices
from .engine.rules import RULES, page
from .evidence import commands as evidence_commands
from .evidence.columns import EvidenceError
from .exit_status import DONE, REFUSED, WRONG_CALL, say
from .settings import Settings, SettingsError

_APPLICATION = "plimsoll_service.app:from_environment()"
_HIGHEST_PORT = 65535


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit status."""
    call = _parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = call.command
    return command(call)


def serve(call: argparse.Namespace) -> int:
    """Become gunicorn, unless the settings are wrong, or the operator's own terms."""
    try:
        settings = Settings.from_environment()
        if settings.terms_path is not None:
            own_terms.installed(settings.terms_path, snapshot.load(settings.catalog_path))
    except SettingsError as error:
        return say(error, WRONG_CALL)
    except (CatalogError, own_terms.TermsError) as error:
        return say(error, REFUSED)
    command = gunicorn_command(call.host, call.port)
    return os.execv(command[0], command)  # noqa: S606 - a program of our own choice


def gunicorn_command(host: str | None, port: int | None) -> list[str]:
    """The command that serves; an address is stated only where it differs from the configuration's."""
    configuration = resources.files(__package__) / "gunicorn.conf.py"
    command = [sys.executable, "-m", "gunicorn", "--config", str(configuration)]
    if host is not None or port is not None:
        command += ["--bind", f"{host or '127.0.0.1'}:{8080 if port is None else port}"]
    return [*command, _APPLICATION]


def build_catalog(call: argparse.Namespace) -> int:
    """Build a directory of CSV files into a snapshot."""
    return _reported(lambda: commands.build(call.input, call.output))


def import_figures(call: argparse.Namespace) -> int:
    """Turn gathered figures into the documented directory of CSV files."""
    return _reported(lambda: commands.import_figures(call.figures, call.output))


def export_catalog(call: argparse.Namespace) -> int:
    """Write a snapshot as the documented directory of CSV files."""
    return _reported(lambda: commands.export(call.output, call.source))


def build_evidence(call: argparse.Namespace) -> int:
    """Write the table of measurements out of the gathered tables and a folder of raw figures."""
    return _reported(lambda: evidence_commands.build(call.figures, call.output))


def calibrate(call: argparse.Namespace) -> int:
    """Fit the coefficients to the measurements anew, or check the committed ones."""
    from .calibration.command import CalibrationError  # here alone: answering requests needs none of it
    from .calibration.command import calibrate as run
    from .calibration.registry import PROBLEMS

    try:
        print(run(PROBLEMS, call.cloud_runs, call.out, check=call.check))
    except (CalibrationError, EvidenceError, OSError) as error:
        return say(error, REFUSED)
    except ModuleNotFoundError as error:
        return say(f"the report needs {error.name}; install requirements/dev.txt", REFUSED)
    return DONE


def openapi_document(call: argparse.Namespace) -> int:
    """Print the contract, write it, or compare a file with it."""
    return _document(call, openapi.text(contract()), "make openapi")


def rules_page(call: argparse.Namespace) -> int:
    """Print the page of rules, write it, or compare a file with it."""
    return _document(call, page.text(RULES), "make rules")


def _document(call: argparse.Namespace, text: str, command: str) -> int:
    """A text of the code to a file, against a file, or to standard output; ``command`` writes it anew."""
    if call.write:
        call.write.write_text(text, encoding="utf-8")
    elif call.check:
        return _checked(call.check, text, command)
    else:
        sys.stdout.write(text)
    return DONE


def _checked(path: Path, text: str, command: str) -> int:
    try:
        same = path.read_text(encoding="utf-8") == text
    except OSError as error:
        return say(error, REFUSED)
    return DONE if same else say(f"{path} differs from the code; write it anew with: {command}", REFUSED)


def _reported(work: Callable[[], object]) -> int:
    try:
        print(work())
    except (CatalogError, EvidenceError, OSError) as error:
        return say(error, REFUSED)
    return DONE


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= _HIGHEST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to {_HIGHEST_PORT}")
    return int(text)


def _directory(text: str) -> Path:
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r} is no directory")
    return path


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="plimsoll-service", description=(__doc__ or "").splitlines()[0].replace("`", "")
    )
    commands_ = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_serve(commands_)
    add_prices(commands_)
    add_bulk(commands_)
    _add_catalog(commands_)
    _add_evidence(commands_)
    _add_calibrate(commands_)
    _add_rules(commands_)
    _add_openapi(commands_)
    return parser


def _add_serve(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands_.add_parser("serve", help="serve over HTTP with gunicorn (WEB_CONCURRENCY sets the workers)")
    parser.add_argument("--host", help="address to listen on; left out: 127.0.0.1")
    parser.add_argument("--port", type=_port, help="port to listen on; left out: 8080")
    parser.set_defaults(command=serve)


def _add_catalog(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    catalog = commands_.add_parser("catalog", help="build, import or export a catalog")
    actions = catalog.add_subparsers(title="actions", required=True, metavar="ACTION")
    build = actions.add_parser("build", help="build a directory of CSV files into a snapshot")
    build.add_argument(
        "input", type=_directory, help="directory with instance_types.csv, offers*.csv and, if need be, more"
    )
    build.add_argument(
        "output", type=Path, help="the snapshot (.npz) to write; PLIMSOLL_CATALOG names it to the service"
    )
    build.set_defaults(command=build_catalog)
    gathered = actions.add_parser("import", help="turn gathered figures into a directory of CSV files")
    gathered.add_argument("figures", type=_directory, help="directory with the gathered figures")
    gathered.add_argument("output", type=Path, help="directory to write")
    gathered.set_defaults(command=import_figures)
    export = actions.add_parser("export", help="write a snapshot as a directory of CSV files")
    export.add_argument("output", type=Path, help="directory to write")
    export.add_argument("--source", type=Path, help="snapshot to read; left out: the bundled one")
    export.set_defaults(command=export_catalog)


def _add_evidence(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    evidence = commands_.add_parser("evidence", help="build the table of published measurements")
    actions = evidence.add_subparsers(title="actions", required=True, metavar="ACTION")
    build = actions.add_parser("build", help="write the table out of gathered and raw figures")
    build.add_argument(
        "figures",
        type=_directory,
        nargs="?",
        help="compressed CSV files of figures as printed; left out: the project's own gathered tables alone",
    )
    build.add_argument("--output", type=Path, help="directory to write; left out: over the bundled table")
    build.set_defaults(command=build_evidence)


def _add_calibrate(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands_.add_parser("calibrate", help="fit the coefficients to the measurements, and write the report")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where a refit gives other values")
    parser.add_argument(
        "--cloud-runs",
        type=Path,
        metavar="FILE",
        help="measurements on rented instances; without: what rests on them stays",
    )
    parser.add_argument(
        "--out", type=Path, metavar="DIR", default=Path("docs"), help="directory of the report; left out: docs"
    )
    parser.set_defaults(command=calibrate)


def _add_openapi(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands_.add_parser("openapi", help="print the contract as OpenAPI 3.1")
    _add_destination(parser)
    parser.set_defaults(command=openapi_document)


def _add_rules(commands_: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands_.add_parser("rules", help="print the page of rules as Markdown")
    _add_destination(parser)
    parser.set_defaults(command=rules_page)


def _add_destination(parser: argparse.ArgumentParser) -> None:
    action = parser.add_mutually_exclusive_group()
    action.add_argument("--write", type=Path, metavar="PATH", help="write it to a file instead")
    action.add_argument("--check", type=Path, metavar="PATH", help="exit 1 where a file differs from it")


if __name__ == "__main__":
    sys.exit(main())
