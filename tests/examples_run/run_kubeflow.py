"""Compile the Kubeflow example and run it once on this machine; needs kfp and kfp-kubernetes.

Called as ``run_kubeflow.py EXAMPLE FOLDER ARGUMENTS``: the pipeline's file, where what it makes goes, and the
pipeline's arguments as JSON. Exits with 1 where a task fails.
"""

import json
import runpy
import sys
from pathlib import Path

from kfp import compiler, local


def main(example: str, folder: str, arguments: str) -> None:
    """Compile to ``pipeline.yaml`` in the folder, then run each component in its own process."""
    pipeline = runpy.run_path(example)["train_resnet50"]
    compiler.Compiler().compile(pipeline, str(Path(folder, "pipeline.yaml")))
    local.init(local.SubprocessRunner(use_venv=False), pipeline_root=folder)
    pipeline(**json.loads(arguments))


if __name__ == "__main__":
    main(*sys.argv[1:])
