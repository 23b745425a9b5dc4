"""Stock and imports over GraphQL."""

from typing import Any

from sqlalchemy import func, update
from sqlalchemy.ext.asyncio import AsyncSession

from server.catalog.models import Product, Variant
from server.platform.core.db import Sessions
from tests.cart.stock import make_shopper, stock_of
from tests.catalog.storefront import Storefront, ask, graphql, working
from tests.inventory.files import file_of, rows_of
from tests.inventory.import_files import NEW, sku_of
from tests.inventory.shelf import check_out, make_shelf, settle
from tests.payments.conftest import until

ADJUST = """
  mutation ($changes: [StockChange!]!, $reason: AdjustmentReason! = RECEIVED, $note: String! = "") {
    adjustStock(changes: $changes, reason: $reason, note: $note) {
      __typename
      ... on StockAdjusted { levels { id stock reserved onShelf isLow } }
      ... on NotEnoughStock { free }
      ... on UserError { message field }
    }
  }
"""
LEVELS = """
  query ($filter: StockFilter, $sort: StockSort! = SKU, $first: Int! = 50, $after: String) {
    admin { stock(filter: $filter, sort: $sort, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } nodes { stock reserved isLow item { name sku color size } }
    } stockSummary { threshold low soldOut reserved } }
  }
"""
LEDGER = """
  query ($filter: StockMovementFilter, $first: Int! = 50, $after: String) {
    admin { stockMovements(filter: $filter, first: $first, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } nodes { quantity balance reason note orderNumber actor }
    } }
  }
"""
HELD = """
  query ($search: String) { admin { stockReservations(search: $search) {
    totalCount nodes { quantity email isPaid item { sku } }
  } } }
"""
IMPORT = """
  query ($id: ID!) { admin { import(id: $id) {
    state rows rowsDone problemCount problems { cell message } summary { newProducts changedStock changes }
    changes { row column before after }
  } } }
"""
START = (
    "mutation ($id: ID!) { startImport(id: $id) { __typename ... on Import { state } ... on UserError { message } } }"
)


async def test_a_change_answers_the_new_levels_and_the_ledger_says_who(
    storefront: Storefront, session: AsyncSession
) -> None:
    goods = await make_shelf(session, stock=5)
    change = {"variantId": str(goods.variant_id), "by": -3}

    answer = await ask(storefront.admin, ADJUST, changes=[change], reason="DAMAGED", note="Torn")

    [level] = answer["adjustStock"]["levels"]
    assert (level["stock"], level["reserved"], level["onShelf"], level["isLow"]) == (2, 0, 2, True)
    movements = (await ask(storefront.admin, LEDGER))["admin"]["stockMovements"]
    assert movements["totalCount"] == 2
    assert movements["nodes"][0] == {
        "quantity": -3,
        "balance": 2,
        "reason": "DAMAGED",
        "note": "Torn",
        "orderNumber": None,
        "actor": "admin@shop.test",
    }


async def test_a_change_that_cannot_be_says_so_and_changes_nothing(
    storefront: Storefront, session: AsyncSession
) -> None:
    goods = await make_shelf(session, stock=2)
    variant_id = str(goods.variant_id)

    too_much = await ask(storefront.admin, ADJUST, changes=[{"variantId": variant_id, "by": -3}])
    nothing = await ask(storefront.admin, ADJUST, changes=[{"variantId": variant_id}])
    unknown = await graphql(storefront.admin, ADJUST, changes=[{"variantId": "made-up", "by": 1}])

    assert (too_much["adjustStock"]["__typename"], too_much["adjustStock"]["free"]) == ("NotEnoughStock", 2)
    assert nothing["adjustStock"]["__typename"] == "InvalidInput"
    assert unknown["errors"][0]["extensions"]["code"] == "NOT_FOUND"
    assert await stock_of(session, goods.variant_id) == 2


