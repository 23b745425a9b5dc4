"""Google's side over real HTTP: certificates to fetch, and tokens signed here."""

import base64
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.x509.oid import NameOID

from tests.ports import free_port

CLIENT_ID = "shop.apps.googleusercontent.com"


class Key:
    """A signing key and its certificate."""

    def __init__(self, kid: str) -> None:
        self.kid = kid
        self._private = rsa.generate_private_key(65537, 2048)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, kid)])
        now = datetime.now(UTC)
        certificate = (
            x509.CertificateBuilder(name, name, self._private.public_key(), x509.random_serial_number())
            .not_valid_before(now - timedelta(days=1))
            .not_valid_after(now + timedelta(days=1))
            .sign(self._private, hashes.SHA256())
        )
        self.pem = certificate.public_bytes(serialization.Encoding.PEM).decode()

    def token(self, *, alg: str = "RS256", **claims: Any) -> str:
        """An ID token; a claim of None is left out."""
        now = int(time.time())
        all_claims = {
            "iss": "https://accounts.google.com",
            "aud": CLIENT_ID,
            "sub": "1001",
            "email": "ann@minimal.test",
            "email_verified": True,
            "name": "Ann Google",
            "iat": now,
            "exp": now + 3600,
            **claims,
        }
        present = {name: value for name, value in all_claims.items() if value is not None}
        signed = ".".join(_encode(json.dumps(part).encode()) for part in ({"alg": alg, "kid": self.kid}, present))
        return f"{signed}.{_encode(self._private.sign(signed.encode(), padding.PKCS1v15(), hashes.SHA256()))}"


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


@dataclass
class Certificates:
    """What the certificates' address answers, and how often it was asked."""

    keys: list[Key]
    max_age: int = 3600
    status: int = 200
    url: str = ""
    asked: int = field(default=0)


@contextmanager
def serving(*keys: Key) -> Iterator[Certificates]:
    """The certificates of these keys at a loopback address."""
    certificates = Certificates(list(keys))

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            certificates.asked += 1
            body = json.dumps({key.kid: key.pem for key in certificates.keys}).encode()
            self.send_response(certificates.status)
            self.send_header("cache-control", f"public, max-age={certificates.max_age}, must-revalidate")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", free_port()), Handler)
    certificates.url = f"http://127.0.0.1:{server.server_port}/certs"
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield certificates
    finally:
        server.shutdown()
        server.server_close()
