"""The service in this process. No other module imports it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plimsoll.errors import NotInstalled

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# Host of requests within the process; error texts show it.
URL = "http://plimsoll.local"


def application() -> WSGIApplication:
    """Return the service as the environment configures it, without a log of its own.

    Raises ``NotInstalled``, and ``ValueError`` where a setting, or a file that one names, is faulty.
    """
    try:
        from plimsoll_service.app import embedded
        from plimsoll_service.settings import Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "plimsoll_service":
            raise
        raise NotInstalled(
            "local() runs the service in this process: install plimsoll-service beside plimsoll"
        ) from error
    return embedded(Settings.from_environment())
