"""Checkout sessions: from the shop's request until they are complete or their time is up."""

from hmac import compare_digest

from demo.outside import forms, session_objects, webhooks
from demo.outside.errors import ApiError, Invalid, missing
from demo.outside.forms import Shape, flag, many, metadata, one_of, text, whole
from demo.outside.ledger import Json, Transaction, now

MOST_LINES = 100
LEAST_LIFE, MOST_LIFE = 30 * 60, 24 * 60 * 60
CLOCK_SKEW = 60
LEAST_CHARGE, MOST_CHARGE = 50, 99_999_999
EXPIRE = "session.expire"
_amount = whole(0, MOST_CHARGE)

PRODUCT_DATA = Shape(
    {
        "name": text(5000),
        "description": text(40_000),
        "images": many(forms.address, 8, "images"),
        "metadata": metadata,
        "tax_code": text(),
        "unit_label": text(12),
    },
    required=("name",),
    beyond=frozenset({"tax_details"}),
)
PRICE_DATA = Shape(
    {
        "currency": forms.currency,
        "unit_amount": _amount,
        "product_data": PRODUCT_DATA,
        "tax_behavior": one_of("exclusive", "inclusive", "unspecified"),
    },
    required=("currency", "unit_amount", "product_data"),
    beyond=frozenset({"product", "recurring", "unit_amount_decimal"}),
)
LINE_ITEM = Shape(
    {"price_data": PRICE_DATA, "quantity": whole(1, 999_999), "metadata": metadata},
    required=("price_data", "quantity"),
    beyond=frozenset({"price", "tax_rates", "adjustable_quantity"}),
)
_time_unit = Shape(
    {"unit": one_of("business_day", "day", "hour", "month", "week"), "value": whole(1)}, required=("unit", "value")
)
SHIPPING_RATE_DATA = Shape(
    {
        "display_name": text(100),
        "type": one_of("fixed_amount"),
        "fixed_amount": Shape({"amount": _amount, "currency": forms.currency}, required=("amount", "currency")),
        "delivery_estimate": Shape({"minimum": _time_unit, "maximum": _time_unit}),
        "metadata": metadata,
        "tax_behavior": one_of("exclusive", "inclusive", "unspecified"),
        "tax_code": text(),
    },
    required=("display_name", "fixed_amount"),
)
PAYMENT_INTENT_DATA = Shape(
    {
        "description": text(1000),
        "metadata": metadata,
        "receipt_email": text(512),
        "statement_descriptor": text(22),
        "statement_descriptor_suffix": text(22),
        "transfer_group": text(),
        "capture_method": one_of("automatic", "automatic_async"),
    },
    beyond=frozenset({"application_fee_amount", "on_behalf_of", "setup_future_usage", "shipping", "transfer_data"}),
)
CREATE = Shape(
    {
        **forms.EXPAND,
        "adaptive_pricing": Shape({"enabled": flag}),
        "allowed_payment_method_types": many(one_of("card", "link"), 10),
        "billing_address_collection": one_of("auto", "required"),
        "cancel_url": forms.address,
        "client_reference_id": text(200),
        "currency": forms.currency,
        "customer_creation": one_of("always", "if_required"),
        "customer_email": text(512),
        "discounts": many(Shape({"coupon": text(255)}, beyond=frozenset({"promotion_code"})), 1, "discount"),
        "excluded_payment_method_types": many(text(50), 60),
        "expires_at": whole(0),
        "integration_identifier": text(),
        "line_items": many(LINE_ITEM, MOST_LINES, "line items"),
        "locale": text(10),
        "metadata": metadata,
        "mode": one_of("payment", "setup", "subscription"),
        "origin_context": one_of("web", "mobile_app"),
        "payment_intent_data": PAYMENT_INTENT_DATA,
        "redirect_on_completion": one_of("always", "if_required", "never"),
        "return_url": forms.address,
        "shipping_options": many(
            Shape(
                {"shipping_rate_data": SHIPPING_RATE_DATA},
                required=("shipping_rate_data",),
                beyond=frozenset({"shipping_rate"}),
            ),
            5,
            "shipping options",
        ),
        "submit_type": one_of("auto", "book", "donate", "pay"),
        "success_url": forms.address,
        "ui_mode": one_of("elements", "embedded_page", "form", "hosted_page"),
    },
    beyond=frozenset(
        [
            "after_expiration",
            "allow_promotion_codes",
            "automatic_tax",
            "branding_settings",
            "consent_collection",
            "custom_fields",
            "custom_text",
            "customer",
            "customer_account",
            "customer_update",
            "invoice_creation",
            "managed_payments",
            "name_collection",
            "optional_items",
            "payment_method_collection",
            "payment_method_configuration",
            "payment_method_data",
            "payment_method_options",
            "permissions",
            "phone_number_collection",
            "saved_payment_method_options",
            "setup_intent_data",
            "shipping_address_collection",
            "subscription_data",
            "tax_id_collection",
            "wallet_options",
        ]
    ),
)


