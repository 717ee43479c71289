"""What the fits to the runs in clouds have seen.

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

from plimsoll_service.engine.known import Known

KNOWN: dict[str, Known] = {
    "cpu_serving": Known(
        architectures=frozenset(
            {
                "decoder",
            }
        ),
        models=frozenset(
            {
                "gemma-2-2b",
                "gemma-2b",
                "llama-3.1-8b",
                "llama-3.3-70b",
                "llama-7b",
                "qwen1.5-0.5b",
                "qwen2.5-0.5b",
                "smollm2-135m",
            }
        ),
        software=frozenset(
            {
                "llama.cpp stock",
                "vllm stock",
            }
        ),
        vectors=frozenset(
            {
                "amx",
                "avx2",
                "avx512_bf16",
                "avx512_vnni",
                "avx512f",
                "neon",
                "none",
                "sve",
                "sve2",
            }
        ),
    ),
    "serving": Known(
        architectures=frozenset(
            {
                "decoder",
            }
        ),
        models=frozenset(
            {
                "gemma-2-2b",
                "gemma-2b",
                "llama-3.1-8b",
                "llama-3.3-70b",
                "llama-7b",
                "qwen1.5-0.5b",
                "qwen2.5-0.5b",
                "smollm2-135m",
            }
        ),
        software=frozenset(
            {
                "llama.cpp stock",
                "vllm stock",
            }
        ),
        generations=frozenset(
            {
                "Ampere",
                "Hopper",
                "Volta",
            }
        ),
        cells={
            "gemma-2-2b 16-bit vllm stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-NVL H100-SXM H200",
            "gemma-2b int4 llama.cpp stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-SXM H200 V100-16GB V100-32GB",
            "llama-3.1-8b 16-bit vllm stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-NVL H100-SXM H200",
            "llama-3.3-70b int4 llama.cpp stock": "A100-40GB A100-80GB A100-80GB-PCIe V100-16GB V100-32GB",
            "llama-3.3-70b int4 vllm stock": "H100-SXM H200",
            "llama-7b int4 llama.cpp stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-SXM H200 V100-16GB V100-32GB",
            "qwen1.5-0.5b int4 llama.cpp stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-SXM H200 V100-16GB V100-32GB",
            "qwen2.5-0.5b 16-bit vllm stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-NVL H100-SXM",
            "smollm2-135m 16-bit vllm stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-NVL H100-SXM H200",
            "smollm2-135m int4 llama.cpp stock": "A100-40GB A100-80GB A100-80GB-PCIe H100-SXM H200 V100-16GB V100-32GB",
        },
    ),
}
