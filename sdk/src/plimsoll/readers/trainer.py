"""Hugging Face's ``trainer_state.json``."""

from __future__ import annotations

from plimsoll.readers.reading import HARDWARE, Content, Reading, Record, number, stated, whole

TOOL = "Hugging Face Trainer"
LEAST_LOGGED = 2


def recognises(content: Content) -> bool:
    """Whether the file is a trainer's state."""
    return {"log_history", "global_step", "train_batch_size"} <= content.first.keys()


def read(content: Content) -> Reading:
    """Return the measurement: tokens per second after the first logged steps, or else the rate of the whole run."""
    state = content.first
    entries: list[Record] = [one for one in state["log_history"] if isinstance(one, dict)]
    unseen = [HARDWARE, "the precision", "the accelerators' memory"]
    tokens = _tokens_per_second(entries)
    rates = (number(one, "train_samples_per_second") for one in entries)
    samples = next((rate for rate in rates if rate), None)
    if tokens is None and samples is not None:
        unseen.append("the warm-up, the evaluations and the checkpoints: they are in the time of the whole run")
        unseen.append("the tokens of a sample, where the answer is in tokens/s: give tokens_per_sample")
    if tokens is None and samples is None:
        unseen.append("the throughput: the state was saved before the training ended")
    found = stated(throughput=tokens or samples, batch_size=whole(number(state, "train_batch_size")))
    said = {"unit": "tokens/s" if tokens else "samples/s", "samples_per_s_of_the_whole_run": samples}
    return Reading(TOOL, [found], unseen, said)


def _tokens_per_second(entries: list[Record]) -> float | None:
    """Tokens per second between the first and the last logged step; the time before the first is warm-up."""
    points = [
        (tokens, seconds)
        for one in entries
        if "loss" in one
        and (tokens := number(one, "num_input_tokens_seen"))
        and (seconds := number(one, "train_runtime"))
    ]
    if len(points) < LEAST_LOGGED:
        return None
    (before, begun), (after, ended) = points[0], points[-1]
    return (after - before) / (ended - begun) if ended > begun else None
