"""Every fact of the five documents is a case named for it, or listed with the reason why it cannot be one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LAST = {"s0": 6, "s1": 22, "s2": 13, "s3": 11, "s4": 18}
FACTS = {
    document: [f"{document.upper()}-{number:02}" for number in range(1, last + 1)] for document, last in LAST.items()
}


def module(document: str) -> ast.Module:
    """The parsed test module of a document."""
    return ast.parse((HERE / f"test_{document}.py").read_text(encoding="utf-8"))


def cases(document: str) -> dict[str, list[ast.FunctionDef]]:
    """The cases by the fact that their names begin with."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in module(document).body:
        named = isinstance(node, ast.FunctionDef) and re.match(r"test_(s\d)_(\d\d)(_|$)", node.name)
        if isinstance(node, ast.FunctionDef) and named:
            found.setdefault(f"{named[1].upper()}-{named[2]}", []).append(node)
    return found


def listed(document: str) -> dict[str, str]:
    """Facts that the module lists as impossible cases, with the reason."""
    for node in module(document).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "NOT_A_CASE" for target in targets):
            assert isinstance(node, ast.Assign | ast.AnnAssign)
            assert node.value is not None
            return dict(ast.literal_eval(node.value))
    return {}


@pytest.mark.parametrize("document", LAST)
def test_every_fact_is_a_case_or_listed(document: str) -> None:
    """No fact is missing, none is both a case and listed, and no case has a fact that does not exist."""
    proved, excused = set(cases(document)), set(listed(document))

    assert set(FACTS[document]) == proved | excused
    assert set() == proved & excused


@pytest.mark.parametrize("document", LAST)
def test_what_is_listed_says_why(document: str) -> None:
    """Each reason is a sentence."""
    assert all(len(why) > 20 and why.endswith(".") for why in listed(document).values())


@pytest.mark.parametrize("document", LAST)
def test_every_case_states_its_fact_and_is_run(document: str) -> None:
    """Each case has a docstring, and none is skipped or expected to fail."""
    for functions in cases(document).values():
        for function in functions:
            marks = " ".join(ast.unparse(mark) for mark in function.decorator_list)
            assert ast.get_docstring(function), function.name
            assert not re.search(r"skip|xfail", marks + ast.unparse(function)), function.name
