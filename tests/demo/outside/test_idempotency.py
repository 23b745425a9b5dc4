"""Idempotency keys of the payment stand-in: one effect and one response, under all faults."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
import stripe

from demo.outside import keys
from tests.demo.outside.conftest import Outside, client_of, order


def sessions_of(outside: Outside, reference: str) -> list[str]:
    sessions = outside.ask("/_control/ledger")["sessions"]
    return [session["id"] for session in sessions if session["client_reference_id"] == reference]


def test_the_same_key_answers_the_same_session(client: stripe.StripeClient, outside: Outside) -> None:
    parameters = order(client_reference_id="same")

    first = client.v1.checkout.sessions.create(parameters, {"idempotency_key": "checkout:1:1"})
    second = client.v1.checkout.sessions.create(parameters, {"idempotency_key": "checkout:1:1"})

    assert second.id == first.id
    assert second.client_secret == first.client_secret
    assert sessions_of(outside, "same") == [first.id]
    assert second.last_response is not None
    assert second.last_response.headers["idempotent-replayed"] == "true"


def test_other_parameters_under_a_key_are_refused(client: stripe.StripeClient) -> None:
    client.v1.checkout.sessions.create(order(), {"idempotency_key": "checkout:2:1"})

    with pytest.raises(stripe.IdempotencyError) as refusal:
        client.v1.checkout.sessions.create(order(client_reference_id="other"), {"idempotency_key": "checkout:2:1"})

    assert refusal.value.http_status == 400


def test_a_key_in_use_is_refused_while_its_call_runs(outside: Outside) -> None:
    outside.tell("/_control/faults", kind="slow", delay_ms=400)
    parameters = {
        "mode": "payment",
        "ui_mode": "embedded_page",
        "return_url": "http://localhost:8000/",
        "line_items[0][price_data][currency]": "usd",
        "line_items[0][price_data][unit_amount]": "9600",
        "line_items[0][price_data][product_data][name]": "Straight Jean",
        "line_items[0][quantity]": "1",
        "client_reference_id": "at-once",
    }
    headers = {"authorization": f"Bearer {keys.STRIPE_SECRET_KEY}", "idempotency-key": "checkout:3:1"}

    def ask(_: int) -> httpx.Response:
        return httpx.post(f"{outside.url}/v1/checkout/sessions", data=parameters, headers=headers)

    with ThreadPoolExecutor(2) as pool:
        answers = sorted(pool.map(ask, range(2)), key=lambda answer: answer.status_code)

    assert [answer.status_code for answer in answers] == [200, 409]
    assert answers[1].json()["error"]["code"] == "idempotency_key_in_use"
    assert len(sessions_of(outside, "at-once")) == 1


def test_a_500_is_replayed_under_its_key_and_gone_under_another(client: stripe.StripeClient, outside: Outside) -> None:
    outside.tell("/_control/faults", kind="error", path="/v1/checkout/sessions")
    parameters = order(client_reference_id="broken")

    for _ in range(2):
        with pytest.raises(stripe.APIError) as failure:
            client.v1.checkout.sessions.create(parameters, {"idempotency_key": "checkout:4:1"})
        assert failure.value.http_status == 500
    session = client.v1.checkout.sessions.create(parameters, {"idempotency_key": "checkout:4:2"})

    assert sessions_of(outside, "broken") == [session.id]


def test_what_was_found_wrong_before_anything_ran_is_not_kept(client: stripe.StripeClient) -> None:
    with pytest.raises(stripe.InvalidRequestError):
        client.v1.checkout.sessions.create(order(ui_mode="embedded"), {"idempotency_key": "checkout:5:1"})

    session = client.v1.checkout.sessions.create(order(), {"idempotency_key": "checkout:5:1"})

    assert session.status == "open"


def test_a_lost_answer_is_had_again_by_the_librarys_own_retry(outside: Outside) -> None:
    outside.tell("/_control/faults", kind="lost", path="/v1/checkout/sessions", method="POST")

    session = client_of(outside, retries=2).v1.checkout.sessions.create(order(client_reference_id="lost"))

    assert sessions_of(outside, "lost") == [session.id]


@pytest.mark.parametrize(("kind", "status"), [("unavailable", 503), ("rate_limit", 429)])
def test_a_call_turned_away_did_nothing_and_may_come_again(
    client: stripe.StripeClient, outside: Outside, kind: str, status: int
) -> None:
    outside.tell("/_control/faults", kind=kind)
    parameters = order(client_reference_id=kind)

    with pytest.raises(stripe.StripeError) as refusal:
        client.v1.checkout.sessions.create(parameters, {"idempotency_key": f"checkout:{kind}"})
    session = client.v1.checkout.sessions.create(parameters, {"idempotency_key": f"checkout:{kind}"})

    assert refusal.value.http_status == status
    assert sessions_of(outside, kind) == [session.id]
