"""Webhook events as the provider signs them."""

import hmac
from hashlib import sha256


def signed(body: bytes, secret: str, at: float) -> str:
    moment = str(int(at))
    return f"t={moment},v1={hmac.new(secret.encode(), f'{moment}.'.encode() + body, sha256).hexdigest()}"
