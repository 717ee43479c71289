"""An Azure Machine Learning command job on serverless compute."""

from __future__ import annotations

from ...engine.answer import Answer
from ...engine.hardware import Catalog
from .format import Consumer, Format
from .machines import SPOT, Machine, machine_of
from .yaml_text import COMMAND, nothing, yaml_text

_SCHEMA = "https://azuremlschemas.azureedge.net/latest/commandJob.schema.json"
_IMAGE = "mcr.microsoft.com/azureml/openmpi4.1.0-ubuntu22.04"  # the base image of Azure ML's own examples
# The catalog's names of the series that Azure ML rents; sources: learn.microsoft.com, "Compute targets" (supported VM
# series and sizes); for the H100 and 80 GB A100 sizes also huggingface.co/docs/microsoft-azure, "Supported hardware".
_SERIES = frozenset((
    "A_v2", "Am_v2", "D_v2", "D_v3", "DS_v2", "Ds_v3", "Dds_v4", "E_v3", "Es_v3", "Ea_v4", "Fs_v2", "FXmds",
    "HBrs_v2", "HBrs_v3", "HCrs", "Ls_v2", "M", "Mm", "Ms", "Mms", "Mls", "Mts", "NCs_v3", "NCrs_v3", "NDrs_v2",
    "NVs_v3", "NCas_T4_v3", "NCads_A100_v4", "NDasr_v4", "NDasr_A100_v4", "NDamsr_A100_v4", "NCads_H100_v5",
    "NCadis_H100_v5", "NDisr_H100_v5", "NDisr_H200_v5",
))  # fmt: skip


def _launches(machine: Machine) -> bool:
    return machine.family in _SERIES


CONSUMER = Consumer(("azure",), _launches)


def _job(answer: Answer, catalog: Catalog) -> str:
    first = CONSUMER.first(answer, catalog)
    if first is None:
        return nothing(answer)
    return yaml_text(
        {
            "$schema": _SCHEMA,
            "type": "command",
            "command": COMMAND,
            "environment": {"image": _IMAGE},
            "resources": {
                "instance_type": machine_of(first, catalog).instance_type,
                "instance_count": first.node_count,
            },
            "queue_settings": {"job_tier": "spot" if first.purchase == SPOT else "standard"},
        }
    )


AZUREML = Format("azureml", "application/vnd.plimsoll.azureml+yaml", _job, CONSUMER)
