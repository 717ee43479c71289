"""The service in this process; the only module that imports it, and only when it is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from plimsoll.errors import NotInstalled

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# The host of requests that leave no process; it stands in the texts of errors.
URL = "http://plimsoll.local"


def application() -> WSGIApplication:
    """The service as the environment configures it, but silent; raises ``NotInstalled``."""
    try:
        from plimsoll_service.app import create_app
        from plimsoll_service.settings import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "plimsoll_service":
            raise
        raise NotInstalled(
            "local() runs the service in this process: install plimsoll-service beside plimsoll"
        ) from error
    # A line a request on standard output is meant for a server; a program's output is its own.
    return create_app(replace(Settings.from_environment(), log_level="critical"))
