"""Stripe's objects as API version 2026-10-28.endive shows them, every required field included.

A key that begins with an underscore is the stand-in's own and never leaves the process: `shown` takes it off.
"""

from typing import Any

from server.demo.outside import ids
from server.demo.outside.cards import Card, brand_of
from server.demo.outside.ledger import Json, now


def shown(value: Any) -> Any:
    """An object as the API returns it, without internal members."""
    if isinstance(value, dict):
        return {key: shown(item) for key, item in value.items() if not key.startswith("_")}
    if isinstance(value, list):
        return [shown(item) for item in value]
    return value


def listing(url: str, data: list[Json], has_more: bool = False) -> Json:
    """A list object."""
    return {"object": "list", "data": data, "has_more": has_more, "url": url}


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
    made = product(data["product_data"])
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
        "description": made["name"],
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
            "product": made["id"],
            "_product": made,
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
        "customer_details": _customer(read.get("customer_email")) if read.get("customer_email") else None,
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


def _customer(email: str | None, name: str | None = None, address: Json | None = None) -> Json:
    return {
        "address": address,
        "business_name": None,
        "email": email,
        "individual_name": None,
        "name": name,
        "phone": None,
        "tax_exempt": "none",
        "tax_ids": [],
    }


def postal(country: str | None, postal_code: str | None) -> Json:
    """An address of which only country and postal code are known."""
    return {"city": None, "country": country, "line1": None, "line2": None, "postal_code": postal_code, "state": None}


def payer(email: str | None, name: str | None, country: str | None, postal_code: str | None) -> Json:
    """customer_details of a session that somebody filled in."""
    return _customer(email, name, postal(country, postal_code))


_INTENT_NULLS = (
    *("allowed_payment_method_types", "application", "application_fee_amount", "automatic_payment_methods"),
    *("canceled_at", "cancellation_reason", "customer", "customer_account", "excluded_payment_method_types"),
    *("last_payment_error", "latest_charge", "managed_payments", "next_action", "on_behalf_of", "payment_details"),
    *("payment_method", "payment_method_configuration_details", "payment_record", "presentment_details"),
    *("processing", "review", "setup_future_usage", "shipping", "source", "transfer_data"),
)
_INTENT_ECHOES = (
    "description",
    "receipt_email",
    "statement_descriptor",
    "statement_descriptor_suffix",
    "transfer_group",
)


def payment_intent(of: Json) -> Json:
    """A new payment intent of a session."""
    data = of["_payment_intent_data"]
    id = ids.new("pi_3")
    card_nulls = dict.fromkeys(("installments", "mandate_options", "network"))
    return {
        "id": id,
        "object": "payment_intent",
        **dict.fromkeys(_INTENT_NULLS),
        **{name: data.get(name) for name in _INTENT_ECHOES},
        "amount": of["amount_total"],
        "amount_capturable": 0,
        "amount_details": {"tip": {}},
        "amount_received": 0,
        "capture_method": "automatic_async",
        "client_secret": f"{id}_secret_{ids.new('', 25)}",
        "confirmation_method": "automatic",
        "created": now(),
        "currency": of["currency"],
        "livemode": False,
        "metadata": data.get("metadata", {}),
        "payment_method_options": {"card": {**card_nulls, "request_three_d_secure": "automatic"}},
        "payment_method_types": ["card"],
        "status": "requires_payment_method",
        "_session": of["id"],
    }


def payment_method(card: Card, customer: Json, expires: tuple[int, int]) -> Json:
    """A new card payment method."""
    return {
        "id": ids.new("pm_1"),
        "object": "payment_method",
        "allow_redisplay": "limited",
        "billing_details": _billing(customer),
        "card": {
            "brand": brand_of(card.number),
            "checks": _checks(),
            "country": "US",
            "display_brand": brand_of(card.number),
            "exp_month": expires[0],
            "exp_year": expires[1],
            "fingerprint": f"fp{card.number[-8:]}",
            "funding": "credit",
            "generated_from": None,
            "last4": card.number[-4:],
            "networks": {"available": [brand_of(card.number)], "preferred": None},
            "regulated_status": "unregulated",
            "three_d_secure_usage": {"supported": True},
            "wallet": None,
        },
        "created": now(),
        "customer": None,
        "customer_account": None,
        "livemode": False,
        "metadata": {},
        "type": "card",
    }


def _billing(customer: Json) -> Json:
    return {
        "address": customer["address"] or postal(None, None),
        "email": customer["email"],
        "name": customer["name"],
        "phone": None,
        "tax_id": None,
    }


def _checks() -> Json:
    return {"address_line1_check": None, "address_postal_code_check": "pass", "cvc_check": "pass"}


_CHARGE_NULLS = (
    *("application", "application_fee", "application_fee_amount", "authorization_code", "customer"),
    *("failure_balance_transaction", "on_behalf_of", "presentment_details", "receipt_number", "receipt_url"),
    *("refunds", "review", "shipping", "source", "source_transfer", "statement_descriptor"),
    *("statement_descriptor_suffix", "transfer_data", "transfer_group"),
)


