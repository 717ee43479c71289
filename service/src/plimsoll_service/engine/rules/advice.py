"""Rules that warn or advise without changing the choice."""

from functools import partial

from plimsoll_service.engine.rules.rule import Rule

_rule = partial(Rule, phase="advice")

NO_NVLINK = _rule(
    "no-nvlink",
    "Devices without NVLink exchange gradients over PCIe, which is markedly slower.",
    "Distributed training benefits from NVLink. Independent runs do not need it.",
    "S1-22, S1-05, S1-10, S4-05, S4-06",
)
SEVERAL_MACHINES = _rule(
    "hpc-over-a-network",
    "An HPC job runs on one machine unless you state max_nodes. Several machines add the time to exchange the panels of a dense matrix on a square grid of machines: 2·n²/√p words each for a factorization of order n. The range is wider by the error of scaling.",
    "Nobody scales perfectly over a network. How much a program exchanges is known to its author only; a dense factorization is a mild case.",
    "HPL: scalability analysis (netlib.org/benchmark/hpl/scalability.html); throughput study, section 5",
)
HPC_DEVICES = _rule(
    "hpc-devices",
    "A job of operations and bytes is taken as a program that uses all devices of a machine. It runs at the rate of dense products or, where that is slower, of memory streams.",
    "Only dense products use a device's matrix units, and many programs use one device or none. The question does not say which program runs.",
    "Williams et al. 2009; NVIDIA H100, datasheet (FP64 and FP64 Tensor Core)",
)
TIGHT_MEMORY = _rule(
    "tight-memory",
    "The estimated memory need, or in training the high end of its range, exceeds the usable device memory, but the low end does not. The job may run out of memory.",
    "Nearly all measured runs with an estimated need of up to 1.2 × the usable memory did fit (training of language models, counted in tokens: up to 1.12 ×).",
    "memory study, section 2",
)
EMULATED = _rule(
    "emulated-precision",
    "The device does not support this precision. It emulates it with another precision, at the speed of that other precision. On processors, stock scripts train in FP32 unless the request states 16 bits, and PyTorch and Transformers also infer in it: autocast is entered for each kind of device by name. ONNX Runtime has no 16-bit kernels for processors.",
    "V100 supports neither TF32 nor BF16. K80 and M60 support only FP32 of the precisions used in machine learning.",
    "S1-07, S1-12, S1-13, S4-12; docs.pytorch.org, amp; keras.io, mixed_precision; huggingface/transformers, from_pretrained; microsoft/onnxruntime issues 16778 and 28768",
)
SPOT_CHECKPOINTS = _rule(
    "spot-checkpoints",
    "Spot capacity can be reclaimed with two minutes' notice. Write checkpoints, and resume from them; in batch inference, keep the answers.",
    "Spot costs up to 90% less, for a run that tolerates interruptions.",
    "S1-16, S2-01, S4-15",
)
DATA_NOT_MOVED = _rule(
    "data-not-moved",
    "Without `dataset.region`, the data are taken to lie in the region of each machine, and nothing is moved. The first recommendation says so.",
    "Only you know where your data are. Elsewhere, moving them costs time and money that no estimate includes.",
    "the HTTP contract",
)
PADDED = _rule(
    "padded-samples",
    "If you state the size and the samples of texts, their tokens follow from the size at 4.5 bytes each. If they fill less than half of samples × sequence length, the first recommendation warns that the rest is padding. If you state no sequence length, the tokens, or the length of the samples, follow from the size.",
    "Most trainers pack samples, or pad them to the longest of a batch, and then compute far fewer tokens.",
    "OpenWebText: 40 GB for 9.0 billion tokens (engine/datasets.py)",
)
DATA_NOT_COPIED = _rule(
    "data-not-copied",
    "In the region of the data, nothing is moved: a run is taken to read them from a disk that holds them when it starts. If copying them to the disks adds over 1%, the first recommendation of a job says how long it takes. The copy runs at the speed of the network (at most 100 Gbit/s from object storage) and of the disk.",
    "A program that reads from object storage, and a volume made from a snapshot, need no copy. Local drives are empty when a machine starts.",
    "the HTTP contract; a decision of this project",
)
UNPRICED_SPOT = _rule(
    "spot-price-unknown",
    "If you allow spot and name clouds, the first recommendation says of which of them no spot price is known: their machines compete on demand alone.",
    "A cloud whose spot prices are not known would otherwise look as if its spot capacity had been compared.",
    "the catalog's provenance",
)
LONE_SPOT_PRICE = _rule(
    "spot-price-apart",
    "If the next region asks at least 1.5 times a listed spot price, the answer says so, with the date of the price.",
    "A spot price changes: on Google Cloud up to once in 30 days. A price far below those of all other regions may be gone.",
    "cloud.google.com/spot-vms/pricing, 2025-11-16; a decision of this project",
)
PRICE_QUALITY = _rule(
    "price-quality",
    "A price that is derived, estimated or undated is marked as such. An estimated or undated price has a range. An estimated spot price is the price on demand times one share for the whole family, at the high end of what was estimated for its types and regions.",
    "A converted, averaged or undated price may be wrong by more than the difference between machines.",
    "the catalog's provenance",
)
COMPILED_BUILD = _rule(
    "compiled-build",
    "To train on CPUs with a framework released before 2018, compile it for the processor (`tuning: tuned`). It then runs about a third faster.",
    "The packaged builds of that time used neither AVX nor fused multiply-add.",
    "S2-11, S2-12",
)
ANCHORS_DISAGREE = _rule(
    "anchors-disagree",
    "If two of your measurements differ by more than equal machines do (2.58 standard deviations: 1 pair in 100), the estimate lies between them and its range is wider. Check the settings of both runs.",
    "Measurements that contradict each other are not of the same work, or one of them is wrong.",
    "left-out errors of the published measurements (docs/calibration.md)",
)
NOT_MEASURED = _rule(
    "not-measured",
    "No measurement supports this kind of estimate. Its range is the widest of all.",
    "An estimate without measurements is an educated guess.",
    "the studies' scope",
)
DISK_PRICE = _rule(
    "disk-price-unknown",
    "If the prices of a cloud's volumes are unknown, the cost covers the machines only. The ranking counts 0.081 USD per GiB and month for the disk, the median of the SSD volumes that five clouds sell by default.",
    "A disk is a few percent of the cost of most jobs; of large data it can cost more than the machine.",
    "the catalog's disks; a decision of this project",
)
BEYOND_CONTEXT = _rule(
    "beyond-context",
    "Sequences longer than the model's context are estimated as requested, with a warning.",
    "Position encodings can be stretched or trained further. The quality of such output is a separate question.",
    "the models' published configurations",
)
DISTANT_USERS = _rule(
    "users-elsewhere",
    "A latency is that of the service alone. Where a target of it is stated and no region, the first recommendation says that the network between users and machines is left out.",
    "Prices decide the region then, and the cheapest one may be on another continent.",
    "the HTTP contract; a decision of this project",
)
PREFIX_ROUTING = _rule(
    "prefix-routing",
    "Where prefix_cache_hit_rate is stated and there are several replicas, a warning says that the hits need a router. It must send requests with the same prefix, such as those of a session, to the same replica.",
    "Each replica caches what it has read itself. Requests that are spread evenly find little of it.",
    "vLLM production stack: docs, prefix-aware routing, read on 2026-11-23; vLLM Router (vLLM blog, 2025-12-13)",
)
OVERLOAD = _rule(
    "overload",
    "Requests arrive faster than the machines can serve them. The queue grows, and the stated latency is the latency after one hour.",
    "A queue that grows without end has no latency.",
    "queueing: a load of one or more has no steady state",
)
SLOW_ANSWERS = _rule(
    "slow-answers",
    "A service of a language model whose first token takes more than 10 seconds, or whose answer takes more than 5 minutes, has a warning.",
    "After 10 seconds, people turn to other work. Few time limits of programs are longer than 5 minutes. State latency_ms or end_to_end_ms where yours are shorter.",
    "Nielsen, Usability Engineering, 1993 (10 seconds); a decision of this service (5 minutes)",
)
VENDOR_IMAGE = _rule(
    "vendor-image",
    "Images tuned by the cloud or the device manufacturer are faster than a default installation. The newest ones run from Turing on: CUDA 12 is the last with kernels for Maxwell, Pascal and Volta, and CUDA 11 for Kepler.",
    "They contain the kernels behind the published figures.",
    "S1-19, S4-14; CUDA Toolkit 13.0, release notes; pytorch/pytorch issues 172352, 2026-01-13, and 190385, 2026-07-17",
)
PROCESSES = _rule(
    "processes-per-device",
    "Text-to-speech programs process one text at a time, and transcription programs prepare each segment in one process, so the device waits for that process. If the memory of a device and its vCPUs have room for several processes, each with the model, they answer more requests in the same time. The estimate is for one process. Only faster-whisper is estimated with a worker for every 2 vCPUs of a device: its workers share one copy of the model, and the segments of a batch.",
    "The gain depends on how long the device is idle, which nobody has published: measure it with two processes.",
    "coqui-ai/TTS, TTS/server/server.py (a lock around the model); SYSTRAN/faster-whisper, transcribe.py (num_workers); OpenNMT/CTranslate2, docs/parallel.md @ac8f7ae9",
)
MANAGED_TRAINING = _rule(
    "managed-training",
    "A managed training service bills only the run. Develop on a cheap machine, and rent the expensive one for the run.",
    "An idle accelerator costs as much as a busy one. The catalog has no prices of such services, so no figure is given.",
    "S1-17, S4-15",
)
MIXED_PRECISION = _rule(
    "mixed-precision",
    "Mixed precision runs on a device's matrix units (tensor cores). FP32 leaves them idle.",
    "Weights stay in FP32. Matrix products use half as many bits and run several times as fast.",
    "S1-18, S4-09",
)
REDUCED_PRECISION = _rule(
    "reduced-precision-inference",
    "Inference rarely needs FP32. FP16, INT8 or, for language models, FP8 increases throughput at a small loss of accuracy.",
    "Only training needs small differences between weights. The service cannot measure your loss of accuracy, so it never chooses a lossy precision.",
    "S1-11, S1-18, S4-11, S4-12",
)
FRACTION = _rule(
    "fractional-device",
    "If less than a whole device is enough, you can rent a share of one. A share has the same part of the device's memory and speed.",
    "If you rent a whole device, you also pay for the part that is idle. AWS sold shares as Elastic Inference, which is retired. Today, shares are instance types such as G6f, or partitions of a device.",
    "S4-13, S4-15",
)
MANY_DEVICES = _rule(
    "many-devices",
    "Sixty-four rented accelerators or more at once get a warning: ask the cloud for a quota or a reservation before you plan with them.",
    "Quotas of new accounts are far below, and so many are often sold as reservations alone.",
    "a decision of this project",
)
MARKETPLACE = _rule(
    "marketplace",
    "Offers of a marketplace are listings of single hosts that others share. Check how many you can have at once, and measure the network and the disk. One is recommended for up to 256 GiB of data.",
    "Each host is another supplier's. A price does not say how many hosts there are, what links them, or how large the disk is, and no volume can be added. 256 GiB is the disk that the syntax page of SkyPilot shows, whose list has these offers.",
    "docs.hyperbolic.xyz: GPU marketplace pricing, read 2026-11-23; HyperbolicLabs/Hyperbolic-AgentKit: rent_compute, read 2026-11-23; docs.skypilot.co: SkyPilot YAML, disk_size, read 2026-11-23; a decision of this project",
)
ARM_SOFTWARE = _rule(
    "arm-software",
    "The machine has an Arm processor. Programs and images must be built for Arm, and fewer programs support Arm than x86.",
    "If two machines have similar devices, the choice between them is the choice of the processor architecture.",
    "S1-06",
)
SUPERSEDED = _rule(
    "superseded-for-learning",
    "Devices of the Kepler and Maxwell generations are no longer a good choice for machine learning. Kepler is still useful for FP64.",
    "They have no half precision, no matrix units and little memory.",
    "S1-12, S1-13, S1-14",
)
FEW_VCPUS = _rule(
    "few-vcpus",
    "The machine lacks at least a tenth of the vCPUs that its devices usually get: 2 or 4 each, or as many as the input keeps busy.",
    "The job runs, but perhaps slower.",
    "S1-01, S3-03",
)
UNTESTED_SOFTWARE = _rule(
    "untested-software",
    "No source states that the software runs on this hardware. Try it before you rely on it.",
    "Most software runs on more hardware than its documentation names, but not all of it.",
    "the projects' own lists of supported hardware",
)
PORTED_SOFTWARE = _rule(
    "ported-software",
    "The software runs on this hardware only with another build, a compiler of its own, or changes to the code.",
    "Porting costs days of work that no price shows.",
    "the projects' own lists of supported hardware; S4-16",
)
COMPILED_SHAPES = _rule(
    "compiled-shapes",
    "Chips with a compiler of their own run graphs of fixed shapes. Each batch size, image size and sequence length that you serve is compiled before its first request, and other inputs are padded to the next shape.",
    "A graph is compiled for the shapes that it was traced with. A new shape is a new compilation, during which requests wait.",
    "AWS Neuron: autobucketing for inference, 2026-03-13; PyTorch/XLA 2.8: troubleshooting recompilations; huggingface/optimum-neuron: supported architectures, 2026-08-19",
)
PARALLELISM = _rule(
    "parallelism-not-modelled",
    "If the estimate does not follow a stated split of the model, the answer says so. The estimate then chooses its own split.",
    "Serving splits a model by tensors within a machine. Models that are not trained on tokens are copied to every device.",
    "serving study, section 3; memory and training study, section 4",
)
