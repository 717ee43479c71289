"""Rules that say how much of each resource the work needs."""

from plimsoll_service.engine.rules.rule import Rule

TRAINING_VCPUS = Rule(
    "vcpus-per-accelerator",
    "Training needs four vCPUs per device (two where the process holds its few data), and more where decoding the samples at the device's speed takes more.",
    "Four were enough at a P100's speed, two for a small corpus of text; a faster device asks for its input faster.",
    "S3-03, S3-06",
    "sizing",
)
INFERENCE_VCPUS = Rule(
    "vcpus-per-inference-device",
    "Inference needs two vCPUs per device, and more where decoding at the asked rate takes more.",
    "Two were just enough for AlexNet on a P100.",
    "S3-07, S3-09, S1-03, S4-07",
    "sizing",
)
CPU_WORK = Rule(
    "all-vcpus",
    "Work on processors uses all vCPUs of the machine.",
    "Every core shortens the job until memory bandwidth or a synchronisation binds.",
    "S2-10",
    "sizing",
)
DEVICE_MEMORY = Rule(
    "device-memory",
    "Training needs context + 1.03 × (weights, gradients, optimizer states + κ × activations × batch) on each device.",
    "What the framework stores for the backward pass decides the largest batch; what does not fit wants a device with more memory.",
    "S1-08, S4-08; memory study, section 2; Rajbhandari et al. 2020",
    "sizing",
)
TOKEN_MEMORY = Rule(
    "token-training-memory",
    "Language-model training needs weights, gradients, optimizer states, activations and logits; where one device cannot hold them, states are spread over all, and then layers shared inside a machine; stated degrees are followed.",
    "A model that does not fit one device can be split over several.",
    "memory study, section 3; Rajbhandari et al. 2020; Korthikanti et al. 2022",
    "sizing",
)
SERVING_MEMORY = Rule(
    "serving-memory",
    "A replica needs its weights, a gigabyte a device for the engine, and the KV cache of its running requests.",
    "Memory left after the weights decides how many requests run at once.",
    "serving study, section 3; Kwon et al. 2023",
    "sizing",
)
HOST_MEMORY = Rule(
    "host-memory",
    "The process needs the framework, its loaders, pinned batches, and the data that the framework holds; page cache pays but is not needed.",
    "Some frameworks read 93 GB within 5 GB of memory, others take the whole table; a mapped database grows with what has been read of it.",
    "S3-04, S3-06, S3-07",
    "sizing",
)
DISK = Rule(
    "disk-size",
    "The disk holds system and image, the data (and their prepared copy), weights and checkpoints, and a fifth to spare; a product that moves more with its size is ordered as large as what is read asks for.",
    "A full disk ends a run, and a small volume of such a product is a slow one.",
    "S3-05, S3-08, S3-10",
    "sizing",
)
BATCH = Rule(
    "batch-chosen",
    "A batch that is not given is the largest power of two that fits with a margin, up to where larger ones gain nothing.",
    "Larger batches fill the device; beyond a few hundred images nothing more is won.",
    "memory study, section 2; throughput study, section 2",
    "sizing",
)
MARGIN = Rule(
    "memory-margin",
    "A recommendation fills at most 0.9 of what is usable on a device for a known model, 0.8 for another; a language-model server, which fills all that it reserves, reserves so much of the device.",
    "The need of unseen models was off by that much.",
    "memory study, section 2",
    "sizing",
)

SIZING_RULES = (
    TRAINING_VCPUS,
    INFERENCE_VCPUS,
    CPU_WORK,
    DEVICE_MEMORY,
    TOKEN_MEMORY,
    SERVING_MEMORY,
    HOST_MEMORY,
    DISK,
    BATCH,
    MARGIN,
)
