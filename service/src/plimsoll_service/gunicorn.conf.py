"""gunicorn's settings, for `make run` and for the container; its own command line still overrides each of them.

Slow clients occupy its threads: put a proxy in front, as docs/security.md says.
"""

import os
import resource
from pathlib import Path

from plimsoll_service.server import directories
from plimsoll_service.settings import Settings

# Sizing is CPU-bound: more processes than cores only queue. Beyond four, raise WEB_CONCURRENCY by choice, as each
# worker also takes memory.
_MOST_DEFAULT_WORKERS = 4
_METRICS_DIRECTORY = "PROMETHEUS_MULTIPROC_DIR"
_LAST_PRICES = "PLIMSOLL_LAST_PRICES"
_FILES = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
_OTHER_FILES = 128  # what else a worker opens: metrics, Redis, traces, files of the page
_SHARED_MEMORY = Path("/dev/shm")  # noqa: S108 - gunicorn's heartbeat file: on a disk, a slow fsync looks like a dead worker

wsgi_app = "plimsoll_service.app:from_environment()"
bind = "127.0.0.1:8080"
worker_class = "gthread"
threads = 16  # one question is sized at a time; who waits for Redis, a provider or that turn must not hold up probes
# A connection for which no file is left would end its worker, with all that it has.
worker_connections = min(1000, max(_FILES - _OTHER_FILES, threads)) if _FILES != resource.RLIM_INFINITY else 1000
forwarder_headers = ""  # no proxy rewrites paths here, and a client on loopback counts as one
workers = Settings.from_environment().workers or min(os.cpu_count() or 1, _MOST_DEFAULT_WORKERS)
preload_app = True  # the catalog's arrays are loaded once and shared by all workers
timeout = 30
graceful_timeout = 30
keepalive = 75  # longer than the minute for which proxies keep a connection: they end it, and never find it ended
limit_request_line = 8190  # a workload in a GET is long; this is gunicorn's own maximum
worker_tmp_dir = str(_SHARED_MEMORY) if _SHARED_MEMORY.is_dir() else None
control_socket_disable = True
accesslog = None  # the application logs each request itself, as one structured line

# prometheus_client reads this when it is first imported, so it is set before the application is loaded.
directories.share(os.environ, _METRICS_DIRECTORY)

from plimsoll_service.server import metric_files  # noqa: E402 - the import looks for the directory that is set above

metric_files.begin(os.environ, os.environ[_METRICS_DIRECTORY])
# A worker that starts while Redis is away takes the last good prices from the others.
directories.share(os.environ, _LAST_PRICES)


def on_starting(server):
    """Refuse to listen on a public address, unless there are API keys or the settings allow it without."""
    from plimsoll_service.api.guard.listening import refusal
    from plimsoll_service.settings import unknown_variables

    for sentence in unknown_variables():
        server.log.warning(sentence)
    why = refusal(server.cfg.address, Settings.from_environment())
    if why is not None:
        raise SystemExit(f"plimsoll-service: {why}")


def _own(application):
    """Whether it is the service, and not another application under the same settings."""
    from plimsoll_service.app import WATCH

    return WATCH in getattr(application, "extensions", {})


def when_ready(server):
    """Share data with the workers, but none of the master's own metrics, because the master answers nothing."""
    from prometheus_client import multiprocess  # not above: the import looks for the directory that is set there

    from plimsoll_service.server import application, draining

    multiprocess.mark_process_dead(os.getpid())
    application.keep_one_heap()
    if server.cfg.preload_app and _own(server.app.wsgi()):
        application.prepare(server.app.wsgi())
    draining.upon_sigterm(Settings.from_environment().drain_seconds, server.log)
    os.register_at_fork(after_in_parent=draining.take_stops)


def on_reload(server):
    """Load the current catalog, pricing agreements and keys, from which the next workers answer."""
    from plimsoll_service.server import application

    if server.cfg.preload_app and _own(server.app.callable):
        application.reload(server)


def pre_fork(server, worker):
    """Give each worker the metric files of an ended one, and hold back stop signals until it listens to them."""
    from plimsoll_service.server import draining

    taken = {other.metrics for other in server.WORKERS.values()}
    worker.metrics = metric_files.slot(taken)
    draining.hold_stops()


def post_fork(_server, worker):
    """Keep a full or read-only disk from ending a worker when it writes metrics."""
    metric_files.survive(worker.metrics)


def post_worker_init(worker):
    """Follow new prices in each worker from its start, because threads do not survive the fork."""
    from plimsoll_service.api.health import STOPS
    from plimsoll_service.api.request_middleware import worker_began
    from plimsoll_service.app import WATCH
    from plimsoll_service.server.draining import take_stops, under_way

    worker_began()
    if _own(worker.wsgi):
        worker.wsgi.extensions[STOPS] = under_way
        worker.wsgi.extensions[WATCH]()
    take_stops()


def worker_exit(_server, _worker):
    """Send the last traces, in the worker itself while it can still start threads."""
    from plimsoll_service import tracing

    tracing.stop()


def child_exit(_server, worker):
    """Remove the gauges of an ended worker from the sum."""
    metric_files.forget(worker.metrics)


def on_exit(_server):
    """Remove the directories that were made here."""
    directories.remove()
