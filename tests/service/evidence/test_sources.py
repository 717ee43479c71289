"""The list of sources."""

from __future__ import annotations

from pathlib import Path

from plimsoll_service.evidence import sources

GITHUB = "https://github.com/"
ROOT = Path(__file__).resolve().parents[3]


def test_every_source_is_attributed() -> None:
    """By its repository, or else by its title, in NOTICE."""
    notice = " ".join((ROOT / "NOTICE").read_text(encoding="utf-8").split())
    names = {
        source.key: "/".join(source.url.removeprefix(GITHUB).split("/")[:2])
        if source.url.startswith(GITHUB)
        else source.title
        for source in sources.load().values()
    }

    assert {key: name for key, name in names.items() if name not in notice} == {}
