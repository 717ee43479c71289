"""Memory of a served model: weights, cache, activations and the server itself, on each device and on the host."""

from __future__ import annotations

import numpy as np

from ...columns import columnar
from ...demand.host_process import SYSTEM_GIB
from ...demand.job import Job
from ...demand.served_model import NEURON, PYTORCH, Lengths, Served, kept, kv_gib_per_sequence, kv_tokens, unwindowed
from ...hardware import Floats
from ...machines import Machines
from ...obstacles import LOADING
from ...units import GB, GIB
from ..outcome import MemoryColumns
from ..requirements import copies_on_host, recommended_usable_share
from .replica import chosen_experts

# Prompt tokens that a server takes up in one step, on large devices and others, and sequences that it samples at once:
# vllm-project/vllm: vllm/engine/arg_utils.py, releases of 2025.
LARGE_GIB, LARGE_STEP, STEP, SAMPLED = 70.0, 8192.0, 2048.0, 256.0
SMALLER_STEP = ("A100", "A800")  # devices that have the smaller step whatever their memory, likewise
# Live at once in a layer: input, residual, queries and the attention's output; gate, value and product inside.
LIVE_WIDTHS, LIVE_INNER, ACTIVATION_BYTES, LOGIT_BYTES = 4.0, 3.0, 2.0, 4.0
WITHOUT_GRAPHS = (NEURON, PYTORCH)  # engines that capture no graphs of kernels
ROUNDING = 1 + 1e-9  # keeps a need that just fits from exceeding the room in the last digit


@columnar
class DeviceRoom:
    """GiB on each device of a replica: fixed parts, the cache of one request, and what the server may use."""

    weights: Floats
    framework: Floats
    graphs: Floats
    activations: Floats
    prompt: Floats  # of a request: its prompt's activations, if a batch reads all at once, or what its steps copy; or 0
    request: Floats  # cache of one request at the asked lengths, as it is shared among the devices
    longest: Floats  # of one of the longest that must fit, where it lies
    token: Floats  # of one token of context, before windows, likewise
    usable: Floats

    @property
    def fixed(self) -> Floats:
        """All but the cache."""
        return self.weights + self.framework + self.graphs + self.activations

    def at(self, load: Floats) -> MemoryColumns:
        """The need where so many requests run, each at its full length."""
        load = np.maximum(load, 1.0)
        cache, activations = np.fmax(self.request * load, self.longest), self.activations + self.prompt * load
        parts = {
            "weights": self.weights,
            "kv_cache": cache,
            "activations": activations,
            "cuda_graphs": self.graphs,
            "framework": self.framework,
        }
        return MemoryColumns(self.fixed + self.prompt * load + cache, self.usable, parts)

    def places(self, within: Floats) -> Floats:
        """Requests whose cache fits in so many GiB; 0 where one of the longest does not."""
        room = within - self.fixed
        return np.where(room * ROUNDING < self.longest, 0.0, room * ROUNDING / (self.request + self.prompt))


def device_room(
    model: Served, machines: Machines, n: Floats, held: Floats, wide: Floats, longest_tokens: Lengths = 0.0
) -> DeviceRoom:
    """Memory of each of the ``held`` devices of a replica, ``n`` of which work on one step; NaN where there are none.

    ``wide``: 1 where attention is data-parallel: each device has all of it, and the whole cache of its requests.
    ``longest_tokens``: a context of which the cache holds at least one.
    """
    fit, on_device = model.fit.device, machines.has_accelerator()
    held, alone = np.where(on_device, held, np.nan), np.where(wide > 0, n, 1.0)
    repeated = model.dense_weights * (alone - 1.0)  # attention that every device has whole
    token = model.kept_bytes / GIB * np.where(wide > 0, 1.0, model.kv_copies(n)) / held
    usable = machines.device_memory_gib * machines.usable_memory_share * model.memory_share
    usable = np.where(machines.unified, np.minimum(usable, machines.device_memory_gib - SYSTEM_GIB), usable)
    graphs = 0.0 if model.layer_split or model.engine_name in WITHOUT_GRAPHS else fit.graphs_gib
    return DeviceRoom(
        weights=(model.total_bytes + repeated) / GIB / held,
        framework=np.where(on_device, fit.overhead_gb * GB / GIB, np.nan),
        graphs=np.where(on_device, np.where(machines.compiled_chip, 0.0, graphs), np.nan),
        activations=np.where(on_device, _step_gib(model, machines, n), np.nan),
        prompt=np.maximum(_token_gib(model, n) * model.prompt * (model.engine_name == PYTORCH), _copied_gib(model, n)),
        request=token * kv_tokens(model),
        longest=token * alone * kept(model, longest_tokens),
        token=token * alone,
        usable=usable,
    )


