"""Google Cloud's price list: the Cloud Billing Catalog of Compute Engine, which prices the parts of machines.

Source of the format: https://cloud.google.com/billing/docs/reference/rest/v1/services.skus/list
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import google.auth
import google.auth.exceptions
import httpx
from google.auth.transport.requests import Request

from ..feed import Feed, FeedError, FeedRequest, Fetched
from ..http import client, get_json, inside, moved
from .machines import SOURCE, composed, covered, recipes, volumes
from .skus import Kind, PartRates, collected

API_KEY = "GOOGLE_API_KEY"
CREDENTIALS_FILE = "GOOGLE_APPLICATION_CREDENTIALS"
SCOPES = ("https://www.googleapis.com/auth/cloud-billing.readonly",)
NEEDED = f"Google's price list needs credentials: set {API_KEY}, or {CREDENTIALS_FILE} to a credentials file"
COMPUTE_ENGINE = "https://cloudbilling.googleapis.com/v1/services/6F81-5844-456A/skus"
PAGE_SIZE = 5000  # Google's maximum
MOST_PAGES = 50  # six times the need of 40,000 SKUs, as pages may be shorter than asked for


def access(request: FeedRequest) -> dict[str, str]:
    """The headers with the credentials; another base address needs none.

    Raises ``FeedError`` if credentials are missing or refused.
    """
    if key := request.environment.get(API_KEY):
        return {"x-goog-api-key": key}
    file = request.environment.get(CREDENTIALS_FILE)
    if file is None and request.base_url is not None:
        return {}
    try:
        return _bearer(file, Request())
    except google.auth.exceptions.DefaultCredentialsError as error:
        raise FeedError(f"{NEEDED} ({error})") from error
    except google.auth.exceptions.GoogleAuthError as error:
        # Google's answer is left out: it may repeat a part of the credentials.
        raise FeedError(f"Google refused the credentials or could not be asked: {type(error).__name__}") from error


def _bearer(file: str | None, send: Any) -> dict[str, str]:
    """The headers with a token, and with the project to charge if the credentials name one."""
    credentials: Any = _from_file(file, send) if file else google.auth.default(scopes=SCOPES, request=send)[0]
    headers: dict[str, str] = {}
    credentials.refresh(send)
    credentials.apply(headers)
    return headers


def _from_file(file: str, send: Any) -> Any:
    load: Any = google.auth.load_credentials_from_file
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # it warns of files from others; this one is the operator's
        return load(file, scopes=SCOPES, request=send)[0]


class GcpFeed:
    """Compute Engine's machines, on demand and spot, and its disks."""

    name = "gcp"

    def fetch(self, request: FeedRequest) -> Fetched:
        """All prices of the regions asked for; raises ``FeedError``."""
        with client(access(request)) as http:
            http.follow_redirects = False  # a key goes to no other host
            rates = collected(_skus(http, request), request)
        scope = covered(rates, request)
        if not scope:
            raise FeedError(f"{SOURCE}: no SKU is for a region asked for")
        offers, unpriced = composed(rates, scope, request)
        return Fetched(
            source=SOURCE,
            offers=offers,
            covered=scope,
            volumes=volumes(rates, request),
            notes=(*unpriced, *_notes(rates, request)),
        )


def _skus(http: httpx.Client, request: FeedRequest) -> Iterator[Mapping[str, Any]]:
    """The SKUs of all pages; raises ``FeedError`` for a malformed page and for endless pages."""
    url = moved(COMPUTE_ENGINE, request.base_url)
    query = {"pageSize": str(PAGE_SIZE), "currencyCode": "USD"}
    seen: set[str] = set()
    read = 0
    for number in range(1, MOST_PAGES + 1):
        page = get_json(http, url, params=query)
        skus = inside(page, "skus")
        if not isinstance(skus, list) or not skus or not all(isinstance(sku, dict) for sku in skus):
            raise FeedError(f"{SOURCE}: page {number} has no list of SKUs: it is empty or the format has changed")
        yield from skus
        read += len(skus)
        request.report(f"{SOURCE}: page {number}, {read:,} SKUs")
        token = page.get("nextPageToken") or ""
        if not isinstance(token, str) or token in seen:
            raise FeedError(f"{SOURCE}: page {number} names a page that was read before: the pages do not end")
        if not token:
            return
        seen.add(token)
        query = {**query, "pageToken": token}
    raise FeedError(f"{SOURCE}: more than {MOST_PAGES} pages: they do not end")


def _notes(rates: PartRates, request: FeedRequest) -> tuple[str, ...]:
    notes = []
    paid = {part for name, facts in request.types.items() for recipe in recipes(name, facts) for part, _ in recipe}
    new = sorted({part.name for part, _ in rates.usd if part.kind == Kind.CORE} - {part.name for part in paid})
    if new:
        notes.append(f"families of which the catalog has no type: {', '.join(new)}")
    if rates.unknown_regions:
        notes.append(f"regions that the catalog lacks: {', '.join(sorted(rates.unknown_regions))}")
    if rates.remark:
        notes.append(f"prices were converted{rates.remark}")
    return tuple(notes)


FEED: Feed = GcpFeed()
