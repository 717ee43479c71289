"""The running application against its own contract, with generated requests."""

from __future__ import annotations

from pathlib import Path

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings

MOST_EXAMPLES = 20
CONTRACT = Path(__file__).resolve().parents[2] / "openapi.yaml"
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)

schema = schemathesis.openapi.from_path(CONTRACT)
# Requests that the contract allows: those that it refuses have tests of their own, and would take minutes here.
schema.config.generation.update(modes=[GenerationMode.POSITIVE])
schema.app = create_app(Settings(log_level="critical"))


@schema.parametrize()
@settings(
    max_examples=MOST_EXAMPLES,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)
def test_every_answer_is_as_the_contract_says(case: schemathesis.Case) -> None:
    """No request makes the service fail, and no answer is one that the contract does not describe."""
    case.call_and_validate(checks=list(CHECKS))
