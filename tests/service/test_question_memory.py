"""The largest questions that the schemas allow, in a process with limited memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

MOST_BYTES = 512 << 20  # of addresses: a process that has answered ordinary questions has taken 230 MiB
RECOMMEND, ESTIMATE, COMPARE = "/v1/recommendations", "/v1/estimates", "/v1/comparisons"
DATA = {"samples": 1e15, "size": "1000000TB", "format": "jpeg"}
TRAINING = {"task": "training", "model": "resnet-50", "dataset": DATA, "epochs": 1e6}
RENTED = {"cloud": "aws", "instance_type": "p4d.24xlarge"}
OWN = {"accelerator": "H100-SXM", "count": 8, "vcpus": 96, "memory_gib": 1000, "usd_per_hour": 1, "max_nodes": 10_000}
WIDE = {"max_nodes": 10_000, "purchase": ["on_demand", "spot"], "retired": True}
# A century to finish in, a checkpoint every second, and interruptions all the time.
INTERRUPTED = {"deadline": "36000d", "checkpoint_interval_minutes": 0.02, "interruptions_per_hour": 3}
WIDEST: list[dict[str, Any]] = [
    TRAINING,
    TRAINING | {"experiments": 10_000},
    TRAINING | INTERRUPTED | {"dataset": {"samples": 1e9, "size": "100TB", "format": "jpeg"}},
    {"task": "preprocessing", "dataset": DATA},
    {"task": "training", "model": "llama-3-70b", "tokens": 1e15, "sequence_length": 100_000},
    {"task": "training", "model": "xgboost", "dataset": DATA | {"format": "csv"}, "trees": 100_000, "depth": 50},
    {"task": "inference", "model": "resnet-50", "requests_per_second": 1e9},
    {
        "task": "inference",
        "model": "llama-3-70b",
        "input_tokens": 1e6,
        "output_tokens": 1e6,
        "requests_per_second": 1e9,
    },
    {"task": "hpc", "flops": 1e30, "bytes": 1e18},
]
QUESTIONS: list[tuple[str, dict[str, Any]]] = [
    *((RECOMMEND, {"workload": workload, "constraints": WIDE, "limit": 100}) for workload in WIDEST),
    (RECOMMEND, {"workload": TRAINING, "constraints": WIDE | {"own_machines": [OWN] * 100}, "limit": 100}),
    (RECOMMEND, {"workload": TRAINING, "constraints": WIDE | {"instance_types": ["p4d.24xlarge"] * 1000}}),
    (ESTIMATE, {"workload": TRAINING | INTERRUPTED, "on": RENTED | {"node_count": 10_000, "purchase": "spot"}}),
    (COMPARE, {"workload": TRAINING, "on": [RENTED | {"node_count": 1 + one} for one in range(20)]}),
]
ASK = """
import json, resource, sys
most, questions = json.load(sys.stdin)
resource.setrlimit(resource.RLIMIT_AS, (most, most))
from plimsoll_service.app import create_app
from plimsoll_service.settings import Settings
client = create_app(Settings(log_level="critical")).test_client()
answers = [client.post(path, json=body) for path, body in questions]
print(json.dumps([(answer.status_code, answer.text[:500]) for answer in answers]))
"""


def test_no_question_takes_much_memory() -> None:
    """Each question is answered within the limit, beside the catalog and the cached values."""
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    given = json.dumps([MOST_BYTES, QUESTIONS])
    done = subprocess.run([sys.executable, "-c", ASK], input=given, env=environment, capture_output=True, text=True)

    assert done.returncode == 0, done.stderr
    assert [] == [text for status, text in json.loads(done.stdout) if status != 200]