def charge(intent: Json, method: Json, status: str, three_d_secure: bool, failure: tuple[str, str, str] | None) -> Json:
    """`failure` is code, message and decline code of a refused charge; status is succeeded, pending or failed."""
    id, card, paid = ids.new("ch_3"), method["card"], status == "succeeded"
    return {
        "id": id,
        "object": "charge",
        **dict.fromkeys(_CHARGE_NULLS),
        "amount": intent["amount"],
        "amount_captured": intent["amount"] if paid else 0,
        "amount_refunded": 0,
        "balance_transaction": ids.new("txn_3") if paid else None,
        "billing_details": method["billing_details"],
        "calculated_statement_descriptor": "MINIMAL",
        "captured": paid,
        "created": now(),
        "currency": intent["currency"],
        "description": intent["description"],
        "disputed": False,
        "failure_code": failure[0] if failure else None,
        "failure_message": failure[1] if failure else None,
        "fraud_details": {},
        "livemode": False,
        "metadata": intent["metadata"],
        "outcome": _outcome(status, failure),
        "paid": paid,
        "payment_intent": intent["id"],
        "payment_method": method["id"],
        "payment_method_details": {"card": _card_details(intent, card, three_d_secure), "type": "card"},
        "radar_options": {},
        "receipt_email": intent["receipt_email"],
        "refunded": False,
        "status": status,
    }


def _outcome(status: str, failure: tuple[str, str, str] | None) -> Json:
    return {
        "advice_code": "try_again_later" if failure else None,
        "network_advice_code": None,
        "network_decline_code": "01" if failure else None,
        "network_status": "declined_by_network" if failure else "approved_by_network",
        "reason": failure[2] if failure else None,
        "risk_level": "normal",
        "risk_score": 12,
        "seller_message": "The bank declined the payment." if failure else "Payment complete.",
        "type": "issuer_declined" if failure else ("authorized" if status != "failed" else "blocked"),
    }


def _card_details(intent: Json, card: Json, three_d_secure: bool) -> Json:
    secure = {
        "authentication_flow": "challenge",
        "electronic_commerce_indicator": "05",
        "exemption_indicator": None,
        "exemption_indicator_applied": False,
        "result": "authenticated",
        "result_reason": None,
        "transaction_id": ids.new("", 20),
        "version": "2.2.0",
    }
    return {
        "amount_authorized": intent["amount"],
        "authorization_code": "123456",
        "brand": card["brand"],
        "checks": card["checks"],
        "country": card["country"],
        "exp_month": card["exp_month"],
        "exp_year": card["exp_year"],
        "extended_authorization": {"status": "disabled"},
        "fingerprint": card["fingerprint"],
        "funding": card["funding"],
        "incremental_authorization": {"status": "unavailable"},
        "installments": None,
        "last4": card["last4"],
        "mandate": None,
        "multicapture": {"status": "unavailable"},
        "network": card["brand"],
        "network_token": {"used": False},
        "network_transaction_id": ids.new("", 15),
        "overcapture": {"maximum_amount_capturable": intent["amount"], "status": "unavailable"},
        "regulated_status": "unregulated",
        "three_d_secure": secure if three_d_secure else None,
        "wallet": None,
    }


def refund(of: Json, amount: int, read: Json, status: str) -> Json:
    """A new refund of a charge; `amount` is in cents."""
    return {
        "id": ids.new("re_3"),
        "object": "refund",
        "amount": amount,
        "balance_transaction": ids.new("txn_3"),
        "charge": of["id"],
        "created": now(),
        "currency": of["currency"],
        "customer": None,
        "customer_account": None,
        "description": None,
        "destination_details": {
            "card": {
                "reference_status": "pending",
                "reference_type": "acquirer_reference_number",
                "type": "refund",
            },
            "type": "card",
        },
        "failure_balance_transaction": None,
        "failure_reason": None,
        "metadata": read.get("metadata", {}),
        "payment_intent": of["payment_intent"],
        "payment_method": of["payment_method"],
        "pending_reason": "processing" if status == "pending" else None,
        "presentment_details": None,
        "reason": read.get("reason"),
        "receipt_number": None,
        "source_transfer_reversal": None,
        "status": status,
        "transfer_reversal": None,
    }


def dispute(of: Json, reason: str) -> Json:
    """A new dispute of a charge."""
    network = {"brand": of["payment_method_details"]["card"]["brand"], "case_type": "chargeback", "network": "visa"}
    return {
        "id": ids.new("du_1"),
        "object": "dispute",
        "amount": of["amount"],
        "balance_transactions": [],
        "charge": of["id"],
        "created": now(),
        "currency": of["currency"],
        "enhanced_eligibility_types": [],
        "evidence": dict.fromkeys(_EVIDENCE) | {"enhanced_evidence": {}},
        "evidence_details": {
            "due_by": now() + 9 * 86_400,
            "enhanced_eligibility": {},
            "has_evidence": False,
            "past_due": False,
            "submission_count": 0,
            "submission_method": "not_submitted",
        },
        "intended_submission_method": None,
        "is_charge_refundable": False,
        "livemode": False,
        "metadata": {},
        "network_reason_code": "10.4",
        "payment_intent": of["payment_intent"],
        "payment_method_details": {"card": {**network, "network_reason_code": "10.4"}, "type": "card"},
        "reason": reason,
        "status": "needs_response",
    }


_EVIDENCE = [
    "access_activity_log",
    "appeal",
    "billing_address",
    "cancellation_policy",
    "cancellation_policy_disclosure",
    "cancellation_rebuttal",
    "customer_communication",
    "customer_email_address",
    "customer_name",
    "customer_purchase_ip",
    "customer_signature",
    "duplicate_charge_documentation",
    "duplicate_charge_explanation",
    "duplicate_charge_id",
    "product_description",
    "receipt",
    "refund_policy",
    "refund_policy_disclosure",
    "refund_refusal_explanation",
    "service_date",
    "service_documentation",
    "shipping_address",
    "shipping_carrier",
    "shipping_date",
    "shipping_documentation",
    "shipping_tracking_number",
    "uncategorized_file",
    "uncategorized_text",
]
