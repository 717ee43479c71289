"""Rules that say which of the possible machines is best."""

from plimsoll_service.engine.rules.rule import Rule

COST = Rule(
    "objective-cost",
    "Lowest cost of the whole job; serving at a given rate: lowest USD per hour; without a rate: lowest USD per million.",
    "What is paid is what counts once deadline and budget hold.",
    "the HTTP contract; S2-13, S4-02, S4-04, S4-05",
    "choice",
)
TIME = Rule(
    "objective-time",
    "Shortest time of the job; serving: lowest latency, then highest throughput.",
    "Where time is the dearest cost, the fastest machine is right.",
    "the HTTP contract; S1-03, S2-13, S4-01, S4-03, S4-06",
    "choice",
)
PERFORMANCE_PER_COST = Rule(
    "objective-performance-per-cost",
    "Most throughput per USD and hour.",
    "The ratio by which instance families are customarily compared.",
    "S0-03, S0-04, S0-06, S1-03, S4-05",
    "choice",
)
BALANCED = Rule(
    "objective-balanced",
    "Lowest cost × √(time + 8 h) (serving: latency, of a lone request where no load is given, + 200 ms), times 1.10 on accelerators that need the software rebuilt (AMD), 1.50 on those that need it recompiled (Neuron, TPU, Gaudi; for a service at least 0.50 USD an hour, whatever its size), and 1.10 for a job spread over several machines.",
    "Long jobs are worth shortening, but hardly below a working day; porting or distributing a program costs work that no price shows, and a small service has little to share that work among.",
    "a decision of this project; S4-07, S4-16",
    "choice",
)
FRONTIER = Rule(
    "frontier",
    "The frontier holds the machines that no other beats on both cost and time.",
    "Everything else is worse on both counts.",
    "the HTTP contract",
    "choice",
)
CHEAPEST_REGION = Rule(
    "cheapest-region",
    "Each machine and purchase option stands at its cheapest allowed region; others are listed with it.",
    "Only the price depends on the region. The cheapest is that of the machine alone: its disk's price and its rate of interruptions are then those of that region.",
    "the HTTP contract",
    "choice",
)
OWN_DISCOUNT = Rule(
    "own-discount",
    "A discount of one's own is taken off the list price; of several that apply the largest counts.",
    "What is paid decides, not what is listed.",
    "the user's or operator's own terms",
    "choice",
)
OWN_COMMITMENT = Rule(
    "own-commitment",
    "On demand, a reserved or savings-plan price counts where it is below the list or discounted price, for as many machines as it holds for; further machines cost what they would without. Discounts are not taken off it.",
    "Capacity that is agreed beforehand is paid for at its own price, and only as much of it as was agreed.",
    "the user's or operator's own terms",
    "choice",
)
TIE_BREAK = Rule(
    "tie-break",
    "Equal scores are ordered by cost, time, fewer machines, more vCPUs, memory, devices, network and local disk, then cloud and name.",
    "The same question always gets the same order, and more for the same money is never ranked below.",
    "a decision of this project",
    "choice",
)
BEATEN = Rule(
    "beaten",
    "A machine that could do the work is not recommended first where another scores better by the objective.",
    'Every machine has an answer to "why not this one".',
    "the HTTP contract",
    "choice",
)

CHOICE_RULES = (
    COST,
    TIME,
    PERFORMANCE_PER_COST,
    BALANCED,
    FRONTIER,
    CHEAPEST_REGION,
    OWN_DISCOUNT,
    OWN_COMMITMENT,
    TIE_BREAK,
    BEATEN,
)
