"""Host memory at the peak of a tabular learner's training: the table, its reading, copies, and a forest's trees."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...demand.data import FRAME_READ_BYTES
from ...demand.job import SPARSE_VALUE_BYTES, Feed, Job
from ...hardware import Floats
from ...units import BYTES, GIB

# Nodes a row of a fully grown tree of scikit-learn 1.9.1, whatever the rows (50,000 and 200,000 of 20 features): of two
# classes 0.17 without noise, and 0.21, 0.27 and 0.34 where 5, 15 and 50% of the labels are wrong; 0.53 of seven classes
# with 9% wrong, and 1.26 of a regressor. Taken: the geometric mean for two classes. Each has 64 bytes and a figure a
# class. Bounded in depth, a tree has the soft minimum of that and of a full binary tree, to 23% at depths of 8 to 20
# (root mean square 11%). Own measurement of 2026-11-29.
NODES_A_ROW, NODE_BYTES, SOFTNESS = 0.24, 80.0, 0.65
# Of a row in each thread that grows a tree, as its weight, its places and its values in order: the peak of 16 threads
# over that of two, 1 and 3 million rows, scikit-learn 1.9.1: 63 and 70 bytes, of a regressor 33. Own measurement of
# 2026-11-29.
THREAD_ROW_BYTES = 66.0
# Of a value in fp64 at the peak of pandas.read_parquet (3.1.1, PyArrow 26.0.1), beside the stored bytes: Arrow's
# columns and the frame. 1.5 million rows of 60 columns, stored in 8.4, 1.7 and 0.9 bytes a value (normal numbers in
# full, of three decimals, and of one): 26.6, 19.7 and 19.0 over the interpreter. Own measurement of 2026-11-28.
FRAME_BYTES = 18.1
# Of a value in the partitions that the processes of several GPUs hold together, where each reads its part by partitions
# and a QuantileDMatrix takes these one by one (dmlc/xgboost@210511de, python-package/xgboost/dask/data.py; a DMatrix
# would join them first): their own type, at the least the fp32 that XGBoost computes in.
LEAST_PART_BYTES = BYTES["fp32"]
# Of a heap that Spark gives to what it keeps and works on (spark.apache.org: configuration, spark.memory.fraction).
# Its linear models keep their rows in it as blocks of doubles (apache/spark: LogisticRegression.scala).
SPARK_SHARE = 0.6


@dataclass(frozen=True)
class LinearFit:
    """Bytes at the peak of a linear model's fit: of a value and of a row, in fp64."""

    least_squares: float  # of a value
    logistic: float  # of a value
    logistic_row: float  # besides


# Reading and fitting with scikit-learn 1.9.1 (LogisticRegression and LinearRegression, as they come) and pandas 3.1.1,
# 1 and 3 million rows of 13 and 39 features, over the interpreter; fp32 takes half. From Parquet 461 to 485 B a row of
# 13 and 1,049 to 1,070 of 39 (least squares 480 to 495 and 1,361 to 1,460); from CSV 336 and 951 (401 and 1,076), from
# an array 147 and 355 (340 and 969). Own measurement of 2026-11-28. One name stands for both.
LINEAR_FITS = {"parquet": LinearFit(37.4, 22.6, 180.0), "csv": LinearFit(30.8, 24.4, 20.0)}
ANY_LINEAR_FIT = LinearFit(25.5, 8.1, 42.0)


def peak_gib(job: Job, feed: Feed) -> float:
    """GiB at the peak of one run's training, besides the process itself."""
    if job.framework.library == "spark":
        each = SPARSE_VALUE_BYTES if job.sparse else BYTES["fp64"]
        return feed.samples * job.row_values * each / GIB / SPARK_SHARE + forest_gib(job, feed.samples)
    if job.sparse:  # beside what it is made of
        return job.table_gib + feed.stored_bytes / GIB
    return max(fitting_gib(job, feed), _reading_gib(job, feed), _linear_gib(job, feed))


def on_gpus_gib(job: Job, feed: Feed, devices: Floats) -> Floats:
    """GiB at that peak where so many GPUs work: several of XGBoost's have a process each, which reads its part."""
    each = max(LEAST_PART_BYTES, BYTES["fp64"] * _doubles(job, feed))
    parts = feed.samples * float(job.workload.features or 1) * each / GIB + (devices - 1) * job.host_base_gib
    return np.where((devices > 1) & (job.learner == "xgboost"), parts, peak_gib(job, feed))


def fitting_gib(job: Job, feed: Feed) -> float:
    """GiB of the table and of a forest's trees, once it has been read."""
    return job.table_gib + forest_gib(job, feed.samples)


def _reading_gib(job: Job, feed: Feed) -> float:
    """GiB at the peak of reading a table of a stated format into a data frame; 0 of other formats."""
    stated, values = job.workload.dataset.format, feed.samples * float(job.workload.features or 1)
    if stated == "parquet":
        return (FRAME_BYTES * _doubles(job, feed) * values + min(feed.stored_bytes, BYTES["fp64"] * values)) / GIB
    return values * FRAME_READ_BYTES / GIB if stated == "csv" else 0.0


def _doubles(job: Job, feed: Feed) -> float:
    """Bytes of a table's values over those of fp64: columns of Parquet keep their types, as a stated size tells."""
    doubles = feed.samples * float(job.workload.features or 1) * BYTES["fp64"]
    return min(1.0, (job.workload.dataset.size_bytes or doubles) / doubles) if feed.format == "parquet" else 1.0


def _linear_gib(job: Job, feed: Feed) -> float:
    """GiB at the peak of a linear model's fit: what reading left, copies of the table, and arrays of a figure a row."""
    if job.learner != "logistic-regression":
        return 0.0
    fit, values = LINEAR_FITS.get(feed.format, ANY_LINEAR_FIT), float(job.workload.features or 1)
    row = max(fit.least_squares * values, fit.logistic * values + fit.logistic_row)
    return feed.samples * row * _doubles(job, feed) / GIB


def forest_gib(job: Job, rows: float) -> float:
    """GiB of a forest's trees, which grow with the rows as their depth allows; boosted trees are small."""
    if job.learner != "random-forest":
        return 0.0
    grown, bound = NODES_A_ROW * rows, 2.0 ** (float(job.workload.depth or 1) + 1)
    nodes = (grown**-SOFTNESS + bound**-SOFTNESS) ** (-1 / SOFTNESS)
    gib: float = float(job.workload.trees or 1) * nodes * NODE_BYTES / GIB
    return gib


def thread_gib(job: Job, rows: float) -> float:
    """GiB of each thread that grows a tree; 0 of learners whose threads share one."""
    return rows * THREAD_ROW_BYTES / GIB if threads_grow_trees(job) else 0.0


def threads_grow_trees(job: Job) -> bool:
    """Whether each thread grows a tree of its own."""
    return job.learner == "random-forest" and job.framework.library == "scikit-learn"
