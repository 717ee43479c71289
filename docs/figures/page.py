"""Photographs every view of the page, in both themes, four widths and three languages, to be looked at.

Run it from the repository's root: ``.venv/bin/python -m docs.figures.page FOLDER``. The same command takes the pictures
of the page in ``docs/`` anew, with ``--docs`` instead of a folder.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, expect
from tests.browser.chromium import chromium, served

from plimsoll_service.settings import Settings

DOCS = Path(__file__).resolve().parents[1]
DOCS_WIDTH = 1280
# The pictures in docs/: theme, view, and the part of the page, else what a screen shows of it.
PICTURES = {
    "page.png": ("light", "answer", None),
    "page-dark.png": ("dark", "answer", None),
    "page-spot.png": ("light", "spot", ".timeline"),
    "page-evidence.png": ("light", "opened", ".predicted"),
    "page-compared.png": ("light", "compared", ".compare"),
    "page-machine.png": ("light", "machine", None),
}
WIDTHS = {360: 800, 768: 1024, 1280: 1200, 1920: 1080}
LANGUAGES = ("en", "zh", "vi")
THEMES = ("light", "dark")
RESNET = "task=training&model=resnet50&dataset_name=imagenet-1k&epochs=90&clouds=aws,gcp"
SPOT = (
    "task=training&model=bert-large&dataset_size=3GB&epochs=40&purchase=spot"
    "&interruptions_per_hour=0.2&checkpoint_interval_minutes=30"
)
COMPARED = "aws/g5.xlarge,aws/p3.2xlarge,aws/p4d.24xlarge,gcp/g2-standard-8,aws/t3.nano,own/V100-16GB/1/0.9"
SERVED = "task=inference&model=llama-3-8b&requests_per_second=5&input_tokens=1000&output_tokens=300"
VIEWS = {
    "finetune": "/?task=training&model=qwen2.5-7b&method=lora&tokens=50000000",
    "batch": "/?task=inference&model=whisper-large-v3&hours_of_audio=10000",
    "prepare": "/?task=preprocessing&dataset_size=500GB",
    "hpc": "/?task=hpc&flops=1e19",
    "form": "/?task=training&model=qwen2.5-7b&method=lora&tokens=50000000&mine=8%C3%97A100%20%2412",
    "answer": f"/?{RESNET}&deadline=48h&budget_usd=300",
    "opened": f"/?{RESNET}&open=1",
    "spot": f"/?{SPOT}&deadline=60h&open=1",
    "compared": f"/?{RESNET}&compare={COMPARED}",
    "serving": f"/?{SERVED}&open=1",
    "embedded": f"/embed?{RESNET}",
    "compact": f"/embed?{SERVED}",
    "refused": "/?task=training&model=resnett50",
    "none": f"/?{RESNET}&budget_usd=0.01",
    "machine": "/machines/aws/g5.xlarge",
    "machines": "/machines",
    "machines-filtered": "/machines?cloud=aws&accelerator=H100-SXM&min_vcpus=96&max_usd_per_hour=100",
    "accelerators": "/accelerators",
    "accelerator": "/accelerators/H100-SXM",
    "unknown": "/machines/aws/g5.xlrge",
    "reference": "/docs",
    "problem": "/problems/invalid-field",
}
HEIGHTS = {"compact": 420}  # of views that are smaller than a screen
STATIC = ("reference", "problem")  # which ask no question, and are in English alone

# What is laid out only once it is scrolled to would be missing from a picture of the whole page.
UNFOLD = """() => {
  document.querySelector('#table')?.style.setProperty('content-visibility', 'visible')
  document.querySelectorAll('.evidence').forEach(fold => { fold.open = true })
}"""
UNFOLD_FORM = """() => {
  document.querySelector('#edit:not([aria-expanded=true])')?.click()
  document.querySelectorAll('#question details').forEach(fold => { fold.open = true })
}"""


def main() -> None:
    """Write the pictures of the chosen views."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path, nargs="?", help="where every view goes")
    options.add_argument("--docs", action="store_true", help="take the pictures in docs/")
    options.add_argument("--languages", nargs="*", choices=LANGUAGES, default=list(LANGUAGES), help="left out: all")
    options.add_argument("--views", nargs="*", choices=VIEWS, default=list(VIEWS), help="left out: all")
    asked = options.parse_args()
    logging.getLogger("werkzeug").setLevel(logging.WARNING)
    with served(Settings(log_level="critical")) as site, chromium() as browser:
        for theme in THEMES:
            for view in asked.views if asked.folder else ():
                page = browser.new_page(base_url=site, color_scheme=theme)  # which remembers nothing of other views
                picture_view(page, view, asked.folder, theme, asked.languages)
                page.close()
            if asked.docs:
                picture_docs(browser.new_page(base_url=site, color_scheme=theme), theme)


def picture_docs(page: Page, theme: str) -> None:
    """The pictures of this theme in ``docs/``."""
    for name, (scheme, view, part) in PICTURES.items():
        if scheme == theme:
            opened(page, view, DOCS_WIDTH)
            shown = page.locator(part).first if part else page
            shown.screenshot(path=DOCS / name)


def picture_view(page: Page, view: str, folder: Path, theme: str, languages: Sequence[str]) -> None:
    """The view in every width and language, with the evidence unfolded, whole from top to bottom."""
    folder.mkdir(parents=True, exist_ok=True)
    for language in languages[:1] if view in STATIC else languages:
        for width in WIDTHS:
            opened(page, view, width, language)
            page.screenshot(path=folder / f"{view}-{language}-{theme}-{width}.png", full_page=True)


def opened(page: Page, view: str, width: int, language: str = "en") -> None:
    """Opens the view and waits until nothing more comes."""
    page.set_viewport_size({"width": width, "height": HEIGHTS.get(view, WIDTHS[width])})
    address = VIEWS[view]
    page.goto(f"{address}{'&' if '?' in address else '?'}lang={language}")
    if view not in STATIC:
        expect(page.locator("#answer")).not_to_have_attribute("aria-busy", "true")
    page.evaluate(UNFOLD)
    if view == "form":
        page.evaluate(UNFOLD_FORM)
    page.wait_for_load_state("networkidle")


if __name__ == "__main__":
    main()
