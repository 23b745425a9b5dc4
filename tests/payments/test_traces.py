"""A purchase as a collector of OpenTelemetry sees it."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import service as cart
from server.config import Settings
from server.platform.core.security import cookie_name
from tests.cart.stock import make_product, make_shopper
from tests.collector import receiving
from tests.e2e.whole_shop import ROOT
from tests.payments.checkout_documents import COMPLETE, START
from tests.payments.conftest import until
from tests.payments.provider import Provider
from tests.roles import Roles
from tests.session_tokens import session_token

pytestmark = pytest.mark.slow


async def test_a_purchase_is_one_trace_over_web_database_provider_worker_and_mail(
    settings: Settings, provider: Provider, session: AsyncSession, tmp_path: Path
) -> None:
    shopper, goods = await make_shopper(session), await make_product(session, stock=5)
    await cart.add_line(session, shopper.id, goods.variant_id, 2)
    token = await session_token(session, shopper.id)
    await session.commit()
    own = {
        "DATABASE_URL": settings.database_url,
        "SHOP_DATA": str(settings.shop_data),
        "OUTSIDE_PORT": str(settings.outside_port),
        "OUTSIDE_SMTP_PORT": str(settings.outside_smtp_port),
        "DEMO": "false",
    }
    with receiving() as collector:
        roles = Roles(settings.port, tmp_path / "log", own | collector.settings)
        roles.start()
        strange = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{settings.port}",
            cookies={cookie_name(settings): token},
            headers={"sec-fetch-site": "same-origin", "traceparent": strange},
            timeout=60,
        ) as browser:
            started = (await browser.post("/graphql", json={"query": START})).json()["data"]["startCheckout"]
            assert provider.pay(started["sessionId"]) == 200
            body = {"query": COMPLETE, "variables": {"session": started["sessionId"]}}
            bought = (await browser.post("/graphql", json=body)).json()["data"]["completeCheckout"]

            async def is_told() -> bool:
                return any(span.name == "smtp" for span in collector.spans)

            await until(is_told, 60)
        roles.stop()
    spans = collector.spans
    [mailed] = [span for span in spans if span.name == "smtp"]
    purchase = [span for span in spans if span.trace == mailed.trace]
    names = {(span.service, span.name) for span in purchase}
    logged = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines() if line.startswith("{")]

    assert bought["__typename"] == "CheckoutCompleted"
    assert {("web", "POST graphql"), ("web", "stripe"), ("web", "INSERT"), ("worker", "smtp")} <= names
    assert any(service == "worker" and name.startswith("job ") for service, name in names)
    assert len([span for span in purchase if not span.parent]) == 1
    assert {span.parent for span in purchase if span.parent} <= {span.id for span in purchase}
    assert strange[3:35] not in {span.trace for span in spans}
    assert mailed.trace in {line.get("trace_id") for line in logged if line["event"] == "request"}
    assert {"postgresql"} == {span.attributes["db.system.name"] for span in purchase if span.name == "INSERT"}
    assert shopper.email not in collector.raw


async def test_what_was_traced_last_is_sent_when_a_process_ends(settings: Settings, tmp_path: Path) -> None:
    own = {"DATABASE_URL": settings.database_url, "SHOP_DATA": str(settings.shop_data), "DEMO": "false"}
    with receiving() as collector:
        never_by_itself = collector.settings | {"OTEL_BSP_SCHEDULE_DELAY": "600000"}
        roles = Roles(settings.port, tmp_path / "log", own | never_by_itself)
        roles.start()
        async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{settings.port}", timeout=60) as browser:
            await browser.post("/graphql", json={"query": "{ shop { name } }"})
        services = {span.service for span in collector.spans}
        roles.stop()

    assert (services, "web" in {span.service for span in collector.spans}) == (set(), True)


def test_without_a_collector_nothing_of_opentelemetry_is_loaded() -> None:
    looking = "import server.background, server.run.web, sys; print([m for m in sys.modules if 'telemetry' in m])"

    said = subprocess.run([sys.executable, "-c", looking], cwd=ROOT, capture_output=True, text=True, check=True)

    assert said.stdout.strip() == "[]"
