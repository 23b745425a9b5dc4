"""An authenticator in software: makes passkeys and signs with them as WebAuthn (level 3) asks."""

import json
from dataclasses import dataclass, field
from hashlib import sha256
from secrets import token_bytes
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """One passkey. What a browser adds (origin, challenge) is `origin`'s; the rest may be bent by tests."""

    origin: str
    party: str = "localhost"
    is_verified: bool = True
    count: int = 0
    handle: bytes = b""
    credential_id: bytes = field(default_factory=lambda: token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def create(self, options: str) -> str:
        """What navigator.credentials.create answers, as JSON."""
        request = json.loads(options)
        self.handle = base64url_to_bytes(request["user"]["id"])
        client = self._client_data("webauthn.create", request["challenge"])
        attested = bytes(16) + len(self.credential_id).to_bytes(2) + self.credential_id + self._public_key()
        data = self._authenticator_data(ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        return self._credential(client, attestationObject=attestation)

    def get(self, options: str) -> str:
        """What navigator.credentials.get answers, as JSON."""
        request = json.loads(options)
        self.count += 1
        client = self._client_data("webauthn.get", request["challenge"])
        data = self._authenticator_data(0)
        signature = self.key.sign(data + sha256(client).digest(), ec.ECDSA(SHA256()))
        return self._credential(client, authenticatorData=data, signature=signature, userHandle=self.handle)

    def _client_data(self, kind: str, challenge: str) -> bytes:
        return json.dumps({"type": kind, "challenge": challenge, "origin": self.origin}).encode()

    def _authenticator_data(self, flags: int) -> bytes:
        flags |= PRESENT | (VERIFIED if self.is_verified else 0)
        return sha256(self.party.encode()).digest() + bytes([flags]) + self.count.to_bytes(4)

    def _public_key(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32), -3: numbers.y.to_bytes(32)})

    def _credential(self, client: bytes, **answer: bytes) -> str:
        name = bytes_to_base64url(self.credential_id)
        response = {key: bytes_to_base64url(value) for key, value in answer.items()}
        response["clientDataJSON"] = bytes_to_base64url(client)
        whole: dict[str, Any] = {"id": name, "rawId": name, "type": "public-key", "response": response}
        return json.dumps({**whole, "clientExtensionResults": {}})
