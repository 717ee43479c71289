"""A cluster for ``ray up``, in which a service is started with the cluster and a job is submitted to it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .commands import LOCAL_DISK_SETUP, ROOT_VOLUME_SETUP, on_ray, package, set_environment
from .format import Consumer
from .launch import Launch
from .machines import machine_type, region_name
from .yaml_text import of_the_user, yaml_format

# The catalog's clouds for which Ray 2.60 has a node provider; source: ray/autoscaler/_private/providers.py.
_PROVIDERS = ("aws", "gcp", "azure")
_TYPE = "machine"
_LEAST_GIB = 50  # an image with its drivers
_RAY_PORT = 6379
_FILE = "~/plimsoll.sh"
_AZURE_GROUP = "plimsoll"
_GCP_DISKS = {"hdd": "pd-standard", "balanced": "pd-balanced"}


def _against(launch: Launch) -> str | None:
    if launch.machine.attached and launch.one.cloud != "gcp":
        return "Ray cannot attach these devices"
    if launch.service and launch.span > 1 and (launch.units > 1 or launch.framework != "vllm"):
        return "Ray starts a replica of several machines once, and with vLLM alone"
    return None


CONSUMER = Consumer(
    "Ray", _PROVIDERS, lambda machine: machine.whole and machine.vendor != "Google" and not machine.tpu_slice,
    against=_against,
)  # fmt: skip


def _cluster(launch: Launch) -> dict[str, Any]:
    first = launch.one
    resources = {"CPU": int(first.sizing.vcpus.provided)} | ({"GPU": launch.devices} if launch.devices else {})
    return {
        "cluster_name": "plimsoll",
        "max_workers": first.node_count - 1,
        "provider": _provider(launch),
        "auth": {"ssh_user": "ubuntu"},
        "available_node_types": {
            _TYPE: {
                "min_workers": first.node_count - 1,
                "max_workers": first.node_count - 1,
                "resources": resources,
                "node_config": _NODES[first.cloud](launch),
            }
        },
        "head_node_type": _TYPE,
        "setup_commands": _setup(launch),
        **_started(launch),
    }


def _notes(launch: Launch) -> Iterator[str]:
    if not launch.service:
        together = "; the script asks Ray Train for NUM_WORKERS workers" if launch.span > 1 else ""
        yield f"then: ray exec cluster.yaml 'bash {_FILE}'{together}"
    yield from of_the_user(launch)


def _provider(launch: Launch) -> dict[str, Any]:
    region, cloud = region_name(launch.one), launch.one.cloud
    if cloud == "azure":
        return {"type": "azure", "location": region, "resource_group": _AZURE_GROUP}
    if cloud == "gcp":
        # Ray asks for a zone; the first that most regions have.
        return {"type": "gcp", "region": region, "availability_zone": f"{region}-a", "project_id": "your-project"}
    return {"type": "aws", "region": region}


def _setup(launch: Launch) -> list[str]:
    disk = LOCAL_DISK_SETUP if launch.local_disk else ROOT_VOLUME_SETUP
    engine = package(launch)
    workers = f"export NUM_WORKERS={max(launch.devices, 1) * launch.one.node_count}\n"
    script = f"{set_environment(launch)}{workers}{on_ray(launch)}\n"
    packages = 'pip install -U "ray[default]"' + (f' "{engine}"' if engine else "")
    return [disk, packages, f"cat > {_FILE} <<'MACHINE'\n{script}MACHINE\n"]


def _started(launch: Launch) -> dict[str, list[str]]:
    """The commands that start Ray and then a service: on each machine, or on the first one for all."""
    first = ["ray stop", f"ray start --head --port={_RAY_PORT} --autoscaling-config=~/ray_bootstrap_config.yaml"]
    others = ["ray stop", f"ray start --address=$RAY_HEAD_IP:{_RAY_PORT}"]
    serve = [f"nohup bash {_FILE} > ~/plimsoll.log 2>&1 &"] if launch.service else []
    return {
        "head_start_ray_commands": first + serve,
        "worker_start_ray_commands": others + (serve if launch.span == 1 else []),
    }


def _aws(launch: Launch) -> dict[str, Any]:
    spot = {"InstanceMarketOptions": {"MarketType": "spot"}} if launch.spot else {}
    volume = {"VolumeSize": max(launch.volume_gib, _LEAST_GIB), "VolumeType": "gp3"}
    return {
        "InstanceType": machine_type(launch.machine.instance_type),
        "BlockDeviceMappings": [{"DeviceName": "/dev/sda1", "Ebs": volume}],
        **spot,
    }


def _gcp(launch: Launch) -> dict[str, Any]:
    kind = _GCP_DISKS.get(launch.one.sizing.disk.type, "pd-ssd")
    disk = {
        "boot": True,
        "autoDelete": True,
        "type": "PERSISTENT",
        "initializeParams": {"diskSizeGb": max(launch.volume_gib, _LEAST_GIB), "diskType": kind},
    }
    scheduling = {"onHostMaintenance": "TERMINATE"} | (
        {"provisioningModel": "SPOT", "automaticRestart": False} if launch.spot else {}
    )
    found = {"machineType": machine_type(launch.machine.instance_type), "disks": [disk], "scheduling": [scheduling]}
    attached = launch.machine.instance_type.partition("+")[2]
    if attached:
        name, _, count = attached.rpartition("x")
        found["guestAccelerators"] = [{"acceleratorType": name, "acceleratorCount": int(count)}]
    return found


def _azure(launch: Launch) -> dict[str, Any]:
    spot = {"priority": "Spot"} if launch.spot else {}
    return {"azure_arm_parameters": {"vmSize": machine_type(launch.machine.instance_type), **spot}}


_NODES = {"aws": _aws, "gcp": _gcp, "azure": _azure}

RAY = yaml_format("ray", CONSUMER, _cluster, _notes)
