"""Chromium and a served application, for the tests and for the scripts that check the page."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask
from playwright.sync_api import Browser, sync_playwright
from werkzeug.serving import make_server

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first takes half the time
FLAGS = [
    "--no-sandbox",  # as root, Chromium refuses to start with it
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
MISSING = "The page needs Chromium to be looked at: apt-get install chromium, or name another in PLIMSOLL_CHROMIUM."


def find_chromium() -> str | None:
    """The browser to use: the one named in PLIMSOLL_CHROMIUM, else the system's; None if there is none."""
    named = os.environ.get("PLIMSOLL_CHROMIUM")
    found = map(shutil.which, (named,) if named else NAMES)
    return next(filter(None, found), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """The system's Chromium, without a window and with an empty profile; ``FileNotFoundError`` if there is none."""
    path = find_chromium()
    if path is None:
        raise FileNotFoundError(MISSING)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@contextmanager
def served(settings: Settings) -> Iterator[str]:
    """Address of the real application, served on loopback."""
    with served_app(create_app(settings)) as address:
        yield address


@contextmanager
def served_app(app: Flask) -> Iterator[str]:
    """Address of an application on its own loopback port."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.port}"
    server.shutdown()
    thread.join()
    server.server_close()
