# /// script
# requires-python = ">=3.11"
# dependencies = ["helm-python-sdk==0.2.2", "kubernetes-validate==1.37.0"]
# ///
"""Render a chart by Helm's own library, once for each set of values, and check it against Kubernetes' schemas."""

import json
import sys
from pathlib import Path

import kubernetes_validate
import yaml
from helm_python import Chart, HelmError, chart

VERSIONS = ("1.25", "1.37")  # the oldest that the chart says it takes, and the newest that there are schemas of
OPERATORS_OWN = {"ServiceMonitor", "PrometheusRule"}  # of Prometheus' operator: Kubernetes has no schema of them


def rendered(folder: str, values: dict[str, object]) -> dict[str, object]:
    """The manifests, their faults, and the messages of Helm's linter; or the reason why there are none."""
    try:
        with Chart.load(folder) as loaded:
            texts = loaded.render(values, name="release", namespace="plimsoll")
    except HelmError as error:
        return {"refused": str(error)}
    documents = [text for name, text in texts.items() if name.endswith(".yaml")]
    manifests = [manifest for text in documents for manifest in yaml.safe_load_all(text) if manifest]
    # Severity 1 is advice.
    linted = [each for each in chart.lint(folder, values, strict=True)["messages"] if each["severity"] > 1]
    return {"manifests": manifests, "faults": [*filter(None, map(fault, manifests))], "lint": linted}


def fault(manifest: dict[str, object]) -> str:
    """Fault of a manifest; empty if it has none."""
    if manifest["kind"] in OPERATORS_OWN:
        return ""
    try:
        for version in VERSIONS:
            kubernetes_validate.validate(manifest, version, strict=True)
    except Exception as error:
        return f"{manifest['kind']} {manifest['metadata']}: {error}"
    return ""


folder, given, found = sys.argv[1:]
answers = [rendered(folder, values) for values in json.loads(Path(given).read_text())]
Path(found).write_text(json.dumps(answers))
