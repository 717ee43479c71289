"""The project's own files: locks, packaging, and that they hold on any machine."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
LINKS = re.compile(r"https?://|^\s*-(?:i|-index-url|-extra-index-url|-find-links|f)\b", re.MULTILINE)
PIN = re.compile(r"^([a-z0-9][a-z0-9._-]*)==(\S+)", re.MULTILINE)
HOME_PATHS = re.compile(r"(?<![\w./-])/(?:home|Users|root|work)/\w")
SIBLING_FOLDER = re.compile(r"(?:\.\./)+shared/")
MADE_FOLDERS = {"__pycache__", "build", "dist", "node_modules"}
BINARY_SUFFIXES = {".gz", ".npz", ".png"}


def project_files() -> list[Path]:
    """The project's own files, without generated ones and hidden folders other than those of the checks."""
    found = []
    for folder, below, names in os.walk(ROOT):
        below[:] = [name for name in below if name not in MADE_FOLDERS and (name == ".ci" or not name.startswith("."))]
        found += [Path(folder) / name for name in names if Path(name).suffix not in BINARY_SUFFIXES]
    return found


def pins(lock: Path) -> dict[str, str]:
    """The locked version of each package."""
    return {name: version.rstrip(" ;\\") for name, version in PIN.findall(lock.read_text())}


def declared(path: str) -> list[str]:
    """The names of the packages that a list of requirements or a distribution asks for, as locks spell them."""
    file = ROOT / path
    if file.suffix == ".toml":
        lines = tomllib.loads(file.read_text())["project"]["dependencies"]
    else:
        lines = [line for line in file.read_text().splitlines() if re.match(r"\w", line)]
    return sorted(re.split(r"[<>=~!;\s\[]", line)[0].lower().replace(".", "-").replace("_", "-") for line in lines)


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_locks_name_no_package_index(lock: Path) -> None:
    """A lock has only names, versions and hashes, so that it works with any index."""
    assert LINKS.findall(lock.read_text()) == []


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_each_pin_has_a_hash(lock: Path) -> None:
    """Every locked package is followed by at least one hash."""
    text = lock.read_text()
    blocks = re.split(r"(?m)^(?=[a-z0-9][a-z0-9._-]*==)", text)[1:]

    assert [block.split("==")[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_tests_run_on_what_is_served() -> None:
    """The development lock has the same versions as the locks for running and building."""
    expected = pins(ROOT / "requirements/run.txt") | pins(ROOT / "requirements/build.txt")
    developed = pins(ROOT / "requirements/dev.txt")

    assert {name: developed.get(name) for name in expected} == expected


def test_distribution_and_lock_ask_for_the_same_packages() -> None:
    """The service's distribution depends on the same packages that its lock is made from."""
    assert declared("requirements/run.in") == declared("service/pyproject.toml")


def test_each_package_says_why_it_is_there() -> None:
    """Each direct dependency has a remark with its reason, and each other one names the package that needs it."""
    asked = [line for line in (ROOT / "requirements/run.in").read_text().splitlines() if re.match(r"\w", line)]
    blocks = re.split(r"(?m)^(?=[a-z0-9][a-z0-9._-]*==)", (ROOT / "requirements/run.txt").read_text())[1:]

    assert [line for line in asked if not re.search(r"  # \w.{5,}", line)] == []
    assert [block.split("==")[0] for block in blocks if "# via" not in block] == []


def test_files_name_no_machine() -> None:
    """No file contains a path of the machine that wrote it, or a path outside the repository."""
    found = []
    for path in project_files():
        if path == Path(__file__):
            continue
        text = path.read_text(encoding="utf-8")
        found += [f"{path.relative_to(ROOT)}: {hit}" for hit in HOME_PATHS.findall(text) + SIBLING_FOLDER.findall(text)]

    assert found == []


def test_ci_runs_the_tests_of_the_makefile() -> None:
    """CI runs the parts of the command that people run: the page's tests beside the lint, then the others."""
    assert "\ntest: test-page test-python " in (ROOT / "Makefile").read_text()
    assert re.search(r"\nmake .* test-page\nmake test-python\n", (ROOT / ".ci/run").read_text())


def test_compose_redis_holds_bounded_memory() -> None:
    """The bundled Redis evicts before it grows, and its health is checked."""
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())
    redis = compose["services"]["redis"]

    assert {"--maxmemory", "--maxmemory-policy"} <= set(redis["command"])
    assert "healthcheck" in redis


def test_image_runs_unprivileged_and_is_probed() -> None:
    """The image has its own user, a health check, and commands that receive signals themselves."""
    instructions = (ROOT / "Dockerfile").read_text()
    final_stage = instructions.rsplit("\nFROM ", maxsplit=1)[1]

    assert re.search(r"^USER (?!0|root)\S+", final_stage, re.MULTILINE)
    assert "/healthz" in final_stage
    assert re.findall(r"^(?:ENTRYPOINT|CMD) (?!\[)", final_stage, re.MULTILINE) == []


def test_images_are_named_by_their_digest() -> None:
    """All images are named by digest, because a tag may be another image tomorrow."""
    image = (ROOT / "Dockerfile").read_text()
    stages = re.findall(r"^FROM (\S+)(?: AS (\S+))?$", image, re.MULTILINE)
    compose = yaml.safe_load((ROOT / "deploy/compose.yaml").read_text())["services"]
    chart = yaml.safe_load((ROOT / "deploy/chart/values.yaml").read_text())["proxy"]["image"]
    known = {name for _, name in stages} | {"plimsoll-service:0.1.0"}
    named = {source for source, _ in stages} | {service["image"] for service in compose.values()}

    assert [name for name in named - known if not re.fullmatch(r"\S+:\S+@sha256:[0-9a-f]{64}", name)] == []
    assert compose["proxy"]["image"] == "{repository}:{tag}@{digest}".format(**chart)


def test_the_image_has_no_tools_that_install() -> None:
    """pip and setuptools are in no lock: those of the base image are removed, and the copied environment has none."""
    build, final_stage = (ROOT / "Dockerfile").read_text().rsplit("\nFROM ", maxsplit=1)

    assert "python -m venv --without-pip /opt/plimsoll" in build
    assert "python -m pip uninstall --yes setuptools wheel pip" in final_stage
    assert "rm -r /usr/local/lib/python3.11/ensurepip" in final_stage


def test_installed_service_brings_its_files() -> None:
    """Catalog, page and type marker are inside the package, where the wheel takes them from."""
    package = ROOT / "service/src/plimsoll_service"
    wanted = [
        "catalog/data/catalog.npz",
        "portal/static/docs.css",
        "portal/static/docs.js",
        "portal/static/main.js",
        "portal/templates/portal.html",
        "gunicorn.conf.py",
        "py.typed",
    ]

    assert [name for name in wanted if not (package / name).is_file()] == []
