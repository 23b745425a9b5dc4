"""Hypothesis strategies of hostile values, mixed with enough valid ones to pass validation."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from graphql import ValueNode, parse_value
from hypothesis import strategies as st
from schemathesis.graphql import nodes

from server.platform.core.cursors import encode_cursor

Ids = Mapping[str, list[str]]
"""Real ones, by what they name."""
TEXTS = (
    *(
        "",
        " ",
        "x",
        "\x00",
        "a\x00b",
        "\t",
        "a\r\nBcc: b@evil.example",
        "\u2028",
        "\ufeff",
        "\u202e",
        "\U0001f9e5" * 20,
    ),
    *("a\udfffb", "ÀÉÎõü", "ﷺ" * 30, "e" + "\u0301" * 200, "İ", "ß", "\x7f", "\x1b[2J"),
    *("'", '"', "\\", "%", "_", "';--", "' OR '1'='1", "$1", "{}", "{0}", "%s", "${7*7}", "{{7*7}}", "<script>"),
    *("../../etc/passwd", "/dev/null", "file:///etc/passwd", "javascript:alert(1)", "http://[", "//evil.example"),
    *("null", "undefined", "NaN", "Infinity", "-0", "1e400", "0x10", "٣", "²", "1_000", "True", "00000000"),
    *("x" * 255, "x" * 256, "x" * 5_001, "x" * 20_000, "a b " * 500, "(" * 500, "=1+1", "@x", "\U0010ffff"),
)
WHOLE = (0, 1, -1, 2, 3, 5, 10, 99, 100, 101, 2**15, 2**31 - 1, -(2**31), 10_000, 365, 1_000_000_000)
MONEY = ("0.00", "0.01", "19.90", "89", "-1.00", "999999.99", "-999999.99", "1.5")
MOMENTS = (
    *("2026-11-01T09:30:00Z", "2026-12-01T00:00:00+14:00", "0002-01-01T00:00:00+14:00", "9998-12-31T23:59:59-12:00"),
    *("2026-11-01T09:30:00", "2026-11-01", "20261101T093000Z"),
)
DATES = ("2026-11-01", "2026-11-21", "0001-01-01", "9999-12-31", "20261101")
FRACTIONS = ("0", "1", "0.5", "-1", "1e29", "1e-29", "-0")
UNFIT = (
    *("", "1.999", "٣", "2026-02-30T00:00:00Z", "2026-02-30", "now", "2026-W01-1", "1_000", "\x00", "x" * 5_000),
    *("92233720368547758.07", "1e5", "NaN", "sNaN", "-Infinity", "1e300", "9" * 400, "0001-01-01T00:00:00+14:00"),
)
"""For scalars that look at a value themselves: a few of these are enough, since they go no further."""

texts = (
    st.sampled_from(("\x00", "a\x00b", "", "x" * 20_000))
    | st.sampled_from(TEXTS)
    | st.text(st.characters(codec="utf-8"), max_size=20)
)


def mostly(*good: str) -> st.SearchStrategy[str]:
    """Five in six are one of these."""
    return st.integers(0, 5).flatmap(lambda turn: texts if turn == 2 else st.sampled_from(good))


def fit(values: tuple[str, ...]) -> st.SearchStrategy[str]:
    return st.integers(0, 40).flatmap(lambda turn: st.sampled_from(UNFIT if turn == 17 else values))


def literals(*given: str) -> st.SearchStrategy[ValueNode]:
    """Values as a document has them: `{preset: TODAY}`."""
    return st.sampled_from([parse_value(each) for each in given])


def scalars(ids: Ids) -> dict[str, st.SearchStrategy[ValueNode]]:
    """What schemathesis shall take for each scalar of `renamed`; `ids` are real ones, by kind."""
    whole = st.integers(0, 3).flatmap(lambda turn: st.integers(1, 4) if turn < 2 else st.sampled_from(WHOLE))
    every = tuple(each for kind in ids.values() for each in kind)
    return {
        **{f"{kind}_Id": mostly(*real, *every[:3]).map(nodes.String) for kind, real in ids.items()},
        "Text": (st.sampled_from(("Oxford Shirt", "Ada Lovelace", "x")) | texts).map(nodes.String),
        "Email": mostly("shopper@shop.test", "new@shop.test", "a@b.co").map(nodes.String),
        "Password": mostly("CorrectHorse7!", "Linen&Shirt4").map(nodes.String),
        "Cursor": (st.sampled_from(CURSORS) | texts).map(nodes.String),
        "CountryWord": mostly("DE", "Germany", "United Kingdom", "US").map(nodes.String),
        "CodeWord": mostly("SPRING10", "NEW20").map(nodes.String),
        "Zone": mostly("UTC", "Europe/Berlin", "Pacific/Kiritimati", "America/St_Johns").map(nodes.String),
        "Hex": mostly("#b7d0ea", "#000", "#FFFFFF").map(nodes.String),
        "Web": mostly("https://carrier.example/1", "/x").map(nodes.String),
        "Whole": whole.map(nodes.Int),
        "PageSize": st.sampled_from((1, 1, 1, 2, 2, 3, 0, -1, 100, 101, 2**31 - 1)).map(nodes.Int),
        "Money": fit(MONEY).map(nodes.String),
        "DateTime": fit(MOMENTS).map(nodes.String),
        "Date": fit(DATES).map(nodes.String),
        "Decimal": fit(FRACTIONS).map(nodes.String),
        "URL": mostly("/x").map(nodes.String),
        "Size": mostly("S", "M", "38").map(nodes.String),
        "ReportRange": literals(
            *("{preset: TODAY}", "{preset: ALL_TIME}", "{last: {days: 7}}", "{last: {years: 2147483647}}"),
            *('{dates: {from: "2026-11-01", to: "2026-11-21"}}', '{dates: {from: "0001-01-01", to: "9999-12-31"}}'),
            *('{dates: {from: "2026-11-21", to: "2026-11-01"}}', "{last: {days: 0}}", "{last: {months: -1}}"),
        ),
        "BlockInput": literals(
            *('{freeText: {text: "# Washed"}}', '{freeText: {text: "[x](javascript:alert(1)) ![y](z) <b>\\u0000"}}'),
            *('{hero: {slides: [{heading: "Denim", button: "Look", link: "/category/men"}]}}', "{hero: {slides: []}}"),
            '{shelf: {department: "men", productKind: "jeans", sort: NEWEST, most: 4}}',
            *('{shelf: {department: "cats"}}', "{shelf: {most: 2147483647}}", "{shelf: {most: -1, onlySale: true}}"),
            f'{{pictureWithWords: {{picture: {{imageId: "{NOBODY}"}}}}}}',
            *('{pictureWithWords: {picture: {imageId: "x"}, side: RIGHT}}', '{twoColumns: {left: "a", right: "b"}}'),
            *(
                '{quotation: {quote: "It lasts.", by: ""}}',
                '{questions: {questions: [{question: "Why?", answer: "So."}]}}',
            ),
        ),
        "LastPeriods": literals("{days: 7}", "{weeks: 0}", "{quarters: -1}", "{years: 2147483647}"),
        "ProductsChange": literals(
            *("{retired: false}", '{price: {step: RAISE_AMOUNT, amount: "1.00"}}', "{stock: {pieces: 5}}"),
            *("{price: {step: RAISE_PERCENT, percent: 1e300}}", '{price: {step: LOWER_AMOUNT, amount: "9999999.99"}}'),
            *("{discount: {percent: 10}}", "{discount: {percent: -2147483648}}", "{stock: {pieces: 2147483647}}"),
            '{discount: {percent: 10, startsAt: "9999-12-31T23:59:59-12:00", endsAt: "0001-01-01T00:00:00+14:00"}}',
        ),
    }


MOMENT, NOBODY = "2026-11-01T09:30:00+00:00", "00000000-0000-7000-8000-000000000000"
CURSORS = tuple(
    encode_cursor(*parts)
    for parts in (
        *((), ("",), (NOBODY,), (0,), (-9,), (2**63,), ("9" * 5_000,), ("\u00b2",)),
        *((MOMENT, NOBODY), (MOMENT[:19], NOBODY), ("0001-01-01T00:00:00+14:00", NOBODY)),
        *((0, NOBODY), (2**31, NOBODY), (-(2**63) - 1, NOBODY), ("9" * 5_000, NOBODY), ("1e5", NOBODY), ("NaN", "x")),
        *(("\x00", NOBODY), ("a\x00b", NOBODY), ("Oxford Shirt", NOBODY), ("x" * 9_000, NOBODY), ("SPRING10", MOMENT)),
        *(("featured", 0, NOBODY), ("newest", MOMENT, NOBODY), ("price_ascending", 2**64, NOBODY), ("newest", 0, "")),
        *(("SKU", "OX-S", NOBODY), ("STOCK", 0, NOBODY), ("NEWEST", MOMENT, NOBODY), ("NAME", "\x00", NOBODY)),
        *((MOMENT, "SPRING10"), (MOMENT, "\x00"), (NOBODY, NOBODY), (MOMENT, NOBODY, NOBODY, NOBODY)),
    )
)
"""Opaque texts that are not this list's, or hold what no list has."""

