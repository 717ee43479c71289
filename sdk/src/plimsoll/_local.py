"""The service in this process; the only module that imports it, and only when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plimsoll.errors import NotInstalled

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

# The host of requests that leave no process; it stands in the texts of errors.
URL = "http://plimsoll.local"


def application() -> WSGIApplication:
    """The service as the environment configures it, but without a log of its own.

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
