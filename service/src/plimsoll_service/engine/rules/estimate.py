"""Rules that say how fast hardware does the work."""

from plimsoll_service.engine.rules.rule import Rule

ROOFLINE = Rule(
    "roofline",
    "A step takes compute plus memory traffic, corrected for how well it fills the chip, and at least its launches.",
    "Kernels run one after another: products at compute speed, the rest at memory speed.",
    "S0-01; throughput study, section 2; Williams et al. 2009; Qi et al. 2017; Yu et al. 2021",
    "estimate",
)
TOKEN_TRAINING = Rule(
    "token-training-time",
    "A micro-batch takes its matrix products, attention, element-wise kernels, exposed exchange (of gradients, of shared layers, of experts) and optimizer step, at least its launches, and what a pipeline idles.",
    "Six operations a parameter and token are the least; what a script adds is known by kind.",
    "memory and training study, section 4; Kaplan et al. 2020; Narayanan et al. 2021",
    "estimate",
)
SERVING = Rule(
    "serving-steps",
    "A decode step reads weights and cache once for all running requests; prompts of arriving requests share the device.",
    "Prefill is bound by compute, decode by bandwidth.",
    "serving study, section 3; Pope et al. 2022; Agrawal et al. 2024",
    "estimate",
)
LATENCY = Rule(
    "latency-of-a-batch",
    "A request waits for the running batch and its own, and under load for those before it.",
    "Batches trade latency for throughput.",
    "M/D/1 queue",
    "estimate",
)
DATA_PARALLEL = Rule(
    "data-parallel",
    "Devices and machines share a run by exchanging gradients in a ring, partly hidden behind the backward pass.",
    "The exchange moves 2·(n−1)/n of the gradients over the slowest link.",
    "throughput study, section 5; Patarasuk and Yuan 2009",
    "estimate",
)
INDEPENDENT = Rule(
    "independent-runs",
    "Independent runs take devices of their own and exchange nothing, so they need no interconnect.",
    "Variants of a model do not wait for each other; what more than one device of a run exchanges is another matter.",
    "S1-09, S1-05",
    "estimate",
)
MEASURED = Rule(
    "basis-measured",
    "Measured: this model was measured with this framework, tuning and precision on this accelerator; the estimate carries that figure to the asked batch and count.",
    "Nothing is nearer to a run of one's own; the range is what other runs of measured work gave.",
    "published measurements (/v1/evidence)",
    "estimate",
)
CALIBRATED = Rule(
    "basis-calibrated",
    "Calibrated: the formula was fitted to this architecture and software, and to devices of this generation, but not to just this work on this device.",
    "Coefficients carry over within an architecture and a generation; the range is what fits without the device, the model or the laboratory gave.",
    "published measurements (/v1/evidence); S0-05",
    "estimate",
)
MODELLED = Rule(
    "basis-modelled",
    "Modelled: no measurement of this architecture, this software or this generation of devices stands behind the estimate, only the formula and the hardware's figures.",
    "A formula of physics extrapolates, less surely; the range is wider.",
    "published measurements (/v1/evidence)",
    "estimate",
)
EARLY_THREADS = Rule(
    "threads-of-2017",
    "On processors, training with TensorFlow or Keras of before 2018 takes time that grows with the square of the cores: 64 vCPUs are no faster than 32.",
    "Its threads waited for each other; that is the release's doing, not the machine's, and later ones leave cores idle instead.",
    "S2-10, S2-05, S2-04; Gunther 1993",
    "estimate",
)
EARLY_LOOPS = Rule(
    "loops-of-2017",
    "On a device, a bidirectional LSTM in TensorFlow or Keras of before 2018 takes 3.5 times as long as its kernels would.",
    "The default of those releases ran step after step, each direction in turn, in a form made for processors.",
    "S2-08",
    "estimate",
)
INPUT_PIPELINE = Rule(
    "input-pipeline",
    "A device waits where the cores decode fewer samples than it takes.",
    "CPU, memory and storage must be enough for the work around the accelerator.",
    "S1-01, S3-03; throughput study, section 4",
    "estimate",
)
PAGE_CACHE = Rule(
    "page-cache",
    "Passes after the first read from memory where the data fit into what the process leaves free.",
    "That is why training hardly feels a slower disk.",
    "S3-05",
    "estimate",
)
TRAINING_DISK = Rule(
    "disk-in-training",
    "A step whose data come from disk takes (step^5.5 + reading^5.5)^(1/5.5): reading ahead hides the disk until it is nearly used up.",
    "A slower class of disk cost a training on a P100 one per cent.",
    "S3-05, S3-11",
    "estimate",
)
INFERENCE_DISK = Rule(
    "disk-in-inference",
    "Of data that free memory can keep, 0.18 of what is answered is still read from disk; of larger data, all of it.",
    "Inference asks for its data several times as fast as training: the same slower class cost it 15%, so it wants SSD at the least.",
    "S3-08, S3-11",
    "estimate",
)
PREPROCESSING = Rule(
    "preprocessing-io",
    "Preprocessing reads and writes every byte on one disk. A converter as it comes is one process that waits for 0.6 of a request a file; tuned tools use every core.",
    "It is bound by input and output: NVMe was 25% faster than SSD volumes, those 10% faster than efficiency disks.",
    "S3-10, S3-11",
    "estimate",
)
TABULAR = Rule(
    "tabular-passes",
    "A tabular learner reads every value once a level of each tree (or once a pass), from memory, on all cores. A request for one row is a call, which takes 0.1 to 0.5 ms by itself (of a forest, also at each tree).",
    "Histograms are bound by memory traffic and by scattered additions.",
    "Chen and Guestrin 2016; Ke et al. 2017",
    "estimate",
)
HPC = Rule(
    "hpc-roofline",
    "A job of operations and bytes runs at the slower of 0.7 of the peak and 0.85 of the bandwidth.",
    "Dense products reuse what they load; anything else is bound by memory.",
    "Williams et al. 2009; McCalpin 1995",
    "estimate",
)
FP64 = Rule(
    "fp64-devices",
    "FP64 work wants devices with full-rate FP64 units.",
    "Most devices made for learning or graphics run FP64 at a 32nd or 64th of FP32.",
    "S1-20, S1-02, S4-10",
    "estimate",
)
BURSTABLE = Rule(
    "burstable-baseline",
    "A burstable or shared instance type counts with the share of its vCPUs that it can use all the time.",
    "Above that it spends credits, or what its neighbours leave over; a job of hours can count on neither.",
    "the providers' tables of baseline CPU performance: Amazon EC2, Azure, Compute Engine, Alibaba Cloud",
    "estimate",
)
SPOT = Rule(
    "spot-expected-time",
    "A run that may be interrupted takes its expected time, e^(λR)·(e^(λ(τ+δ)) − 1)/λ for each segment of work τ and checkpoint δ, in as many equal segments as take least; that is nearly √(2·δ/λ) each.",
    "Work since the last checkpoint is lost with each interruption, and restarts R can be interrupted too. The rate λ is the request's own, else the price feed's, else 0.007 an hour and machine.",
    "Young 1974; Daly 2006; S1-16, S2-01; GCE's 5 to 15% a day of preemptible machines",
    "estimate",
)
RANGE = Rule(
    "range",
    "Low and high are the 10th and 90th percentile of measured ÷ estimated on what the fit had not seen, by kind of work and basis, never below the noise between equal machines.",
    "An estimate without its error is a guess.",
    "the calibration's leave-out errors (docs/calibration.md)",
    "estimate",
)

ESTIMATE_RULES = (
    MEASURED,
    CALIBRATED,
    MODELLED,
    ROOFLINE,
    TOKEN_TRAINING,
    SERVING,
    LATENCY,
    DATA_PARALLEL,
    INDEPENDENT,
    EARLY_THREADS,
    EARLY_LOOPS,
    INPUT_PIPELINE,
    PAGE_CACHE,
    TRAINING_DISK,
    INFERENCE_DISK,
    PREPROCESSING,
    TABULAR,
    HPC,
    FP64,
    BURSTABLE,
    SPOT,
    RANGE,
)
