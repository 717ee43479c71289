"""Rules that decide what may be recommended at all."""

from plimsoll_service.engine.rules.rule import Rule

MACHINE_CONSTRAINT = Rule(
    "machine-constraint",
    "A machine must satisfy every stated constraint; it is counted under the first that it fails.",
    "A stated constraint is the user's own knowledge and is never traded against cost.",
    "the HTTP contract",
    "constraint",
)
RETIRED = Rule(
    "retired-types",
    "A retired type (or an offer no longer sold in its region) answers only a question that names it, its family, or `retired: true`.",
    "A machine that cannot be ordered is no answer.",
    "the HTTP contract; S1-12, S1-13",
    "constraint",
)
RESTRICTED_REGIONS = Rule(
    "restricted-regions",
    "Government regions and mainland China are used only where they are named.",
    "They need accounts of their own.",
    "the HTTP contract",
    "constraint",
)
PRICE_KNOWN = Rule(
    "no-price-no-recommendation",
    "What has no known price is not recommended; an unknown price is never 0 and never guessed.",
    "A budget cannot rest on a price that nobody stated.",
    "the HTTP contract",
    "constraint",
)
NETWORK_KNOWN = Rule(
    "known-network-only",
    "Several machines share one run only where the network between them has a sourced figure.",
    "The exchange of gradients between machines decides whether more machines help.",
    "throughput study, section 5",
    "constraint",
)
PRECISION = Rule(
    "precision-supported",
    "A precision that a device lacks is emulated through fp32 where that is possible, with a warning; else the device does not fit.",
    "It is never silently assumed.",
    "S1-04, S1-05, S1-06, S1-07, S1-10, S1-12, S1-13, S4-09, S4-11, S4-12; accelerators' datasheets",
    "constraint",
)
SOFTWARE = Rule(
    "software-runs-on",
    "Machines whose accelerator the framework, or the task, cannot use are left out.",
    "Inference chips do not train, and chips whose compiler takes networks alone (Neuron, TPU, Gaudi) run no other "
    "computation; ROCm supports AMD's compute parts only, not those made for graphics.",
    "S1-15, S4-17; AMD ROCm system requirements",
    "constraint",
)
FAMILY_NAMES = Rule(
    "family-names",
    "A family is the provider's own name, whole: on AWS all that stands before the dot (letter, generation, attributes), so that `p3` is not `p3dn`.",
    "An attribute is another machine: `n` more network, `d` local disks, `g` an Arm processor, `f` a share of a device.",
    "S4-18",
    "constraint",
)
NVLINK_ASKED = Rule(
    "nvlink-asked",
    "`interconnect: nvlink` keeps machines whose devices are joined by NVLink or a fabric of their own.",
    "One training run over several devices exchanges gradients all the time; over PCIe that is markedly slower.",
    "S1-05, S1-09, S1-10",
    "constraint",
)
SPECIFIED = Rule(
    "known-specification-only",
    "A device whose maker published no peak rate is listed but not estimated.",
    "An estimate needs a figure to start from, and none is made up: Gaudi of DL1 is such a device.",
    "S1-15; Habana HL-205 datasheet",
    "constraint",
)
QUOTA = Rule(
    "quota",
    "No more machines of a family than the stated quota allows.",
    "An order beyond the quota fails.",
    "the HTTP contract",
    "constraint",
)
DEADLINE = Rule(
    "deadline-at-high-end",
    "A deadline is met when the high end of the time's range meets it.",
    "Eight runs in ten lie within the range, so nine in ten are in time.",
    "the HTTP contract",
    "constraint",
)
BUDGET = Rule(
    "budget-at-high-end",
    "A budget is met when the high end of the cost's range meets it.",
    "Nine runs in ten stay below it.",
    "the HTTP contract",
    "constraint",
)
LATENCY = Rule(
    "latency-at-high-end",
    "A latency target is met when the high end of the 95th percentile's range meets it.",
    "A service level is a promise about slow requests.",
    "the HTTP contract",
    "constraint",
)
RATE = Rule(
    "rate-at-low-end",
    "A rate is met when the low end of the capacity's range meets it.",
    "Machines for a rate must carry it even where they turn out slower than estimated.",
    "the HTTP contract",
    "constraint",
)

CONSTRAINT_RULES = (
    MACHINE_CONSTRAINT,
    RETIRED,
    RESTRICTED_REGIONS,
    PRICE_KNOWN,
    NETWORK_KNOWN,
    PRECISION,
    SOFTWARE,
    FAMILY_NAMES,
    NVLINK_ASKED,
    SPECIFIED,
    QUOTA,
    DEADLINE,
    BUDGET,
    LATENCY,
    RATE,
)
