"""The running application against its own contract, with generated requests."""

from __future__ import annotations

from pathlib import Path

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from openapi.document import document
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.generated import without_traces

from plimsoll_service.app import contract, create_app
from plimsoll_service.settings import Settings

MOST_EXAMPLES = 20
CONTRACT = Path(__file__).resolve().parents[2] / "openapi.yaml"
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)

OPERATIONS = [each["operationId"] for path in document(contract())["paths"].values() for each in path.values()]


@pytest.fixture(scope="module")
def described() -> BaseSchema:
    """The contract, of which requests are generated that it allows.

    Those that it refuses have tests of their own, and would take minutes here.
    """
    schema = schemathesis.openapi.from_path(CONTRACT)
    schema.config.generation.update(modes=[GenerationMode.POSITIVE])
    schema.app = create_app(Settings(log_level="critical"))
    return schema


@pytest.fixture(scope="module")
def sources(described: BaseSchema) -> FeedbackSources:
    """Sources of values that Schemathesis uses beside the contract's own."""
    return FeedbackSources(constants_value_source=make_constants_value_source(described))


@without_traces
def holds(case: schemathesis.Case) -> None:
    """Send the request and check the answer; the client within the process would not decompress it."""
    case.call_and_validate(checks=list(CHECKS), headers={"Accept-Encoding": "identity"})


# Schemathesis' own collector would build the requests of all operations in each of the tests' processes.
@pytest.mark.generated
@pytest.mark.parametrize("operation_id", OPERATIONS)
def test_every_answer_is_as_the_contract_says(
    described: BaseSchema, sources: FeedbackSources, pytestconfig: pytest.Config, operation_id: str
) -> None:
    """No request makes the service fail, and no answer is one that the contract does not describe."""
    build_operation_test(
        config=described.config,
        operation=described.find_operation_by_id(operation_id),
        test_func=holds,
        given_kwargs={},
        feedback=sources,
        explicit_settings=settings(
            max_examples=MOST_EXAMPLES * (pytestconfig.option.search or 1),
            phases=(Phase.explicit, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )()