def _step_gib(model: Served, machines: Machines, n: Floats) -> Floats:
    """One layer's tensors of the prompt tokens of a step, and the words' scores of the sequences that are sampled.

    Eager PyTorch has no such steps: it reads the prompts of its batch at once (huggingface/transformers,
    generation/utils.py, 2026: a prefill without chunks by default).
    """
    small = np.array([name.startswith(SMALLER_STEP) for name in machines.accelerator_name], dtype=bool)
    step = np.where((machines.device_memory_gib >= LARGE_GIB) & ~small, LARGE_STEP, STEP)
    if model.layer_split:
        step = np.full(len(machines), model.fit.device.prefill_chunk_llama_cpp)
    read = np.zeros_like(n) if model.engine_name == PYTORCH else step * _token_gib(model, n)
    return read + SAMPLED * model.dims.vocabulary * LOGIT_BYTES / GIB


def _token_gib(model: Served, n: Floats) -> Floats:
    """What one layer's tensors of a token of the prompt take on each of ``n`` devices."""
    moe, dims = model.dims.moe, model.dims
    inner = dims.feed_forward if moe is None else moe.active * moe.feed_forward + moe.shared_feed_forward
    return (LIVE_WIDTHS * dims.hidden_size + LIVE_INNER * inner / n) * ACTIVATION_BYTES / GIB


def _copied_gib(model: Served, n: Floats) -> Floats:
    """What a step copies of a request's cache, a layer at a time: as it grows, and for each head of queries.

    Or of the experts of its token, which follow in the same layer.
    """
    copies = 1.0 + (model.head_groups if model.head_groups > 1 else 0.0)
    layer = model.kv_bytes * kv_tokens(model) / model.dims.layers * model.kv_copies(n) / n
    moe = model.dims.moe
    experts = chosen_experts(model) * model.expert_bytes / moe.moe_layers if moe is not None and model.gathered else 0.0
    return np.maximum(layer * copies, experts) / GIB * model.recopied


def places_of(job: Job, room: DeviceRoom) -> Floats:
    """Requests that a replica has room for.

    A recommendation leaves its margin; a server takes more only where not even one request has room in that.
    """
    reserved = room.places(room.usable * recommended_usable_share(job))
    return np.where(reserved >= 1, reserved, room.places(room.usable))


def longest_tokens(job: Job) -> float:
    """Tokens of the longest request that the cache must hold."""
    workload = job.workload
    return float(max(workload.max_model_len or 0, (workload.input_tokens or 1) + (workload.output_tokens or 1)))


def longest_context(job: Job, model: Served, machines: Machines, room: DeviceRoom) -> Floats:
    """Tokens of the longest context that a lone request can have, as far as the model goes."""
    within = room.usable * recommended_usable_share(job)
    least = np.where((within - room.fixed) * ROUNDING >= room.request + room.prompt, within, room.usable)
    on_host = host_room(job, model, machines) / (model.kept_bytes / GIB)
    each = room.token + room.prompt / model.prompt
    tokens = np.where(machines.has_accelerator(), (least - room.fixed) * ROUNDING / each, on_host)
    at_once = model.engine_name == PYTORCH  # what it reads grows with all of the context, whatever the windows
    tokens = np.maximum(tokens - model.image_context, 0.0)
    whole = tokens if model.keeps_chunks or at_once else unwindowed(model.dims, tokens)
    return np.clip(np.floor(whole), 0.0, float(model.dims.context_length))


def host_room(job: Job, model: Served, machines: Machines) -> Floats:
    """GiB for the cache in the host's memory, beside the model."""
    return machines.memory_gib - SYSTEM_GIB - job.host_base_gib - model.total_bytes / GIB


def places_in_host(job: Job, model: Served, machines: Machines) -> Floats:
    """Requests whose cache fits beside the weights in the host's memory."""
    room = host_room(job, model, machines)
    longest = model.kept_bytes * kept(model, longest_tokens(job)) / GIB
    return np.where(room < longest, np.minimum(room, 0.0), room / kv_gib_per_sequence(model))


def host_memory(job: Job, model: Served, machines: Machines, span: Floats) -> MemoryColumns:
    """The server's process, through which the weights are loaded; on processors the model and its cache stay there.

    Files are mapped and their pages are kept until the devices have them; of a replica over ``span`` machines each
    loads its part.
    """
    on_device = machines.has_accelerator()
    devices = np.maximum(machines.devices, 1.0)
    framework = job.host_base_gib * devices
    held = np.where(on_device, 0.0, model.total_bytes / GIB + kv_gib_per_sequence(model))
    loading = np.where(on_device, copies_on_host(machines) * model.total_bytes / GIB / span, 0.0)
    loading = np.where(machines.unified, 0.0, loading)  # whose weights lie where the device reads them
    system = np.full(len(machines), SYSTEM_GIB)
    parts = {"system": system, "framework": framework, "model": held, LOADING: loading}
    return MemoryColumns(framework + held + loading + system, machines.memory_gib, parts)
