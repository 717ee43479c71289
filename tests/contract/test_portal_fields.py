"""The page's knowledge of the query parameters agrees with the API's description and the code that reads them."""

from __future__ import annotations

import runpy
from pathlib import Path

PORTAL = Path(__file__).resolve().parents[2] / "portal"


def test_page_knows_the_api_s_parameters() -> None:
    """Names, places in a body, kinds and words are those of the contract; `make parameters` writes them anew."""
    expected = runpy.run_path(str(PORTAL / "write_parameters.py"))["text"]()

    assert expected == (PORTAL / "src/parameters.json").read_text(encoding="utf-8")
