"""Warnings on an option: software, memory, price, interruptions, and what is not known."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, isnan

from ..datasets import TEXT_TABLE
from ..demand import kind
from ..demand.job import Job, dimensions_of
from ..demand.served_model import VLLM, recopied
from ..estimate.requirements import high_share, recommended_memory_share
from ..estimate.serving.loads import NEAR
from ..estimate.token_training.memory import expert_parameters
from ..models.profile import HALF
from ..quantities import Estimate, Price, Rate, Spot
from ..rules import Remark, RuleId
from ..speculation import HEADS, HEADS_SEE
from ..spreads import ANCHORED, MEASURED_HERE, UNSTUDIED, UNSTUDIED_SPREAD
from ..support import PORTED, UNTESTED
from ..units import GIB
from ..workload import CustomModel
from .advice import caution_of
from .details import Detail
from .limits import NEARLY_ALL
from .notes import PLAIN_KINDS, SCALED_KINDS
from .rounding import counted, precision_words, said, seconds_said
from .scores import UNKNOWN_DISK_USD
from .shown_estimates import ASSUMED, FEED, STATED

SOFTWARE_RULE = {UNTESTED: RuleId("untested-software"), PORTED: RuleId("ported-software")}

RATE_WORDS = {STATED: "stated in the request", FEED: "from the price feed", ASSUMED: "assumed"}

WITH_CHECKPOINTS = RuleId("spot-checkpoints").note("may be interrupted; write checkpoints and resume from them")
KEEP_ANSWERS = RuleId("spot-checkpoints").note("may be interrupted; keep the answers and go on with the other requests")
SPARE_REPLICA = RuleId("spot-checkpoints").note("may be interrupted; keep a spare replica on demand")
INTERRUPTIBLE = dict.fromkeys(kind.INFERENCE_KINDS, KEEP_ANSWERS)
SLOW_FIRST_S, SLOW_ANSWER_S = 10.0, 300.0  # rule slow-answers
NOTICED = 0.01  # of the speed; a smaller loss is not worth a word
# Programs that load 4-bit weights through Transformers and bitsandbytes, and an option for fused experts; Unsloth has
# code of its own (unslothai/unsloth issue 4032, 2026-06-18).
RUNS_TRANSFORMERS = ("huggingface", "peft", "llama-factory", "pytorch", "deepspeed")
QUANTISES_EXPERTS = {"axolotl": "quantize_moe_experts: true"}
MANY_DEVICES = 64  # rule many-devices
# Qwen3 is trained on 32,768 tokens and was validated on 131,072 with YaRN's factor of 4 (QwenLM/Qwen3,
# docs/source/inference/transformers.md, 2025): nobody is pointed further. Rule: beyond-context.
STRETCHED = 4
INDEXING_HOURS = 96.0 / 4.2e9  # a row, of TorchRec's scripts: 4 to 5 days for the 1TB logs (rule raw-logs)
FEW_SHARE = 0.1  # of the vCPUs; so few are missing that no one would notice below it


def warnings_of(job: Job, one: Detail, purchase: str, price: Price | None, estimate: Estimate) -> Iterator[Remark]:
    """Yield risks and uncertainties of an option, with those of its price and of its run on spot, if it has one."""
    yield from _software(job, one)
    yield from _tight(job, one)
    yield from _assumed(job, one)
    yield from _raw_logs(job)
    yield from _unmeasured(job, one, estimate.capacity or estimate.throughput)
    yield from _context(job, one)
    yield from _served(job, one)
    if price is not None:
        yield from _of_price(job, purchase, price, estimate.spot)
        yield from _of_cloud(job, one)
    yield from one.plate.of_type
    yield from caution_of(job, one)


def _software(job: Job, one: Detail) -> Iterator[Remark]:
    """Software that is untested or ported there, that nobody maintains, or that does not use what it should.

    Serving engines widen weights of an emulated precision, all other work runs in FP32.
    """
    if one.runs.status in SOFTWARE_RULE:
        yield SOFTWARE_RULE[one.runs.status].note(one.runs.why)
    if job.software_ended is not None:
        yield RuleId("unmaintained-software").note(job.software_ended)
    if job.one_device and one.nodes * one.devices > 1:
        several = "the trainer is set up for one device; for several you write the launch yourself"
        hpc = job.kind == kind.HPC
        yield RuleId("hpc-devices").note(_several(job, one)) if hpc else RuleId("nodes-needed").note(several)
    if one.emulated:
        lacking = "is not native on this device" if one.plate.chip else "is not used by this software on this processor"
        instead = "" if job.kind == kind.SERVING else "; it runs in FP32"
        yield RuleId("emulated-precision").note(f"{precision_words(job.precision)} {lacking}{instead}")


def _several(job: Job, one: Detail) -> str:
    """Why an HPC program must use several devices: for its working set, or else for the time that is stated."""
    room = one.usable_device - job.coefficients.memory.context_gib
    least = ceil((job.workload.memory_gib or 0.0) / room) if one.plate.chip is not None else 1
    if least > 1:
        known = f"the working set needs the memory of at least {least} of these devices"
        return f"{known}; your program must spread it over several"
    known = "whether your program uses several devices is unknown"
    return f"{known}; on one, it takes {one.devices:.0f} times as long"


def _assumed(job: Job, one: Detail) -> Iterator[Remark]:
    """Experts that bitsandbytes passes over, as Transformers 5 fuses those of a layer, and drafts of long inputs.

    And frozen weights that drive to the host and back, as activations must be kept. Acceptance rates are published for
    inputs that are no longer than draft heads are trained on.
    """
    stated = job.workload
    if one.layout and stated.activation_recomputation in ("none", "selective") and stated.offload is None:
        *_, offload, _, _ = one.layout
        if offload > 0:
            fetched = "frozen weights are fetched from the host's memory at each step, as activations are kept"
            yield RuleId("training-layout").note(f"{fetched}; with activation_recomputation full, they may fit")
    loaded = job.kind == kind.TOKEN_TRAINING and job.program in (*RUNS_TRANSFORMERS, *QUANTISES_EXPERTS)
    if loaded and job.method == "qlora" and (experts := expert_parameters(dimensions_of(job))):
        option = QUANTISES_EXPERTS.get(job.program, "Transformers 4.57, or code that quantises fused experts")
        left = f"with Transformers 5 the experts stay in 16 bits, {said(experts * HALF / GIB, 2)} GiB of them"
        yield RuleId("unquantised-experts").note(f"{left}; the estimate has them in 4 bits: use {option}")
    asked, length = job.workload.speculative_decoding, job.workload.input_tokens or 0
    long = asked is not None and asked.method in HEADS and length > HEADS_SEE
    if long and any(one.field == "speculative_decoding.acceptance_rate" for one in job.assumptions):  # as published
        seen = f"draft heads are trained on short texts; at {length} input tokens fewer drafts are accepted"
        yield RuleId("speculative-decoding").note(f"{seen}; state acceptance_rate as you measure it")


def _raw_logs(job: Job) -> Iterator[Remark]:
    """What is left out where a recommender reads raw click logs, and whether a deadline has room for it."""
    feed, deadline = job.feed, job.workload.deadline_hours
    if not job.training or job.profile is None or job.profile.name not in ("dlrm", "dlrm-v2"):
        return
    if feed is None or feed.format != TEXT_TABLE:
        return
    late = deadline is not None and deadline < INDEXING_HOURS * feed.samples
    missed = "; with TorchRec's the deadline is missed" if late else ""
    yield RuleId("raw-logs").note(
        "the raw click logs are read as text, and their categories hashed into row numbers as they are read; most "
        "scripts want them indexed first: TorchRec's take several days and 700 GB of memory for 1 TB, NVTabular 14 min "
        f"on an A100, and neither is counted{missed}; if yours are indexed, state dataset.format parquet"
    )


def _unmeasured(job: Job, one: Detail, rate: Rate) -> Iterator[Remark]:
    """What measurements contradict, or do not reach.

    The range is the answer's own, by its farther end; where the low end carries nothing, it is that of all.
    """
    if job.anchoring is not None and job.anchoring.disagree and one.shown_basis in (ANCHORED, MEASURED_HERE):
        yield RuleId("anchors-disagree").note(f"your measurements contradict each other: {job.anchoring.disagree}")
    if one.shown_basis == UNSTUDIED:
        farther = max(rate.value / rate.low, rate.high / rate.value) if rate.low > 0 else UNSTUDIED_SPREAD.high
        differ = f"low and high differ from the estimate by a factor of up to {said(farther, 2)}"
        yield RuleId("not-measured").note(differ)
    if one.load > NEAR * one.measured_load:
        at_once = f"a replica runs {said(one.load, 2)} requests at once"
        yield RuleId("measured-load").note(f"{at_once}; runs with up to {said(one.measured_load, 3)} were measured")


def _of_cloud(job: Job, one: Detail) -> Iterator[Remark]:
    """Results that machines of a cloud lose, how many devices they are, disks without a price."""
    if not one.plate.rented:
        return
    if job.kind == kind.PREPROCESSING and one.local_disk:
        told = "the results are written to local disks, which lose them when the machine stops"
        yield RuleId("local-results").note(f"{told}; copy them to storage first")
    devices = one.nodes * one.devices
    if one.plate.chip is not None and devices >= MANY_DEVICES:
        before = "ask the cloud for a quota or a reservation before you plan with them"
        yield RuleId("many-devices").note(f"{devices:,.0f} devices at once; {before}")
    if one.product < 0 and not one.local_disk:
        yield RuleId("disk-price-unknown").note(
            f"the cost does not include the disk of {one.disk_gib:,.0f} GiB; the ranking counts "
            f"{UNKNOWN_DISK_USD} USD per GiB and month for it"
        )


def _tight(job: Job, one: Detail) -> Iterator[Remark]:
    """Scarce resources: device memory, links between devices, vCPUs."""
    need, usable, chip = one.device, one.usable_device, one.plate.chip
    if need > usable and chip is not None:
        yield RuleId("tight-memory").note(f"needs about {need:.1f} GiB on each device; {usable:.1f} GiB are usable")
    elif job.training and chip is not None and need * high_share(job, one.basis) > usable:
        remedy = "; take a smaller batch if it runs out" if one.batch > 1 else ""
        most = f"up to {need * high_share(job, one.basis):.1f} GiB by its range"
        yield RuleId("tight-memory").note(f"needs {most} on each device; {usable:.1f} GiB are usable{remedy}")
    memory = one.plate.shown_memory_gib
    if one.host > memory * recommended_memory_share(job):
        when = "at its peak" if job.kind in PLAIN_KINDS else "while the weights load"
        full = f"needs {one.host:.1f} GiB of the host's {memory:.1f} GiB {when}"
        yield RuleId("tight-host-memory").note(f"{full}; keep other programs off the machine")
    alone = job.kind in (*SCALED_KINDS, kind.HPC) and job.experiments < one.devices > 1
    if alone and not (chip is not None and chip.linked):
        yield RuleId("no-nvlink").note(f"the {one.devices:.0f} devices are not connected by NVLink")
        if job.kind == kind.SAMPLE_TRAINING and chip is not None and chip.staged:
            yield RuleId("through-the-host").note("they exchange gradients through the host's memory")
    if job.kind == kind.HPC and chip is not None:
        yield RuleId("hpc-devices").note(
            f"taken as dense products, or memory streams where those are slower, on {counted(one.devices, 'device')}; "
            "most programs reach less: measure yours, or set max_accelerators to 0 for processors alone"
        )
    if job.kind == kind.HPC and one.nodes > 1:
        yield RuleId("hpc-over-a-network").note(
            f"{one.nodes:.0f} machines are reckoned to exchange as much as one dense factorization does; measure yours"
        )
    if job.kind in SCALED_KINDS and chip is not None and one.devices > max(one.plate.cores, 1.0):
        lacking = f"{one.devices:.0f} processes share {counted(max(one.plate.cores, 1.0), 'core')}"
        yield RuleId("process-cores").note(f"{lacking}, and start their kernels later")
    if one.plate.vcpus <= (1 - FEW_SHARE) * one.vcpus:
        few = f"the machine has {counted(one.plate.vcpus, 'vCPU')}; this work usually gets {one.vcpus:.0f}"
        loses = not isnan(one.lost_share) and one.lost_share >= NOTICED
        yield RuleId("few-vcpus").note(f"{few}; the devices lose {one.lost_share:.0%} of their speed" if loses else few)


def _served(job: Job, one: Detail) -> Iterator[Remark]:
    """Hits of a prefix cache, of which each replica has its own; batches that last as long as their longest answer.

    And answers that few people wait for; a load that exceeds what is served, or beside which hardly any room is left.
    """
    replicas = one.nodes * max(one.devices, 1.0) / (one.tensor_parallel * one.stages)
    if job.workload.prefix_cache_hit_rate and replicas > 1:
        each = f"each of the {replicas:.0f} replicas has a prefix cache of its own"
        yield RuleId("prefix-routing").note(f"{each}; the estimate holds if a router keeps a session on its replica")
    if job.kind == kind.SERVING and one.batch > 1 and recopied(job):
        longest = "prompts are padded to the longest of a batch, which runs until its longest answer ends"
        yield RuleId("static-batches").note(f"{longest}; the estimate takes all to be as long as stated")
    waited = (("the first token", one.first_s, SLOW_FIRST_S), ("an answer", one.answer_s, SLOW_ANSWER_S))
    slow = [f"{what} takes {seconds_said(took, SLOW_ANSWER_S)}" for what, took, most in waited if took > most]
    if job.serves and slow:
        yield RuleId("slow-answers").note(f"{slow[0]} (95th percentile)")
    rate, users = job.workload.requests_per_second, job.workload.concurrency
    units = float(job.workload.output_tokens or 1) if job.kind == kind.SERVING else 1.0
    sure, held = one.capacity_low / units, one.max_concurrency
    if rate is not None and rate * units > one.capacity:
        most = said(one.capacity / units, 3)
        yield RuleId("overload").note(f"serves {most} of the {said(rate)} requests per second")
    if rate is not None and job.serves and rate <= sure < rate / NEARLY_ALL:
        yield RuleId("headroom").note(f"serves at least {said(sure)} requests per second; the load is {said(rate)}")
    elif rate is None and job.serves and users is not None and users <= held < users / NEARLY_ALL:
        most = f"the maximum concurrency is {said(held)}"
        yield RuleId("headroom").note(f"{most}; the requested concurrency is {said(users)}")


def _context(job: Job, one: Detail) -> Iterator[Remark]:
    """Sequences beyond the model's context, and one that vLLM takes unasked and does not start with for want of room.

    Images have no such limit, and figures alone state none.
    """
    workload, profile = job.workload, job.profile
    if profile is None or (isinstance(workload.model, CustomModel) and workload.model.config is None):
        return
    asked = (workload.input_tokens or 0) + (workload.output_tokens or 0)
    if profile.transformer is not None and profile.reference.image_size is None:
        longest = max(workload.sequence_length or 0, workload.max_model_len or 0, asked)
        most = profile.transformer.context_length
        factor = ceil(longest / most)
        if longest > most:
            text = f"{longest} tokens exceed the context of {profile.name} ({most} tokens)"
            stretched = f"; where its card allows it, YaRN (rope_scaling) with a factor of {factor} stretches that"
            text += stretched if workload.task == kind.INFERENCE and factor <= STRETCHED else ""
            yield RuleId("beyond-context").note(text)
    unasked = job.kind == kind.SERVING and workload.framework == VLLM and workload.max_model_len is None
    if unasked and one.longest_context < (whole := dimensions_of(job).context_length):
        fits = max(int(one.longest_context), asked)
        refused = f"vLLM does not start with the model's context of {whole:,} tokens, of which the cache holds {fits:,}"
        yield RuleId("shorter-context").note(f"{refused}: start it with --max-model-len {fits}")


def _of_price(job: Job, purchase: str, price: Price, spot: Spot | None) -> Iterator[Remark]:
    if purchase == "spot":
        yield SPARE_REPLICA if job.serves else INTERRUPTIBLE.get(job.kind, WITH_CHECKPOINTS)
    if spot is not None:
        rate = f"{said(spot.interruptions_per_hour, digits=3)} interruptions per hour"
        minutes = spot.checkpoint_interval_minutes
        every = f"{minutes:.0f} min" if minutes >= 1 else "less than 1 min"
        yield RuleId("spot-expected-time").note(
            f"{rate} ({RATE_WORDS[spot.interruptions_source]}); {every} between checkpoints"
        )
        yield RuleId("start-up").note(f"a restart takes {said(spot.restart_minutes, digits=3)} min")
    if price.confidence != "list":
        ends = ""
        if price.low is not None and price.high is not None:
            ends = f", from {said(price.low, digits=3)} to {said(price.high, digits=3)} USD per hour"
        yield RuleId("price-quality").note(f"the price is {price.confidence}{ends}: {price.source}")