BY_NAME = {
    **dict.fromkeys(("email", "contactEmail", "actor"), "Email"),
    **dict.fromkeys(("password", "newPassword"), "Password"),
    **dict.fromkeys(("country", "countries"), "CountryWord"),
    **dict.fromkeys(("code", "discountCode"), "CodeWord"),
    **dict.fromkeys(("trackingUrl", "labelUrl"), "Web"),
    **dict.fromkeys(("first", "n"), "PageSize"),
    "after": "Cursor",
    "timeZone": "Zone",
    "hex": "Hex",
}
BY_TYPE = {"String": "Text", "Int": "Whole"}
IDS = {
    "productIds": "product",
    "product": "product",
    "ids": "product",
    "variant": "variant",
    "variantId": "variant",
    "orderId": "order",
    "order": "order",
    "lineId": "line",
    "addressId": "address",
    "sessionId": "session",
    "buyerId": "user",
    "subjectId": "order",
    "imageId": "image",
    "productId": "product",
    "completeCheckout.sessionId": "checkout",
    "colors": "color",
    **dict.fromkeys(("cancelOrder", "cancelOrderAsShop", "shipOrder", "refundOrder"), "order"),
    **dict.fromkeys(("acceptReturn", "refuseReturn", "receiveReturn", "refundReturn"), "return"),
    **dict.fromkeys(("updateShipment", "markDelivered"), "shipment"),
    "updateAddress": "address",
    "deleteAddress": "address",
    "revokeSession": "session",
    "renamePasskey": "passkey",
    "removePasskey": "passkey",
    "retryRefund": "refund",
    "settleRefund": "refund",
    "startImport": "import",
    "cancelImport": "import",
    "retryJob": "job",
    "deleteJob": "job",
    "import": "import",
    "updateDeliveryZone": "zone",
    "deleteDeliveryZone": "zone",
    **dict.fromkeys(("deleteUser", "toggleAdmin", "rejectAdminRequest", "signOutUser", "resetSecondFactors"), "user"),
    "user": "user",
    "updateSavedReport": "report",
    "deleteSavedReport": "report",
    **dict.fromkeys(("page", "updatePage", "revertPage", "publishPage", "unpublishPage", "deletePage"), "page"),
    "cancelPublication": "page",
    "releaseReservation": "reservation",
    "UpdateColorInput": "color",
}
"""What an ID names, by the name of its argument or, where that is only `id`, by what it is an argument of."""


