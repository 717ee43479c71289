"""Results as pandas data frames."""

from __future__ import annotations

import importlib
from typing import Any

from plimsoll._rows import RECOMMENDATION_COLUMNS, rows_of
from plimsoll.errors import NotInstalled
from plimsoll.models import Answer


def to_dataframe(results: Any) -> Any:
    """A ``pandas.DataFrame`` with a row for each recommendation, compared machine, estimate or item of a collection.

    ``results`` is one answer, or an iterable such as ``client.instance_types()``. A range becomes three columns, as in
    the service's CSV. Raises ``NotInstalled`` without pandas.
    """
    try:
        pandas: Any = importlib.import_module("pandas")
    except ModuleNotFoundError as error:
        if error.name != "pandas":
            raise
        raise NotInstalled("data frames need pandas: pip install 'plimsoll[pandas]'") from error
    columns = RECOMMENDATION_COLUMNS if isinstance(results, Answer) else None
    return pandas.DataFrame(rows_of(results), columns=columns)