async def test_levels_are_found_filtered_sorted_and_paged(storefront: Storefront, session: AsyncSession) -> None:
    for name, stock in (("Oxford Shirt", 9), ("Café Shirt", 0), ("Denim", 3), ("Culotte", 40)):
        await make_shelf(session, name=name, stock=stock)

    async def names(**asked: Any) -> list[str]:
        stock = (await ask(storefront.admin, LEVELS, **asked))["admin"]["stock"]
        return [node["item"]["name"] for node in stock["nodes"]]

    assert await names(sort="LEAST") == ["Café Shirt", "Denim", "Oxford Shirt", "Culotte"]
    assert await names(sort="MOST") == ["Culotte", "Oxford Shirt", "Denim", "Café Shirt"]
    assert await names(filter={"level": "LOW"}, sort="LEAST") == ["Café Shirt", "Denim"]
    assert await names(filter={"level": "SOLD_OUT"}) == ["Café Shirt"]
    assert await names(filter={"search": "cafe"}) == ["Café Shirt"]
    assert await names(filter={"search": "100%_"}) == []
    for sort in ("SKU", "LEAST", "MOST"):
        walked: list[str] = []
        after = None
        for _ in range(4):
            page = (await ask(storefront.admin, LEVELS, sort=sort, first=1, after=after))["admin"]["stock"]
            walked += [node["item"]["name"] for node in page["nodes"]]
            after = page["pageInfo"]["endCursor"]
        assert (walked, page["pageInfo"]["hasNextPage"], page["totalCount"]) == (await names(sort=sort), False, 4)
    summary = (await ask(storefront.admin, LEVELS))["admin"]["stockSummary"]
    assert (summary["low"], summary["soldOut"], summary["reserved"]) == (2, 1, 0)


async def test_what_is_no_longer_sold_is_left_out_unless_asked_for(
    storefront: Storefront, session: AsyncSession
) -> None:
    retired, color_gone = await make_shelf(session, name="Retired"), await make_shelf(session, name="Color gone")
    await session.execute(update(Product).where(Product.id == retired.product_id).values(retired_at=func.now()))
    await session.execute(update(Variant).where(Variant.id == color_gone.variant_id).values(retired_at=func.now()))
    await session.commit()

    sold = (await ask(storefront.admin, LEVELS))["admin"]["stock"]
    everything = (await ask(storefront.admin, LEVELS, filter={"includeRetired": True}))["admin"]["stock"]

    assert (sold["totalCount"], everything["totalCount"]) == (0, 2)


async def test_what_checkouts_hold_is_told_until_it_is_paid_for(storefront: Storefront, session: AsyncSession) -> None:
    shopper, goods = await make_shopper(session), await make_shelf(session, stock=5)
    checkout = await check_out(session, shopper, {goods.variant_id: 2})

    held = (await ask(storefront.admin, HELD))["admin"]["stockReservations"]
    theirs, nobodys = [
        (await ask(storefront.admin, HELD, search=typed))["admin"]["stockReservations"]["totalCount"]
        for typed in (f" {shopper.email}\x00", "nobody@minimal.test")
    ]
    [level] = (await ask(storefront.admin, LEVELS))["admin"]["stock"]["nodes"]
    await settle(session, checkout)
    after = (await ask(storefront.admin, HELD))["admin"]["stockReservations"]
    sale = (await ask(storefront.admin, LEDGER, filter={"search": "m-10001"}))["admin"]["stockMovements"]["nodes"]

    assert [(each["quantity"], each["email"], each["isPaid"]) for each in held["nodes"]] == [(2, shopper.email, False)]
    assert (theirs, nobodys) == (1, 0)
    assert (level["stock"], level["reserved"]) == (3, 2)
    assert after["totalCount"] == 0
    assert [(each["orderNumber"], each["quantity"], each["balance"]) for each in sale] == [("M-10001", -2, 3)]


