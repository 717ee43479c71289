"""``nvidia-smi --query-gpu=timestamp,name,index,memory.used --format=csv``: the peak of each device's memory."""

from __future__ import annotations

from plimsoll import names
from plimsoll.errors import UnreadableFile
from plimsoll.readers.reading import Content, Reading, Record, number, stated

TOOL = "nvidia-smi"
_USED = "memory.used [MiB]"
_IDENTITIES = ("index", "uuid", "pci.bus_id", "serial")
_MIB_PER_GIB = 1024
# The devices of a run are used alike; one that never held half of the fullest's memory is not of it.
_USED_SHARE = 0.5


def recognises(content: Content) -> bool:
    """Whether the table has devices' memory in use."""
    return content.table and _USED in content.first


def read(content: Content) -> Reading:
    """Return the peak of the fullest device, on the devices that were used."""
    peaks: dict[str, tuple[float, Record]] = {}
    for row in content.records:
        used = number(row, _USED) or 0.0
        identity = next((str(row[name]) for name in _IDENTITIES if row.get(name)), "0")
        if identity not in peaks or used > peaks[identity][0]:
            peaks[identity] = (used, row)
    used, fullest = max(peaks.values(), key=lambda one: one[0])
    if not used:
        raise UnreadableFile("memory of nvidia-smi that was never in use")
    busy = [one for one, _ in peaks.values() if one >= _USED_SHARE * used]
    name = fullest.get("name")
    unseen = ["the throughput", "which process held the memory"]
    if not name:
        unseen.append("the hardware: query name too, or give on")
    if not any(fullest.get(one) for one in _IDENTITIES):
        unseen.append("the number of devices: query index too")
    found = stated(
        on=names.accelerators(str(name), len(busy)) if name else None,
        accelerator_memory_gib=round(used / _MIB_PER_GIB, 3),
    )
    return Reading(TOOL, [found], unseen, {"rows": len(content.records), "devices": sorted(peaks)})