def named_by(owner: str, name: str) -> str:
    """What the ID names that is the argument or member `name` of `owner`."""
    return IDS.get(f"{owner}.{name}") or IDS.get(name) or IDS.get(owner) or "product"


def renamed(introspection: dict[str, Any]) -> dict[str, Any]:
    """The schema with scalars named for what is in them, wherever they go in; none is another for the server."""
    schema = deepcopy(introspection["__schema"])
    new_names: set[str] = set(BY_TYPE.values())
    for kind in schema["types"]:
        if not kind["name"].startswith("__"):
            for field in kind["fields"] or ():
                for argument in field["args"]:
                    new_names.add(_rename(argument, field["name"]))
            for member in kind["inputFields"] or ():
                new_names.add(_rename(member, kind["name"]))
    kinds = {kind["name"] for kind in schema["types"]}
    schema["types"] = [_without_members(kind) if kind["isOneOf"] else kind for kind in schema["types"]]
    schema["types"] += [_scalar(name) for name in sorted(new_names - kinds)]
    return {"__schema": schema}


def _rename(given: dict[str, Any], owner: str) -> str:
    """Returns the name of its type from now on."""
    kind = given["type"]
    while kind.get("ofType"):
        kind = kind["ofType"]
    name = given["name"]
    if kind["name"] == "ID":
        kind["name"] = f"{named_by(owner, name)}_Id"
    elif kind["name"] in BY_TYPE:
        kind["name"] = BY_NAME.get(name, BY_TYPE[kind["name"]])
    return str(kind["name"])


def _without_members(kind: dict[str, Any]) -> dict[str, Any]:
    """Exactly one member of such an input may be given, which the generator does not know: it gets whole values."""
    return _scalar(kind["name"])


def _scalar(name: str) -> dict[str, Any]:
    nothing = ("fields", "inputFields", "interfaces", "enumValues", "possibleTypes", "isOneOf", "specifiedByURL")
    return {"kind": "SCALAR", "name": name, "description": None, **dict.fromkeys(nothing)}
