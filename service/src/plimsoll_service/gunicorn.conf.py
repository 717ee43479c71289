"""gunicorn's settings, for `make run` and for the container; its own command line still overrides each of them."""

import os
import shutil
import tempfile
from pathlib import Path

# Sizing is CPU-bound: more processes than cores only queue. Beyond four, raise WEB_CONCURRENCY by choice, as each
# worker also takes memory.
_MOST_DEFAULT_WORKERS = 4
_METRICS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_LAST_PRICES = "PLIMSOLL_LAST_PRICES"
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - gunicorn's heartbeat file: on a disk, a slow fsync looks like a dead worker

wsgi_app = "plimsoll_service.app:from_environment()"
bind = "127.0.0.1:8080"
worker_class = "gthread"
threads = 4  # a client that reads slowly must not hold up the others
workers = int(os.environ.get("WEB_CONCURRENCY") or min(os.cpu_count() or 1, _MOST_DEFAULT_WORKERS))
preload_app = True  # the catalog's arrays are loaded once and shared by all workers
timeout = 30
graceful_timeout = 30
limit_request_line = 8190  # a workload in a GET is long; this is gunicorn's own maximum
worker_tmp_dir = str(_SHARED_MEMORY) if _SHARED_MEMORY.is_dir() else None
control_socket_disable = True
accesslog = None  # the application logs each request itself, as one structured line

# What was made here goes when the server does.
_own_directories = []


def _shared_directory(variable):
    """Give the workers a directory in common, unless the environment names one."""
    if variable not in os.environ:
        os.environ[variable] = tempfile.mkdtemp(prefix="plimsoll-")
        _own_directories.append(os.environ[variable])


# prometheus_client reads this when it is first imported, so it is set before the application is loaded.
_shared_directory(_METRICS_DIRECTORY)
# A worker that starts while Redis is away takes the last good prices from the others.
_shared_directory(_LAST_PRICES)


def when_ready(_server):
    """Take what the master measured while it loaded the application out of the sum: it answers nothing."""
    from prometheus_client import multiprocess  # not above: the import looks for the directory that is set there

    multiprocess.mark_process_dead(os.getpid())


def post_worker_init(worker):
    """Follow new prices in each worker from its start: threads do not outlive the fork."""
    from plimsoll_service.app import WATCH

    start = getattr(worker.wsgi, "extensions", {}).get(WATCH)
    if start is not None:
        start()


def child_exit(_server, worker):
    """Take the gauges of a worker that ended out of the sum."""
    from prometheus_client import multiprocess  # not above: the import looks for the directory that is set there

    multiprocess.mark_process_dead(worker.pid)


def on_exit(_server):
    """Remove the directories that were made here."""
    for directory in _own_directories:
        shutil.rmtree(directory, ignore_errors=True)
