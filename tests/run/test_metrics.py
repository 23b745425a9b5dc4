"""What Prometheus is told: of requests, jobs, caches and the state of the shop; nothing of persons."""

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from server.analytics.models import AnalyticsOutbox
from server.background import BackgroundWork
from server.catalog.follower import CatalogFollower
from server.config import Settings
from server.operations import measures
from server.platform.core.db import Sessions, begin
from server.platform.core.jobs import JobEnvironment, Worker, enqueue
from server.platform.core.metrics import REGISTRY
from server.platform.core.models import FailedJob
from server.run.metrics import ProcessState
from server.run.reports import ReportsProcess
from tests.due_jobs import run_due
from tests.ports import free_ports
from tests.siege.servers import serving

pytestmark = pytest.mark.slow


@pytest.fixture
def settings(database_url: str, tmp_path: Path) -> Settings:
    return Settings(_env_file=None, port=23_400, database_url=database_url, shop_data=tmp_path)  # type: ignore[call-arg]


def value(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def test_jobs_are_told_by_kind_and_outcome(sessions: Sessions, settings: Settings) -> None:
    async def fails(_env: JobEnvironment, _payload: dict[str, object]) -> None:
        raise ValueError

    async with begin(sessions) as session:
        await enqueue(session, "a job that fails", {})
    process = BackgroundWork(settings)
    await run_due(Worker(process.env, {"a job that fails": fails}))
    await process.engine.dispose()

    assert value("minimal_job_seconds_count", kind="a job that fails", outcome="failed") == 1


async def test_the_state_of_the_shop_is_measured_from_its_tables(sessions: Sessions, settings: Settings) -> None:
    process = BackgroundWork(settings)
    async with begin(sessions) as session:
        await enqueue(session, "a job that waits", {})
        await session.execute(text("UPDATE jobs SET run_at = now() - interval '90 seconds'"))
        session.add(AnalyticsOutbox(at=datetime.now(UTC) - timedelta(hours=1), order_id=uuid4()))
        session.add(FailedJob(id=uuid4(), kind="x", payload={}, attempts=1, error="e", created_at=datetime.now(UTC)))

    await measures.measure(process.env)
    waiting = value("minimal_jobs_oldest_seconds", kind="a job that waits")
    async with begin(sessions) as session:
        await session.execute(text("DELETE FROM jobs"))
    await measures.measure(process.env)
    await process.engine.dispose()

    assert 90 <= waiting < 150
    assert REGISTRY.get_sample_value("minimal_jobs_due", {"kind": "a job that waits"}) is None
    assert value("minimal_jobs_failed") == 1
    assert 3_600 <= value("minimal_facts_lag_seconds") < 3_700
    assert value("minimal_paid_without_order") == 0


async def test_a_process_answers_on_a_port_of_its_own_and_nowhere_else(database_url: str, tmp_path: Path) -> None:
    port, metrics_port = free_ports(2)
    with serving(database_url, tmp_path, port, METRICS_PORT=str(metrics_port)) as server:
        async with httpx.AsyncClient(trust_env=False) as prometheus:
            await prometheus.get(f"{server.url}/")
            exposition = (await prometheus.get(f"http://127.0.0.1:{metrics_port}/metrics")).text
            of_the_shop = await prometheus.get(f"{server.url}/metrics")

    samples = {family.name: family.samples for family in text_string_to_metric_families(exposition)}
    assert {
        "minimal_cache_bytes",
        "minimal_index_complete",
        "minimal_pool_used",
        "process_resident_memory_bytes",
    } <= set(samples)
    assert [sample.value for sample in samples["minimal_listening"]] == [1]
    assert "minimal_request_seconds" not in of_the_shop.text


async def test_an_index_that_nobody_has_asked_for_yet_counts_as_no_incomplete_one(settings: Settings) -> None:
    process = ReportsProcess(settings)
    follower = process.resources.get(CatalogFollower)
    before = {family.name for family in ProcessState(process).collect()}
    following = asyncio.create_task(follower.run(process.sessions, at_once=False))
    follower.notified("")

    await follower.complete_index()
    following.cancel()
    after = {family.name: family.samples[0].value for family in ProcessState(process).collect()}
    await process.engine.dispose()

    assert not {name for name in before if name.startswith("minimal_index")}
    assert after["minimal_index_complete"] == 1
