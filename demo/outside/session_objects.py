"""What a checkout is made of: coupons, lines, shipping rates, the session itself."""

from demo.outside import ids, objects
from demo.outside.ledger import Json, now


def coupon(read: Json) -> Json:
    """A new coupon."""
    return {
        "id": read.get("id") or ids.new("", 8),
        "object": "coupon",
        "amount_off": read.get("amount_off"),
        "created": now(),
        "currency": read.get("currency"),
        "duration": read.get("duration", "once"),
        "duration_in_months": None,
        "livemode": False,
        "max_redemptions": read.get("max_redemptions"),
        "metadata": read.get("metadata", {}),
        "name": read.get("name"),
        "percent_off": read.get("percent_off"),
        "redeem_by": read.get("redeem_by"),
        "times_redeemed": 0,
        "valid": True,
    }


def product(data: Json) -> Json:
    """A new product."""
    created = now()
    return {
        "id": ids.new("prod_", 14),
        "object": "product",
        "active": False,
        "attributes": [],
        "created": created,
        "default_price": None,
        "description": data.get("description"),
        "images": data.get("images", []),
        "livemode": False,
        "marketing_features": [],
        "metadata": data.get("metadata", {}),
        "name": data["name"],
        "package_dimensions": None,
        "shippable": None,
        "statement_descriptor": None,
        "tax_code": data.get("tax_code"),
        "tax_details": None,
        "type": "service",
        "unit_label": data.get("unit_label"),
        "updated": created,
        "url": None,
    }


def line_item(read: Json, discount: int) -> Json:
    """A line with its price and product; the product is an id until it is expanded."""
    data, quantity = read["price_data"], read["quantity"]
    item_product = product(data["product_data"])
    subtotal = data["unit_amount"] * quantity
    return {
        "id": ids.new("li_"),
        "object": "item",
        "adjustable_quantity": None,
        "amount_discount": discount,
        "amount_subtotal": subtotal,
        "amount_tax": 0,
        "amount_total": subtotal - discount,
        "currency": data["currency"],
        "description": item_product["name"],
        "metadata": read.get("metadata", {}),
        "price": {
            "id": ids.new("price_1"),
            "object": "price",
            "active": False,
            "billing_scheme": "per_unit",
            "created": now(),
            "currency": data["currency"],
            "custom_unit_amount": None,
            "livemode": False,
            "lookup_key": None,
            "metadata": {},
            "nickname": None,
            "product": item_product["id"],
            "_product": item_product,
            "recurring": None,
            "tax_behavior": data.get("tax_behavior", "unspecified"),
            "tiers_mode": None,
            "transform_quantity": None,
            "type": "one_time",
            "unit_amount": data["unit_amount"],
            "unit_amount_decimal": str(data["unit_amount"]),
        },
        "quantity": quantity,
    }


def shipping_rate(data: Json) -> Json:
    """A new shipping rate."""
    return {
        "id": ids.new("shr_1"),
        "object": "shipping_rate",
        "active": True,
        "created": now(),
        "delivery_estimate": data.get("delivery_estimate"),
        "display_name": data["display_name"],
        "fixed_amount": data["fixed_amount"],
        "livemode": False,
        "metadata": data.get("metadata", {}),
        "tax_behavior": data.get("tax_behavior", "unspecified"),
        "tax_code": data.get("tax_code"),
        "type": "fixed_amount",
    }


_SESSION_NULLS = (
    *("after_expiration", "allow_promotion_codes", "cancel_url", "consent", "consent_collection"),
    *("currency_conversion", "customer", "customer_account", "invoice", "payment_intent", "payment_link"),
    *("permissions", "presentment_details", "recovered_from", "saved_payment_method_options", "setup_intent"),
    *("shipping_address_collection", "subscription", "success_url", "url", "wallet_options"),
)
_SESSION_ECHOES = (
    *("allowed_payment_method_types", "billing_address_collection", "client_reference_id", "customer_email"),
    *("excluded_payment_method_types", "integration_identifier", "locale", "origin_context", "return_url"),
    "submit_type",
)
"""Shown as they were given, null for what was not."""


