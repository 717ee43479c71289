"""Rules for the choice of the best eligible machine."""

from functools import partial

from plimsoll_service.engine.rules.rule import Rule

_rule = partial(Rule, phase="choice")

COST = _rule(
    "objective-cost",
    "Lowest expected cost of the whole job. For serving at a given rate: lowest expected USD per hour; with a day's load, of its mean hour as scheduled. For serving without a rate: lowest expected USD per million.",
    "Once the deadline and the budget are met, the cost matters most.",
    "the HTTP contract; S2-13, S4-02, S4-04, S4-05",
)
TIME = _rule(
    "objective-time",
    "Shortest expected time of the job. For serving: lowest expected latency, then highest throughput.",
    "If time is the most expensive resource, the fastest machine is the right one.",
    "the HTTP contract; S1-03, S2-13, S4-01, S4-03, S4-06",
)
PERFORMANCE_PER_COST = _rule(
    "objective-performance-per-cost",
    "Lowest expected hourly price per unit of throughput (USD per hour divided by throughput).",
    "Instance families are usually compared by this ratio.",
    "S0-03, S0-04, S0-06, S1-03, S4-05",
)
BALANCED = _rule(
    "objective-balanced",
    "Lowest expected cost × (expected time)^0.26: half the time is worth a fifth more money. Every time below one hour counts as one hour, and the part of the time beyond a week weighs twice as much. For a service: lowest expected cost × √(latency + 200 ms); without a given load, this is the latency of a single request. The score is multiplied by 1.10 on accelerators that need rebuilt software (AMD), and by 1.50 on those that need recompiled software (Neuron, TPU, Gaudi). For a service, recompiled software adds at least 0.50 USD per hour, whatever the size of the service. The score is multiplied by 1.10 where nobody reports that the software runs there, for a run on several machines, and for XGBoost on several GPUs.",
    "A shorter job is worth more money, in proportion to its cost. Porting or distributing a program costs work that no price shows. A small service has little to share that work among.",
    "a decision of this project; S2-12, S4-07, S4-16",
)
EXPECTED = _rule(
    "expected-value",
    "Cost, time and throughput are ranked by their expected values. An expected value is the mean of a log-normal distribution that has low and high as its 10th and 90th percentiles. Where the price is uncertain, it is multiplied by the mean of the price.",
    "A wide range holds expensive outcomes that its middle does not show.",
    "the HTTP contract",
)
ENGINE = _rule(
    "engine-made-for-it",
    "Where the request names no framework, an answer for speech, translation or texts to embed names the engine that is made for such models, with a choice that costs at least a fifth less than the first one with the assumed framework, and takes no more than a tenth longer, or meets the stated time. Without any option, such engines are among what may be loosened (`relax`).",
    "What is assumed is a script of the user's own. An engine for just these models often needs fewer machines; state `framework` to size for it.",
    "a decision of this project",
)
FIRST_TOKEN = _rule(
    "first-token",
    "If you state the load of a language model and no latency, a slow first token counts as cost. If it takes more than 2,000 ms at the 95th percentile, the expected cost is multiplied by (first token ÷ 2,000 ms)^0.26: half the time is worth a fifth more money. If it takes more than 10 seconds, the cost also grows in proportion to that time.",
    "MLPerf allows its servers two seconds for a conversation, and after ten people turn to other work. Nobody asked to wait longer for a few percent of the cost. State `latency_ms` to set a limit.",
    "mlcommons/inference_policies@ac93e89c inference_rules.adoc (2026-07-23); Nielsen, Usability Engineering, 1993; a decision of this project",
)
UNPROVEN = _rule(
    "unproven",
    "The expected value of an option counts 1.25 times in these cases: no measurement supports its estimate; nobody reports that its software runs there; it waits for a disk of unknown speed; it takes several listings of a marketplace. For a service under a stated load, every listing of a marketplace counts 1.25 times that.",
    "An engineer takes an untried machine only if it saves a fifth. Of a marketplace's hosts, nobody publishes how long they stay; a service must.",
    "the HTTP contract",
)
STARVED = _rule(
    "starved",
    "If a machine has fewer than half of the vCPUs that the work needs, its expected value is multiplied by half of the vCPUs needed, divided by its own. Inference needs at least 2 for each device.",
    "No measurement shows what so few vCPUs do: measured runs had 2 or more per device, and for training 4 are usual.",
    "S1-01, S3-03, S3-06, S3-07, S3-09; a decision of this project",
)
LEAVING = _rule(
    "data-leave-continent",
    "If `dataset.region` says where the data are, an option on another continent, or at an unknown place, counts 1.25 times its expected value: it must save a fifth. A warning says so.",
    "Law and contracts often bind data to their region, and moving them is a decision of its own. A few percent do not pay for it. State `regions` to rule it out.",
    "a decision of this project",
)
SURE_FIRST = _rule(
    "sure-first",
    "If the high end of the range of a job's best option is over three times the low end, another option may come first. It is the best of those whose range is at most half as wide and whose expected cost is at most 1.3 times as high. Where the objective counts the time, that is at most 1.3 times as long too.",
    "Between options that cost about the same, an engineer takes the one that is known better.",
    "a decision of this project",
)
SIMPLER_FIRST = _rule(
    "simpler-first",
    "For a job, an option with at most half the devices, and no more machines, comes before one whose score for `cost` or `balanced` is less than a tenth better. If the difference is less than one USD, the limit is a fifth. The simpler option may take at most a tenth longer, where less than an hour counts as one. One machine comes before several that save less than a third, or less than one USD. Under `balanced`, the third is a fifth of the score, or a tenth where the one machine takes half as long again; one USD counts if it takes at most an hour. Where machines exchange nothing (services, inference, preprocessing and experiments), the third does not count. There, each halving of the number of machines is worth a twentieth of the cost (`balanced`: a tenth of the score), and each machine of a job is worth one USD. This holds on less than twice the devices, and for at most half as much time again (`balanced`: a tenth). Several GPUs of XGBoost count as so many machines here, since a process works on one. For a service, an option with half the devices on no more machines comes before one whose score is less than a tenth better. Where machines exchange nothing, a simpler option counts at most a twentieth more, or 3 USD for a job, or one USD a day for a service; a job under `cost` without a deadline has no such bound. Supported software comes before untested software in the same way. Three kinds of option never come first for being simpler: a less proven one, one with a disk whose unknown price counts, and a host of a marketplace. The reason for the rank says when this rule decided.",
    "Each device needs a process, and each machine must be obtained, started, connected and watched. Untested software may not run at all. More than a twentieth is money that the scripts of a fleet save.",
    "the HTTP contract; a decision of this project",
)
AS_GOOD = _rule(
    "as-good-first",
    "Under the objective `time`, the cheapest of the options within a tenth of the fastest one comes first if it costs at least a fifth less. The cheapest of those within a third comes first if it costs at most half. Under `cost`, the fastest of a job's options within a twentieth of the cheapest one comes first if it takes half the time, to a hundredth, with no more machines, and is no less proven. Under `balanced`, a job may have options that cost less than 3 USD more than the best one and take at most half its time, with no more machines or devices, and are no less proven. Of these, the one with the least cost × time comes first, if that is less than the best one's. Jobs of less than an hour are left as they are, and less than an hour counts as one. For a service under load that states no latency, half the latency counts as half the time under `cost`; 200 ms are short enough.",
    "No estimate is so sure. Nobody pays several times as much for a hundredth of the time, or waits twice as long for a hundredth of the money. Nobody waits a night to save the cost of two minutes of an engineer (110 USD an hour).",
    "a decision of this project; S4-16",
)
HEADROOM = _rule(
    "headroom",
    "A service whose choice carries hardly more than the stated requests per second or users at the unfavourable end of its range, less than equal machines differ by (5%), says so. Under `cost`, of options within a twentieth of the cheapest one, on no more machines and no less proven, the best one with that room comes first.",
    "The next machine of the same type may be slower by that much, and a load is seldom known to a twentieth.",
    "throughput study, section 6; a decision of this project",
)
FASTER = _rule(
    "faster-choice",
    "Under the objective `cost`, the first choice of a job names the option with the lowest product of expected cost and time, if that meets every limit and takes at most half the time. The option is no less proven, has no fewer vCPUs for its work and no more machines; where each machine does runs of its own, it may have more machines of the same type. Under `balanced`, the first choice names the best of those that take at most half the time. Less than an hour counts as one. Under `time`, it names the fastest option of any number of machines that saves a fifth of the time.",
    "Cost alone does not count the time that somebody waits, and `balanced` counts it by ratios alone. State a deadline or the objective `time` to get it.",
    "a decision of this project; S2-13",
)
UNSURE = _rule(
    "cheaper-but-unsure",
    "The first choice names an option that costs at least a tenth less and meets the limits at its estimate, but not over its whole range. For the objective `time`, it names one that takes at least a tenth less time on no more machines. These limits are the deadline and budget of a job, and the latency and rate of a service. It also names one machine fewer, if that costs so much less and holds at least 95% of the users.",
    "A limit is met if the unfavourable end meets it. Who can live with a miss saves money, or time; less than a tenth is less than any estimate is sure of. Equal machines differ by 4 to 6%, so a few users more or less decide nothing.",
    "a decision of this project",
)
OWN_LEFT_OUT = _rule(
    "own-machine-left-out",
    "The first choice says why a machine of your own is not listed, reckoned with all that there are of it. If its devices hold too little and states in the host memory (`offload`) are a remedy, it names that, with the time; without any choice, `relax` does. Entries that are alike do not share the work; one with `max_nodes` does.",
    "A machine that is paid for already is asked after first.",
    "a decision of this project",
)
ONE_OF_EACH = _rule(
    "one-of-each-hardware",
    "Each kind of hardware of a cloud (accelerators and their number per machine, or the processor) is listed once, as its best machine and node count. The next best ones are its alternatives. `group: none` lists every option.",
    "Five variants of one machine are no choice.",
    "the HTTP contract",
)
WHY_THIS_RANK = _rule(
    "why-this-rank",
    "The first choice is compared with the second, and every other choice with the first, by expected cost and time.",
    "A ranking is useful only if its reason is clear.",
    "the HTTP contract",
)
NODES_NEEDED = _rule(
    "nodes-needed",
    "A type is listed with the fewest machines that meet every limit. Under `balanced`, it is listed with the fewest that also finish within a week. More machines are listed where inference costs at least a fifth less on them. Twice as many are listed where a run that takes several machines anyway costs at least 2% less on them, in half the time, to a hundredth. For the objective `time`, the number is doubled as long as each doubling saves a fifth of the time, where less than an hour counts as one. It is not doubled if another type's fleet of no more machines beats the first on both time and cost. Under `balanced`, every number that does independent runs side by side is listed too.",
    "Each further machine must be obtained, started, connected and watched: 16 machines that end minutes before two are no choice of an engineer. Independent runs take less time on more machines, at about the same cost.",
    "the HTTP contract; a decision of this project",
)
FRONTIER = _rule(
    "frontier",
    "The frontier contains the machines that no other machine beats on both cost and time.",
    "Every other machine is worse than one of them on both counts.",
    "the HTTP contract",
)
CHEAPEST_REGION = _rule(
    "cheapest-region",
    "Each machine and purchase option is listed in its cheapest allowed region. The other regions are listed with it.",
    "Only the price depends on the region. The price of the machine alone decides the region; its disk price and its interruption rate are then those of that region.",
    "the HTTP contract",
)
OWN_DISCOUNT = _rule(
    "own-discount",
    "Your discount is subtracted from the list price. If several discounts apply, the largest one counts.",
    "You pay the agreed price, not the list price.",
    "the user's or operator's pricing agreements",
)
OWN_COMMITMENT = _rule(
    "own-commitment",
    "On demand, a reserved or savings-plan price applies if it is below the list price or the discounted price. It applies to as many machines as the commitment covers. Each further machine costs the same as without the commitment. Discounts do not reduce a committed price.",
    "Committed capacity has its own price, and only for the agreed number of machines.",
    "the user's or operator's pricing agreements",
)
TIE_BREAK = _rule(
    "tie-break",
    "Options with equal scores are ordered by cost, time, fewer machines, more vCPUs, memory, devices, network and local disk, then by cloud and name.",
    "The same question always gets the same order. A larger machine at the same price is never ranked lower.",
    "a decision of this project",
)
BEATEN = _rule(
    "beaten",
    "A machine that could do the work is not ranked first if another machine scores better for the objective.",
    'Every machine has an answer to "why not this one".',
    "the HTTP contract",
)
