"""Rules that warn or advise without changing the choice."""

from plimsoll_service.engine.rules.rule import Rule

NO_NVLINK = Rule(
    "no-nvlink",
    "Several devices without NVLink exchange gradients over PCIe, markedly slower.",
    "Distributed training wants NVLink; independent runs do not.",
    "S1-22, S1-05, S1-10",
    "advice",
)
TIGHT_MEMORY = Rule(
    "tight-memory",
    "The need lies above what is usable at its middle but within it at its low end: it may run out of memory.",
    "Of runs that needed up to 1.2 × usable by the estimate (language models by tokens: 1.12) nearly all were seen to fit.",
    "memory study, section 2",
    "advice",
)
EMULATED = Rule(
    "emulated-precision",
    "The device lacks this precision; it runs through another at that one's speed.",
    "V100 has neither TF32 nor BF16.",
    "S1-07",
    "advice",
)
SPOT_CHECKPOINTS = Rule(
    "spot-checkpoints",
    "Spot capacity may be taken back at two minutes' notice: write checkpoints and resume.",
    "Up to 90% off, for a run that must bear interruptions.",
    "S1-16, S2-01",
    "advice",
)
PRICE_QUALITY = Rule(
    "price-quality",
    "A price that is derived, estimated or undated is said to be so.",
    "Converted, averaged or undated figures may be off by more than the machines differ.",
    "the catalog's provenance",
    "advice",
)
NOT_MEASURED = Rule(
    "not-measured",
    "No measurement stands behind this kind of estimate; its range is the widest of all.",
    "A model without evidence is an educated guess.",
    "the studies' scope",
    "advice",
)
DISK_PRICE = Rule(
    "disk-price-unknown",
    "Where a cloud's volume prices are not known, the cost is that of the machines alone.",
    "A disk is a few per cent of most jobs, but it is not free.",
    "the catalog's disks",
    "advice",
)
BEYOND_CONTEXT = Rule(
    "beyond-context",
    "Sequences longer than the model was made for are estimated as asked, with a warning.",
    "Position codes can be stretched or trained further; what the model then says is another matter.",
    "the models' published configurations",
    "advice",
)
OVERLOAD = Rule(
    "overload",
    "More requests come than are carried: the queue grows, and the latency stated is that after an hour.",
    "A queue that grows without end has no latency.",
    "queueing: a load of one or more has no steady state",
    "advice",
)
VENDOR_IMAGE = Rule(
    "vendor-image",
    "Vendor-tuned images beat a bare installation.",
    "They carry the kernels that the published figures were reached with.",
    "S1-19, S4-14",
    "advice",
)
FEW_VCPUS = Rule(
    "few-vcpus",
    "The machine has fewer vCPUs than feeding its devices at full speed takes.",
    "It runs, slower.",
    "S1-01, S3-03",
    "advice",
)

PARALLELISM = Rule(
    "parallelism-not-modelled",
    "A stated split of the model that the estimate does not follow is said so; the estimate chooses its own.",
    "Serving is split by tensors within a machine; models that are not trained by tokens are copied to every device.",
    "serving study, section 3; memory and training study, section 4",
    "advice",
)

ADVICE_RULES = (
    NO_NVLINK,
    TIGHT_MEMORY,
    EMULATED,
    SPOT_CHECKPOINTS,
    PRICE_QUALITY,
    NOT_MEASURED,
    DISK_PRICE,
    BEYOND_CONTEXT,
    OVERLOAD,
    VENDOR_IMAGE,
    FEW_VCPUS,
    PARALLELISM,
)
