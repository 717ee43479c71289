"""Rules that warn or advise without changing the choice."""

from plimsoll_service.engine.rules.rule import Rule

NO_NVLINK = Rule(
    "no-nvlink",
    "Several devices without NVLink exchange gradients over PCIe, markedly slower.",
    "Distributed training wants NVLink; independent runs do not.",
    "S1-22, S1-05, S1-10, S4-05, S4-06",
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
    "V100 has neither TF32 nor BF16; K80 and M60 have FP32 alone of those that learning uses.",
    "S1-07, S1-12, S1-13, S4-12",
    "advice",
)
SPOT_CHECKPOINTS = Rule(
    "spot-checkpoints",
    "Spot capacity may be taken back at two minutes' notice: write checkpoints and resume.",
    "Up to 90% off, for a run that must bear interruptions.",
    "S1-16, S2-01, S4-15",
    "advice",
)
PRICE_QUALITY = Rule(
    "price-quality",
    "A price that is derived, estimated or undated is said to be so.",
    "Converted, averaged or undated figures may be off by more than the machines differ.",
    "the catalog's provenance",
    "advice",
)
COMPILED_BUILD = Rule(
    "compiled-build",
    "Training on processors with a framework of before 2018, compile it for the processor (`tuning: tuned`): about a third faster.",
    "The packaged builds of that time used no AVX and no fused multiply-add.",
    "S2-11, S2-12",
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
    "Images tuned by the cloud or the device's maker beat a bare installation.",
    "They carry the kernels that the published figures were reached with.",
    "S1-19, S4-14",
    "advice",
)
MANAGED_TRAINING = Rule(
    "managed-training",
    "A managed training service bills the run alone: develop on a cheap machine, and rent the dear one for the run.",
    "An idle accelerator costs as much as a busy one. No price of such a service is in the catalog, so no figure is given.",
    "S1-17, S4-15",
    "advice",
)
MIXED_PRECISION = Rule(
    "mixed-precision",
    "Mixed precision runs on a device's matrix units (tensor cores), which FP32 leaves idle.",
    "Weights are kept in FP32 while the products are made of half as many bits, several times as fast.",
    "S1-18, S4-09",
    "advice",
)
REDUCED_PRECISION = Rule(
    "reduced-precision-inference",
    "Inference rarely needs FP32: FP16 or INT8 raises throughput at a small loss of accuracy.",
    "Only training needs small differences of weights. How much accuracy is lost is the user's to measure, so no lossy precision is ever chosen.",
    "S1-11, S1-18, S4-11, S4-12",
    "advice",
)
FRACTION = Rule(
    "fractional-device",
    "Where less than a whole device is enough, a share of one is rented: a share has that part of its memory and speed.",
    "Whoever rents a whole device pays for the part that stands idle too. AWS sold shares as Elastic Inference, since retired; today they are types like G6f, or partitions of a device.",
    "S4-13, S4-15",
    "advice",
)
ARM_SOFTWARE = Rule(
    "arm-software",
    "The processor is an Arm one: programs and images must be built for it; x86 has the wider support.",
    "Between machines with like devices the choice is that of the processor's architecture.",
    "S1-06",
    "advice",
)
SUPERSEDED = Rule(
    "superseded-for-learning",
    "Devices of the Kepler and Maxwell generations are no longer a choice for learning; Kepler keeps a use where FP64 is needed.",
    "They have neither half precision nor matrix units, and little memory.",
    "S1-12, S1-13, S1-14",
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
    COMPILED_BUILD,
    NOT_MEASURED,
    DISK_PRICE,
    BEYOND_CONTEXT,
    OVERLOAD,
    VENDOR_IMAGE,
    MANAGED_TRAINING,
    MIXED_PRECISION,
    REDUCED_PRECISION,
    FRACTION,
    ARM_SOFTWARE,
    SUPERSEDED,
    FEW_VCPUS,
    PARALLELISM,
)
