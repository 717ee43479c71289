"""The modules of the answers' classes, each loaded when one of its classes is first used (PEP 562).

Making the classes takes half as long as importing httpx, and a client that asks for text needs none of them.
"""

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plimsoll import models as models
    from plimsoll import offers as offers
    from plimsoll import resources as resources
else:

    def __getattr__(name):
        if name not in ("models", "offers", "resources"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return importlib.import_module(f"plimsoll.{name}")