def session(read: Json, lines: list[Json], rates: list[Json], applied: Json | None, discount: int) -> Json:
    """An open session. Amounts are sums of what it is given: nothing is rounded here."""
    id = ids.new("cs_test_", 58)
    secret = f"{id}_secret_{ids.new('', 40)}"
    subtotal = sum(line["amount_subtotal"] for line in lines)
    shipping = rates[0]["fixed_amount"]["amount"] if rates else 0
    total = subtotal - discount + shipping
    return {
        "id": id,
        "object": "checkout.session",
        **dict.fromkeys(_SESSION_NULLS),
        **{name: read.get(name) for name in _SESSION_ECHOES},
        **_switched_off(),
        **_looks(),
        "adaptive_pricing": {"enabled": read.get("adaptive_pricing", {}).get("enabled", True)},
        "amount_subtotal": subtotal,
        "amount_total": total,
        "client_secret": secret,
        "collected_information": {"business_name": None, "individual_name": None, "shipping_details": None},
        "created": now(),
        "currency": lines[0]["currency"],
        "customer_creation": read.get("customer_creation", "if_required"),
        "customer_details": objects.customer(read.get("customer_email")) if read.get("customer_email") else None,
        "discounts": [{"coupon": applied["id"], "_coupon": applied, "promotion_code": None}] if applied else [],
        "expires_at": read["expires_at"],
        "livemode": False,
        "metadata": read.get("metadata", {}),
        "mode": "payment",
        "optional_items": [],
        "payment_method_collection": "if_required",
        "payment_method_configuration_details": {"id": "pmc_1Minimal", "parent": None},
        "payment_method_options": {"card": {"request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"],
        "payment_status": "unpaid" if total else "no_payment_required",
        "redirect_on_completion": read["redirect_on_completion"],
        "shipping_cost": _shipping_cost(rates[0]) if rates else None,
        "shipping_options": [_shipping_option(rate) for rate in rates],
        "status": "open",
        "total_details": {"amount_discount": discount, "amount_shipping": shipping, "amount_tax": 0},
        "ui_mode": "embedded_page",
        "_failed": False,
        "_line_items": lines,
        "_secret": secret,
        "_payment_intent_data": read.get("payment_intent_data", {}),
    }


def _switched_off() -> Json:
    """What a session could do and does not."""
    individual_name = {"enabled": False, "optional": False}
    invoice_nulls = ("account_tax_ids", "custom_fields", "description", "footer", "issuer", "rendering_options")
    return {
        "automatic_tax": {"enabled": False, "liability": None, "provider": None, "status": None},
        "invoice_creation": {"enabled": False, "invoice_data": {**dict.fromkeys(invoice_nulls), "metadata": {}}},
        "managed_payments": {"enabled": False},
        "name_collection": {"business": individual_name, "individual": individual_name},
        "phone_number_collection": {"enabled": False},
        "tax_id_collection": {"enabled": False, "required": "never"},
    }


def _looks() -> Json:
    """How the provider's page would look."""
    words = ("after_submit", "shipping_address", "submit", "terms_of_service_acceptance")
    return {
        "branding_settings": {
            "background_color": "#fbfaf7",
            "border_style": "rectangular",
            "button_color": "#1a1916",
            "display_name": "Minimal",
            "font_family": "default",
            "icon": None,
            "logo": None,
        },
        "custom_fields": [],
        "custom_text": dict.fromkeys(words),
    }


def _shipping_option(rate: Json) -> Json:
    return {"shipping_amount": rate["fixed_amount"]["amount"], "shipping_rate": rate["id"], "_shipping_rate": rate}


def _shipping_cost(rate: Json) -> Json:
    amount = rate["fixed_amount"]["amount"]
    return {
        "amount_subtotal": amount,
        "amount_tax": 0,
        "amount_total": amount,
        "shipping_rate": rate["id"],
        "_shipping_rate": rate,
    }
