"""The fitted coefficients, as ``plimsoll-service calibrate`` writes them: one module a form."""

from plimsoll_service.engine.coefficients import Coefficients
from plimsoll_service.engine.effects import Effects
from plimsoll_service.engine.fitted import cpu_serving, serving, serving_hosts
from plimsoll_service.engine.fitted.effects import LEVELS
from plimsoll_service.engine.fitted.lightgbm import LIGHTGBM
from plimsoll_service.engine.fitted.matches import MATCHES
from plimsoll_service.engine.fitted.measured import MEASURED
from plimsoll_service.engine.fitted.memory import TRAINING_MEMORY
from plimsoll_service.engine.fitted.roofline import ROOFLINE
from plimsoll_service.engine.fitted.scaling import SCALING
from plimsoll_service.engine.fitted.token_training import TOKEN_TRAINING
from plimsoll_service.engine.fitted.xgboost import XGBOOST
from plimsoll_service.engine.fitted.xgboost_on_gpu import XGBOOST_ON_GPU
from plimsoll_service.engine.measured import parsed
from plimsoll_service.engine.serving_coefficients import Serving

SERVING = Serving(
    device=serving.DEVICE,
    tensorrt_llm=serving.TENSORRT_LLM,
    sglang=serving.SGLANG,
    llama_cpp=serving.LLAMA_CPP,
    neuron=serving.NEURON,
    pytorch=serving.PYTORCH,
    host=serving_hosts.HOST,
    vllm=serving_hosts.VLLM,
    cpu=cpu_serving.CPU,
    decode=cpu_serving.DECODE,
    prefill=cpu_serving.PREFILL,
    decode_llama_cpp=cpu_serving.DECODE_LLAMA_CPP,
    prefill_llama_cpp=cpu_serving.PREFILL_LLAMA_CPP,
)
FITTED = Coefficients(
    roofline=ROOFLINE,
    scaling=SCALING,
    effects=Effects(LEVELS, MATCHES),
    measured=parsed(MEASURED),
    memory=TRAINING_MEMORY,
    serving=SERVING,
    token_training=TOKEN_TRAINING,
    xgboost=XGBOOST,
    lightgbm=LIGHTGBM,
    xgboost_on_gpu=XGBOOST_ON_GPU,
)