def create(tx: Transaction, params: Json) -> Json:
    """Creates a checkout session. Raises Invalid."""
    read = CREATE(params)
    _refuse_what_cannot_go_together(read)
    lines = read["line_items"]
    applied = _coupon(tx, read, lines[0]["price_data"]["currency"])
    subtotal = sum(line["price_data"]["unit_amount"] * line["quantity"] for line in lines)
    discount = _discount(applied, subtotal)
    shares = _shares(discount, [line["price_data"]["unit_amount"] * line["quantity"] for line in lines])
    session = session_objects.session(
        read,
        [session_objects.line_item(line, share) for line, share in zip(lines, shares, strict=True)],
        [session_objects.shipping_rate(option["shipping_rate_data"]) for option in read.get("shipping_options", [])],
        applied,
        discount,
    )
    if 0 < session["amount_total"] < LEAST_CHARGE:
        raise ApiError(
            "The Checkout Session's total amount due must add up to at least $0.50 usd",
            "amount_too_small",
            "line_items",
        )
    if session["amount_total"] > MOST_CHARGE:
        raise ApiError("The Checkout Session's total amount due must be no more than $999,999.99", "amount_too_large")
    if applied:
        tx.put(applied | {"times_redeemed": applied["times_redeemed"] + 1, "valid": applied["_uses_left"] != 1})
    tx.wind(EXPIRE, session["id"], session["expires_at"])
    return tx.put(session)


def _refuse_what_cannot_go_together(read: Json) -> None:
    if read.get("mode", "payment") != "payment":
        raise Invalid("The stand-in makes sessions with mode=payment only.", param="mode")
    if read.get("ui_mode", "hosted_page") != "embedded_page":
        raise Invalid("The stand-in makes sessions with ui_mode=embedded_page only.", param="ui_mode")
    for name in ("success_url", "cancel_url"):
        if name in read:
            raise Invalid(f"`{name}` can not be used when `ui_mode` is `embedded_page`.", param=name)
    redirect = read.setdefault("redirect_on_completion", "always")
    if redirect == "never" and "return_url" in read:
        raise Invalid("`return_url` can not be used when `redirect_on_completion` is `never`.", param="return_url")
    if redirect != "never" and "return_url" not in read:
        raise Invalid("Missing required param: return_url.", "parameter_missing", "return_url")
    if "allowed_payment_method_types" in read and "excluded_payment_method_types" in read:
        raise Invalid("You may only specify one of allowed_payment_method_types and excluded_payment_method_types.")
    if not read.get("line_items"):
        raise Invalid("Missing required param: line_items.", "parameter_missing", "line_items")
    _check_life(read)
    _check_currencies(read)


def _check_life(read: Json) -> None:
    expires = read.setdefault("expires_at", now() + MOST_LIFE)
    life = expires - now()
    if life < LEAST_LIFE - CLOCK_SKEW:
        raise Invalid(
            "The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.", param="expires_at"
        )
    if life > MOST_LIFE + CLOCK_SKEW:
        raise Invalid(
            "The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.", param="expires_at"
        )


