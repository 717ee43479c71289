"""Effects of architecture, software and device on ln(time of a step).

Written by ``plimsoll-service calibrate``; not edited by hand.
"""

LEVELS: dict[str, float] = {
    "architecture Ada-Lovelace-GDDR bert-base half": 0.009,  # ±0.11
    "architecture Ada-Lovelace-GDDR bert-base tf32": -0.006,  # ±0.11
    "architecture Ada-Lovelace-GDDR bert-large half": 0.02,  # ±0.11
    "architecture Ada-Lovelace-GDDR bert-large tf32": -0.022,  # ±0.11
    "architecture Ada-Lovelace-GDDR convnext-base half": -0.071,  # ±0.11
    "architecture Ada-Lovelace-GDDR convnext-large half": -0.071,  # ±0.11
    "architecture Ada-Lovelace-GDDR convnext-small half": -0.062,  # ±0.11
    "architecture Ada-Lovelace-GDDR convnext-tiny half": -0.054,  # ±0.11
    "architecture Ada-Lovelace-GDDR densenet121 half": 0.02,  # ±0.11
    "architecture Ada-Lovelace-GDDR densenet161 half": 0.011,  # ±0.11
    "architecture Ada-Lovelace-GDDR densenet169 half": 0.042,  # ±0.11
    "architecture Ada-Lovelace-GDDR densenet201 half": 0.039,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-b0 half": -0.045,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-b1 half": -0.011,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-b2 half": -0.013,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-b3 half": -0.006,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-b4 half": -0.004,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-b7 half": -0.007,  # ±0.11
    "architecture Ada-Lovelace-GDDR efficientnet-v2-s half": -0.016,  # ±0.11
    "architecture Ada-Lovelace-GDDR half": -0.102,  # ±0.08
    "architecture Ada-Lovelace-GDDR inception-v3 half": 0.017,  # ±0.11
    "architecture Ada-Lovelace-GDDR inception-v4 half": 0.007,  # ±0.11
    "architecture Ada-Lovelace-GDDR mobilenet-v1 half": -0.024,  # ±0.11
    "architecture Ada-Lovelace-GDDR mobilenet-v2 half": -0.014,  # ±0.11
    "architecture Ada-Lovelace-GDDR mobilenet-v3-large half": -0.023,  # ±0.11
    "architecture Ada-Lovelace-GDDR mobilenet-v3-small half": -0.038,  # ±0.11
    "architecture Ada-Lovelace-GDDR ncf half": -0.016,  # ±0.11
    "architecture Ada-Lovelace-GDDR ncf tf32": 0.024,  # ±0.11
    "architecture Ada-Lovelace-GDDR resnet101 half": 0.01,  # ±0.11
    "architecture Ada-Lovelace-GDDR resnet152 half": 0.011,  # ±0.11
    "architecture Ada-Lovelace-GDDR resnet200 half": 0.013,  # ±0.11
    "architecture Ada-Lovelace-GDDR resnet50 half": 0.026,  # ±0.10
    "architecture Ada-Lovelace-GDDR resnext101-32x4d half": 0.01,  # ±0.11
    "architecture Ada-Lovelace-GDDR resnext50-32x4d half": 0.022,  # ±0.11
    "architecture Ada-Lovelace-GDDR se-resnext101-32x4d half": 0.023,  # ±0.11
    "architecture Ada-Lovelace-GDDR se-resnext50-32x4d half": 0.034,  # ±0.11
    "architecture Ada-Lovelace-GDDR swin-base half": 0.066,  # ±0.11
    "architecture Ada-Lovelace-GDDR swin-large half": 0.048,  # ±0.11
    "architecture Ada-Lovelace-GDDR swin-small half": 0.084,  # ±0.11
    "architecture Ada-Lovelace-GDDR swin-tiny half": 0.081,  # ±0.11
    "architecture Ada-Lovelace-GDDR tacotron2 half": -0.027,  # ±0.11
    "architecture Ada-Lovelace-GDDR tacotron2 tf32": -0.041,  # ±0.11
    "architecture Ada-Lovelace-GDDR tf32": -0.065,  # ±0.09
    "architecture Ada-Lovelace-GDDR transformer-xl-base half": -0.032,  # ±0.11
    "architecture Ada-Lovelace-GDDR transformer-xl-base tf32": -0.014,  # ±0.11
    "architecture Ada-Lovelace-GDDR vgg11 half": 0.02,  # ±0.11
    "architecture Ada-Lovelace-GDDR vgg13 half": 0.024,  # ±0.11
    "architecture Ada-Lovelace-GDDR vgg16 half": 0.021,  # ±0.11
    "architecture Ada-Lovelace-GDDR vit-base half": -0.048,  # ±0.11
    "architecture Ada-Lovelace-GDDR vit-huge half": -0.065,  # ±0.11
    "architecture Ada-Lovelace-GDDR vit-large half": -0.076,  # ±0.11
    "architecture Ada-Lovelace-GDDR vit-small half": -0.034,  # ±0.11
    "architecture Ada-Lovelace-GDDR waveglow half": -0.011,  # ±0.11
    "architecture Ada-Lovelace-GDDR waveglow tf32": -0.036,  # ±0.11
    "architecture Ada-Lovelace-GDDR wide-resnet50-2 half": -0.031,  # ±0.11
    "architecture Ampere bert-base half": -0.067,  # ±0.09
    "architecture Ampere bert-base tf32": -0.071,  # ±0.09
    "architecture Ampere bert-large half": -0.043,  # ±0.08
    "architecture Ampere bert-large tf32": -0.025,  # ±0.09
    "architecture Ampere dlrm half": -0.014,  # ±0.11
    "architecture Ampere dlrm tf32": -0.024,  # ±0.11
    "architecture Ampere efficientdet-d0 half": 0.163,  # ±0.10
    "architecture Ampere efficientdet-d0 tf32": 0.078,  # ±0.11
    "architecture Ampere efficientnet-b0 half": 0.034,  # ±0.10
    "architecture Ampere efficientnet-v2-s half": 0.043,  # ±0.11
    "architecture Ampere efficientnet-v2-s tf32": 0.005,  # ±0.11
    "architecture Ampere fastpitch half": 0.024,  # ±0.11
    "architecture Ampere fastpitch tf32": -0.057,  # ±0.11
    "architecture Ampere half": 0.065,  # ±0.08
    "architecture Ampere ncf half": 0.026,  # ±0.09
    "architecture Ampere ncf tf32": 0.013,  # ±0.10
    "architecture Ampere quartznet half": 0.067,  # ±0.11
    "architecture Ampere quartznet tf32": 0.004,  # ±0.11
    "architecture Ampere resnet50 byte": 0.004,  # ±0.11
    "architecture Ampere resnet50 half": -0.038,  # ±0.08
    "architecture Ampere resnet50 tf32": 0.057,  # ±0.09
    "architecture Ampere ssd300 half": -0.007,  # ±0.09
    "architecture Ampere ssd300 tf32": -0.019,  # ±0.09
    "architecture Ampere tacotron2 half": -0.05,  # ±0.10
    "architecture Ampere tacotron2 tf32": 0.05,  # ±0.10
    "architecture Ampere tf32": 0.025,  # ±0.08
    "architecture Ampere transformer-xl-base half": -0.005,  # ±0.09
    "architecture Ampere transformer-xl-base tf32": -0.016,  # ±0.10
    "architecture Ampere unet half": -0.03,  # ±0.11
    "architecture Ampere unet tf32": 0.031,  # ±0.11
    "architecture Ampere unet-industrial half": 0.017,  # ±0.11
    "architecture Ampere unet-industrial tf32": 0.03,  # ±0.11
    "architecture Ampere waveglow half": -0.047,  # ±0.10
    "architecture Ampere waveglow tf32": -0.034,  # ±0.10
    "architecture Ampere wide-and-deep half": 0.022,  # ±0.11
    "architecture Ampere wide-and-deep tf32": 0.019,  # ±0.11
    "architecture Ampere-GDDR bert-base half": -0.018,  # ±0.09
    "architecture Ampere-GDDR bert-base tf32": 0.051,  # ±0.09
    "architecture Ampere-GDDR bert-large half": -0.011,  # ±0.09
    "architecture Ampere-GDDR bert-large tf32": 0.135,  # ±0.09
    "architecture Ampere-GDDR convnext-base half": -0.013,  # ±0.11
    "architecture Ampere-GDDR convnext-large half": -0.005,  # ±0.11
    "architecture Ampere-GDDR convnext-small half": -0.008,  # ±0.11
    "architecture Ampere-GDDR convnext-tiny half": -0.005,  # ±0.11
    "architecture Ampere-GDDR densenet121 half": -0.007,  # ±0.11
    "architecture Ampere-GDDR densenet161 half": -0.01,  # ±0.11
    "architecture Ampere-GDDR densenet169 half": 0.009,  # ±0.11
    "architecture Ampere-GDDR densenet201 half": 0.009,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b0 half": -0.034,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b1 half": -0.012,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b2 half": -0.011,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b3 half": -0.005,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b5 half": 0.012,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b6 half": 0.008,  # ±0.11
    "architecture Ampere-GDDR efficientnet-b7 half": -0.01,  # ±0.11
    "architecture Ampere-GDDR efficientnet-v2-l half": -0.013,  # ±0.11
    "architecture Ampere-GDDR efficientnet-v2-s half": -0.017,  # ±0.11
    "architecture Ampere-GDDR half": -0.012,  # ±0.07
    "architecture Ampere-GDDR inception-v3 half": 0.019,  # ±0.11
    "architecture Ampere-GDDR mobilenet-v2 half": -0.005,  # ±0.11
    "architecture Ampere-GDDR mobilenet-v3-large half": 0.006,  # ±0.11
    "architecture Ampere-GDDR ncf tf32": 0.017,  # ±0.09
    "architecture Ampere-GDDR resnet101 half": -0.027,  # ±0.11
    "architecture Ampere-GDDR resnet152 half": -0.021,  # ±0.11
    "architecture Ampere-GDDR resnet18 half": -0.014,  # ±0.11
    "architecture Ampere-GDDR resnet200 half": -0.021,  # ±0.11
    "architecture Ampere-GDDR resnet34 half": -0.005,  # ±0.11
    "architecture Ampere-GDDR resnet50 tf32": -0.026,  # ±0.09
    "architecture Ampere-GDDR resnext101-32x4d half": -0.02,  # ±0.11
    "architecture Ampere-GDDR resnext101-32x8d half": 0.006,  # ±0.11
    "architecture Ampere-GDDR resnext50-32x4d half": -0.021,  # ±0.11
    "architecture Ampere-GDDR se-resnext101-32x4d half": 0.015,  # ±0.11
    "architecture Ampere-GDDR se-resnext50-32x4d half": 0.009,  # ±0.11
    "architecture Ampere-GDDR ssd300 half": 0.017,  # ±0.09
    "architecture Ampere-GDDR ssd300 tf32": -0.036,  # ±0.09
    "architecture Ampere-GDDR swin-base half": 0.025,  # ±0.11
    "architecture Ampere-GDDR swin-large half": 0.009,  # ±0.11
    "architecture Ampere-GDDR swin-small half": 0.046,  # ±0.11
    "architecture Ampere-GDDR swin-tiny half": 0.066,  # ±0.11
    "architecture Ampere-GDDR tacotron2 half": -0.015,  # ±0.09
    "architecture Ampere-GDDR tacotron2 tf32": -0.146,  # ±0.10
    "architecture Ampere-GDDR tf32": 0.011,  # ±0.07
    "architecture Ampere-GDDR transformer-xl-base half": -0.164,  # ±0.09
    "architecture Ampere-GDDR transformer-xl-base tf32": -0.041,  # ±0.09
    "architecture Ampere-GDDR vgg11 half": 0.026,  # ±0.11
    "architecture Ampere-GDDR vgg13 half": 0.006,  # ±0.11
    "architecture Ampere-GDDR vgg16 half": -0.014,  # ±0.11
    "architecture Ampere-GDDR vgg19 half": -0.015,  # ±0.11
    "architecture Ampere-GDDR vit-base half": 0.022,  # ±0.11
    "architecture Ampere-GDDR vit-large half": 0.007,  # ±0.11
    "architecture Ampere-GDDR vit-small half": 0.057,  # ±0.11
    "architecture Ampere-GDDR waveglow half": 0.164,  # ±0.09
    "architecture Ampere-GDDR waveglow tf32": 0.062,  # ±0.09
    "architecture Ampere-GDDR wide-resnet50-2 half": -0.035,  # ±0.11
    "architecture Blackwell-GDDR convnext-small half": -0.015,  # ±0.11
    "architecture Blackwell-GDDR densenet121 half": 0.008,  # ±0.11
    "architecture Blackwell-GDDR densenet201 half": 0.021,  # ±0.11
    "architecture Blackwell-GDDR efficientnet-v2-s half": 0.005,  # ±0.11
    "architecture Blackwell-GDDR half": -0.038,  # ±0.09
    "architecture Blackwell-GDDR inception-v4 half": 0.007,  # ±0.11
    "architecture Blackwell-GDDR resnet101 half": -0.007,  # ±0.11
    "architecture Blackwell-GDDR resnet152 half": -0.007,  # ±0.11
    "architecture Blackwell-GDDR resnet50 half": 0.01,  # ±0.11
    "architecture Blackwell-GDDR resnext101-32x4d half": 0.016,  # ±0.11
    "architecture Blackwell-GDDR se-resnext101-32x4d half": 0.021,  # ±0.11
    "architecture Blackwell-GDDR swin-tiny half": 0.049,  # ±0.11
    "architecture Blackwell-GDDR vgg16 half": -0.02,  # ±0.11
    "architecture Blackwell-GDDR vgg19 half": -0.018,  # ±0.11
    "architecture Blackwell-GDDR vit-base half": -0.036,  # ±0.11
    "architecture Blackwell-GDDR vit-small half": -0.062,  # ±0.11
    "architecture Blackwell-GDDR wide-resnet50-2 half": -0.026,  # ±0.11
    "architecture Hopper bert-base half": -0.024,  # ±0.10
    "architecture Hopper bert-base tf32": -0.008,  # ±0.10
    "architecture Hopper bert-large byte": 0.01,  # ±0.11
    "architecture Hopper bert-large half": -0.05,  # ±0.10
    "architecture Hopper bert-large tf32": -0.045,  # ±0.10
    "architecture Hopper byte": 0.01,  # ±0.10
    "architecture Hopper half": 0.111,  # ±0.08
    "architecture Hopper ncf half": 0.056,  # ±0.10
    "architecture Hopper ncf tf32": -0.091,  # ±0.10
    "architecture Hopper resnet50 byte": 0.014,  # ±0.11
    "architecture Hopper resnet50 half": 0.098,  # ±0.10
    "architecture Hopper resnet50 tf32": 0.019,  # ±0.10
    "architecture Hopper retinanet byte": -0.01,  # ±0.11
    "architecture Hopper ssd300 half": 0.065,  # ±0.10
    "architecture Hopper ssd300 tf32": 0.015,  # ±0.10
    "architecture Hopper tacotron2 half": -0.052,  # ±0.10
    "architecture Hopper tacotron2 tf32": 0.155,  # ±0.10
    "architecture Hopper tf32": 0.051,  # ±0.08
    "architecture Hopper transformer-xl-base half": 0.068,  # ±0.10
    "architecture Hopper transformer-xl-base tf32": 0.055,  # ±0.11
    "architecture Hopper waveglow tf32": -0.027,  # ±0.10
    "architecture Inferentia1-GDDR bert-base chip": -0.11,  # ±0.11
    "architecture Inferentia1-GDDR chip": -0.168,  # ±0.09
    "architecture Inferentia1-GDDR distilbert-base chip": -0.049,  # ±0.11
    "architecture Inferentia1-GDDR resnet50 chip": -0.083,  # ±0.12
    "architecture Kepler-GDDR alexnet-ungrouped single": -0.019,  # ±0.11
    "architecture Kepler-GDDR char-embedding-lstm single": -0.063,  # ±0.11
    "architecture Kepler-GDDR fasttext single": 0.016,  # ±0.11
    "architecture Kepler-GDDR inception-bn single": 0.053,  # ±0.11
    "architecture Kepler-GDDR lstm-text-generation single": -0.041,  # ±0.11
    "architecture Kepler-GDDR mnist-cnn single": 0.039,  # ±0.11
    "architecture Kepler-GDDR mnist-mlp single": 0.013,  # ±0.11
    "architecture Kepler-GDDR resnet50 single": 0.041,  # ±0.11
    "architecture Kepler-GDDR single": 0.027,  # ±0.09
    "architecture Maxwell-GDDR alexnet single": -0.047,  # ±0.09
    "architecture Maxwell-GDDR alexnet-two-towers single": 0.045,  # ±0.11
    "architecture Maxwell-GDDR googlenet single": 0.023,  # ±0.10
    "architecture Maxwell-GDDR overfeat single": -0.072,  # ±0.10
    "architecture Maxwell-GDDR resnet101 single": 0.032,  # ±0.10
    "architecture Maxwell-GDDR resnet200 single": 0.032,  # ±0.10
    "architecture Maxwell-GDDR resnet50 single": 0.04,  # ±0.10
    "architecture Maxwell-GDDR rnn-1024 single": -0.045,  # ±0.10
    "architecture Maxwell-GDDR rnn-128 single": 0.066,  # ±0.11
    "architecture Maxwell-GDDR rnn-512 single": 0.035,  # ±0.10
    "architecture Maxwell-GDDR single": 0.055,  # ±0.09
    "architecture Maxwell-GDDR vgg11 single": -0.035,  # ±0.10
    "architecture Pascal googlenet single": 0.102,  # ±0.10
    "architecture Pascal resnet101 single": 0.021,  # ±0.10
    "architecture Pascal resnet18 single": -0.013,  # ±0.10
    "architecture Pascal resnet200 single": 0.018,  # ±0.10
    "architecture Pascal resnet34 single": -0.015,  # ±0.10
    "architecture Pascal resnet50 single": 0.05,  # ±0.09
    "architecture Pascal single": 0.099,  # ±0.09
    "architecture Pascal vgg19 single": -0.018,  # ±0.10
    "architecture TPU-v4 chip": 0.017,  # ±0.09
    "architecture TPU-v4 sdxl chip": 0.025,  # ±0.11
    "architecture TPU-v5e chip": -0.029,  # ±0.09
    "architecture TPU-v5e sdxl chip": -0.041,  # ±0.11
    "architecture Trainium1 bert-base chip": 0.083,  # ±0.11
    "architecture Trainium1 chip": 0.07,  # ±0.10
    "architecture Trainium1 distilbert-base chip": 0.022,  # ±0.11
    "architecture Turing-GDDR bert-base half": 0.025,  # ±0.09
    "architecture Turing-GDDR bert-base single": 0.019,  # ±0.10
    "architecture Turing-GDDR bert-large half": -0.02,  # ±0.09
    "architecture Turing-GDDR half": 0.039,  # ±0.07
    "architecture Turing-GDDR ncf half": -0.056,  # ±0.09
    "architecture Turing-GDDR ncf single": -0.036,  # ±0.11
    "architecture Turing-GDDR resnet50 half": -0.023,  # ±0.09
    "architecture Turing-GDDR resnet50 single": -0.059,  # ±0.10
    "architecture Turing-GDDR single": -0.061,  # ±0.08
    "architecture Turing-GDDR ssd300 half": -0.042,  # ±0.09
    "architecture Turing-GDDR ssd300 single": -0.038,  # ±0.10
    "architecture Turing-GDDR tacotron2 half": 0.085,  # ±0.09
    "architecture Turing-GDDR tacotron2 single": -0.016,  # ±0.10
    "architecture Turing-GDDR transformer-xl-base half": 0.117,  # ±0.09
    "architecture Turing-GDDR transformer-xl-base single": 0.037,  # ±0.10
    "architecture Turing-GDDR waveglow half": -0.031,  # ±0.09
    "architecture Volta alexnet-ungrouped single": -0.048,  # ±0.11
    "architecture Volta bert-base half": -0.031,  # ±0.10
    "architecture Volta bert-base single": 0.011,  # ±0.10
    "architecture Volta bert-large half": -0.028,  # ±0.09
    "architecture Volta bert-large single": 0.035,  # ±0.10
    "architecture Volta dlrm half": -0.034,  # ±0.11
    "architecture Volta dlrm single": -0.009,  # ±0.11
    "architecture Volta efficientdet-d0 half": 0.052,  # ±0.10
    "architecture Volta efficientdet-d0 single": 0.128,  # ±0.11
    "architecture Volta efficientnet-b0 half": 0.102,  # ±0.10
    "architecture Volta efficientnet-b0 single": -0.033,  # ±0.11
    "architecture Volta efficientnet-v2-s half": 0.037,  # ±0.11
    "architecture Volta efficientnet-v2-s single": -0.023,  # ±0.11
    "architecture Volta faster-rcnn single": -0.016,  # ±0.11
    "architecture Volta fastpitch half": -0.042,  # ±0.11
    "architecture Volta fastpitch single": 0.025,  # ±0.11
    "architecture Volta half": 0.039,  # ±0.08
    "architecture Volta inception-bn half": 0.07,  # ±0.11
    "architecture Volta inception-bn single": -0.067,  # ±0.11
    "architecture Volta mask-rcnn single": -0.042,  # ±0.11
    "architecture Volta ncf half": -0.032,  # ±0.10
    "architecture Volta ncf single": 0.023,  # ±0.10
    "architecture Volta quartznet half": -0.023,  # ±0.11
    "architecture Volta quartznet single": -0.01,  # ±0.12
    "architecture Volta resnet50 half": -0.042,  # ±0.08
    "architecture Volta resnet50 single": -0.036,  # ±0.09
    "architecture Volta single": -0.041,  # ±0.09
    "architecture Volta ssd300 half": -0.051,  # ±0.10
    "architecture Volta ssd300 single": 0.036,  # ±0.10
    "architecture Volta tacotron2 half": 0.051,  # ±0.10
    "architecture Volta tacotron2 single": -0.037,  # ±0.11
    "architecture Volta transformer-xl-base half": 0.055,  # ±0.09
    "architecture Volta transformer-xl-base single": -0.006,  # ±0.10
    "architecture Volta unet half": -0.028,  # ±0.11
    "architecture Volta unet single": 0.024,  # ±0.11
    "architecture Volta unet-industrial single": -0.036,  # ±0.11
    "architecture Volta waveglow half": 0.011,  # ±0.10
    "architecture Volta wide-and-deep half": 0.02,  # ±0.11
    "architecture Volta wide-and-deep single": 0.023,  # ±0.11
    "architecture Volta yolov5l half": -0.065,  # ±0.11
    "architecture Volta yolov5m half": -0.023,  # ±0.11
    "architecture Volta yolov5n half": 0.079,  # ±0.11
    "architecture Volta yolov5s half": 0.064,  # ±0.11
    "architecture Volta yolov5x half": -0.082,  # ±0.11
    "chip A100 half": 0.065,  # ±0.08
    "chip A100 tf32": 0.025,  # ±0.08
    "chip A40 half": 0.014,  # ±0.08
    "chip A40 tf32": 0.026,  # ±0.08
    "chip GH200 byte": -0.027,  # ±0.09
    "chip GH200 half": 0.04,  # ±0.08
    "chip GH200 tf32": 0.038,  # ±0.08
    "chip GTX-1080 single": 0.075,  # ±0.08
    "chip H100 byte": 0.035,  # ±0.08
    "chip H100 half": 0.016,  # ±0.08
    "chip H100 tf32": -0.007,  # ±0.08
    "chip H200 half": 0.056,  # ±0.08
    "chip H200 tf32": 0.02,  # ±0.08
    "chip Inferentia chip": -0.168,  # ±0.09
    "chip K80 single": 0.027,  # ±0.09
    "chip RTX-2070 half": 0.03,  # ±0.09
    "chip RTX-2070 single": -0.04,  # ±0.09
    "chip RTX-2080 half": -0.019,  # ±0.08
    "chip RTX-2080 single": -0.1,  # ±0.08
    "chip RTX-2080-Ti half": -0.008,  # ±0.08
    "chip RTX-2080-Ti single": -0.034,  # ±0.08
    "chip RTX-3070 half": -0.009,  # ±0.08
    "chip RTX-3080 half": 0.034,  # ±0.08
    "chip RTX-3080 tf32": 0.025,  # ±0.08
    "chip RTX-3090 half": -0.019,  # ±0.08
    "chip RTX-3090 tf32": -0.011,  # ±0.08
    "chip RTX-4090 half": -0.068,  # ±0.09
    "chip RTX-5000-Turing half": -0.025,  # ±0.08
    "chip RTX-5000-Turing single": 0.021,  # ±0.08
    "chip RTX-5090 half": -0.038,  # ±0.09
    "chip RTX-6000-Ada half": -0.034,  # ±0.09
    "chip RTX-6000-Ada tf32": -0.065,  # ±0.09
    "chip RTX-6000-Turing half": 0.007,  # ±0.08
    "chip RTX-6000-Turing single": 0.024,  # ±0.08
    "chip RTX-8000-Turing half": 0.02,  # ±0.08
    "chip RTX-8000-Turing single": 0.053,  # ±0.08
    "chip RTX-A4000 half": 0.012,  # ±0.08
    "chip RTX-A4500 half": -0.024,  # ±0.08
    "chip RTX-A4500 tf32": -0.012,  # ±0.08
    "chip RTX-A5000 half": 0.018,  # ±0.08
    "chip RTX-A5000 tf32": 0.041,  # ±0.08
    "chip RTX-A5500 half": -0.019,  # ±0.08
    "chip RTX-A5500 tf32": -0.023,  # ±0.08
    "chip RTX-A6000 half": -0.019,  # ±0.08
    "chip RTX-A6000 tf32": -0.037,  # ±0.08
    "chip TPU-v4 chip": 0.017,  # ±0.09
    "chip TPU-v5e chip": -0.029,  # ±0.09
    "chip Titan-RTX half": 0.034,  # ±0.08
    "chip Titan-RTX single": 0.015,  # ±0.08
    "chip Titan-X-Maxwell single": 0.055,  # ±0.09
    "chip Titan-X-Pascal single": 0.025,  # ±0.08
    "chip Trainium1 chip": 0.07,  # ±0.10
    "chip V100 half": 0.039,  # ±0.08
    "chip V100 single": -0.041,  # ±0.09
    "consumer matrix": -0.105,  # ±0.07
    "consumer plain": -0.011,  # ±0.09
    "device A100-40GB": 0.011,  # ±0.06
    "device A100-40GB-PCIe": -0.008,  # ±0.06
    "device A100-80GB": 0.026,  # ±0.06
    "device A100-80GB half": 0.008,  # ±0.05
    "device A100-80GB tf32": 0.006,  # ±0.05
    "device A100-80GB-PCIe": 0.031,  # ±0.06
    "device A100-80GB-PCIe half": 0.014,  # ±0.05
    "device A40": 0.025,  # ±0.07
    "device A40 half": 0.005,  # ±0.06
    "device A40 tf32": 0.009,  # ±0.06
    "device GH200": 0.032,  # ±0.06
    "device GH200 byte": -0.01,  # ±0.06
    "device GH200 half": 0.014,  # ±0.06
    "device GH200 tf32": 0.014,  # ±0.06
    "device GTX-1080": 0.048,  # ±0.07
    "device GTX-1080 single": 0.027,  # ±0.06
    "device H100-NVL": 0.042,  # ±0.07
    "device H100-NVL byte": 0.023,  # ±0.06
    "device H100-PCIe byte": 0.005,  # ±0.06
    "device H100-SXM": -0.016,  # ±0.06
    "device H100-SXM byte": -0.016,  # ±0.06
    "device H100-SXM half": 0.006,  # ±0.06
    "device H200": 0.05,  # ±0.06
    "device H200 half": 0.02,  # ±0.06
    "device H200 tf32": 0.007,  # ±0.06
    "device Inferentia": -0.108,  # ±0.08
    "device Inferentia chip": -0.061,  # ±0.06
    "device K80": 0.017,  # ±0.08
    "device K80 single": 0.01,  # ±0.06
    "device RTX-2070-Max-Q": -0.007,  # ±0.07
    "device RTX-2070-Max-Q half": 0.011,  # ±0.06
    "device RTX-2070-Max-Q single": -0.014,  # ±0.06
    "device RTX-2080-Max-Q": -0.016,  # ±0.07
    "device RTX-2080-Max-Q single": -0.011,  # ±0.06
    "device RTX-2080-Super-Max-Q": -0.06,  # ±0.07
    "device RTX-2080-Super-Max-Q half": -0.009,  # ±0.06
    "device RTX-2080-Super-Max-Q single": -0.025,  # ±0.06
    "device RTX-2080-Ti": -0.027,  # ±0.07
    "device RTX-2080-Ti single": -0.012,  # ±0.06
    "device RTX-3070": -0.004,  # ±0.07
    "device RTX-3080": -0.041,  # ±0.07
    "device RTX-3080 half": -0.025,  # ±0.06
    "device RTX-3080-Laptop": 0.079,  # ±0.07
    "device RTX-3080-Laptop half": 0.037,  # ±0.06
    "device RTX-3080-Laptop tf32": 0.007,  # ±0.06
    "device RTX-3090": -0.019,  # ±0.07
    "device RTX-3090 half": -0.007,  # ±0.06
    "device RTX-4090": -0.044,  # ±0.07
    "device RTX-4090 half": -0.024,  # ±0.06
    "device RTX-5000-Turing half": -0.009,  # ±0.06
    "device RTX-5000-Turing single": 0.008,  # ±0.06
    "device RTX-5090": -0.024,  # ±0.07
    "device RTX-5090 half": -0.014,  # ±0.06
    "device RTX-6000-Ada": -0.063,  # ±0.07
    "device RTX-6000-Ada half": -0.012,  # ±0.06
    "device RTX-6000-Ada tf32": -0.023,  # ±0.06
    "device RTX-6000-Turing": 0.02,  # ±0.07
    "device RTX-6000-Turing single": 0.009,  # ±0.06
    "device RTX-8000-Turing": 0.047,  # ±0.07
    "device RTX-8000-Turing half": 0.007,  # ±0.06
    "device RTX-8000-Turing single": 0.019,  # ±0.06
    "device RTX-A4000": 0.008,  # ±0.07
    "device RTX-A4000 half": 0.004,  # ±0.06
    "device RTX-A4500": -0.023,  # ±0.07
    "device RTX-A4500 half": -0.009,  # ±0.06
    "device RTX-A4500 tf32": -0.004,  # ±0.06
    "device RTX-A5000": 0.038,  # ±0.07
    "device RTX-A5000 half": 0.006,  # ±0.06
    "device RTX-A5000 tf32": 0.015,  # ±0.06
    "device RTX-A5500": -0.027,  # ±0.07
    "device RTX-A5500 half": -0.007,  # ±0.06
    "device RTX-A5500 tf32": -0.008,  # ±0.06
    "device RTX-A6000": -0.036,  # ±0.07
    "device RTX-A6000 half": -0.007,  # ±0.06
    "device RTX-A6000 tf32": -0.013,  # ±0.06
    "device TPU-v4": 0.011,  # ±0.08
    "device TPU-v4 chip": 0.006,  # ±0.06
    "device TPU-v5e": -0.018,  # ±0.08
    "device TPU-v5e chip": -0.01,  # ±0.06
    "device Titan-RTX": 0.031,  # ±0.07
    "device Titan-RTX half": 0.012,  # ±0.06
    "device Titan-RTX single": 0.005,  # ±0.06
    "device Titan-X-Maxwell": 0.035,  # ±0.07
    "device Titan-X-Maxwell single": 0.02,  # ±0.06
    "device Titan-X-Pascal": 0.016,  # ±0.07
    "device Titan-X-Pascal single": 0.009,  # ±0.06
    "device Trainium1": 0.045,  # ±0.08
    "device Trainium1 chip": 0.025,  # ±0.06
    "device V100-16GB": -0.016,  # ±0.06
    "device V100-16GB half": 0.012,  # ±0.05
    "device V100-16GB single": -0.021,  # ±0.05
    "device V100-32GB": 0.015,  # ±0.06
    "device V100-32GB single": 0.006,  # ±0.05
    "family cnn chip": -0.229,  # ±0.18
    "family cnn cpu": -0.201,  # ±0.11
    "family cnn matrix": -0.047,  # ±0.11
    "family cnn plain": 0.039,  # ±0.12
    "family decoder matrix": 0.063,  # ±0.16
    "family decoder plain": 0.087,  # ±0.17
    "family detection cpu": -0.02,  # ±0.16
    "family detection matrix": 0.546,  # ±0.12
    "family detection plain": 0.187,  # ±0.14
    "family diffusion chip": -0.045,  # ±0.19
    "family encoder chip": -0.162,  # ±0.17
    "family encoder cpu": -0.075,  # ±0.15
    "family encoder matrix": 0.051,  # ±0.14
    "family encoder plain": 0.186,  # ±0.15
    "family mlp cpu": 0.1,  # ±0.14
    "family mlp plain": 0.081,  # ±0.16
    "family recommender matrix": -0.199,  # ±0.15
    "family recommender plain": 0.005,  # ±0.15
    "family rnn cpu": -0.141,  # ±0.15
    "family rnn plain": -0.136,  # ±0.15
    "family segmentation matrix": 0.044,  # ±0.16
    "family segmentation plain": -0.034,  # ±0.17
    "family speech matrix": 0.091,  # ±0.14
    "family speech plain": -0.1,  # ±0.15
    "framework caffe inference": 0.103,  # ±0.09
    "framework caffe training": 0.116,  # ±0.09
    "framework chainer inference": -0.01,  # ±0.09
    "framework chainer training": 0.041,  # ±0.09
    "framework cuda-convnet2 inference": 0.02,  # ±0.09
    "framework cuda-convnet2 training": 0.049,  # ±0.09
    "framework jax inference": -0.018,  # ±0.09
    "framework jax training": -0.005,  # ±0.09
    "framework keras inference": -0.036,  # ±0.09
    "framework keras training": 0.074,  # ±0.09
    "framework mxnet inference": -0.014,  # ±0.09
    "framework mxnet training": -0.01,  # ±0.09
    "framework neon inference": -0.051,  # ±0.09
    "framework neon training": -0.072,  # ±0.09
    "framework neuron inference": -0.098,  # ±0.10
    "framework paddle inference": 0.086,  # ±0.09
    "framework paddle training": -0.031,  # ±0.09
    "framework pytorch inference": 0.041,  # ±0.09
    "framework pytorch training": -0.033,  # ±0.09
    "framework tensorflow inference": -0.028,  # ±0.09
    "framework tensorflow training": 0.014,  # ±0.09
    "framework tensorrt inference": -0.068,  # ±0.10
    "framework theano inference": -0.054,  # ±0.09
    "framework theano training": -0.017,  # ±0.09
    "framework torch7 inference": 0.039,  # ±0.09
    "framework torch7 training": -0.015,  # ±0.09
    "kin bert byte inference": 0.016,  # ±0.14
    "kin bert chip inference": -0.091,  # ±0.14
    "kin bert cpu_low inference": -0.044,  # ±0.14
    "kin bert half inference": -0.054,  # ±0.10
    "kin bert half training": 0.055,  # ±0.10
    "kin bert single inference": -0.044,  # ±0.13
    "kin bert single training": 0.148,  # ±0.12
    "kin bert tf32 inference": -0.105,  # ±0.11
    "kin bert tf32 training": 0.117,  # ±0.11
    "kin densenet": 0.43,  # ±0.14
    "kin densenet cpu inference": -0.071,  # ±0.11
    "kin densenet cpu_low inference": -0.044,  # ±0.12
    "kin densenet half inference": 0.221,  # ±0.12
    "kin diffusion": -0.101,  # ±0.25
    "kin diffusion chip inference": -0.025,  # ±0.14
    "kin dlrm": 0.024,  # ±0.18
    "kin dlrm half inference": 0.064,  # ±0.13
    "kin dlrm half training": -0.073,  # ±0.13
    "kin dlrm single inference": 0.011,  # ±0.14
    "kin dlrm single training": 0.012,  # ±0.13
    "kin dlrm tf32 inference": 0.03,  # ±0.14
    "kin dlrm tf32 training": -0.038,  # ±0.13
    "kin efficient": -0.028,  # ±0.12
    "kin efficient cpu inference": 0.146,  # ±0.10
    "kin efficient cpu_low inference": -0.131,  # ±0.11
    "kin efficient half inference": -0.02,  # ±0.10
    "kin efficient half training": -0.239,  # ±0.10
    "kin efficient single inference": 0.191,  # ±0.12
    "kin efficient single training": -0.079,  # ±0.12
    "kin efficient tf32 inference": 0.127,  # ±0.12
    "kin fastpitch": -0.316,  # ±0.19
    "kin fastpitch half inference": -0.155,  # ±0.13
    "kin fastpitch half training": 0.125,  # ±0.13
    "kin fastpitch single inference": -0.073,  # ±0.14
    "kin fastpitch single training": 0.112,  # ±0.14
    "kin fastpitch tf32 inference": -0.135,  # ±0.14
    "kin fastpitch tf32 training": 0.046,  # ±0.14
    "kin inception": 0.062,  # ±0.13
    "kin inception cpu inference": 0.013,  # ±0.10
    "kin inception cpu_low inference": -0.362,  # ±0.11
    "kin inception half inference": 0.159,  # ±0.12
    "kin inception half training": 0.033,  # ±0.12
    "kin inception single inference": 0.042,  # ±0.11
    "kin inception single training": 0.13,  # ±0.12
    "kin keras": 0.667,  # ±0.20
    "kin keras cpu training": 0.223,  # ±0.13
    "kin keras single training": -0.056,  # ±0.13
    "kin lstm": 0.348,  # ±0.19
    "kin lstm single inference": 0.168,  # ±0.12
    "kin lstm single training": -0.081,  # ±0.12
    "kin ncf": -0.462,  # ±0.19
    "kin ncf half training": -0.038,  # ±0.12
    "kin ncf single training": -0.02,  # ±0.13
    "kin ncf tf32 training": -0.057,  # ±0.13
    "kin plain": -0.057,  # ±0.12
    "kin plain cpu inference": 0.098,  # ±0.12
    "kin plain cpu_low inference": 0.133,  # ±0.13
    "kin plain half inference": 0.054,  # ±0.11
    "kin plain half training": 0.005,  # ±0.12
    "kin plain single inference": -0.162,  # ±0.10
    "kin plain single training": -0.142,  # ±0.10
    "kin quartznet": 0.239,  # ±0.20
    "kin quartznet half training": 0.069,  # ±0.14
    "kin quartznet single training": -0.016,  # ±0.14
    "kin quartznet tf32 training": 0.007,  # ±0.14
    "kin rcnn": -0.31,  # ±0.18
    "kin rcnn byte inference": -0.016,  # ±0.14
    "kin rcnn cpu_low inference": 0.029,  # ±0.14
    "kin rcnn single inference": -0.091,  # ±0.14
    "kin resnet byte inference": 0.029,  # ±0.13
    "kin resnet chip inference": -0.129,  # ±0.14
    "kin resnet cpu inference": 0.106,  # ±0.09
    "kin resnet cpu_low inference": -0.247,  # ±0.11
    "kin resnet half inference": 0.113,  # ±0.09
    "kin resnet half training": -0.133,  # ±0.09
    "kin resnet single inference": 0.129,  # ±0.10
    "kin resnet single training": 0.049,  # ±0.10
    "kin resnet tf32 inference": 0.032,  # ±0.13
    "kin resnet tf32 training": 0.051,  # ±0.11
    "kin ssd": -0.376,  # ±0.17
    "kin ssd half inference": 0.024,  # ±0.13
    "kin ssd half training": -0.052,  # ±0.12
    "kin ssd single inference": 0.022,  # ±0.14
    "kin ssd single training": -0.025,  # ±0.13
    "kin ssd tf32 inference": -0.022,  # ±0.14
    "kin ssd tf32 training": -0.04,  # ±0.12
    "kin tacotron": -0.274,  # ±0.19
    "kin tacotron half training": -0.013,  # ±0.13
    "kin tacotron single training": -0.083,  # ±0.13
    "kin tacotron tf32 training": 0.027,  # ±0.13
    "kin txl": 0.337,  # ±0.19
    "kin txl half training": 0.062,  # ±0.12
    "kin txl single training": 0.049,  # ±0.14
    "kin txl tf32 training": -0.026,  # ±0.13
    "kin unet": 0.023,  # ±0.18
    "kin unet half inference": -0.065,  # ±0.13
    "kin unet half training": -0.005,  # ±0.13
    "kin unet single training": -0.021,  # ±0.13
    "kin unet tf32 inference": 0.011,  # ±0.13
    "kin unet tf32 training": 0.084,  # ±0.13
    "kin waveglow": 0.329,  # ±0.19
    "kin waveglow half training": 0.134,  # ±0.13
    "kin waveglow tf32 training": -0.055,  # ±0.13
    "kin yolo": -0.331,  # ±0.17
    "kin yolo cpu inference": -0.04,  # ±0.13
    "kin yolo half inference": -0.042,  # ±0.13
    "laptop": -0.024,  # ±0.08
    "model alexnet": -0.05,  # ±0.09
    "model alexnet single inference": 0.005,  # ±0.07
    "model alexnet single training": -0.027,  # ±0.07
    "model alexnet-two-towers": 0.045,  # ±0.11
    "model alexnet-two-towers single inference": 0.009,  # ±0.08
    "model alexnet-two-towers single training": 0.011,  # ±0.08
    "model alexnet-ungrouped": -0.065,  # ±0.10
    "model alexnet-ungrouped single inference": -0.007,  # ±0.08
    "model alexnet-ungrouped single training": -0.023,  # ±0.08
    "model bert-base": -0.139,  # ±0.08
    "model bert-base chip inference": -0.012,  # ±0.08
    "model bert-base half inference": -0.015,  # ±0.08
    "model bert-base half training": -0.032,  # ±0.07
    "model bert-base single inference": -0.004,  # ±0.08
    "model bert-base single training": 0.017,  # ±0.08
    "model bert-base tf32 inference": -0.025,  # ±0.08
    "model bert-base tf32 training": 0.009,  # ±0.07
    "model bert-large": -0.074,  # ±0.08
    "model bert-large byte inference": 0.004,  # ±0.08
    "model bert-large cpu_low inference": -0.012,  # ±0.08
    "model bert-large half training": -0.056,  # ±0.07
    "model bert-large single inference": -0.008,  # ±0.08
    "model bert-large single training": 0.025,  # ±0.07
    "model bert-large tf32 inference": -0.005,  # ±0.08
    "model bert-large tf32 training": 0.024,  # ±0.07
    "model char-embedding-lstm": -0.113,  # ±0.10
    "model char-embedding-lstm cpu training": -0.022,  # ±0.08
    "model char-embedding-lstm single training": -0.028,  # ±0.08
    "model convnext-base": -0.088,  # ±0.10
    "model convnext-base half inference": -0.032,  # ±0.08
    "model convnext-base half training": -0.006,  # ±0.08
    "model convnext-large": -0.11,  # ±0.10
    "model convnext-large cpu inference": -0.015,  # ±0.08
    "model convnext-large half inference": -0.031,  # ±0.08
    "model convnext-small": -0.079,  # ±0.09
    "model convnext-small half inference": -0.034,  # ±0.08
    "model convnext-tiny": -0.074,  # ±0.09
    "model convnext-tiny cpu inference": -0.005,  # ±0.08
    "model convnext-tiny half inference": -0.025,  # ±0.08
    "model densenet121": 0.005,  # ±0.09
    "model densenet121 cpu_low inference": -0.011,  # ±0.08
    "model densenet121 half inference": 0.012,  # ±0.08
    "model densenet161": 0.028,  # ±0.09
    "model densenet161 cpu inference": -0.004,  # ±0.07
    "model densenet161 cpu_low inference": 0.016,  # ±0.08
    "model densenet161 half inference": 0.005,  # ±0.08
    "model densenet161 half training": -0.004,  # ±0.08
    "model densenet169": -0.017,  # ±0.09
    "model densenet169 cpu inference": -0.013,  # ±0.07
    "model densenet169 cpu_low inference": -0.018,  # ±0.08
    "model densenet169 half inference": 0.019,  # ±0.08
    "model densenet169 half training": 0.004,  # ±0.08
    "model densenet201": 0.052,  # ±0.10
    "model densenet201 cpu inference": -0.007,  # ±0.08
    "model densenet201 half inference": 0.027,  # ±0.08
    "model distilbert-base": -0.028,  # ±0.11
    "model distilbert-base chip inference": -0.012,  # ±0.08
    "model dlrm": -0.081,  # ±0.11
    "model dlrm half training": -0.021,  # ±0.08
    "model dlrm tf32 training": -0.011,  # ±0.08
    "model efficientdet-d0": 0.42,  # ±0.10
    "model efficientdet-d0 half inference": 0.126,  # ±0.08
    "model efficientdet-d0 half training": -0.03,  # ±0.08
    "model efficientdet-d0 single inference": 0.071,  # ±0.08
    "model efficientdet-d0 single training": -0.014,  # ±0.08
    "model efficientdet-d0 tf32 inference": 0.052,  # ±0.08
    "model efficientdet-d0 tf32 training": -0.017,  # ±0.08
    "model efficientnet-b0": 0.194,  # ±0.08
    "model efficientnet-b0 cpu inference": 0.034,  # ±0.07
    "model efficientnet-b0 cpu_low inference": 0.043,  # ±0.08
    "model efficientnet-b0 half inference": 0.027,  # ±0.07
    "model efficientnet-b0 single inference": -0.006,  # ±0.08
    "model efficientnet-b0 single training": -0.008,  # ±0.08
    "model efficientnet-b0 tf32 inference": -0.018,  # ±0.08
    "model efficientnet-b0 tf32 training": 0.016,  # ±0.08
    "model efficientnet-b1": 0.052,  # ±0.09
    "model efficientnet-b1 cpu inference": 0.033,  # ±0.08
    "model efficientnet-b1 half inference": -0.005,  # ±0.08
    "model efficientnet-b1 half training": -0.005,  # ±0.08
    "model efficientnet-b2": 0.035,  # ±0.09
    "model efficientnet-b2 cpu inference": 0.026,  # ±0.08
    "model efficientnet-b2 half inference": -0.005,  # ±0.08
    "model efficientnet-b2 half training": -0.005,  # ±0.08
    "model efficientnet-b3": 0.014,  # ±0.09
    "model efficientnet-b3 cpu inference": 0.013,  # ±0.08
    "model efficientnet-b3 half inference": -0.004,  # ±0.08
    "model efficientnet-b4": -0.018,  # ±0.10
    "model efficientnet-b4 cpu inference": -0.005,  # ±0.08
    "model efficientnet-b5": -0.022,  # ±0.10
    "model efficientnet-b5 cpu inference": -0.014,  # ±0.08
    "model efficientnet-b5 half training": 0.005,  # ±0.08
    "model efficientnet-b6": -0.006,  # ±0.10
    "model efficientnet-b6 cpu inference": -0.005,  # ±0.08
    "model efficientnet-b7": -0.017,  # ±0.10
    "model efficientnet-b7 half training": -0.005,  # ±0.08
    "model efficientnet-v2-l": -0.09,  # ±0.10
    "model efficientnet-v2-l cpu inference": -0.033,  # ±0.08
    "model efficientnet-v2-l half training": -0.006,  # ±0.08
    "model efficientnet-v2-m": -0.051,  # ±0.10
    "model efficientnet-v2-m cpu inference": -0.022,  # ±0.08
    "model efficientnet-v2-s cpu inference": -0.015,  # ±0.08
    "model efficientnet-v2-s half inference": 0.031,  # ±0.07
    "model efficientnet-v2-s half training": -0.008,  # ±0.08
    "model efficientnet-v2-s single inference": -0.01,  # ±0.08
    "model faster-rcnn": -0.016,  # ±0.11
    "model faster-rcnn single inference": -0.007,  # ±0.08
    "model fastpitch": -0.051,  # ±0.11
    "model fastpitch half inference": -0.044,  # ±0.08
    "model fastpitch half training": 0.036,  # ±0.08
    "model fastpitch single inference": -0.021,  # ±0.08
    "model fastpitch single training": 0.032,  # ±0.08
    "model fastpitch tf32 inference": -0.038,  # ±0.08
    "model fastpitch tf32 training": 0.013,  # ±0.08
    "model fasttext": 0.178,  # ±0.11
    "model fasttext cpu training": 0.072,  # ±0.08
    "model fasttext single training": 0.007,  # ±0.08
    "model googlenet": 0.087,  # ±0.09
    "model googlenet cpu inference": 0.011,  # ±0.08
    "model googlenet cpu_low inference": -0.028,  # ±0.08
    "model googlenet single inference": 0.018,  # ±0.07
    "model googlenet single training": 0.037,  # ±0.08
    "model inception-bn": -0.052,  # ±0.10
    "model inception-bn cpu inference": -0.009,  # ±0.07
    "model inception-bn cpu_low inference": -0.039,  # ±0.08
    "model inception-bn half inference": 0.031,  # ±0.08
    "model inception-bn single inference": -0.006,  # ±0.08
    "model inception-v3": -0.028,  # ±0.09
    "model inception-v3 cpu inference": 0.006,  # ±0.07
    "model inception-v3 cpu_low inference": -0.034,  # ±0.07
    "model inception-v3 half inference": 0.008,  # ±0.08
    "model inception-v3 half training": 0.008,  # ±0.08
    "model inception-v4 half inference": 0.006,  # ±0.08
    "model lstm-text-generation": -0.042,  # ±0.10
    "model lstm-text-generation single training": -0.018,  # ±0.08
    "model mask-rcnn": -0.042,  # ±0.11
    "model mask-rcnn single inference": -0.019,  # ±0.08
    "model mnist-cnn": 0.197,  # ±0.11
    "model mnist-cnn cpu training": 0.07,  # ±0.08
    "model mnist-cnn single training": 0.017,  # ±0.08
    "model mnist-mlp": -0.113,  # ±0.10
    "model mnist-mlp cpu training": -0.056,  # ±0.08
    "model mnist-mlp single training": 0.006,  # ±0.08
    "model mobilenet-v1": -0.098,  # ±0.09
    "model mobilenet-v1 cpu inference": 0.015,  # ±0.07
    "model mobilenet-v1 cpu_low inference": -0.048,  # ±0.08
    "model mobilenet-v1 half inference": -0.011,  # ±0.08
    "model mobilenet-v2": -0.15,  # ±0.09
    "model mobilenet-v2 cpu inference": -0.027,  # ±0.07
    "model mobilenet-v2 cpu_low inference": -0.032,  # ±0.08
    "model mobilenet-v2 half inference": -0.006,  # ±0.08
    "model mobilenet-v3-large": 0.03,  # ±0.10
    "model mobilenet-v3-large cpu inference": 0.021,  # ±0.08
    "model mobilenet-v3-large half inference": -0.01,  # ±0.08
    "model mobilenet-v3-small": 0.053,  # ±0.10
    "model mobilenet-v3-small cpu inference": 0.04,  # ±0.08
    "model mobilenet-v3-small half inference": -0.017,  # ±0.08
    "model ncf": -0.074,  # ±0.11
    "model ncf half training": -0.011,  # ±0.08
    "model ncf single training": -0.006,  # ±0.08
    "model ncf tf32 training": -0.016,  # ±0.08
    "model overfeat": -0.072,  # ±0.10
    "model overfeat single inference": -0.023,  # ±0.07
    "model overfeat single training": -0.008,  # ±0.07
    "model quartznet": 0.038,  # ±0.11
    "model quartznet half training": 0.02,  # ±0.08
    "model quartznet single training": -0.005,  # ±0.08
    "model resnet101": -0.016,  # ±0.08
    "model resnet101 cpu_low inference": -0.02,  # ±0.08
    "model resnet101 half training": -0.012,  # ±0.08
    "model resnet101 single inference": 0.019,  # ±0.08
    "model resnet101 single training": 0.004,  # ±0.08
    "model resnet152": -0.029,  # ±0.09
    "model resnet152 cpu inference": -0.005,  # ±0.08
    "model resnet152 half training": -0.009,  # ±0.08
    "model resnet18": 0.072,  # ±0.08
    "model resnet18 cpu inference": 0.025,  # ±0.07
    "model resnet18 cpu_low inference": 0.018,  # ±0.08
    "model resnet18 half training": -0.006,  # ±0.08
    "model resnet200 cpu inference": -0.018,  # ±0.08
    "model resnet200 half inference": 0.006,  # ±0.08
    "model resnet200 half training": -0.009,  # ±0.08
    "model resnet200 single inference": 0.015,  # ±0.08
    "model resnet200 single training": 0.007,  # ±0.08
    "model resnet34": -0.027,  # ±0.09
    "model resnet34 single inference": -0.005,  # ±0.08
    "model resnet50": 0.008,  # ±0.07
    "model resnet50 byte inference": 0.008,  # ±0.08
    "model resnet50 chip inference": -0.037,  # ±0.08
    "model resnet50 cpu inference": 0.046,  # ±0.07
    "model resnet50 cpu_low inference": -0.069,  # ±0.07
    "model resnet50 half inference": -0.006,  # ±0.07
    "model resnet50 half training": 0.022,  # ±0.07
    "model resnet50 single inference": 0.011,  # ±0.07
    "model resnet50 single training": 0.005,  # ±0.07
    "model resnet50 tf32 inference": 0.009,  # ±0.08
    "model resnet50 tf32 training": 0.014,  # ±0.08
    "model resnext101-32x4d": -0.026,  # ±0.09
    "model resnext101-32x4d cpu inference": -0.014,  # ±0.08
    "model resnext101-32x4d half inference": 0.012,  # ±0.08
    "model resnext101-32x4d half training": -0.009,  # ±0.08
    "model resnext101-32x8d": -0.026,  # ±0.10
    "model resnext101-32x8d cpu inference": -0.013,  # ±0.08
    "model resnext50-32x4d": -0.022,  # ±0.10
    "model resnext50-32x4d cpu inference": -0.01,  # ±0.08
    "model resnext50-32x4d half inference": 0.01,  # ±0.08
    "model resnext50-32x4d half training": -0.009,  # ±0.08
    "model retinanet": 0.009,  # ±0.11
    "model retinanet byte inference": -0.005,  # ±0.08
    "model retinanet cpu_low inference": 0.008,  # ±0.08
    "model rnn-1024": -0.045,  # ±0.10
    "model rnn-1024 single inference": -0.008,  # ±0.07
    "model rnn-1024 single training": -0.012,  # ±0.07
    "model rnn-128": 0.066,  # ±0.11
    "model rnn-128 single inference": 0.024,  # ±0.07
    "model rnn-128 single training": 0.006,  # ±0.08
    "model rnn-512": 0.035,  # ±0.10
    "model rnn-512 single inference": 0.032,  # ±0.07
    "model rnn-512 single training": -0.016,  # ±0.07
    "model sdxl": -0.016,  # ±0.12
    "model sdxl chip inference": -0.007,  # ±0.08
    "model se-resnext101-32x4d": 0.024,  # ±0.09
    "model se-resnext101-32x4d cpu inference": -0.015,  # ±0.08
    "model se-resnext101-32x4d half inference": 0.019,  # ±0.08
    "model se-resnext101-32x4d half training": 0.007,  # ±0.08
    "model se-resnext50-32x4d": 0.027,  # ±0.10
    "model se-resnext50-32x4d cpu inference": -0.008,  # ±0.08
    "model se-resnext50-32x4d half inference": 0.015,  # ±0.08
    "model se-resnext50-32x4d half training": 0.004,  # ±0.08
    "model ssd300": -0.06,  # ±0.11
    "model ssd300 half inference": 0.007,  # ±0.08
    "model ssd300 half training": -0.015,  # ±0.08
    "model ssd300 single inference": 0.006,  # ±0.08
    "model ssd300 single training": -0.007,  # ±0.08
    "model ssd300 tf32 inference": -0.006,  # ±0.08
    "model ssd300 tf32 training": -0.011,  # ±0.08
    "model swin-base": 0.11,  # ±0.10
    "model swin-base cpu inference": 0.008,  # ±0.08
    "model swin-base half inference": 0.029,  # ±0.08
    "model swin-base half training": 0.011,  # ±0.08
    "model swin-large": 0.037,  # ±0.10
    "model swin-large cpu inference": -0.009,  # ±0.08
    "model swin-large half inference": 0.022,  # ±0.08
    "model swin-large half training": 0.004,  # ±0.08
    "model swin-small": 0.154,  # ±0.10
    "model swin-small cpu inference": 0.01,  # ±0.08
    "model swin-small half inference": 0.037,  # ±0.08
    "model swin-small half training": 0.021,  # ±0.08
    "model swin-tiny": 0.212,  # ±0.10
    "model swin-tiny cpu inference": 0.008,  # ±0.08
    "model swin-tiny half inference": 0.058,  # ±0.08
    "model swin-tiny half training": 0.029,  # ±0.08
    "model tacotron2": -0.044,  # ±0.11
    "model tacotron2 single training": -0.024,  # ±0.08
    "model tacotron2 tf32 training": 0.008,  # ±0.08
    "model transformer-xl-base": 0.054,  # ±0.11
    "model transformer-xl-base half training": 0.018,  # ±0.08
    "model transformer-xl-base single training": 0.014,  # ±0.08
    "model transformer-xl-base tf32 training": -0.008,  # ±0.08
    "model unet half inference": -0.027,  # ±0.08
    "model unet single inference": 0.005,  # ±0.08
    "model unet single training": 0.005,  # ±0.08
    "model unet tf32 training": 0.014,  # ±0.08
    "model unet-industrial": 0.007,  # ±0.10
    "model unet-industrial half inference": 0.008,  # ±0.08
    "model unet-industrial single inference": -0.005,  # ±0.08
    "model unet-industrial single training": -0.011,  # ±0.08
    "model unet-industrial tf32 training": 0.01,  # ±0.08
    "model vgg11": 0.013,  # ±0.09
    "model vgg11 half inference": 0.01,  # ±0.08
    "model vgg11 half training": 0.012,  # ±0.08
    "model vgg11 single inference": -0.016,  # ±0.07
    "model vgg13": 0.031,  # ±0.10
    "model vgg13 half inference": 0.011,  # ±0.08
    "model vgg16": 0.061,  # ±0.09
    "model vgg16 cpu inference": 0.013,  # ±0.08
    "model vgg16 cpu_low inference": 0.02,  # ±0.08
    "model vgg16 half training": -0.006,  # ±0.08
    "model vgg19": 0.027,  # ±0.09
    "model vgg19 cpu inference": 0.014,  # ±0.08
    "model vgg19 cpu_low inference": 0.018,  # ±0.08
    "model vgg19 half inference": -0.007,  # ±0.08
    "model vgg19 half training": -0.006,  # ±0.08
    "model vgg19 single inference": -0.013,  # ±0.08
    "model vgg19 single training": 0.007,  # ±0.08
    "model vit-base": -0.09,  # ±0.10
    "model vit-base cpu inference": -0.013,  # ±0.08
    "model vit-base half inference": -0.037,  # ±0.08
    "model vit-base half training": 0.01,  # ±0.08
    "model vit-huge": -0.065,  # ±0.11
    "model vit-huge half inference": -0.029,  # ±0.08
    "model vit-large": -0.069,  # ±0.10
    "model vit-large half inference": -0.034,  # ±0.08
    "model vit-small": -0.047,  # ±0.10
    "model vit-small half inference": -0.043,  # ±0.08
    "model vit-small half training": 0.025,  # ±0.08
    "model waveglow": 0.053,  # ±0.11
    "model waveglow half training": 0.038,  # ±0.08
    "model waveglow tf32 training": -0.016,  # ±0.08
    "model wide-and-deep": 0.084,  # ±0.11
    "model wide-and-deep half inference": 0.018,  # ±0.08
    "model wide-and-deep single training": 0.007,  # ±0.08
    "model wide-and-deep tf32 inference": 0.009,  # ±0.08
    "model wide-resnet50-2": 0.016,  # ±0.09
    "model wide-resnet50-2 cpu inference": 0.048,  # ±0.08
    "model wide-resnet50-2 half inference": -0.026,  # ±0.08
    "model wide-resnet50-2 half training": -0.015,  # ±0.08
    "model yolov5l": -0.104,  # ±0.10
    "model yolov5l cpu inference": -0.018,  # ±0.08
    "model yolov5l half inference": -0.029,  # ±0.08
    "model yolov5m": -0.048,  # ±0.10
    "model yolov5m cpu inference": -0.011,  # ±0.08
    "model yolov5m half inference": -0.01,  # ±0.08
    "model yolov5n": 0.165,  # ±0.10
    "model yolov5n cpu inference": 0.038,  # ±0.08
    "model yolov5n half inference": 0.035,  # ±0.08
    "model yolov5s": 0.058,  # ±0.10
    "model yolov5s half inference": 0.028,  # ±0.08
    "model yolov5x": -0.125,  # ±0.10
    "model yolov5x cpu inference": -0.019,  # ±0.08
    "model yolov5x half inference": -0.036,  # ±0.08
    "port caffe|stock alexnet-two-towers inference": 0.009,  # ±0.08
    "port caffe|stock alexnet-two-towers single inference": 0.015,  # ±0.09
    "port caffe|stock alexnet-two-towers single training": 0.017,  # ±0.09
    "port caffe|stock alexnet-two-towers training": 0.011,  # ±0.08
    "port caffe|stock googlenet inference": 0.05,  # ±0.08
    "port caffe|stock googlenet single inference": 0.079,  # ±0.09
    "port caffe|stock googlenet single training": 0.085,  # ±0.09
    "port caffe|stock googlenet training": 0.054,  # ±0.08
    "port caffe|stock overfeat inference": 0.024,  # ±0.08
    "port caffe|stock overfeat single inference": 0.037,  # ±0.09
    "port caffe|stock overfeat single training": 0.014,  # ±0.09
    "port caffe|stock overfeat training": 0.009,  # ±0.08
    "port caffe|stock vgg11 inference": -0.017,  # ±0.08
    "port caffe|stock vgg11 single inference": -0.027,  # ±0.09
    "port chainer|stock alexnet inference": -0.007,  # ±0.08
    "port chainer|stock alexnet single inference": -0.011,  # ±0.09
    "port chainer|stock alexnet single training": 0.022,  # ±0.09
    "port chainer|stock alexnet training": 0.014,  # ±0.08
    "port chainer|stock googlenet single training": -0.014,  # ±0.09
    "port chainer|stock googlenet training": -0.009,  # ±0.08
    "port chainer|stock overfeat inference": -0.006,  # ±0.08
    "port chainer|stock overfeat single inference": -0.01,  # ±0.09
    "port chainer|stock overfeat single training": 0.031,  # ±0.09
    "port chainer|stock overfeat training": 0.02,  # ±0.08
    "port chainer|stock vgg11 inference": 0.008,  # ±0.08
    "port chainer|stock vgg11 single inference": 0.013,  # ±0.09
    "port cuda-convnet2|stock alexnet inference": -0.031,  # ±0.08
    "port cuda-convnet2|stock alexnet single inference": -0.049,  # ±0.09
    "port cuda-convnet2|stock alexnet single training": -0.014,  # ±0.09
    "port cuda-convnet2|stock alexnet training": -0.009,  # ±0.08
    "port cuda-convnet2|stock overfeat single training": 0.027,  # ±0.09
    "port cuda-convnet2|stock overfeat training": 0.017,  # ±0.08
    "port cuda-convnet2|stock vgg11 inference": 0.044,  # ±0.08
    "port cuda-convnet2|stock vgg11 single inference": 0.069,  # ±0.09
    "port cuda-convnet2|stock vgg11 single training": 0.035,  # ±0.09
    "port cuda-convnet2|stock vgg11 training": 0.023,  # ±0.08
    "port jax|stock bert-base inference": -0.005,  # ±0.08
    "port jax|stock bert-base tf32 inference": -0.007,  # ±0.09
    "port jax|stock bert-base tf32 training": -0.005,  # ±0.09
    "port jax|tuned sdxl chip inference": -0.011,  # ±0.10
    "port jax|tuned sdxl inference": -0.007,  # ±0.08
    "port keras|stock bert-base inference": -0.023,  # ±0.08
    "port keras|stock bert-base tf32 inference": -0.036,  # ±0.09
    "port keras|stock char-embedding-lstm single training": -0.044,  # ±0.09
    "port keras|stock char-embedding-lstm training": -0.029,  # ±0.07
    "port keras|stock fasttext cpu training": 0.049,  # ±0.09
    "port keras|stock fasttext single training": 0.011,  # ±0.10
    "port keras|stock fasttext training": 0.039,  # ±0.08
    "port keras|stock lstm-text-generation cpu training": 0.006,  # ±0.09
    "port keras|stock lstm-text-generation single training": -0.029,  # ±0.09
    "port keras|stock lstm-text-generation training": -0.014,  # ±0.07
    "port keras|stock mnist-cnn cpu training": 0.065,  # ±0.09
    "port keras|stock mnist-cnn single training": 0.027,  # ±0.09
    "port keras|stock mnist-cnn training": 0.059,  # ±0.07
    "port keras|stock mnist-mlp cpu training": -0.035,  # ±0.09
    "port keras|stock mnist-mlp single training": 0.009,  # ±0.10
    "port keras|stock mnist-mlp training": -0.017,  # ±0.07
    "port keras|tuned char-embedding-lstm cpu training": -0.033,  # ±0.09
    "port keras|tuned char-embedding-lstm training": -0.021,  # ±0.08
    "port keras|tuned fasttext cpu training": 0.064,  # ±0.09
    "port keras|tuned fasttext training": 0.041,  # ±0.08
    "port keras|tuned lstm-text-generation cpu training": -0.007,  # ±0.09
    "port keras|tuned lstm-text-generation training": -0.005,  # ±0.08
    "port keras|tuned mnist-cnn cpu training": 0.044,  # ±0.09
    "port keras|tuned mnist-cnn training": 0.028,  # ±0.08
    "port keras|tuned mnist-mlp cpu training": -0.052,  # ±0.09
    "port keras|tuned mnist-mlp training": -0.033,  # ±0.08
    "port mxnet|stock alexnet-ungrouped inference": -0.006,  # ±0.08
    "port mxnet|stock alexnet-ungrouped single inference": -0.011,  # ±0.09
    "port mxnet|stock alexnet-ungrouped single training": -0.036,  # ±0.09
    "port mxnet|stock alexnet-ungrouped training": -0.023,  # ±0.08
    "port mxnet|stock inception-bn cpu inference": -0.008,  # ±0.09
    "port mxnet|stock inception-bn half inference": 0.049,  # ±0.10
    "port mxnet|stock inception-bn inference": 0.02,  # ±0.07
    "port mxnet|stock inception-bn single inference": -0.01,  # ±0.09
    "port mxnet|stock resnet50 cpu inference": 0.006,  # ±0.09
    "port mxnet|stock resnet50 single inference": -0.013,  # ±0.09
    "port mxnet|tuned resnet50 half inference": -0.029,  # ±0.09
    "port mxnet|tuned resnet50 half training": -0.031,  # ±0.09
    "port mxnet|tuned resnet50 inference": -0.018,  # ±0.08
    "port mxnet|tuned resnet50 single training": 0.022,  # ±0.09
    "port mxnet|tuned resnet50 tf32 training": 0.032,  # ±0.10
    "port mxnet|tuned resnet50 training": 0.015,  # ±0.08
    "port neon|stock alexnet inference": 0.034,  # ±0.08
    "port neon|stock alexnet single inference": 0.053,  # ±0.09
    "port neon|stock alexnet single training": 0.049,  # ±0.09
    "port neon|stock alexnet training": 0.031,  # ±0.08
    "port neon|stock googlenet inference": -0.024,  # ±0.08
    "port neon|stock googlenet single inference": -0.038,  # ±0.09
    "port neon|stock googlenet single training": -0.041,  # ±0.09
    "port neon|stock googlenet training": -0.026,  # ±0.08
    "port neon|stock overfeat inference": -0.012,  # ±0.08
    "port neon|stock overfeat single inference": -0.018,  # ±0.09
    "port neon|stock overfeat single training": -0.029,  # ±0.09
    "port neon|stock overfeat training": -0.019,  # ±0.08
    "port neon|stock vgg11 inference": -0.031,  # ±0.08
    "port neon|stock vgg11 single inference": -0.049,  # ±0.09
    "port neon|stock vgg11 single training": -0.051,  # ±0.09
    "port neon|stock vgg11 training": -0.032,  # ±0.08
    "port neuron|stock bert-base chip inference": -0.019,  # ±0.09
    "port neuron|stock bert-base inference": -0.012,  # ±0.08
    "port neuron|stock distilbert-base chip inference": -0.019,  # ±0.09
    "port neuron|stock distilbert-base inference": -0.012,  # ±0.08
    "port neuron|stock resnet50 chip inference": -0.057,  # ±0.10
    "port neuron|stock resnet50 inference": -0.037,  # ±0.08
    "port paddle|tuned bert-large half inference": 0.046,  # ±0.10
    "port paddle|tuned bert-large inference": 0.043,  # ±0.08
    "port paddle|tuned bert-large tf32 inference": 0.021,  # ±0.10
    "port paddle|tuned bert-large tf32 training": -0.019,  # ±0.10
    "port paddle|tuned bert-large training": -0.01,  # ±0.08
    "port paddle|tuned resnet50 half inference": 0.013,  # ±0.10
    "port paddle|tuned resnet50 half training": -0.025,  # ±0.10
    "port paddle|tuned resnet50 inference": 0.012,  # ±0.08
    "port paddle|tuned resnet50 tf32 inference": 0.007,  # ±0.10
    "port paddle|tuned resnet50 tf32 training": 0.01,  # ±0.10
    "port paddle|tuned resnet50 training": -0.01,  # ±0.08
    "port pytorch|stock bert-base half training": -0.05,  # ±0.09
    "port pytorch|stock bert-base single training": 0.027,  # ±0.09
    "port pytorch|stock bert-base tf32 training": 0.02,  # ±0.09
    "port pytorch|stock bert-large half training": -0.104,  # ±0.08
    "port pytorch|stock bert-large tf32 training": 0.037,  # ±0.08
    "port pytorch|stock bert-large training": -0.042,  # ±0.07
    "port pytorch|stock convnext-base half inference": -0.05,  # ±0.09
    "port pytorch|stock convnext-base half training": -0.009,  # ±0.09
    "port pytorch|stock convnext-base inference": -0.034,  # ±0.07
    "port pytorch|stock convnext-base training": -0.006,  # ±0.08
    "port pytorch|stock convnext-large cpu inference": -0.024,  # ±0.09
    "port pytorch|stock convnext-large half inference": -0.049,  # ±0.09
    "port pytorch|stock convnext-large inference": -0.047,  # ±0.07
    "port pytorch|stock convnext-small half inference": -0.053,  # ±0.09
    "port pytorch|stock convnext-small half training": -0.006,  # ±0.09
    "port pytorch|stock convnext-small inference": -0.032,  # ±0.07
    "port pytorch|stock convnext-tiny cpu inference": -0.008,  # ±0.09
    "port pytorch|stock convnext-tiny half inference": -0.04,  # ±0.09
    "port pytorch|stock convnext-tiny inference": -0.031,  # ±0.07
    "port pytorch|stock densenet121 cpu inference": 0.02,  # ±0.09
    "port pytorch|stock densenet121 half inference": 0.019,  # ±0.09
    "port pytorch|stock densenet121 half training": -0.005,  # ±0.09
    "port pytorch|stock densenet121 inference": 0.025,  # ±0.07
    "port pytorch|stock densenet161 cpu inference": -0.023,  # ±0.09
    "port pytorch|stock densenet161 half inference": 0.008,  # ±0.09
    "port pytorch|stock densenet161 half training": -0.007,  # ±0.09
    "port pytorch|stock densenet161 inference": -0.01,  # ±0.07
    "port pytorch|stock densenet161 training": -0.004,  # ±0.08
    "port pytorch|stock densenet169 cpu inference": 0.006,  # ±0.09
    "port pytorch|stock densenet169 half inference": 0.029,  # ±0.09
    "port pytorch|stock densenet169 half training": 0.007,  # ±0.09
    "port pytorch|stock densenet169 inference": 0.023,  # ±0.07
    "port pytorch|stock densenet169 training": 0.004,  # ±0.08
    "port pytorch|stock densenet201 cpu inference": -0.011,  # ±0.09
    "port pytorch|stock densenet201 half inference": 0.042,  # ±0.09
    "port pytorch|stock densenet201 half training": 0.006,  # ±0.09
    "port pytorch|stock densenet201 inference": 0.02,  # ±0.07
    "port pytorch|stock efficientnet-b0 cpu inference": 0.055,  # ±0.09
    "port pytorch|stock efficientnet-b0 half inference": -0.031,  # ±0.09
    "port pytorch|stock efficientnet-b0 half training": -0.024,  # ±0.09
    "port pytorch|stock efficientnet-b0 inference": 0.015,  # ±0.07
    "port pytorch|stock efficientnet-b0 training": -0.015,  # ±0.08
    "port pytorch|stock efficientnet-b1 cpu inference": 0.052,  # ±0.09
    "port pytorch|stock efficientnet-b1 half inference": -0.008,  # ±0.09
    "port pytorch|stock efficientnet-b1 half training": -0.008,  # ±0.09
    "port pytorch|stock efficientnet-b1 inference": 0.029,  # ±0.07
    "port pytorch|stock efficientnet-b1 training": -0.005,  # ±0.08
    "port pytorch|stock efficientnet-b2 cpu inference": 0.04,  # ±0.09
    "port pytorch|stock efficientnet-b2 half inference": -0.008,  # ±0.09
    "port pytorch|stock efficientnet-b2 half training": -0.008,  # ±0.09
    "port pytorch|stock efficientnet-b2 inference": 0.021,  # ±0.07
    "port pytorch|stock efficientnet-b2 training": -0.005,  # ±0.08
    "port pytorch|stock efficientnet-b3 cpu inference": 0.02,  # ±0.09
    "port pytorch|stock efficientnet-b3 half inference": -0.007,  # ±0.09
    "port pytorch|stock efficientnet-b3 inference": 0.008,  # ±0.07
    "port pytorch|stock efficientnet-b4 cpu inference": -0.007,  # ±0.09
    "port pytorch|stock efficientnet-b4 inference": -0.007,  # ±0.07
    "port pytorch|stock efficientnet-b5 cpu inference": -0.023,  # ±0.09
    "port pytorch|stock efficientnet-b5 half training": 0.008,  # ±0.09
    "port pytorch|stock efficientnet-b5 inference": -0.015,  # ±0.07
    "port pytorch|stock efficientnet-b5 training": 0.005,  # ±0.08
    "port pytorch|stock efficientnet-b6 cpu inference": -0.008,  # ±0.09
    "port pytorch|stock efficientnet-b6 half training": 0.006,  # ±0.09
    "port pytorch|stock efficientnet-b6 inference": -0.006,  # ±0.07
    "port pytorch|stock efficientnet-b7 half inference": -0.005,  # ±0.09
    "port pytorch|stock efficientnet-b7 half training": -0.007,  # ±0.09
    "port pytorch|stock efficientnet-b7 training": -0.005,  # ±0.08
    "port pytorch|stock efficientnet-v2-l cpu inference": -0.051,  # ±0.09
    "port pytorch|stock efficientnet-v2-l half training": -0.009,  # ±0.09
    "port pytorch|stock efficientnet-v2-l inference": -0.035,  # ±0.07
    "port pytorch|stock efficientnet-v2-l training": -0.006,  # ±0.08
    "port pytorch|stock efficientnet-v2-m cpu inference": -0.035,  # ±0.09
    "port pytorch|stock efficientnet-v2-m inference": -0.022,  # ±0.07
    "port pytorch|stock efficientnet-v2-s cpu inference": -0.024,  # ±0.09
    "port pytorch|stock efficientnet-v2-s half inference": -0.007,  # ±0.09
    "port pytorch|stock efficientnet-v2-s half training": -0.012,  # ±0.09
    "port pytorch|stock efficientnet-v2-s inference": -0.02,  # ±0.07
    "port pytorch|stock efficientnet-v2-s training": -0.008,  # ±0.08
    "port pytorch|stock faster-rcnn inference": -0.007,  # ±0.08
    "port pytorch|stock faster-rcnn single inference": -0.011,  # ±0.09
    "port pytorch|stock inception-v3 cpu inference": 0.017,  # ±0.09
    "port pytorch|stock inception-v3 half inference": 0.012,  # ±0.09
    "port pytorch|stock inception-v3 half training": 0.013,  # ±0.09
    "port pytorch|stock inception-v3 inference": 0.019,  # ±0.07
    "port pytorch|stock inception-v3 training": 0.008,  # ±0.08
    "port pytorch|stock inception-v4 cpu inference": -0.014,  # ±0.09
    "port pytorch|stock inception-v4 half inference": 0.01,  # ±0.09
    "port pytorch|stock mask-rcnn inference": -0.019,  # ±0.08
    "port pytorch|stock mask-rcnn single inference": -0.029,  # ±0.09
    "port pytorch|stock mobilenet-v1 half inference": -0.017,  # ±0.09
    "port pytorch|stock mobilenet-v1 inference": -0.012,  # ±0.07
    "port pytorch|stock mobilenet-v2 cpu inference": 0.042,  # ±0.09
    "port pytorch|stock mobilenet-v2 half inference": -0.009,  # ±0.09
    "port pytorch|stock mobilenet-v2 inference": 0.021,  # ±0.07
    "port pytorch|stock mobilenet-v3-large cpu inference": 0.033,  # ±0.09
    "port pytorch|stock mobilenet-v3-large half inference": -0.016,  # ±0.09
    "port pytorch|stock mobilenet-v3-large inference": 0.011,  # ±0.07
    "port pytorch|stock mobilenet-v3-small cpu inference": 0.063,  # ±0.09
    "port pytorch|stock mobilenet-v3-small half inference": -0.026,  # ±0.09
    "port pytorch|stock mobilenet-v3-small inference": 0.023,  # ±0.07
    "port pytorch|stock ncf half training": -0.03,  # ±0.09
    "port pytorch|stock ncf single training": -0.014,  # ±0.09
    "port pytorch|stock ncf tf32 training": -0.036,  # ±0.09
    "port pytorch|stock ncf training": -0.051,  # ±0.07
    "port pytorch|stock resnet101 half training": -0.019,  # ±0.09
    "port pytorch|stock resnet101 training": -0.012,  # ±0.08
    "port pytorch|stock resnet152 cpu inference": -0.009,  # ±0.09
    "port pytorch|stock resnet152 half training": -0.015,  # ±0.09
    "port pytorch|stock resnet152 training": -0.009,  # ±0.08
    "port pytorch|stock resnet18 cpu inference": 0.008,  # ±0.09
    "port pytorch|stock resnet18 half training": -0.01,  # ±0.09
    "port pytorch|stock resnet18 inference": 0.005,  # ±0.07
    "port pytorch|stock resnet18 training": -0.006,  # ±0.08
    "port pytorch|stock resnet200 cpu inference": -0.029,  # ±0.09
    "port pytorch|stock resnet200 half inference": 0.009,  # ±0.09
    "port pytorch|stock resnet200 half training": -0.015,  # ±0.09
    "port pytorch|stock resnet200 inference": -0.013,  # ±0.07
    "port pytorch|stock resnet200 training": -0.009,  # ±0.08
    "port pytorch|stock resnet34 cpu inference": -0.006,  # ±0.09
    "port pytorch|stock resnet50 half inference": 0.019,  # ±0.09
    "port pytorch|stock resnet50 half training": 0.133,  # ±0.08
    "port pytorch|stock resnet50 inference": 0.012,  # ±0.07
    "port pytorch|stock resnet50 single training": -0.058,  # ±0.09
    "port pytorch|stock resnet50 tf32 training": -0.041,  # ±0.09
    "port pytorch|stock resnet50 training": 0.021,  # ±0.07
    "port pytorch|stock resnext101-32x4d cpu inference": -0.023,  # ±0.09
    "port pytorch|stock resnext101-32x4d half inference": 0.018,  # ±0.09
    "port pytorch|stock resnext101-32x4d half training": -0.014,  # ±0.09
    "port pytorch|stock resnext101-32x4d training": -0.009,  # ±0.08
    "port pytorch|stock resnext101-32x8d cpu inference": -0.021,  # ±0.09
    "port pytorch|stock resnext101-32x8d half training": 0.004,  # ±0.09
    "port pytorch|stock resnext101-32x8d inference": -0.014,  # ±0.07
    "port pytorch|stock resnext50-32x4d cpu inference": -0.016,  # ±0.09
    "port pytorch|stock resnext50-32x4d half inference": 0.015,  # ±0.09
    "port pytorch|stock resnext50-32x4d half training": -0.015,  # ±0.09
    "port pytorch|stock resnext50-32x4d training": -0.009,  # ±0.08
    "port pytorch|stock se-resnext101-32x4d cpu inference": -0.024,  # ±0.09
    "port pytorch|stock se-resnext101-32x4d half inference": 0.03,  # ±0.09
    "port pytorch|stock se-resnext101-32x4d half training": 0.01,  # ±0.09
    "port pytorch|stock se-resnext101-32x4d inference": 0.004,  # ±0.07
    "port pytorch|stock se-resnext101-32x4d training": 0.007,  # ±0.08
    "port pytorch|stock se-resnext50-32x4d cpu inference": -0.012,  # ±0.09
    "port pytorch|stock se-resnext50-32x4d half inference": 0.024,  # ±0.09
    "port pytorch|stock se-resnext50-32x4d half training": 0.007,  # ±0.09
    "port pytorch|stock se-resnext50-32x4d inference": 0.008,  # ±0.07
    "port pytorch|stock se-resnext50-32x4d training": 0.004,  # ±0.08
    "port pytorch|stock ssd300 half training": 0.015,  # ±0.09
    "port pytorch|stock ssd300 single training": -0.04,  # ±0.09
    "port pytorch|stock ssd300 tf32 training": -0.012,  # ±0.09
    "port pytorch|stock ssd300 training": -0.024,  # ±0.07
    "port pytorch|stock swin-base cpu inference": 0.013,  # ±0.09
    "port pytorch|stock swin-base half inference": 0.046,  # ±0.09
    "port pytorch|stock swin-base half training": 0.017,  # ±0.09
    "port pytorch|stock swin-base inference": 0.038,  # ±0.08
    "port pytorch|stock swin-base training": 0.011,  # ±0.08
    "port pytorch|stock swin-large cpu inference": -0.014,  # ±0.09
    "port pytorch|stock swin-large half inference": 0.034,  # ±0.09
    "port pytorch|stock swin-large half training": 0.006,  # ±0.09
    "port pytorch|stock swin-large inference": 0.012,  # ±0.08
    "port pytorch|stock swin-large training": 0.004,  # ±0.08
    "port pytorch|stock swin-small cpu inference": 0.016,  # ±0.09
    "port pytorch|stock swin-small half inference": 0.058,  # ±0.09
    "port pytorch|stock swin-small half training": 0.032,  # ±0.09
    "port pytorch|stock swin-small inference": 0.048,  # ±0.08
    "port pytorch|stock swin-small training": 0.021,  # ±0.08
    "port pytorch|stock swin-tiny cpu inference": 0.012,  # ±0.09
    "port pytorch|stock swin-tiny half inference": 0.09,  # ±0.09
    "port pytorch|stock swin-tiny half training": 0.046,  # ±0.09
    "port pytorch|stock swin-tiny inference": 0.065,  # ±0.07
    "port pytorch|stock swin-tiny training": 0.029,  # ±0.08
    "port pytorch|stock tacotron2 half training": -0.006,  # ±0.09
    "port pytorch|stock tacotron2 single training": -0.037,  # ±0.10
    "port pytorch|stock tacotron2 tf32 training": 0.012,  # ±0.09
    "port pytorch|stock tacotron2 training": -0.019,  # ±0.08
    "port pytorch|stock transformer-xl-base half training": 0.066,  # ±0.09
    "port pytorch|stock transformer-xl-base single training": 0.056,  # ±0.09
    "port pytorch|stock transformer-xl-base tf32 training": 0.021,  # ±0.09
    "port pytorch|stock transformer-xl-base training": 0.091,  # ±0.07
    "port pytorch|stock vgg11 half inference": 0.015,  # ±0.09
    "port pytorch|stock vgg11 half training": 0.018,  # ±0.09
    "port pytorch|stock vgg11 inference": 0.01,  # ±0.08
    "port pytorch|stock vgg11 training": 0.012,  # ±0.08
    "port pytorch|stock vgg13 half inference": 0.018,  # ±0.09
    "port pytorch|stock vgg13 inference": 0.011,  # ±0.08
    "port pytorch|stock vgg16 half training": -0.01,  # ±0.09
    "port pytorch|stock vgg16 training": -0.006,  # ±0.08
    "port pytorch|stock vgg19 half inference": -0.011,  # ±0.09
    "port pytorch|stock vgg19 half training": -0.01,  # ±0.09
    "port pytorch|stock vgg19 inference": -0.007,  # ±0.08
    "port pytorch|stock vgg19 training": -0.006,  # ±0.08
    "port pytorch|stock vit-base cpu inference": -0.02,  # ±0.09
    "port pytorch|stock vit-base half inference": -0.058,  # ±0.09
    "port pytorch|stock vit-base half training": 0.016,  # ±0.09
    "port pytorch|stock vit-base inference": -0.05,  # ±0.07
    "port pytorch|stock vit-base training": 0.01,  # ±0.08
    "port pytorch|stock vit-huge half inference": -0.045,  # ±0.09
    "port pytorch|stock vit-huge inference": -0.029,  # ±0.08
    "port pytorch|stock vit-large half inference": -0.053,  # ±0.09
    "port pytorch|stock vit-large half training": 0.005,  # ±0.09
    "port pytorch|stock vit-large inference": -0.034,  # ±0.08
    "port pytorch|stock vit-small cpu inference": -0.006,  # ±0.09
    "port pytorch|stock vit-small half inference": -0.067,  # ±0.09
    "port pytorch|stock vit-small half training": 0.04,  # ±0.09
    "port pytorch|stock vit-small inference": -0.047,  # ±0.07
    "port pytorch|stock vit-small training": 0.025,  # ±0.08
    "port pytorch|stock waveglow half training": 0.06,  # ±0.09
    "port pytorch|stock waveglow tf32 training": -0.025,  # ±0.09
    "port pytorch|stock waveglow training": 0.023,  # ±0.08
    "port pytorch|stock wide-resnet50-2 cpu inference": 0.075,  # ±0.09
    "port pytorch|stock wide-resnet50-2 half inference": -0.04,  # ±0.09
    "port pytorch|stock wide-resnet50-2 half training": -0.024,  # ±0.09
    "port pytorch|stock wide-resnet50-2 inference": 0.022,  # ±0.07
    "port pytorch|stock wide-resnet50-2 training": -0.015,  # ±0.08
    "port pytorch|stock yolov5l cpu inference": -0.028,  # ±0.09
    "port pytorch|stock yolov5l half inference": -0.045,  # ±0.09
    "port pytorch|stock yolov5l inference": -0.046,  # ±0.07
    "port pytorch|stock yolov5m cpu inference": -0.017,  # ±0.09
    "port pytorch|stock yolov5m half inference": -0.016,  # ±0.09
    "port pytorch|stock yolov5m inference": -0.021,  # ±0.07
    "port pytorch|stock yolov5n cpu inference": 0.06,  # ±0.09
    "port pytorch|stock yolov5n half inference": 0.055,  # ±0.09
    "port pytorch|stock yolov5n inference": 0.073,  # ±0.07
    "port pytorch|stock yolov5s half inference": 0.044,  # ±0.09
    "port pytorch|stock yolov5s inference": 0.026,  # ±0.07
    "port pytorch|stock yolov5x cpu inference": -0.03,  # ±0.09
    "port pytorch|stock yolov5x half inference": -0.057,  # ±0.09
    "port pytorch|stock yolov5x inference": -0.055,  # ±0.07
    "port pytorch|tuned bert-large cpu_low inference": -0.019,  # ±0.10
    "port pytorch|tuned bert-large half inference": -0.01,  # ±0.10
    "port pytorch|tuned bert-large half training": 0.011,  # ±0.09
    "port pytorch|tuned bert-large inference": -0.026,  # ±0.07
    "port pytorch|tuned bert-large single training": 0.014,  # ±0.10
    "port pytorch|tuned bert-large tf32 inference": -0.012,  # ±0.10
    "port pytorch|tuned bert-large tf32 training": 0.005,  # ±0.09
    "port pytorch|tuned bert-large training": 0.019,  # ±0.07
    "port pytorch|tuned dlrm half training": -0.033,  # ±0.10
    "port pytorch|tuned dlrm single training": -0.006,  # ±0.10
    "port pytorch|tuned dlrm tf32 training": -0.017,  # ±0.10
    "port pytorch|tuned dlrm training": -0.036,  # ±0.08
    "port pytorch|tuned efficientdet-d0 half inference": 0.188,  # ±0.09
    "port pytorch|tuned efficientdet-d0 half training": 0.011,  # ±0.09
    "port pytorch|tuned efficientdet-d0 inference": 0.235,  # ±0.07
    "port pytorch|tuned efficientdet-d0 single inference": 0.097,  # ±0.10
    "port pytorch|tuned efficientdet-d0 single training": -0.013,  # ±0.10
    "port pytorch|tuned efficientdet-d0 tf32 inference": 0.081,  # ±0.10
    "port pytorch|tuned efficientdet-d0 tf32 training": -0.018,  # ±0.10
    "port pytorch|tuned efficientdet-d0 training": -0.013,  # ±0.07
    "port pytorch|tuned efficientnet-b0 half inference": 0.026,  # ±0.09
    "port pytorch|tuned efficientnet-b0 half training": -0.011,  # ±0.09
    "port pytorch|tuned efficientnet-b0 inference": -0.014,  # ±0.07
    "port pytorch|tuned efficientnet-b0 single inference": -0.017,  # ±0.10
    "port pytorch|tuned efficientnet-b0 single training": -0.01,  # ±0.09
    "port pytorch|tuned efficientnet-b0 tf32 inference": -0.031,  # ±0.10
    "port pytorch|tuned efficientnet-b0 tf32 training": 0.014,  # ±0.10
    "port pytorch|tuned efficientnet-b0 training": -0.004,  # ±0.07
    "port pytorch|tuned fastpitch half inference": -0.069,  # ±0.10
    "port pytorch|tuned fastpitch half training": 0.056,  # ±0.10
    "port pytorch|tuned fastpitch inference": -0.103,  # ±0.08
    "port pytorch|tuned fastpitch single inference": -0.032,  # ±0.10
    "port pytorch|tuned fastpitch single training": 0.05,  # ±0.10
    "port pytorch|tuned fastpitch tf32 inference": -0.06,  # ±0.10
    "port pytorch|tuned fastpitch tf32 training": 0.021,  # ±0.10
    "port pytorch|tuned fastpitch training": 0.081,  # ±0.08
    "port pytorch|tuned inception-v3 cpu inference": -0.033,  # ±0.09
    "port pytorch|tuned inception-v3 cpu_low inference": -0.045,  # ±0.09
    "port pytorch|tuned inception-v3 inference": -0.05,  # ±0.07
    "port pytorch|tuned ncf half training": 0.013,  # ±0.09
    "port pytorch|tuned ncf single training": 0.005,  # ±0.09
    "port pytorch|tuned ncf tf32 training": 0.011,  # ±0.10
    "port pytorch|tuned ncf training": 0.018,  # ±0.07
    "port pytorch|tuned quartznet half training": 0.031,  # ±0.10
    "port pytorch|tuned quartznet single training": -0.007,  # ±0.10
    "port pytorch|tuned quartznet training": 0.017,  # ±0.08
    "port pytorch|tuned resnet18 cpu inference": 0.031,  # ±0.09
    "port pytorch|tuned resnet18 cpu_low inference": 0.029,  # ±0.09
    "port pytorch|tuned resnet18 inference": 0.038,  # ±0.07
    "port pytorch|tuned resnet50 cpu inference": 0.023,  # ±0.09
    "port pytorch|tuned resnet50 cpu_low inference": -0.05,  # ±0.09
    "port pytorch|tuned resnet50 half inference": 0.039,  # ±0.09
    "port pytorch|tuned resnet50 half training": 0.004,  # ±0.09
    "port pytorch|tuned resnet50 inference": 0.007,  # ±0.07
    "port pytorch|tuned resnet50 single training": 0.022,  # ±0.09
    "port pytorch|tuned resnet50 tf32 training": 0.027,  # ±0.09
    "port pytorch|tuned resnet50 training": 0.034,  # ±0.07
    "port pytorch|tuned retinanet cpu_low inference": 0.013,  # ±0.10
    "port pytorch|tuned retinanet inference": 0.008,  # ±0.08
    "port pytorch|tuned ssd300 half inference": 0.011,  # ±0.09
    "port pytorch|tuned ssd300 half training": -0.039,  # ±0.09
    "port pytorch|tuned ssd300 inference": 0.007,  # ±0.08
    "port pytorch|tuned ssd300 single inference": 0.01,  # ±0.10
    "port pytorch|tuned ssd300 single training": 0.029,  # ±0.10
    "port pytorch|tuned ssd300 tf32 inference": -0.01,  # ±0.10
    "port pytorch|tuned ssd300 tf32 training": -0.006,  # ±0.10
    "port pytorch|tuned ssd300 training": -0.01,  # ±0.07
    "port pytorch|tuned transformer-xl-base half training": -0.111,  # ±0.09
    "port pytorch|tuned transformer-xl-base single training": -0.064,  # ±0.09
    "port pytorch|tuned transformer-xl-base tf32 training": -0.026,  # ±0.09
    "port pytorch|tuned transformer-xl-base training": -0.129,  # ±0.07
    "port tensorflow|stock alexnet inference": -0.053,  # ±0.08
    "port tensorflow|stock alexnet single inference": -0.082,  # ±0.09
    "port tensorflow|stock alexnet single training": -0.079,  # ±0.09
    "port tensorflow|stock alexnet training": -0.051,  # ±0.08
    "port tensorflow|stock googlenet inference": -0.033,  # ±0.08
    "port tensorflow|stock googlenet single inference": -0.052,  # ±0.09
    "port tensorflow|stock googlenet single training": -0.041,  # ±0.09
    "port tensorflow|stock googlenet training": -0.026,  # ±0.08
    "port tensorflow|stock overfeat inference": -0.048,  # ±0.08
    "port tensorflow|stock overfeat single inference": -0.075,  # ±0.09
    "port tensorflow|stock overfeat single training": -0.074,  # ±0.09
    "port tensorflow|stock overfeat training": -0.048,  # ±0.08
    "port tensorflow|stock rnn-1024 inference": 0.064,  # ±0.08
    "port tensorflow|stock rnn-1024 single inference": 0.1,  # ±0.09
    "port tensorflow|stock rnn-1024 single training": 0.043,  # ±0.09
    "port tensorflow|stock rnn-1024 training": 0.028,  # ±0.08
    "port tensorflow|stock rnn-128 inference": 0.061,  # ±0.08
    "port tensorflow|stock rnn-128 single inference": 0.095,  # ±0.09
    "port tensorflow|stock rnn-128 single training": 0.069,  # ±0.09
    "port tensorflow|stock rnn-128 training": 0.044,  # ±0.08
    "port tensorflow|stock rnn-512 inference": 0.102,  # ±0.08
    "port tensorflow|stock rnn-512 single inference": 0.159,  # ±0.09
    "port tensorflow|stock rnn-512 single training": 0.047,  # ±0.09
    "port tensorflow|stock rnn-512 training": 0.03,  # ±0.08
    "port tensorflow|stock vgg11 inference": -0.041,  # ±0.08
    "port tensorflow|stock vgg11 single inference": -0.065,  # ±0.09
    "port tensorflow|stock vgg11 single training": -0.039,  # ±0.09
    "port tensorflow|stock vgg11 training": -0.025,  # ±0.08
    "port tensorflow|tuned bert-base half inference": -0.024,  # ±0.09
    "port tensorflow|tuned bert-base inference": -0.016,  # ±0.07
    "port tensorflow|tuned bert-base single inference": -0.007,  # ±0.09
    "port tensorflow|tuned bert-base tf32 inference": 0.005,  # ±0.10
    "port tensorflow|tuned bert-large half inference": -0.042,  # ±0.09
    "port tensorflow|tuned bert-large inference": -0.046,  # ±0.07
    "port tensorflow|tuned bert-large single inference": -0.013,  # ±0.09
    "port tensorflow|tuned bert-large single training": 0.024,  # ±0.09
    "port tensorflow|tuned bert-large tf32 inference": -0.017,  # ±0.10
    "port tensorflow|tuned bert-large tf32 training": 0.014,  # ±0.09
    "port tensorflow|tuned bert-large training": 0.027,  # ±0.07
    "port tensorflow|tuned densenet121 cpu inference": -0.014,  # ±0.09
    "port tensorflow|tuned densenet121 cpu_low inference": -0.017,  # ±0.09
    "port tensorflow|tuned densenet121 inference": -0.02,  # ±0.07
    "port tensorflow|tuned densenet161 cpu inference": 0.016,  # ±0.09
    "port tensorflow|tuned densenet161 cpu_low inference": 0.025,  # ±0.09
    "port tensorflow|tuned densenet161 inference": 0.027,  # ±0.07
    "port tensorflow|tuned densenet169 cpu inference": -0.026,  # ±0.09
    "port tensorflow|tuned densenet169 cpu_low inference": -0.028,  # ±0.09
    "port tensorflow|tuned densenet169 inference": -0.034,  # ±0.07
    "port tensorflow|tuned efficientdet-d0 half inference": 0.008,  # ±0.09
    "port tensorflow|tuned efficientdet-d0 half training": -0.059,  # ±0.09
    "port tensorflow|tuned efficientdet-d0 inference": 0.014,  # ±0.07
    "port tensorflow|tuned efficientdet-d0 single inference": 0.014,  # ±0.10
    "port tensorflow|tuned efficientdet-d0 single training": -0.009,  # ±0.10
    "port tensorflow|tuned efficientdet-d0 tf32 training": -0.008,  # ±0.10
    "port tensorflow|tuned efficientdet-d0 training": -0.049,  # ±0.07
    "port tensorflow|tuned efficientnet-b0 cpu_low inference": 0.067,  # ±0.09
    "port tensorflow|tuned efficientnet-b0 half inference": 0.047,  # ±0.09
    "port tensorflow|tuned efficientnet-b0 half training": 0.032,  # ±0.09
    "port tensorflow|tuned efficientnet-b0 inference": 0.078,  # ±0.07
    "port tensorflow|tuned efficientnet-b0 single inference": 0.007,  # ±0.10
    "port tensorflow|tuned efficientnet-b0 tf32 training": 0.011,  # ±0.10
    "port tensorflow|tuned efficientnet-b0 training": 0.026,  # ±0.07
    "port tensorflow|tuned efficientnet-v2-s half inference": 0.056,  # ±0.09
    "port tensorflow|tuned efficientnet-v2-s inference": 0.028,  # ±0.07
    "port tensorflow|tuned efficientnet-v2-s single inference": -0.016,  # ±0.10
    "port tensorflow|tuned googlenet cpu inference": 0.017,  # ±0.09
    "port tensorflow|tuned googlenet cpu_low inference": -0.044,  # ±0.09
    "port tensorflow|tuned googlenet inference": -0.017,  # ±0.07
    "port tensorflow|tuned inception-bn cpu inference": -0.007,  # ±0.09
    "port tensorflow|tuned inception-bn cpu_low inference": -0.061,  # ±0.09
    "port tensorflow|tuned inception-bn inference": -0.043,  # ±0.07
    "port tensorflow|tuned inception-v3 cpu inference": 0.025,  # ±0.09
    "port tensorflow|tuned inception-v3 cpu_low inference": -0.009,  # ±0.09
    "port tensorflow|tuned inception-v3 inference": 0.01,  # ±0.07
    "port tensorflow|tuned inception-v4 cpu inference": 0.008,  # ±0.09
    "port tensorflow|tuned mobilenet-v1 cpu inference": 0.026,  # ±0.09
    "port tensorflow|tuned mobilenet-v1 cpu_low inference": -0.075,  # ±0.09
    "port tensorflow|tuned mobilenet-v1 inference": -0.031,  # ±0.07
    "port tensorflow|tuned mobilenet-v2 cpu inference": -0.084,  # ±0.09
    "port tensorflow|tuned mobilenet-v2 cpu_low inference": -0.05,  # ±0.09
    "port tensorflow|tuned mobilenet-v2 inference": -0.085,  # ±0.07
    "port tensorflow|tuned resnet101 cpu_low inference": -0.031,  # ±0.09
    "port tensorflow|tuned resnet101 inference": -0.022,  # ±0.07
    "port tensorflow|tuned resnet50 cpu inference": 0.042,  # ±0.09
    "port tensorflow|tuned resnet50 cpu_low inference": -0.057,  # ±0.09
    "port tensorflow|tuned resnet50 half inference": 0.004,  # ±0.09
    "port tensorflow|tuned resnet50 half training": -0.047,  # ±0.09
    "port tensorflow|tuned resnet50 inference": 0.005,  # ±0.07
    "port tensorflow|tuned resnet50 single inference": -0.013,  # ±0.09
    "port tensorflow|tuned resnet50 tf32 inference": 0.032,  # ±0.10
    "port tensorflow|tuned resnet50 tf32 training": -0.004,  # ±0.09
    "port tensorflow|tuned resnet50 training": -0.033,  # ±0.07
    "port tensorflow|tuned transformer-xl-base half training": 0.073,  # ±0.09
    "port tensorflow|tuned transformer-xl-base single training": 0.03,  # ±0.09
    "port tensorflow|tuned transformer-xl-base tf32 training": -0.006,  # ±0.10
    "port tensorflow|tuned transformer-xl-base training": 0.062,  # ±0.07
    "port tensorflow|tuned unet half inference": -0.041,  # ±0.09
    "port tensorflow|tuned unet inference": -0.022,  # ±0.08
    "port tensorflow|tuned unet single inference": 0.009,  # ±0.10
    "port tensorflow|tuned unet single training": 0.008,  # ±0.10
    "port tensorflow|tuned unet tf32 training": 0.022,  # ±0.10
    "port tensorflow|tuned unet training": 0.02,  # ±0.08
    "port tensorflow|tuned unet-industrial half inference": 0.013,  # ±0.09
    "port tensorflow|tuned unet-industrial inference": 0.007,  # ±0.08
    "port tensorflow|tuned unet-industrial single inference": -0.008,  # ±0.10
    "port tensorflow|tuned unet-industrial single training": -0.017,  # ±0.10
    "port tensorflow|tuned unet-industrial tf32 inference": 0.006,  # ±0.10
    "port tensorflow|tuned unet-industrial tf32 training": 0.015,  # ±0.10
    "port tensorflow|tuned vgg16 cpu inference": 0.02,  # ±0.09
    "port tensorflow|tuned vgg16 cpu_low inference": 0.031,  # ±0.09
    "port tensorflow|tuned vgg16 inference": 0.032,  # ±0.07
    "port tensorflow|tuned vgg19 cpu inference": 0.022,  # ±0.09
    "port tensorflow|tuned vgg19 cpu_low inference": 0.028,  # ±0.09
    "port tensorflow|tuned vgg19 inference": 0.032,  # ±0.07
    "port tensorflow|tuned wide-and-deep half inference": 0.028,  # ±0.10
    "port tensorflow|tuned wide-and-deep inference": 0.03,  # ±0.08
    "port tensorflow|tuned wide-and-deep single inference": 0.005,  # ±0.10
    "port tensorflow|tuned wide-and-deep single training": 0.011,  # ±0.10
    "port tensorflow|tuned wide-and-deep tf32 inference": 0.013,  # ±0.10
    "port tensorflow|tuned wide-and-deep training": 0.008,  # ±0.08
    "port tensorrt|tuned bert-large byte inference": 0.007,  # ±0.10
    "port tensorrt|tuned bert-large inference": 0.004,  # ±0.08
    "port tensorrt|tuned resnet50 byte inference": 0.013,  # ±0.09
    "port tensorrt|tuned resnet50 half inference": -0.056,  # ±0.10
    "port tensorrt|tuned resnet50 inference": -0.043,  # ±0.08
    "port tensorrt|tuned resnet50 tf32 inference": -0.024,  # ±0.10
    "port tensorrt|tuned retinanet byte inference": -0.007,  # ±0.10
    "port tensorrt|tuned retinanet inference": -0.005,  # ±0.08
    "port theano|stock rnn-1024 inference": 0.024,  # ±0.08
    "port theano|stock rnn-1024 single inference": 0.037,  # ±0.09
    "port theano|stock rnn-1024 single training": 0.03,  # ±0.09
    "port theano|stock rnn-1024 training": 0.019,  # ±0.08
    "port theano|stock rnn-128 inference": -0.056,  # ±0.08
    "port theano|stock rnn-128 single inference": -0.087,  # ±0.09
    "port theano|stock rnn-128 single training": -0.066,  # ±0.09
    "port theano|stock rnn-128 training": -0.042,  # ±0.08
    "port theano|stock rnn-512 single inference": -0.005,  # ±0.09
    "port theano|stock rnn-512 single training": 0.018,  # ±0.09
    "port theano|stock rnn-512 training": 0.012,  # ±0.08
    "port torch7|stock alexnet inference": 0.061,  # ±0.07
    "port torch7|stock alexnet single inference": 0.096,  # ±0.09
    "port torch7|stock alexnet single training": -0.02,  # ±0.09
    "port torch7|stock alexnet training": -0.013,  # ±0.07
    "port torch7|stock googlenet inference": 0.026,  # ±0.07
    "port torch7|stock googlenet single inference": 0.041,  # ±0.09
    "port torch7|stock googlenet single training": 0.069,  # ±0.09
    "port torch7|stock googlenet training": 0.044,  # ±0.07
    "port torch7|stock overfeat inference": 0.019,  # ±0.08
    "port torch7|stock overfeat single inference": 0.03,  # ±0.09
    "port torch7|stock overfeat single training": 0.018,  # ±0.09
    "port torch7|stock overfeat training": 0.012,  # ±0.08
    "port torch7|stock resnet101 inference": 0.019,  # ±0.08
    "port torch7|stock resnet101 single inference": 0.03,  # ±0.09
    "port torch7|stock resnet101 single training": 0.007,  # ±0.09
    "port torch7|stock resnet101 training": 0.004,  # ±0.08
    "port torch7|stock resnet18 single inference": -0.006,  # ±0.09
    "port torch7|stock resnet200 inference": 0.015,  # ±0.08
    "port torch7|stock resnet200 single inference": 0.023,  # ±0.09
    "port torch7|stock resnet200 single training": 0.011,  # ±0.09
    "port torch7|stock resnet200 training": 0.007,  # ±0.08
    "port torch7|stock resnet34 inference": -0.005,  # ±0.08
    "port torch7|stock resnet34 single inference": -0.008,  # ±0.09
    "port torch7|stock resnet50 inference": 0.028,  # ±0.07
    "port torch7|stock resnet50 single inference": 0.044,  # ±0.09
    "port torch7|stock resnet50 single training": 0.018,  # ±0.09
    "port torch7|stock resnet50 training": 0.012,  # ±0.07
    "port torch7|stock rnn-1024 inference": -0.096,  # ±0.08
    "port torch7|stock rnn-1024 single inference": -0.149,  # ±0.09
    "port torch7|stock rnn-1024 single training": -0.093,  # ±0.09
    "port torch7|stock rnn-1024 training": -0.06,  # ±0.08
    "port torch7|stock rnn-128 inference": 0.019,  # ±0.08
    "port torch7|stock rnn-128 single inference": 0.029,  # ±0.09
    "port torch7|stock rnn-128 single training": 0.006,  # ±0.09
    "port torch7|stock rnn-512 inference": -0.067,  # ±0.08
    "port torch7|stock rnn-512 single inference": -0.105,  # ±0.09
    "port torch7|stock rnn-512 single training": -0.091,  # ±0.09
    "port torch7|stock rnn-512 training": -0.058,  # ±0.08
    "port torch7|stock vgg11 inference": 0.021,  # ±0.08
    "port torch7|stock vgg11 single inference": 0.034,  # ±0.09
    "port torch7|stock vgg11 single training": 0.053,  # ±0.09
    "port torch7|stock vgg11 training": 0.034,  # ±0.08
    "port torch7|stock vgg19 inference": -0.013,  # ±0.08
    "port torch7|stock vgg19 single inference": -0.021,  # ±0.09
    "port torch7|stock vgg19 single training": 0.01,  # ±0.09
    "port torch7|stock vgg19 training": 0.007,  # ±0.08
    "software caffe": 0.874,  # ±0.13
    "software caffe plain inference": 0.148,  # ±0.11
    "software caffe plain training": 0.166,  # ±0.11
    "software chainer": 0.124,  # ±0.13
    "software chainer plain inference": -0.014,  # ±0.10
    "software chainer plain training": 0.058,  # ±0.10
    "software cuda-convnet2": 0.274,  # ±0.13
    "software cuda-convnet2 plain inference": 0.029,  # ±0.11
    "software cuda-convnet2 plain training": 0.07,  # ±0.11
    "software jax": -0.094,  # ±0.14
    "software jax chip inference": -0.016,  # ±0.12
    "software jax matrix inference": -0.01,  # ±0.11
    "software jax matrix training": -0.007,  # ±0.11
    "software keras": 0.152,  # ±0.14
    "software keras cpu training": 0.143,  # ±0.11
    "software keras matrix inference": -0.052,  # ±0.11
    "software keras plain training": -0.036,  # ±0.11
    "software mxnet": -0.092,  # ±0.12
    "software mxnet matrix inference": 0.029,  # ±0.10
    "software mxnet plain inference": -0.049,  # ±0.10
    "software mxnet plain training": -0.015,  # ±0.10
    "software neon": -0.491,  # ±0.13
    "software neon plain inference": -0.074,  # ±0.10
    "software neon plain training": -0.103,  # ±0.10
    "software neuron": -0.391,  # ±0.17
    "software neuron chip inference": -0.141,  # ±0.11
    "software paddle": 0.221,  # ±0.15
    "software paddle matrix inference": 0.124,  # ±0.11
    "software paddle matrix training": -0.045,  # ±0.11
    "software pytorch": 0.031,  # ±0.11
    "software pytorch cpu inference": -0.005,  # ±0.10
    "software pytorch matrix inference": 0.042,  # ±0.09
    "software pytorch matrix training": 0.016,  # ±0.09
    "software pytorch plain inference": 0.022,  # ±0.10
    "software pytorch plain training": -0.064,  # ±0.09
    "software tensorflow": -0.055,  # ±0.11
    "software tensorflow cpu inference": -0.259,  # ±0.10
    "software tensorflow matrix inference": 0.133,  # ±0.10
    "software tensorflow matrix training": 0.064,  # ±0.10
    "software tensorflow plain inference": 0.085,  # ±0.09
    "software tensorflow plain training": -0.043,  # ±0.09
    "software tensorrt": -0.27,  # ±0.17
    "software tensorrt matrix inference": -0.097,  # ±0.11
    "software theano": -0.286,  # ±0.13
    "software theano plain inference": -0.078,  # ±0.11
    "software theano plain training": -0.025,  # ±0.11
    "software torch7": 0.096,  # ±0.12
    "software torch7 plain inference": 0.056,  # ±0.10
    "software torch7 plain training": -0.021,  # ±0.10
    "tuned jax": -0.011,  # ±0.10
    "tuned jax chip inference": -0.011,  # ±0.10
    "tuned keras": 0.015,  # ±0.09
    "tuned keras cpu training": 0.015,  # ±0.09
    "tuned mxnet": -0.006,  # ±0.09
    "tuned mxnet matrix inference": -0.029,  # ±0.09
    "tuned mxnet plain training": 0.022,  # ±0.09
    "tuned paddle": 0.055,  # ±0.09
    "tuned paddle matrix inference": 0.086,  # ±0.09
    "tuned paddle matrix training": -0.031,  # ±0.09
    "tuned pytorch": 0.123,  # ±0.07
    "tuned pytorch cpu inference": -0.052,  # ±0.08
    "tuned pytorch matrix inference": 0.154,  # ±0.09
    "tuned pytorch matrix training": -0.055,  # ±0.08
    "tuned pytorch plain inference": 0.056,  # ±0.09
    "tuned pytorch plain training": 0.02,  # ±0.08
    "tuned tensorflow": -0.02,  # ±0.08
    "tuned tensorflow cpu inference": -0.18,  # ±0.09
    "tuned tensorflow matrix inference": 0.093,  # ±0.09
    "tuned tensorflow matrix training": 0.044,  # ±0.09
    "tuned tensorflow plain inference": -0.022,  # ±0.09
    "tuned tensorflow plain training": 0.044,  # ±0.09
    "tuned tensorrt": -0.068,  # ±0.10
    "tuned tensorrt matrix inference": -0.068,  # ±0.10
}
