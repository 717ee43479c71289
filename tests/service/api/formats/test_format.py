"""Machines that a launcher can launch, and the restriction of a question to them."""

from __future__ import annotations

import pytest
from tests.service.fitted import FITTED

from plimsoll_service.api.formats import RECOMMENDATIONS
from plimsoll_service.api.formats.format import lacking, narrowed
from plimsoll_service.api.formats.machines import machines
from plimsoll_service.engine.faults import Refused
from plimsoll_service.engine.hardware import Catalog
from plimsoll_service.engine.workload import Constraints, Query, Workload
from plimsoll_service.prices.live import LivePrices
from plimsoll_service.sizing import Sizer

LAUNCHERS = tuple(name for name, form in RECOMMENDATIONS.items() if form.consumer)
PREPROCESSING = Workload("preprocessing")


@pytest.mark.parametrize("name", LAUNCHERS)
def test_what_a_launcher_lacks_is_excluded_and_nothing_else(name: str, catalog: Catalog) -> None:
    """The remaining machines of a launcher's clouds are exactly those that it launches."""
    consumer = RECOMMENDATIONS[name].consumer
    assert consumer is not None
    excluded = set(lacking(consumer, catalog))

    for one in machines(catalog):
        if one.cloud in consumer.clouds:
            assert consumer.launches(one) == (not {one.family, one.instance_type} & excluded), one


@pytest.fixture(scope="module")
def real_sizer(catalog: Catalog) -> Sizer:
    """The real engine."""
    return Sizer(catalog, FITTED, LivePrices(catalog))


@pytest.mark.parametrize("name", LAUNCHERS)
def test_a_question_for_a_launcher_finds_what_it_can_launch(name: str, catalog: Catalog, real_sizer: Sizer) -> None:
    """The real engine finds a machine that the launcher has, even if the best ones of all are others."""
    form = RECOMMENDATIONS[name]
    assert form.consumer is not None
    found = real_sizer.recommend(narrowed(Query(PREPROCESSING), form.consumer, name, catalog))

    launch = form.consumer.pick(found, catalog).launch
    assert launch is not None
    assert launch.one == found.recommendations[0]


def test_clouds_are_kept_to_the_launchers(catalog: Catalog) -> None:
    """The clouds are restricted in any spelling, and the user's exclusions stay."""
    consumer = RECOMMENDATIONS["sagemaker"].consumer
    assert consumer is not None
    query = Query(PREPROCESSING, Constraints(clouds=("GCP", "AWS"), exclude=("m7i",)))

    kept = narrowed(query, consumer, "sagemaker", catalog).constraints
    assert kept.clouds == ("aws",)
    assert kept.exclude is not None
    assert kept.exclude[0] == "m7i"


def test_other_clouds_alone_are_refused(catalog: Catalog) -> None:
    """A request for only other clouds is refused, with the launcher's clouds in the text."""
    consumer = RECOMMENDATIONS["skypilot"].consumer
    assert consumer is not None
    with pytest.raises(Refused) as refused:
        narrowed(Query(PREPROCESSING, Constraints(clouds=("alibaba",))), consumer, "skypilot", catalog)

    (fault,) = refused.value.faults
    assert fault.pointer == "/constraints/clouds"
    assert "aws, azure, gcp" in fault.detail
