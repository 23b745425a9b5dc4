"""Google's side of sign-in: keys with their certificates, ID tokens, and people to be."""

import base64
import hashlib
import hmac
import json
import secrets
import time
from datetime import UTC, datetime, timedelta
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from demo.outside.errors import ApiError
from demo.outside.ledger import Json, Transaction

ISSUER = "https://accounts.google.com"
LIFETIME = 3600
CERTS_MAX_AGE = 60
NEW_PEOPLE = ("Ada Lindqvist", "Bruno Falk", "Clara Osei", "Daniel Moreau", "Edith Varga", "Farid Nasser", "Greta Holm")
PERSONAS: dict[str, Json] = {
    "existing": {
        "title": "Existing shopper",
        "says": "An account with this e-mail and a password may exist. The first sign-in links it.",
        "claims": {"sub": "100000000000000000001", "email": "shopper@minimal.test", "name": "Demo Shopper"},
    },
    "unverified": {
        "title": "Unverified e-mail",
        "says": "Google does not vouch for the address. The shop has to refuse.",
        "claims": {
            "sub": "100000000000000000002",
            "email": "unverified@example.test",
            "email_verified": False,
            "name": "Uma Unverified",
        },
    },
    "same": {
        "title": "Same e-mail, other account",
        "says": "That address again, held by another Google account.",
        "claims": {"sub": "100000000000000000003", "email": "shopper@minimal.test", "name": "Sam Second"},
    },
}


def ensure_key(tx: Transaction) -> None:
    """Creates a signing key when there is none."""
    if not tx.note("google_keys"):
        rotate(tx, forget=False)


def rotate(tx: Transaction, forget: bool) -> Json:
    """A new key signs from now on. The old ones stay among the certificates unless they are to be forgotten."""
    held = tx.note("google_keys", [])
    retired = [] if forget else held[:2]
    tx.write_note("google_keys", [_new_key(), *retired])
    if held:
        tx.write_note("google_retired", held[0])
    return {"kids": [key["kid"] for key in tx.note("google_keys")]}


def _new_key() -> Json:
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "federated-signon.stand-in.test")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(datetime.now(UTC) - timedelta(days=1))
        .not_valid_after(datetime.now(UTC) + timedelta(days=3650))
        .sign(key, hashes.SHA256())
    )
    return {
        "kid": secrets.token_hex(20),
        "private": key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode(),
        "certificate": certificate.public_bytes(serialization.Encoding.PEM).decode(),
    }


def certificates(tx: Transaction) -> dict[str, str]:
    """PEM certificates by key id."""
    return {key["kid"]: key["certificate"] for key in tx.note("google_keys", [])}


def person(named: str | None = None) -> Json:
    """Claims of a person whom the shop has never seen."""
    name = named or secrets.choice(NEW_PEOPLE)
    number = secrets.randbelow(9000) + 1000
    return {
        "sub": f"11{secrets.randbelow(10**19):019}",
        "email": f"{name.lower().replace(' ', '.')}.{number}@example.test",
        "name": name,
    }


def token(
    tx: Transaction, audience: str, claims: Json, key: str = "current", alg: str = "RS256", kid: str | None = None
) -> str:
    """An ID token with Google's usual claims beneath the given ones; a claim given as None is left out.

    `key`: current, other (in no certificate, under a known kid) or retired (the one before the last rotation).
    """
    moment = int(time.time())
    usual: Json = {
        "iss": ISSUER,
        "aud": audience,
        "azp": audience,
        "iat": moment,
        "nbf": moment - 300,
        "exp": moment + LIFETIME,
        "email_verified": True,
        "jti": secrets.token_hex(20),
        **person(),
    }
    payload = {name: value for name, value in (usual | claims).items() if value is not None}
    if "name" in payload and "given_name" not in payload:
        first_name, _, family = str(payload["name"]).partition(" ")
        payload |= {"given_name": first_name} | ({"family_name": family} if family else {})
    signer = _signer(tx, key)
    header = {"alg": alg, "kid": kid or signer["kid"], "typ": "JWT"}
    signed = f"{_part(header)}.{_part(payload)}"
    return f"{signed}.{_encode(_sign(alg, signer, signed.encode()))}"


def _signer(tx: Transaction, key: str) -> Json:
    current: Json = tx.note("google_keys")[0]
    if key == "other":
        return _new_key() | {"kid": current["kid"]}
    if key == "retired":
        retired: Json | None = tx.note("google_retired")
        if not retired:
            raise ApiError("No key was retired yet: rotate first.", param="key")
        return retired
    if key != "current":
        raise ApiError("key must be current, other or retired", param="key")
    return current


def _sign(alg: str, signer: Json, message: bytes) -> bytes:
    if alg == "none":
        return b""
    if alg == "HS256":
        return hmac.new(signer["certificate"].encode(), message, hashlib.sha256).digest()
    if alg != "RS256":
        raise ApiError("alg must be RS256, HS256 or none", param="alg")
    private = serialization.load_pem_private_key(signer["private"].encode(), password=None)
    if not isinstance(private, rsa.RSAPrivateKey):
        raise TypeError("The signing key is no RSA key.")
    return private.sign(message, padding.PKCS1v15(), hashes.SHA256())


def _part(value: Any) -> str:
    return _encode(json.dumps(value, separators=(",", ":")).encode())


def _encode(value: bytes) -> str:
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def people(tx: Transaction) -> list[Json]:
    """Generated people who signed in before and may return, the latest first."""
    recent: list[Json] = tx.note("people", [])
    return recent


def claims_of(tx: Transaction, body: Json) -> Json:
    """Claims for a choice in the pop-up: a persona, an earlier person, a new one, or one typed in."""
    choice = body.get("persona")
    if choice in PERSONAS:
        return dict(PERSONAS[choice]["claims"])
    if choice == "known":
        for one in people(tx):
            if one["sub"] == body.get("sub"):
                return one
        raise ApiError("Nobody known by that sub.", param="sub")
    if choice == "custom":
        return _typed_in(body)
    if choice != "new":
        raise ApiError("persona must be new, existing, unverified, same, known or custom", param="persona")
    new_person = person()
    tx.write_note("people", [new_person, *people(tx)][:6])
    return new_person


def _typed_in(body: Json) -> Json:
    email, name = str(body.get("email") or "").strip(), str(body.get("name") or "").strip()
    if "@" not in email or not name:
        raise ApiError("A name and an e-mail are needed.", param="email")
    sub = str(body.get("sub") or "").strip() or str(int(hashlib.sha256(email.encode()).hexdigest()[:16], 16))
    return {"sub": sub, "email": email, "name": name, "email_verified": bool(body.get("email_verified", True))}
