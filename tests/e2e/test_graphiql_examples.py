"""The documents that GraphiQL opens on, run one after the other as they stand, on the demo shop."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.whole_shop import ROOT, WholeShop

EXAMPLES = sorted((ROOT / "examples").glob("*.graphql"))


def run(client: httpx.Client, name: str, **changed: object) -> dict[str, Any]:
    """The data of one example, with the variables of the file beside it."""
    document = ROOT / "examples" / f"{name}.graphql"
    variables = document.with_suffix(".json")
    values = json.loads(variables.read_text()) if variables.exists() else {}
    answer = client.post("/graphql", json={"query": document.read_text(), "variables": {**values, **changed}}).json()
    assert answer.get("errors", []) == []
    data: dict[str, Any] = answer["data"]
    return data


@pytest.mark.parametrize("document", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_says_what_it_teaches_before_anything_else(document: Path) -> None:
    assert document.read_text().startswith("# ")


def test_the_shoppers_examples_lead_from_a_category_to_an_order(shop: WholeShop) -> None:
    with shop.visitor() as client:
        assert run(client, "01-browse-a-category")["products"]["totalCount"] > 0
        assert run(client, "02-product")["product"]["name"]
        assert run(client, "03-search")["search"]["corrected"] == "oxford"
        assert run(client, "04-sign-in")["signIn"]["__typename"] == "SignedIn"
        assert run(client, "05-add-to-cart")["addToCart"]["count"] >= 1
        before = run(client, "06-cart-and-orders")["viewer"]["orders"]["totalCount"]
        checkout = run(client, "07-buy")["startCheckout"]
        shop.tell(f"sessions/{checkout['sessionId']}/pay", card="4242424242424242")
        order = run(client, "08-confirm-the-order", sessionId=checkout["sessionId"])["completeCheckout"]["order"]

        assert order["paymentStatus"] == "PAID"
        assert run(client, "06-cart-and-orders")["viewer"]["orders"]["totalCount"] == before + 1


def send(shop: WholeShop, order_id: str) -> None:
    """The back office sends an order."""
    look = "query ($id: ID!) { admin { order(id: $id) { version } } }"
    ship = """
    mutation ($id: ID!, $version: String!) {
      shipOrder(id: $id, version: $version, input: { carrier: "UPS" }) { __typename }
    }
    """
    with shop.visitor() as client:
        run(client, "04-sign-in", email="admin@minimal.test")
        seen = client.post("/graphql", json={"query": look, "variables": {"id": order_id}}).json()
        version = seen["data"]["admin"]["order"]["version"]
        variables = {"id": order_id, "version": version}
        answer = client.post("/graphql", json={"query": ship, "variables": variables}).json()
    assert answer["data"]["shipOrder"]["__typename"] == "OrderChanged"


def test_the_examples_after_a_purchase_follow_return_and_cancel_it(shop: WholeShop) -> None:
    with shop.visitor() as client:
        run(client, "04-sign-in")
        run(client, "05-add-to-cart")
        session = run(client, "07-buy")["startCheckout"]["sessionId"]
        shop.tell(f"sessions/{session}/pay", card="4242424242424242")
        run(client, "08-confirm-the-order", sessionId=session)

        [order] = run(client, "11-order-timeline")["viewer"]["orders"]["nodes"]
        assert [event["kind"] for event in order["timeline"]] == ["PLACED", "PAID"]
        assert order["canCancel"] is True
        send(shop, order["id"])
        lines = [{"lineId": order["lines"][0]["id"], "quantity": 1}]
        returned = run(client, "12-ask-for-a-return", orderId=order["id"], lines=lines)["requestReturn"]
        assert [each["reason"] for each in returned["returns"]] == ["Too wide"]
        canceled = run(client, "13-cancel-order", id=order["id"])["cancelOrder"]
        assert canceled["message"] == "This order is on its way. You can ask for a return."


def test_the_examples_of_an_account_keep_a_wish_and_list_its_browsers(shop: WholeShop) -> None:
    with shop.visitor() as client:
        run(client, "04-sign-in")

        assert "Oxford Shirt" in [each["name"] for each in run(client, "09-wishlist")["addToWishlist"]["products"]]
        assert [each["isCurrent"] for each in run(client, "10-sessions")["viewer"]["sessions"]].count(True) == 1


def test_the_back_offices_examples_answer_an_admin(shop: WholeShop) -> None:
    with shop.visitor() as client:
        run(client, "04-sign-in", email="admin@minimal.test")

        assert run(client, "14-admin-totals")["admin"]["analytics"]["totalUsers"] > 300
        assert run(client, "15-admin-users")["admin"]["users"]["totalCount"] >= 2


def test_the_examples_of_reports_answer_an_owner(shop: WholeShop) -> None:
    with shop.visitor() as client:
        run(client, "04-sign-in", email="owner@minimal.test")
        months = report(run(client, "16-report-by-month"))
        best = report(run(client, "17-report-top-products"))
        soon = report(run(client, "18-report-soon-sold-out"))
        behaviour = run(client, "19-funnel-cohorts-baskets")["admin"]["analytics"]
        guide = run(client, "20-report-catalogue")["admin"]["analytics"]["catalogue"]
        file = report(run(client, "21-report-as-a-file"))

    assert months["rowCount"] == len(months["rows"]) == 6 * 5
    assert [row["product"]["isOther"] for row in best["rows"]] == [False] * 5 + [True]
    assert all(row["behind"]["totalCount"] >= len(row["behind"]["nodes"]) > 0 for row in best["rows"])
    assert soon["rowCount"] > 0
    assert len(behaviour["cohorts"]) == 6
    assert behaviour["basketPairs"][0]["orders"] >= 3
    assert len(guide["measures"]) == len(guide["dimensions"]) == 22
    assert file["export"].splitlines()[-1].startswith("Total,")


def report(data: dict[str, Any]) -> dict[str, Any]:
    answered: dict[str, Any] = data["admin"]["analytics"]["report"]
    return answered