def _check_currencies(read: Json) -> None:
    currencies = {line["price_data"]["currency"] for line in read["line_items"]}
    currencies |= {
        option["shipping_rate_data"]["fixed_amount"]["currency"] for option in read.get("shipping_options", [])
    }
    currencies |= {read["currency"]} if "currency" in read else set()
    if len(currencies) > 1:
        raise Invalid(
            f"All amounts must have the same currency, found: {', '.join(sorted(currencies))}.", param="line_items"
        )


def _coupon(tx: Transaction, read: Json, currency: str) -> Json | None:
    if not read.get("discounts"):
        return None
    id = read["discounts"][0].get("coupon")
    if not id:
        raise ApiError("Missing required param: discounts[0][coupon].", "parameter_missing", "discounts[0][coupon]")
    coupon = tx.get("coupon", id)
    if not coupon:
        raise missing("coupon", id, "discounts[0][coupon]")
    if not coupon["valid"] or (coupon["redeem_by"] and coupon["redeem_by"] < now()):
        raise ApiError(f"Coupon {id} is used up or has expired.", "coupon_expired", "discounts[0][coupon]")
    if coupon["amount_off"] and coupon["currency"] != currency:
        raise ApiError(f"Coupon {id} is in {coupon['currency']}, the session in {currency}.", param="discounts")
    limit = coupon["max_redemptions"]
    return coupon | {"_uses_left": limit - coupon["times_redeemed"] if limit else 0}


def _discount(applied: Json | None, subtotal: int) -> int:
    if not applied:
        return 0
    if applied["percent_off"] is not None:
        return round(subtotal * float(applied["percent_off"]) / 100)
    return min(int(applied["amount_off"]), subtotal)


def _shares(discount: int, amounts: list[int]) -> list[int]:
    """Splits a discount over lines in proportion, to the cent: the last cents go to the largest remainders."""
    whole_sum = sum(amounts)
    if not discount or not whole_sum:
        return [0] * len(amounts)
    shares = [discount * amount // whole_sum for amount in amounts]
    by_remainder = sorted(range(len(amounts)), key=lambda at: discount * amounts[at] % whole_sum, reverse=True)
    for at in by_remainder[: discount - sum(shares)]:
        shares[at] += 1
    return shares


def get(tx: Transaction, id: str) -> Json:
    """A session. Raises ApiError (404)."""
    session = tx.get("checkout.session", id)
    if not session:
        raise ApiError(f"No such checkout.session: {id}", "resource_missing", "session", status=404)
    return session


def expire(tx: Transaction, id: str) -> Json:
    """Closes an open session for good. Raises ApiError when it is complete or expired already."""
    session = get(tx, id)
    if session["status"] != "open":
        raise ApiError(
            f'Only Checkout Sessions with a status in ["open"] can be expired. '
            f"This Checkout Session has a status of {session['status']}."
        )
    return _close(tx, session)


def expire_when_due(tx: Transaction, id: str) -> None:
    """Expires a session that is still open."""
    session = tx.get("checkout.session", id)
    if session and session["status"] == "open":
        _close(tx, session)


def _close(tx: Transaction, session: Json) -> Json:
    session |= {"status": "expired", "client_secret": None}
    tx.unwind(EXPIRE, session["id"])
    intent = tx.get("payment_intent", session["payment_intent"] or "")
    if intent:
        tx.put(
            intent | {"status": "canceled", "canceled_at": now(), "cancellation_reason": "expired", "next_action": None}
        )
    tx.put(session)
    webhooks.emit(tx, "checkout.session.expired", session)
    return session


def by_secret(tx: Transaction, client_secret: str) -> Json | None:
    """The session whose page this is, whatever its state. The secret outlives the field that showed it."""
    id, separator, _ = client_secret.partition("_secret_")
    session = tx.get("checkout.session", id) if separator else None
    return session if session and compare_digest(session["_secret"], client_secret) else None
