"""What is seen of a process from outside: GET /metrics on a port of its own, for Prometheus, and traces."""

from collections.abc import Iterator
from typing import TypeVar

from prometheus_client import ProcessCollector, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy.pool import QueuePool

from server.catalog.follower import CatalogFollower
from server.config import Settings
from server.platform.core import tracing
from server.platform.core.byte_cache import sizes
from server.platform.core.metrics import REGISTRY
from server.platform.processes.console import CommandRefused
from server.shop_process import ShopProcess


class ProcessState(Collector):
    """Gauges that are read when Prometheus scrapes."""

    def __init__(self, process: ShopProcess) -> None:
        self._process = process

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Read in the thread of the metrics' server: attributes alone."""
        listener, pool = self._process.listener, self._process.engine.sync_engine.pool
        yield GaugeMetricFamily(
            "minimal_listening", "Whether other processes' commits are heard.", listener.is_connected
        )
        yield GaugeMetricFamily("minimal_leader", "Whether this worker keeps the schedule.", listener.is_leader)
        if isinstance(pool, QueuePool):
            yield GaugeMetricFamily("minimal_pool_used", "Database connections that are in use.", pool.checkedout())
            yield GaugeMetricFamily("minimal_pool_size", "Those that are kept.", pool.size())
        if reader := self._process.reader if self._process.reader.exists else None:
            yield GaugeMetricFamily("minimal_reader_used", "Whether the replica serves reads.", reader.is_used)
            yield GaugeMetricFamily("minimal_reader_lag_seconds", "By how much the replica is behind.", reader.lag)
        used = GaugeMetricFamily("minimal_cache_bytes", "What each cache takes.", labels=["cache"])
        limits = GaugeMetricFamily("minimal_cache_limit_bytes", "What it may take.", labels=["cache"])
        for name, size in sizes().items():
            used.add_metric([name], size.bytes)
            limits.add_metric([name], size.limit)
        yield used
        yield limits
        follower = self._process.resources.find(CatalogFollower)
        if follower and follower.is_wanted:
            complete, lag = follower.is_complete, follower.stale or 0.0
            yield GaugeMetricFamily("minimal_index_complete", "Whether the whole catalogue is indexed.", complete)
            yield GaugeMetricFamily("minimal_index_stale_seconds", "Since when the index may be outdated.", lag)


def trace(settings: Settings, role: str) -> None:
    """Sends traces from now on, if there is a collector."""
    if settings.otel_exporter_otlp_endpoint:
        tracing.start(settings.otel_exporter_otlp_endpoint, role)


P = TypeVar("P", bound=ShopProcess)


def with_metrics(process: P) -> P:
    """Answers from now on, if there is a METRICS_PORT. Raises CommandRefused when that is taken."""
    settings = process.settings
    if not settings.metrics_port:
        return process
    REGISTRY.register(ProcessState(process))
    ProcessCollector(registry=REGISTRY)
    try:
        start_http_server(settings.metrics_port, settings.metrics_host, REGISTRY)
    except OSError as error:
        raise CommandRefused(f"METRICS_PORT {settings.metrics_port} cannot be used: {error.strerror}.") from error
    return process
