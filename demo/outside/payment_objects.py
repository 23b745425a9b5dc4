"""What a payment leaves: the intent, the card, its charges, refunds and disputes."""

from demo.outside import ids, objects
from demo.outside.cards import Card, brand_of
from demo.outside.ledger import Json, now

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
        "address": customer["address"] or objects.postal(None, None),
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
