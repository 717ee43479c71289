"""Two modules of fitted values compared: by name, within a tolerance, every difference told."""

from __future__ import annotations

import pytest

from plimsoll_service.calibration.differences import differences

MODULE = """
from plimsoll_service.engine.coefficients import Roofline

ROOFLINE = Roofline(
    compute_fp32=0.8,  # ±5%
    host_s=1.7e-05,
)
EFFECTS: dict[str, float] = {"kin": -0.26}
"""


def test_equal_values_do_not_differ() -> None:
    """Comments are not compared."""
    assert [] == differences(MODULE, MODULE.replace("±5%", "±6%"))


@pytest.mark.parametrize(("old", "new"), [("0.8,", "0.803,"), ("1.7e-05", "1.705e-05"), ("-0.26", "-0.263")])
def test_what_another_linear_algebra_may_change_is_no_difference(old: str, new: str) -> None:
    """Half a percent of a coefficient, 0.005 of an effect."""
    assert [] == differences(MODULE, MODULE.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("0.8,", "0.81,", "ROOFLINE.compute_fp32"),
        ("1.7e-05", "1.8e-05", "ROOFLINE.host_s"),
        ("-0.26", "-0.28", "EFFECTS['kin']"),
    ],
)
def test_a_changed_value_is_named_with_both_values(old: str, new: str, name: str) -> None:
    """The reader sees what moved."""
    found = differences(MODULE, MODULE.replace(old, new))

    assert 1 == len(found)
    assert found[0].startswith(f"{name}: committed")
    assert found[0].endswith(f"refitted {float(new.rstrip(','))}")


def test_missing_and_new_values_are_told() -> None:
    """A value that only one side has is a difference, too."""
    renamed = differences(MODULE, MODULE.replace("kin", "kin two"))

    assert {"EFFECTS['kin']: -0.26 is no longer fitted", "EFFECTS['kin two']: -0.26 is not committed"} == set(renamed)


def test_words_are_compared_as_they_are() -> None:
    """Sets of names and strings have no tolerance."""
    known = 'KNOWN = {"serving": Known(software=frozenset({"vllm stock"}), cells={"a": "A100 H100"})}'
    old = f"from plimsoll_service.engine.known import Known\n\n{known}\n"

    assert ["KNOWN['serving'].cells['a']: committed A100 H100, refitted A100"] == differences(
        old, old.replace("A100 H100", "A100")
    )
    assert 2 == len(differences(old, old.replace("vllm stock", "vllm tuned")))


def test_an_effect_too_small_to_write_is_no_difference() -> None:
    """An entry of a table may come and go near 0; a large one, or a small coefficient, may not."""
    assert [] == differences("EFFECTS = {}", "EFFECTS = {'a': 0.0041}")
    assert 1 == len(differences("EFFECTS = {'a': 0.2}", "EFFECTS = {}"))
    assert 1 == len(differences("", "STEP = 0.001"))
