"""``python -m openapi``: write ``openapi.yaml`` at the top of the checkout."""

from pathlib import Path

from plimsoll_service.app import contract

from .document import text

if __name__ == "__main__":
    Path("openapi.yaml").write_text(text(contract()), encoding="utf-8")
