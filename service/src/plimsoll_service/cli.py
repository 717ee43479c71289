"""``plimsoll-service``: serve, manage API keys, refresh prices, build catalogs, calibrate, print the contract.

Exit status: 0 done, 1 refused (with the reason on standard error, and without a change), 2 wrong command line.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module, metadata, resources
from pathlib import Path
from typing import TypeAlias

from .api.guard import listening
from .exit_status import DONE, REFUSED, WRONG_CALL, say
from .settings import Settings, SettingsError

# A command's modules are imported when it is called: serving needs none of them, and starts in half the time.

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

_APPLICATION = "plimsoll_service.app:from_environment()"
_HIGHEST_PORT = 65535
_OWN_HOST = "127.0.0.1"
_CALIBRATION = Path("calibration")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    called = [name for name in given[:1] if name in _COMMANDS]
    call = _parser(called or _COMMANDS).parse_args(given)
    command: Callable[[argparse.Namespace], int] = call.command
    try:
        return command(call)
    except SettingsError as error:
        return say(error, WRONG_CALL)


def serve(call: argparse.Namespace) -> int:
    """Run gunicorn, unless settings or files are faulty, or the service would be open to everybody."""
    settings = Settings.from_environment()
    open_to_all = listening.refusal([(call.host or _OWN_HOST, call.port)], settings)
    if open_to_all is not None:
        return say(open_to_all, WRONG_CALL)
    faults = list(_faults(settings))
    for fault in faults:
        say(fault, REFUSED)
    if faults:
        return REFUSED
    return _become(gunicorn_command(call.host, call.port))


def _become(command: list[str]) -> int:
    """Continue as another program of our own choice, under the same process number."""
    return os.execv(command[0], command)  # noqa: S606 - see above


def gunicorn_command(host: str | None, port: int | None) -> list[str]:
    """Return gunicorn's command line, with an address where it differs from the configuration's."""
    configuration = resources.files(__package__) / "gunicorn.conf.py"
    command = [sys.executable, "-m", "gunicorn", "--config", str(configuration)]
    if host is not None or port is not None:
        host = host or _OWN_HOST
        named = f"[{host}]" if ":" in host and not host.startswith("[") else host  # an IPv6 address among colons
        command += ["--bind", f"{named}:{8080 if port is None else port}"]
    return [*command, _APPLICATION]


def _faults(settings: Settings) -> Iterator[Exception]:
    """Faults in the operator's files, each in one line before gunicorn would report it in many."""
    if settings.terms_path is not None or settings.catalog_path is not None:
        from .api import pricing_agreements
        from .catalog import snapshot
        from .catalog.faults import CatalogError

        try:
            pricing_agreements.installed(settings.terms_path, snapshot.load(settings.catalog_path))
        except (CatalogError, pricing_agreements.PricingAgreementsError) as error:
            yield error
    if settings.api_keys_path is not None:
        from .api.guard import key_file

        try:
            key_file.read(settings.api_keys_path)
        except key_file.KeyFileError as error:
            yield error


def calibrate(call: argparse.Namespace) -> int:
    """Fit the coefficients, or check the committed ones, with the calibration that stands beside the service."""
    if not (_CALIBRATION / "__main__.py").is_file():
        return say("only a checkout of the project has the calibration; run it at its top", REFUSED)
    return _become([sys.executable, "-m", _CALIBRATION.name, *(["--check"] if call.check else [])])


def openapi_document(_: argparse.Namespace) -> int:
    """Print the contract."""
    from .api import docs

    sys.stdout.write(docs.contract_text())
    return DONE


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) <= _HIGHEST_PORT):
        raise argparse.ArgumentTypeError(f"{text!r} is no port: 0 to {_HIGHEST_PORT}")
    return int(text)


def _parser(names: Iterable[str]) -> argparse.ArgumentParser:
    """Return the parser of these commands alone."""
    parser = argparse.ArgumentParser(
        prog="plimsoll-service", description=(__doc__ or "").splitlines()[0].replace("`", "")
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {metadata.version('plimsoll-service')}")
    commands_ = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for name in names:
        _COMMANDS[name](commands_)
    return parser


def _add_serve(commands_: Commands) -> None:
    parser = commands_.add_parser("serve", help="serve over HTTP with gunicorn (WEB_CONCURRENCY sets the workers)")
    parser.add_argument("--host", help="address to listen on; default: 127.0.0.1")
    parser.add_argument("--port", type=_port, help="port to listen on; default: 8080")
    parser.set_defaults(command=serve)


def _from(module: str, name: str) -> Callable[[Commands], None]:
    """Return what adds the commands of another module, which it imports."""
    return lambda commands_: getattr(import_module(f"{__package__}.{module}"), name)(commands_)


def _add_calibrate(commands_: Commands) -> None:
    parser = commands_.add_parser("calibrate", help="fit the coefficients to the measurements, in a checkout")
    parser.add_argument("--check", action="store_true", help="write nothing; exit with 1 if a refit gives other values")
    parser.set_defaults(command=calibrate)


def _add_openapi(commands_: Commands) -> None:
    parser = commands_.add_parser("openapi", help="print the API description (OpenAPI 3.1)")
    parser.set_defaults(command=openapi_document)


_COMMANDS: dict[str, Callable[[Commands], None]] = {
    "serve": _add_serve,
    "prices": _from("cli_prices", "add_prices"),
    "keys": _from("cli_keys", "add_keys"),
    "catalog": _from("cli_catalog", "add_catalog"),
    "calibrate": _add_calibrate,
    "openapi": _add_openapi,
}


if __name__ == "__main__":
    sys.exit(main())
