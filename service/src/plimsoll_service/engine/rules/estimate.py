"""Rules for the speed of the hardware."""

from functools import partial

from plimsoll_service.engine.rules.rule import Rule

_rule = partial(Rule, phase="estimate")

MEASURED = _rule(
    "basis-measured",
    "Measured: this model was measured with this framework, tuning and precision on this accelerator. The estimate extends that figure to the requested batch size and number of devices.",
    "No figure is closer to your own run. The range comes from other runs of measured work.",
    "published measurements (/v1/evidence)",
)
CALIBRATED = _rule(
    "basis-calibrated",
    "Calibrated: the formula was fitted to this architecture and software, and to devices of this generation. It was not fitted to exactly this work on this device.",
    "Coefficients remain valid within an architecture and a generation. The range comes from fits that left out the device, the model or the laboratory.",
    "published measurements (/v1/evidence); S0-05",
)
MODELLED = _rule(
    "basis-modelled",
    "Modelled: the fit lacks this architecture, this software or this device generation. The estimate rests on the formula and the hardware specification.",
    "A physical formula extrapolates, but with less certainty. The range is wider.",
    "published measurements (/v1/evidence)",
)
MEASURED_LOAD = _rule(
    "measured-load",
    "The range of a language model's serving grows with the load: by 0.067 of its logarithm (in quadrature) each time that the requests on a replica double beyond the most that were measured. More than twice as many are not called measured. The measured loads are those of this model, framework, tuning and precision on this accelerator, else on any, else those of any model in this framework.",
    "Batches, caches and queues that nobody measured may behave in another way. 0.067 is the eighth decile of how measured ÷ estimated changes with a doubled load.",
    "published measurements (/v1/evidence)",
)
ANCHORED = _rule(
    "basis-anchored",
    "Anchored: you measured this workload on other hardware (`workload.measurements`). The service estimates that run, and takes the ratio of measured to estimated as an effect of your software and model. The effect is shared with other hardware, more with nearer hardware: the same device, generation and maker, a similar batch or load, the same precision. Several measurements are combined by their distances (a Gaussian process). The basis is `anchored` if they explain at least 30% of the variance of such errors.",
    "Most of the error of an estimate is the software and its settings, which no question can state. It is nearly the same on every device of a maker.",
    "left-out errors of the published measurements (docs/calibration.md); Rasmussen and Williams 2006, chapter 2",
)
MEASURED_HERE = _rule(
    "basis-measured-here",
    "Measured by you: you measured this workload on this device (`workload.measurements`). The estimate approaches your figure. Two runs on equal machines differ, so it does not repeat it exactly.",
    "No measurement is nearer than your own on the same device.",
    "left-out errors of the published measurements (docs/calibration.md)",
)
ANCHORED_MEMORY = _rule(
    "anchored-memory",
    "If you measured the memory of a device (`accelerator_memory_gib`), the memory is corrected by the ratio of measured to estimated on every device. It is also corrected if a run fitted for which the formula asks for more memory than there is. The memory of a server is not corrected: it reserves its memory when it starts.",
    "The layers and the framework decide the memory; the device hardly does.",
    "left-out errors of the published measurements (docs/calibration.md)",
)
MEASURED_RUNS = _rule(
    "measured-runs",
    "If published runs of this language model on this device were left out of the fits, the answer names them. It says how far they lie from the estimate: the 10th to the 90th percentile. Runs with releases of vLLM and SGLang from before September 2025 are compared with such releases; state `framework_version` to estimate one. Mixtures of experts with latent attention (DeepSeek V3 and R1) then took 1.9 times as long for a step and 13.6 times as long for a prompt.",
    "An estimate that measured runs contradict is worth less than one that they confirm. In early 2025 the engines had no kernels for these models yet.",
    "dstack-deepseek-r1 and amd-instinct in /v1/evidence; releases: pypi.org, 2026-11-23",
)
UNMEASURED_DEVICE = _rule(
    "unmeasured-device",
    "If no measurement of such work on its generation supports the estimate, a device counts with 0.57 of the rate that its datasheet suggests. This holds for training, and for inference except that of language models. In such inference it also holds for NVIDIA's devices that share the memory of their processor (Jetson, GB10), whatever cards of their generation were measured. 0.57 is the lower quartile of what such estimates turned out to be. Chips with their own compiler count with 0.45, the share that the one measured of them reached in training.",
    "Software that is new to a device rarely reaches the share of its peak that older devices reach.",
    "throughput study, section 3",
)
ROOFLINE = _rule(
    "roofline",
    "A step takes its compute time plus its memory traffic time, corrected for how well it fills the chip. It takes at least the time to launch its kernels; those of image and video generators in PyTorch without compilation take 32 µs each. For a network of your own, and on a device that no measurement supports, a step also takes at least its operations divided by the device's peak rate, even at the favourable end of its range. In training, a recurrent network reaches at most 52% of the peak of plain units. A generated image is decoded once, after all its steps. The engine behind Triton is taken to be TensorRT; if yours is another one, state its framework. For each 30 s of audio, whatever the batch, Whisper also takes time of its process: 0.28 s in faster-whisper, 0.055 s in PyTorch and Transformers, and 0.031 s in vLLM. On processors, its step takes longer than the formula says, as in the published runs: 3.3 times as long in faster-whisper (5.9 in 8 bits), and 9.6 times in PyTorch. On processors, 16 and 8 bits run as dot products or on tiles of matrices. Networks of depthwise convolutions make no use of tiles, and neither do detectors in ONNX Runtime and OpenVINO. INT8 in ONNX Runtime gains 3.06 times as much on tiles as by dot products. ONNX Runtime and OpenVINO keep results between layers in the cache, except those of a detector. On processors, answering a row of a table also takes 0.10 ms, and 3.0 µs for each operation besides its products. Graph runtimes take less.",
    "Kernels run one after another. Matrix products run at compute speed, and the rest runs at memory speed. Speech is cut and turned into frames in one process. Measured recurrent networks reach half of the peak: GNMT 0.42 to 0.65 in fp32.",
    "S0-01; throughput study, section 2; Williams et al. 2009; Qi et al. 2017; Yu et al. 2021; Rombach et al. 2022 (arXiv 2112.10752); microsoft/onnxruntime pull request 14042, 2022-12-21; openvinotoolkit/openvino @d4525174, benchmark data of 2024.3; speaches-ai/speaches issue 169, 2024-12-02; inferencebench.io, read 2026-11-28; huggingface/transformers issue 29901, 2024-03-27; SYSTRAN/faster-whisper, README, 2023; siliconflow/onediff @8b2862c1, 2024-07-31, and huggingface/diffusers @2c529b75, torch2.0.md, with 9 others (engine/estimate/roofline.py); own measurements on AMD EPYC (Zen 4), 2026-11-23 and 2026-11-24",
)
TOKEN_TRAINING = _rule(
    "token-training-time",
    "A micro-batch takes the time of its matrix products, attention, element-wise kernels, exposed communication (of gradients, of shared layers, of experts) and optimizer step. It takes at least the time to launch its kernels. Pipeline idle time is added. The low end of a script of your own on PyTorch is that of one that is not compiled: its element-wise kernels take 2.6 times as long. Attention with sinks (gpt-oss) runs without a fused kernel in Hugging Face's libraries: the model's products then take 5.1 times as long, as in the published run. The favourable end of its range takes at least its dense products at the devices' peak.",
    "Training needs at least six operations per parameter and token. The overhead of a training script is known by kind.",
    "memory and training study, section 4; Kaplan et al. 2020; Narayanan et al. 2021; Karpathy 2024, Let's reproduce GPT-2; pytorch/benchmark change 1911, 2023; OpenAI's cookbook, fine-tune-transformers, 2025-08",
)
SERVING = _rule(
    "serving-steps",
    "A decode step reads weights and cache once for all running requests. The prompts of arriving requests share the device. Beside steps they lose less than their own time, but no more are read in a second than their products take at the share of the peak that prompts reach. Where more requests always wait, a prompt in vLLM and SGLang as they come takes 2.1 times as long beside the steps of answers: this bounds what a machine serves at the most. With data-parallel attention, all devices gather all tokens before the experts. Of a model for images every token of a prompt is taken as an image's: each of its patches also passes the image encoder, and takes 15 µs of the one process on the host that prepares images (tuned: of two), before a first token and at the most that is served in a second. Releases of llama.cpp since 2026 read prompts in quantised weights on Arm 1.9 times (with matrix instructions 2.4 times) as fast as the measured build of 2025-03; on GPUs of the generation Turing its products in quantised weights take 1.7 times as long as on later ones of the same peak.",
    "Prefill is limited by compute, decode by memory bandwidth: what hides a prompt is the steps beside it.",
    "serving study, section 3; Pope et al. 2022; Agrawal et al. 2024; docs.gpustack.ai, Performance Lab, 2025-10 to 2025-11; docs.vllm.ai, Expert Parallel Deployment, v0.12.0; docs.sglang.io, Expert Parallelism, 2026; config.json of Qwen2.5-VL and InternVL3, read 2026-11-23; ggml-org/llama.cpp, pull requests 13886, 16739, 17494, 18888 and 29256, 2025-05 to 2026-09; geerlingguy/ai-benchmarks, issue 46, 2025-12-18; vllm-project/vllm, issue 41267, 2026-04-29; sgl-project/sglang, pull request 35318, 2026-08-18",
)
BATCH_QUEUE = _rule(
    "batch-queue",
    "Requests of a service arrive at random and share one queue before all devices. A device that becomes free takes those that wait, up to its largest batch. A request on an idle service does not wait; the wait grows with the load. Machines are added until the 95th percentile meets the target at the high end of the range. They are also added until the load is at most 95% at the low end of the rate.",
    "Larger batches carry more, and make each request wait longer. Pooled devices seldom let a request wait.",
    "discrete-event simulation of the queue M/D^b/c with steps that depend on the batch (calibration/queue.py): median error 2%, within 15%, but up to 32% off where the step of large batches on many devices bends",
)
USERS_IN_BATCHES = _rule(
    "users-in-batches",
    "A user sends the next request when the last one is answered. With a device for each user, nobody waits. More users wait for the next device that becomes free, and are answered in a batch.",
    "Users who wait send nothing, so a fixed number of them never makes a queue that grows.",
    "Little 1961: users = rate × time to answer",
)
TOKEN_TAIL = _rule(
    "serving-tails",
    "Under a rate, a request finds as many others as run in the mean. Its tokens take longer while more run: the number varies as a Poisson number does. It waits for a place only where the caches of all replicas together are full.",
    "An idle server answers in its own service time. Replicas share the requests that wait.",
    "Poisson arrivals see time averages (Wolff 1982); M/G/∞; M/M/c with the share that waits after Sakasegawa 1977",
)
PREFIX_CACHE = _rule(
    "prefix-cache",
    "Input tokens that a prefix cache holds are not computed: a prompt takes the time of the others, which attend to the cached ones, too. Memory stays the same: a running request is counted with its whole context.",
    "A cached token is only found while it lies in memory. How many requests share it is unknown.",
    "vLLM, automatic prefix caching (vLLM blog, 2025-01-27)",
)
SPECULATION = _rule(
    "speculative-decoding",
    "A step verifies k drafted tokens and keeps (1 − a^(k + 1)) / (1 − a) of them, where a is the acceptance rate. It computes k + 1 positions of each request and drafts the next ones. The memory of the drafter is counted. For EAGLE and MTP, this is a layer and a table of words; for Medusa, a table for each token; for a draft model, the share of the weights that follows from its time.",
    "A step with few requests has arithmetic to spare. With many, drafts that are rejected take time from others, and the gain turns into a loss.",
    "Leviathan et al. 2023; acceptance and cost of each method as published: vLLM blog, 2026-03-13 and 2026-05-26; DeepSeek-V3 report, 2024-12; arXiv 2601.11580",
)
DATA_PARALLEL = _rule(
    "data-parallel",
    "Devices and machines share a run and exchange gradients in a ring. The backward pass hides a part of the exchange.",
    "The exchange moves 2·(n−1)/n of the gradients over the slowest link.",
    "throughput study, section 5; Patarasuk and Yuan 2009",
)
INDEPENDENT = _rule(
    "independent-runs",
    "Independent runs use separate devices and exchange nothing, so they need no interconnect.",
    "Runs with different settings do not wait for each other. Only the devices of one run exchange data.",
    "S1-09, S1-05",
)
EARLY_THREADS = _rule(
    "threads-of-2017",
    "In training on CPUs, TensorFlow and Keras releases before 2018 lose time that grows with the square of the number of cores. 64 vCPUs are no faster than 32.",
    "The threads of those releases wait for each other. The cause is the release, not the machine. Later releases leave cores idle instead.",
    "S2-10, S2-05, S2-04; Gunther 1993",
)
EARLY_LOOPS = _rule(
    "loops-of-2017",
    "On an accelerator, a bidirectional LSTM in TensorFlow or Keras releases before 2018 takes 3.7 times as long as its kernels need.",
    "By default, those releases computed one time step after another and one direction after the other, with code that was written for processors.",
    "S2-08",
)
INPUT_PIPELINE = _rule(
    "input-pipeline",
    "A device waits if the cores decode fewer samples than the device can process.",
    "CPU, memory and storage must keep up with the accelerator.",
    "S1-01, S3-03; throughput study, section 4",
)
TEXT_TABLE = _rule(
    "text-table",
    "Text is parsed in every pass: 2.6 ns of a core for a byte of numbers. Where categories are words that become rows of tables, as in the raw logs of Criteo, it is 36 ns as scripts come, and 20 ns tuned. If a pass takes an hour of a core or more, the answer says what the same table takes as Parquet.",
    "Converting a table once costs as much as one pass over its text.",
    "own measurements of pandas 3.1 and PyArrow 26.0 on AMD EPYC (Zen 4), 2026-11-23 and 2026-11-28",
)
PAGE_CACHE = _rule(
    "page-cache",
    "Passes after the first one read from memory if the data fit into the memory that the process leaves free. Each machine must hold all data that it may read, or only its part if dataset.sharded says that they are split.",
    "This is why a slower disk hardly slows training. Each pass shuffles all samples over all machines, so more machines do not hold more of them, unless each keeps to its own.",
    "S3-05",
)
TRAINING_DISK = _rule(
    "disk-in-training",
    "A step with data from disk takes (step^5.5 + reading^5.5)^(1/5.5). Read-ahead hides the disk until the disk is nearly saturated.",
    "A slower disk class cost 1% in a training on a P100.",
    "S3-05, S3-11",
)
INFERENCE_DISK = _rule(
    "disk-in-inference",
    "If free memory can keep the data, inference still reads 18% of what it processes from disk. If the data are larger, it reads all of it from disk.",
    "Inference reads its data several times as fast as training. The same slower disk class cost 15%, so inference needs at least an SSD.",
    "S3-08, S3-11",
)
PREPROCESSING = _rule(
    "preprocessing-io",
    "Preprocessing reads and writes every byte on one disk. A default converter is a single process that waits for 0.6 disk requests per file. Tuned tools use every core. Tables are read in blocks. Images of a stated size are made smaller and written anew.",
    "Preprocessing is limited by disk I/O. NVMe was 25% faster than SSD volumes, and SSD volumes were 10% faster than efficiency disks.",
    "S3-10, S3-11",
)
TABULAR = _rule(
    "tabular-passes",
    "A tabular learner reads every value once per level of each tree (or once per pass), from memory, on all cores. A request, for one row or for those of a batch, is one call over HTTP. The server takes 0.8 ms of a core, and the call takes 0.1 to 0.5 ms; in a forest, each tree adds to it. Rows of a table that nobody waits for are read and parsed first.",
    "Histograms are limited by memory traffic and scattered additions.",
    "Chen and Guestrin 2016; Ke et al. 2017",
)
HTTP_REQUEST = _rule(
    "http-request",
    "A request to a recommender or a plain network of a table's rows is one call over HTTP. It takes 0.78 ms of a core of the host, on accelerators too. It brings one row, or the rows of a batch. The estimate for one row is `modelled` on every machine, with the range of learners on processors. In vLLM, a request to embed one text takes 1.5 ms in the engine's API process; each device has one.",
    "The model takes microseconds of a row; the server takes the rest. Several texts per request, or several API processes (--api-server-count), share that time.",
    "own measurement of Flask in gunicorn and FastAPI in uvicorn on AMD EPYC (Zen 4), 28 numbers as JSON, 2026-11-23; vllm-project/vllm pull request 23000, 2025-08-25",
)
HPC = _rule(
    "hpc-roofline",
    "A job of operations and bytes runs at the slower of 70% of the peak rate and 85% of the memory bandwidth. Where memory is the limit and the cores can take more than their sockets give, the range is 0.74 to 1.83 of the estimate: what mixes of reading and writing reached on rented machines. No range goes beyond the peak rate or, on devices, beyond the memory bandwidth. Data lie on the socket of the cores that read them.",
    "Dense products reuse the data that they load. All other work is limited by memory.",
    "Williams et al. 2009; McCalpin 1995; measurements of Spare Cores (inspector data 804d3c71); own measurement of kernels on AMD EPYC (Zen 4), 2026-11-23",
)
FP64 = _rule(
    "fp64-devices",
    "FP64 work should run on devices with full-rate FP64 units.",
    "Most devices made for machine learning or graphics run FP64 at 1/32 or 1/64 of the rate of FP32.",
    "S1-20, S1-02, S4-10",
)
BURSTABLE = _rule(
    "burstable-baseline",
    "A burstable or shared instance type counts only with the share of its vCPUs that it can use continuously.",
    "Above that share, it spends credits or uses capacity that its neighbours leave free. A job of several hours cannot rely on either.",
    "the providers' tables of baseline CPU performance: Amazon EC2, Azure, Compute Engine, Alibaba Cloud",
)
VOLUME_BASELINE = _rule(
    "volume-baseline",
    "An instance type reads and writes volumes at the rate that it can keep up, not at the rate that it reaches for half an hour a day. A type of which its cloud states no such rate, as of older ones of AWS, reaches them at most at the rate of its network.",
    "Work on more data takes longer than the faster half hour. A machine that starts anew may have spent it. Without capacity of their own, volumes share the network with all other traffic.",
    "Amazon EC2 user guide, EBS-optimized instance types: baseline and maximum throughput; the API's BaselineThroughputInMBps (moto 5.2.5, 2026-10); Amazon EBS user guide: EBS optimization, read 2026-11-23",
)
SPOT = _rule(
    "spot-expected-time",
    "A run that may be interrupted takes its expected time: e^(λR)·(e^(λ(τ+δ)) − 1)/λ for each segment of work τ and checkpoint δ. The number of equal segments is the one that takes least time; each is then nearly √(2·δ/λ) long.",
    "An interruption loses the work since the last checkpoint, and a restart R can be interrupted too. The rate λ comes from the request, else from the price feed, else it is 0.007 per machine and hour.",
    "Young 1974; Daly 2006; S1-16, S2-01; GCE's 5 to 15% a day of preemptible machines",
)
START_UP = _rule(
    "start-up",
    "Before the work begins, each machine boots. To train a network on accelerators, it also pulls a container of 10 GB in 4.5 minutes. For LoRA, it reads the published weights at the speed of the ordered volume. A restart on spot does so again, and reads the last checkpoint and, on an empty disk, the data. Local NVMe is always empty; volumes are too, except on Azure, where an interruption deallocates the machine and its volumes stay. Your own machines have their container.",
    "You pay for all of it, on each machine. It decides the cost of short runs, and whether large data suit spot.",
    "boot times of the catalog; union.ai on container cold boots; EC2 User Guide, interruption behavior; Azure documentation, spot-vms.md (2024-08-05)",
)
COLD_START = _rule(
    "cold-start",
    "A new machine for inference boots, and pulls a container of 10 GB in 4.5 minutes if it has accelerators. It fetches the weights at the speed of its network and disk, at most 1.78 GB/s. Each process then reads them at 0.31 GB/s. A serving engine takes 94 s to import and initialise; on accelerators also 52 s to compile and 54 s to capture graphs, because nothing is cached. llama.cpp takes none of these. Your own machines have container and weights.",
    "A replica answers only after its start, and a job waits for it on each machine. Machines that are switched on for an hour start that much earlier.",
    "boot times of the catalog; union.ai on container cold boots; Run:ai model streamer's benchmarks (safetensors, 15 GB, 2024); tensorfuse.io, reducing GPU cold start (vLLM with Llama-3.1-8B on an L40S, 2025-09-01)",
)
INFERENCE_JOB = _rule(
    "inference-job",
    "Inference has an end if you state requests, tokens, hours_of_audio or dataset.samples, or a named or sized data set with a deadline or budget. It runs at the largest batch without waiting for arrivals: time = cold start + amount ÷ throughput. Its machines share the requests evenly, need no network between them, and each holds its part of the data. Answers are written as they come, so an interruption on spot loses at most the ten minutes between two records of progress, and a new cold start.",
    "A batch of requests has a time and a cost, like a training, and no latency.",
    "serving study, section 3 (offline); arithmetic",
)
DAY_LOAD = _rule(
    "day-load",
    "With requests_per_second_by_hour, the machines are sized for the peak. Each hour has as many as its own rate takes: at least one if there are requests, and none if there are none. Spare ones stay on. A machine is switched on its cold start before the hour and paid from then on. A month has 365 / 12 days (730 hours). The cost per hour, by which cost ranks, is the mean over the scheduled day; max_usd_per_hour holds at the peak.",
    "You pay for the machines that run, hour by hour.",
    "arithmetic; cold start as in rule cold-start; clouds bill machines by the second or minute",
)
SPARE_REPLICAS = _rule(
    "spare-replicas",
    "spare_replicas are added to the machines that the load takes, in every hour and in whole machines. You pay for them, and they carry no load in the estimate.",
    "If a machine fails or is updated, the others still carry the load.",
    "arithmetic",
)
DATA_STAGING = _rule(
    "data-staging",
    "If `dataset.region` says where the data are, machines elsewhere pay for moving them. To other clouds, this costs the list price per GB, tier by tier; to regions of the same cloud, it costs less. The data are moved once and passed on. You pay for the machines until the data have arrived. A machine takes 5 Gbps from outside its region or, with 32 or more vCPUs, half of its network if that is more. It takes no more than its disk writes. All machines together take at most 100 Gbps. In the region of the data, nothing is moved. A cloud that publishes no price is taken to charge 0.12 USD per GB.",
    "Moving 10 TB can cost more than training on them. 0.12 USD is the dearest first tier of the three large clouds: a guess must not make it look cheap to move data away.",
    "egress prices: SkyPilot 0.14.1, Skyplane, MongoDB's documentation; speed: Amazon EC2 User Guide, instance network bandwidth",
)
BILLING = _rule(
    "billing-minimum",
    "A start is billed at least the provider's minimum (AWS, Google Cloud and Oracle's virtual machines 1 minute, Oracle's bare metal 1 hour), and in its steps (Hyperstack: whole minutes). Where no minimum is published, none is taken.",
    "Two minutes on a machine that is billed for an hour cost the whole hour.",
    "the providers' terms of billing: EC2 StopInstances; Compute Engine pricing; Oracle's announcement of per-second billing; Hyperstack's price list",
)
RANGE = _rule(
    "range",
    "The range is an 80% prediction interval. Low and high are the 10th and 90th percentile of measured ÷ estimated on data that the fit had not seen, by kind of work and basis. It is never narrower than the noise between equal machines.",
    "An estimate without its error is a guess.",
    "the calibration's leave-out errors (docs/calibration.md)",
)
