"""Rules for the resources that the work needs."""

from functools import partial

from plimsoll_service.engine.rules.rule import Rule

_rule = partial(Rule, phase="sizing")

TRAINING_VCPUS = _rule(
    "vcpus-per-accelerator",
    "Training needs four vCPUs per device, or two if the process holds a small data set in memory. It needs more if decoding at the device's speed takes more. A stock loader also crops, turns and scales volumes, which takes 0.60 s of a core for each of 128 voxels a side. For a table, it makes shuffled batches of the rows, which takes 4.9 ns of a core for each byte, besides decoding.",
    "Four vCPUs were enough for a P100, and two for a small text corpus. A faster device needs its input faster. nnU-Net's defaults took so long, so that its 12 processes feed an A100.",
    "S3-03, S3-06; own measurement of the transforms of MIC-DKFZ/nnUNet@017de4a with batchgenerators 0.25.1 on AMD EPYC (Zen 4), 2026-11-23, and of batches of Parquet in PyTorch 2.14, 2026-11-24; mlcommons/storage@7e73663b, 2024",
)
INFERENCE_VCPUS = _rule(
    "vcpus-per-inference-device",
    "Inference needs two vCPUs per device. It needs more if decoding at the requested rate takes more. Requests of a stated load or target bring images as JPEG files, which the host decodes. The host also filters a detector's boxes.",
    "Two vCPUs were just enough for AlexNet on a P100.",
    "S3-07, S3-09, S1-03, S4-07",
)
CPU_WORK = _rule(
    "all-vcpus",
    "Work on CPUs uses all vCPUs of the machine.",
    "Every core shortens the job until memory bandwidth or synchronization becomes the limit.",
    "S2-10",
)
ONE_SOCKET = _rule(
    "one-processor",
    "Boosted trees and forests use the cores of one processor (socket), or fewer if more would wait for each other. On the threads of two processors, LightGBM took 2.3 times as long as on those of one, and XGBoost 1.3 times as long.",
    "The threads meet at every leaf and read each other's memory. LightGBM took 8.4 s on 64 vCPUs and 16 to 22 s on 192; XGBoost took 16 to 19 s on 96 and 17 to 18 s on 192.",
    "GBM-perf 007265ec: runs on 192 vCPUs (/v1/evidence)",
)
SEVERAL_GPUS = _rule(
    "boosting-on-several-gpus",
    "Several GPUs of one machine share the rows of a table and add up their histograms at each level of each tree. If the devices cannot hold a table of more than 768 GiB, XGBoost keeps its bins (a byte for each value) in the host's memory and moves them at each level. The input is then read twice. Shared rows have the wider range of scaling; bins in the host's memory have the range of work without any measurement.",
    "XGBoost uses one GPU unless Dask, Spark or Ray starts a process for each; CatBoost uses all. Data beyond the device's memory need ExtMemQuantileDMatrix and a data iterator.",
    "XGBoost, doc/tutorials/external_memory.rst at 00f09637, doc/tutorials/dask.rst; Mitchell et al. 2018 (arXiv 1806.11248)",
)
DEVICE_MEMORY = _rule(
    "device-memory",
    "Training needs context + 1.03 × (weights, gradients, optimizer states + κ × activations × batch size) on each device. Adapters have gradients and states of their own parameters only. If not one sample fits, activations are computed again. Frameworks that shard (DeepSpeed, Megatron-LM, Hugging Face, PyTorch, JAX) also spread states over the devices. Frozen weights of adapted models go to host memory. Stated recomputation, sharding and offload are followed. What is offloaded lies in the host memory once a machine, gradients with it; weights are fetched while the devices compute.",
    "The data that the framework stores for the backward pass limit the batch size. A job that does not fit needs a device with more memory.",
    "S1-08, S4-08; memory study, section 2; Rajbhandari et al. 2020",
)
TOKEN_MEMORY = _rule(
    "token-training-memory",
    "Language-model training needs memory for weights, gradients, optimizer states, activations and logits. If one device cannot hold them, the states are spread over all devices; then the layers are shared inside a machine, where the framework can do that. Stated degrees of parallelism are followed. In 16 bits, the software decides what is kept. torchtune and LitGPT train all in `bf16` (AdamW: 8 bytes a parameter). With other trainers, `bf16` is mixed precision, with weights and moments in fp32 (16 bytes, Megatron-LM 18). Attention with sinks that runs without a fused kernel keeps its scores, twice in 16 bits.",
    "A model that does not fit on one device can be split over several.",
    "memory study, section 3; Rajbhandari et al. 2020; Korthikanti et al. 2022; DeepSpeed, Hugging Face and torchtune (engine/estimate/token_training/states.py)",
)
TRAINING_LAYOUT = _rule(
    "training-layout",
    "Unless you state it, the first of these layouts that fits well is taken: whole copies on each device; activations computed again in the backward pass; states sharded over the devices; layers split over the devices of a machine. States are sharded by ZeRO stages 1 to 3, or by those that the framework has; weights of QLoRA travel in 4 bits. Megatron-LM, NeMo, torchtitan, JAX and Neuron split each layer (tensor parallelism); PyTorch and torchtune do if all weights are trained. Hugging Face's libraries, Axolotl and Unsloth lay whole layers on the devices of one machine (`device_map`), which then work one after another. A stated `zero3` is followed or does not fit. The reason says which, if it is not whole copies.",
    "Each takes less memory than the one before, and more time. The script must be set to the same layout.",
    "Rajbhandari et al. 2020; Chen et al. 2016; Korthikanti et al. 2022; memory study, section 3; bitsandbytes 0.50.2, FSDP-QLoRA; PEFT 0.21.2, DeepSpeed and FSDP; Transformers, training on several GPUs (engine/estimate/token_training/estimate.py)",
)
SERVING_MEMORY = _rule(
    "serving-memory",
    "Each device of a replica needs memory for its part of the weights, the KV cache of the running requests at their full length, the activations of one step, CUDA graphs (0.36 GiB) and the server (1 GB). Token tables stay in 16 bits if the weights have fewer, and so does the cache unless the request says otherwise. KV heads that are fewer than the devices are kept more than once; a latent cache is kept on every device.",
    "The memory left after the weights limits the number of concurrent requests. A server takes 92% of what the driver reports; a recommendation leaves 10%.",
    "Kwon et al. 2023; vLLM: vllm/config/cache.py @002f10e0 and vllm/engine/arg_utils.py; gpustack/runner issue 251, 2026-08-14",
)
SERVING_LAYOUT = _rule(
    "serving-layout",
    "Tensors are split over the devices of one machine. Their number divides the attention heads and the inner size; it also divides the key-value heads or is a multiple of them. Where that would cut blocks of 128 of the experts' 8-bit weights (vLLM, SGLang), each device holds whole experts (expert_parallel). Every device would keep a latent cache whole. Where that leaves no room for the requests, vLLM and SGLang divide the requests over the devices instead of the heads (attention_data_parallel), if that serves a tenth more. A model that no machine holds is split by layers over two or four machines with eight linked devices or more; the activations pass over the network. A model whose weights take more than half of the devices' memory of such a machine is split over two machines, if the load then takes fewer machines than with a replica on each. Where machines are given without a load, it is split if that serves a tenth more. If even a lone request misses a target with every layout, the estimate has the layout that misses it least.",
    "Serving engines refuse other splits when they start. Tensors exchange data at every layer, stages only once. Two machines with one replica have its weights once, so that more is left for the cache than in two replicas.",
    "vLLM: vllm/model_executor/models/llama.py and docs/serving/parallelism_scaling.md and data_parallel_deployment.md; docs.sglang.io: DP, DPA and sgl-router; issues 17569 and 25292, 2025; issue 52435, 2026-08-15",
)
PARTS_IN_TURN = _rule(
    "parts-in-turn",
    "Generators of images and video in PyTorch hold text encoders, denoising network and decoder together on a device. If they do not fit, their parts take turns there (`enable_model_cpu_offload` in diffusers, `--offload_model` of Wan). The device then needs room for the largest part and the activations; of two networks for different steps, one counts. The host's memory holds all weights for each device. Each batch takes 1 s longer for 1.6 GB of weights.",
    "The parts work one after another, and the network stays for all its steps. The weights cross the bus in pageable memory and back, far below its speed; larger batches share the wait. Devices that share the host's memory gain no room, and TPUs and chips with a compiler of their own cannot do so.",
    "huggingface/diffusers, optimization/memory.md; Wan-Video/Wan2.2, README @08288767 (T2V-A14B at 720p on 80 GB); huggingface/blog @11e799d7, simple_sdxl_optimizations.md, 2023-10-24, and @0d1f679b, lora-fast.md, 2025-07-23; huggingface/diffusers @9feb946, optimization/speed-memory-optims.md, 2025-07-11, and pull request 2269, 2023-02-07",
)
SPREAD_TABLES = _rule(
    "spread-tables",
    "A recommender that answers requests has a copy of its tables on each device that can hold them. If one device cannot, the devices of the machine hold them together: they answer one batch after another, counted as no faster than one device.",
    "A stock server starts one copy on each device. Spread tables need a program that exchanges their rows in each batch, and launching its kernels, which limits small batches, takes each device as long as before.",
    "Naumov et al. 2019 (arXiv 1906.00091), section 4.1; the rate is a lower bound, which no measurement supports yet",
)
STORED_WEIGHTS = _rule(
    "stored-weights",
    "Weights are taken as the request says, as the ending of the model's name says, or as they are published. AWQ, GPTQ, GGUF and MXFP4 weights are widened inside the kernels; those of bitsandbytes are unpacked at each step. INT8 computes in 8 bits. FP8 does on devices with units for it; others widen the weights.",
    "The format decides the memory, the kernels and so the speed, and the devices that have them.",
    "vLLM: docs/features/quantization, 2026; vllm-project/recipes @8959cf64, 2026-08-21; vllm-project/vllm, pull request 23008 and issue 30135; serving study, section 3",
)
HOST_MEMORY = _rule(
    "host-memory",
    "The process needs memory for the framework, its data loaders, pinned batches, and the data that the framework holds. A table in CSV takes three times its data frame while pandas reads it. While weights of half a billion parameters or more load, it holds them too, and twice while AWS Neuron compiles them. Page cache is recommended only if reading the data again from disk slows a pass by more than 1%.",
    "Some frameworks read 93 GB with 5 GB of memory, and others load the whole table. A memory-mapped database grows with the data read so far.",
    "S3-04, S3-06, S3-07; aws-neuron/neuronx-distributed issue 53, 2025-08-21; own measurement of pandas.read_csv, 2026-11-23",
)
ONE_PROCESS = _rule(
    "stock-converter",
    "Stock converters use one process on each machine. Tuned ones use all vCPUs. Where the request does not say which, and no one machine meets the limits with one process, tuned ones are taken.",
    "Tools as installed read, encode and write in one process. Several processes on shards of the data use the other vCPUs.",
    "the HTTP contract; S3-03",
)
ONE_WRITER = _rule(
    "one-writer",
    "Data are converted to LMDB or RecordIO on one machine.",
    "Both formats are one file that one process writes. Formats of several shards can be written side by side.",
    "LMDB documentation: one write transaction at a time; Apache MXNet, im2rec: one record file per call",
)
DISK = _rule(
    "disk-size",
    "The disk holds the system and image, the data (and their prepared copy), weights and checkpoints, plus one fifth of spare space. If a disk product is faster at larger sizes, the size also covers the reads.",
    "A full disk ends a run. A small volume of such a product is slow.",
    "S3-05, S3-08, S3-10",
)
BATCH = _rule(
    "batch-chosen",
    "If you state no batch size, each device takes the largest power of two that fits into its memory with a margin. If one sample fits at the high end of the range of the memory need, the whole batch must fit there too; `largest` uses the middle of the range. No batch is larger than the size from which larger batches bring no more speed. For decoders below 1.3 billion parameters whose gradients add up anyway, that size is up to four times as large.",
    "Larger batches fill the device. Beyond a few hundred images, they gain nothing more.",
    "memory study, section 2; throughput study, section 2",
)
GLOBAL_BATCH = _rule(
    "global-batch",
    "If you state no batch, the batch of each device shrinks so that all devices together stay at the largest sensible global batch, as long as they keep half of their speed. A plan with more devices than that is not recommended unless you state `global_batch_size`; this also holds if you state a batch. If a decoder is trained from scratch without a stated batch, a step takes 0.5 to 4 million tokens, by its size. If `method` is `full` and at most a billion `tokens` are stated for a published model, a step takes 0.26 million tokens. Gradients of several passes add up to that.",
    "Beyond the critical batch, a run needs nearly as many more samples as it has more devices.",
    "McCandlish et al. 2018; Goyal et al. 2017; MLPerf reference convergence points; published recipes, OPT's and the alignment handbook's among them (engine/models/batch_limits.py)",
)
MARGIN = _rule(
    "memory-margin",
    "A recommendation fills at most 90% of the usable device memory for a known model, and 80% for other models. A language-model server fills all memory that it reserves, so it reserves that share of the device. The host's memory has the same margin, except for weights on their way to the devices: their files are mapped, and pages that have been copied can be dropped.",
    "For models that the fit had not seen, the estimate was wrong by up to that much.",
    "memory study, section 2",
)