async def test_the_ledger_is_paged_and_filtered_by_item_and_reason(
    storefront: Storefront, session: AsyncSession
) -> None:
    goods, _ = await make_shelf(session, stock=5), await make_shelf(session, stock=1)
    for by in (1, 2, 3):
        await ask(storefront.admin, ADJUST, changes=[{"variantId": str(goods.variant_id), "by": by}])
    own = {"variantId": str(goods.variant_id)}

    first = (await ask(storefront.admin, LEDGER, filter=own, first=3))["admin"]["stockMovements"]
    rest = await ask(storefront.admin, LEDGER, filter=own, first=3, after=first["pageInfo"]["endCursor"])
    openings = await ask(storefront.admin, LEDGER, filter={"reasons": ["OPENING"]})

    assert [(each["quantity"], each["balance"]) for each in first["nodes"]] == [(3, 11), (2, 8), (1, 6)]
    assert [each["balance"] for each in rest["admin"]["stockMovements"]["nodes"]] == [5]
    assert openings["admin"]["stockMovements"]["totalCount"] == 2


async def test_a_file_is_brought_over_http_looked_at_started_and_done(
    storefront: Storefront, sessions: Sessions, session: AsyncSession
) -> None:
    goods = await make_shelf(session, stock=5)
    content = file_of([{"sku": await sku_of(session, goods), "stock": "8"}])

    sent = await storefront.admin.post("/uploads/products?name=stock.csv", content=content)
    import_id = sent.json()["id"]

    async def reached(state: str) -> Any:
        import_view = (await ask(storefront.admin, IMPORT, id=import_id))["admin"]["import"]
        return import_view if import_view["state"] == state else None

    async with working(storefront):
        looked_at = await until(lambda: reached("READY"))
        started = (await ask(storefront.admin, START, id=import_id))["startImport"]
        done = await until(lambda: reached("DONE"))
    again = (await ask(storefront.admin, START, id=import_id))["startImport"]

    assert sent.status_code == 201
    assert looked_at["changes"] == [{"row": 2, "column": "stock", "before": "5", "after": "8"}]
    assert started["__typename"] == "Import"
    assert (done["rows"], done["rowsDone"], done["summary"]["changedStock"]) == (1, 1, 1)
    assert again == {"__typename": "ImportNotReady", "message": "This import cannot be started any more."}
    assert await stock_of(session, goods.variant_id) == 8


async def test_who_is_not_the_primary_admin_cannot_start_new_products(storefront: Storefront) -> None:
    sent = await storefront.admin.post("/uploads/products?name=new.csv", content=file_of([NEW]))
    import_id = sent.json()["id"]

    async def ready() -> bool:
        return bool((await ask(storefront.admin, IMPORT, id=import_id))["admin"]["import"]["state"] == "READY")

    async with working(storefront):
        await until(ready)
    refused = await graphql(storefront.admin, START, id=import_id)
    allowed = await ask(storefront.primary, START, id=import_id)

    assert refused["errors"][0]["extensions"]["code"] == "FORBIDDEN"
    assert allowed["startImport"]["__typename"] == "Import"


async def test_an_empty_or_huge_file_is_refused_at_the_door(storefront: Storefront) -> None:
    empty = await storefront.admin.post("/uploads/products", content=b" \n")
    huge = await storefront.admin.post("/uploads/products", content=b"x" * 20_000_001)

    assert (empty.status_code, empty.json()["message"]) == (400, "The file is empty")
    assert (huge.status_code, huge.json()["message"]) == (413, "A file has at most 20 MB.")


async def test_the_download_is_a_file_for_spreadsheets(storefront: Storefront, session: AsyncSession) -> None:
    await make_shelf(session, name="Oxford Shirt", sizes=("M", "XS"), stock=5)

    answer = await storefront.admin.get("/exports/products.csv")
    in_inches = await storefront.admin.get("/exports/products.csv?units=in")
    in_ells = await storefront.admin.get("/exports/products.csv?units=ell")

    assert (in_ells.status_code, in_ells.json()["errors"]) == (400, ["units: Units are cm or in"])
    assert [name for name in rows_of(in_inches.content)[0] if name.startswith("waist")] == ["waist_in"]
    assert [name for name in rows_of(answer.content)[0] if name.startswith("waist")] == ["waist_cm"]
    assert answer.headers["content-type"].startswith("text/csv")
    assert "attachment; filename=" in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "no-store"
    assert [(row["name"], row["size"], row["stock"]) for row in rows_of(answer.content)] == [
        ("Oxford Shirt", "XS", "5"),
        ("Oxford Shirt", "M", "5"),
    ]
