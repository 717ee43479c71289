"""Rules for the machines that may be recommended."""

from functools import partial

from plimsoll_service.engine.rules.rule import Rule

_rule = partial(Rule, phase="constraint")

MACHINE_CONSTRAINT = _rule(
    "machine-constraint",
    "A machine must satisfy every stated constraint. A rejected machine is counted under the first constraint that it fails.",
    "A constraint states something that you know. It is never traded against cost.",
    "the HTTP contract",
)
RETIRED = _rule(
    "retired-types",
    "A retired type appears only if the question names the type or its family, or sets `retired: true`. The same holds for an offer that is no longer sold in its region. It also holds for a type that is closed to new customers, a withdrawn preview, a type that the provider prices but does not list, and a type that is made for one customer. A type that needs a capacity reservation is not offered on demand.",
    "A machine that you cannot order is not an answer.",
    "the HTTP contract; S1-12, S1-13; the catalog's table of withdrawn types",
)
RESTRICTED_REGIONS = _rule(
    "restricted-regions",
    "Government regions and regions in mainland China are used only if you name them.",
    "They require separate accounts.",
    "the HTTP contract",
)
PRICE_KNOWN = _rule(
    "no-price-no-recommendation",
    "A machine without a known price is not recommended. An unknown price is never 0 and never guessed.",
    "A budget cannot rest on a price that nobody stated.",
    "the HTTP contract",
)
NETWORK_KNOWN = _rule(
    "known-network-only",
    "Several machines share a run only if a source states the speed of the network between them.",
    "The exchange of gradients between machines decides whether more machines help.",
    "throughput study, section 5",
)
PRECISION = _rule(
    "precision-supported",
    "A precision that a device does not support is emulated in FP32 if possible, with a warning. Otherwise the device is not eligible.",
    "Support for a precision is never silently assumed.",
    "S1-04, S1-05, S1-06, S1-07, S1-10, S1-12, S1-13, S4-09, S4-11, S4-12; accelerators' datasheets",
)
SOFTWARE = _rule(
    "software-runs-on",
    "A machine is recommended only if the software runs on its accelerator and processor: the framework and what the method, the optimizer and the precision need. Software that must be ported (another build, a compiler of its own, changes to the code) counts only with `allow_porting: true`. It also counts if you name the machine by instance type, family or accelerator, or name software that is made for one chip (Neuron, PyTorch/XLA). Software that no source vouches for is recommended with a warning.",
    "A fast machine is worth nothing to a program that does not start on it. `runs` in each recommendation names the source. Chips for inference cannot train, and chips whose compiler accepts only neural networks cannot run other computations.",
    "S1-15, S4-17; the projects' own lists of supported hardware",
)
FAMILY_NAMES = _rule(
    "family-names",
    "A family is the provider's own name, in full. On AWS, it is everything before the dot (letter, generation, attributes), so `p3` does not include `p3dn`.",
    "An attribute stands for a different machine: `n` for more network, `d` for local disks, `g` for an Arm processor, `f` for a share of a device.",
    "S4-18",
)
NVLINK_ASKED = _rule(
    "nvlink-asked",
    "`interconnect: nvlink` keeps only machines whose devices are connected by NVLink or by the manufacturer's own fabric. For inference, and among your own machines, it also keeps those with one device, which needs no connection.",
    "A training run on several devices exchanges gradients all the time. Over PCIe, this is markedly slower.",
    "S1-05, S1-09, S1-10",
)
SPECIFIED = _rule(
    "known-specification-only",
    "A device without a published peak rate is listed, but not estimated.",
    "An estimate starts from a published figure, and no figure is invented. Gaudi in DL1 is such a device.",
    "S1-15; Habana HL-205 datasheet",
)
QUOTA = _rule(
    "quota",
    "A recommendation never uses more machines of a family than the stated quota allows.",
    "An order beyond the quota fails.",
    "the HTTP contract",
)
DEADLINE = _rule(
    "deadline-at-high-end",
    "A deadline is met if the high end of the time range meets it.",
    "The high end is the 90th percentile: nine runs in ten are at least as fast.",
    "the HTTP contract",
)
BUDGET = _rule(
    "budget-at-high-end",
    "A budget is met if the high end of the cost range meets it.",
    "The high end is the 90th percentile: nine runs in ten cost no more.",
    "the HTTP contract",
)
LATENCY = _rule(
    "latency-at-high-end",
    "A latency target is met if the high end of the range of the 95th percentile meets it.",
    "A service level is a promise about slow requests.",
    "the HTTP contract",
)
SLOWEST_TOKEN = _rule(
    "slowest-token",
    "Each user of a language model gets at least one token per second at the high end of the range, even if tpot_ms is none. If you state end_to_end_ms, that target holds instead.",
    "Without any bound the cheapest machine is one whose answers take hours. A token a second is several times slower than people read.",
    "a decision of this service",
)
ASSUMED_TPOT = _rule(
    "assumed-tpot",
    "A language model for a stated number of users or requests, without a target of speed, has at most 100 ms between two tokens at the 95th percentile.",
    "Users read along. A machine that holds all users and answers each at a crawl is no use to them.",
    "MLPerf Inference, server scenario of Llama3.1-8B: mlcommons/inference_policies, inference_rules.adoc, 2026-07-23",
)
RATE = _rule(
    "rate-at-low-end",
    "A request rate is met if the low end of the capacity range meets it.",
    "The machines must carry the rate even if they are slower than estimated.",
    "the HTTP contract",
)
