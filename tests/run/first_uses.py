"""Asks a new process for what needs a library that it has not loaded, and prints what its event loop imported.

`python -m tests.run.first_uses` with the URL of an empty database in DATABASE_URL.
"""

import asyncio
import sys
from typing import Any
from uuid import UUID

import orjson

from server.app import WEBHOOK_PATH, create_app
from server.config import Settings
from server.platform.core.db import create_engine
from server.platform.core.lazy_imports import load
from server.wiring import LOADED_EARLY

RARE = (
    *("aiosmtplib", "cryptography", "email_validator", "google.auth", "httpx", "jinja2", "PIL", "rapidfuzz", "typst"),
    *("markdown_it", "nh3", "requests", "rich.console", "segno", "stripe", "webauthn", "zxcvbn"),
)
"""Together they take over 50 MB, and a third of the time in which a server starts."""
TINY = frozenset({"stripe._telemetry_id"})
"""Modules that take less than a millisecond."""
DOCUMENTS = (
    "mutation { startPasskey { __typename } }",
    "mutation { startPasskeyRegistration { __typename } }",
    "mutation { startCodeSetup { __typename ... on CodeSetup { qrCode } } }",
    'mutation { signInWithGoogle(token: "e30.e30.e30") { __typename } }',
)

PAGE = '{ page(path: "/pages/cotton") { blocks { ... on FreeTextBlock { text { html } } } } }'
PUBLISHED = """
INSERT INTO documents (kind, key, draft, published, published_at, updated_by) VALUES ('page', 'cotton', '{}',
    '{"title": "Cotton", "blocks": [{"kind": "free_text", "text": "*Soft*"}]}', now(), 'owner@minimal.test')
"""


class Browser:
    """Calls the app without a network, and keeps its cookies."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self._cookies: dict[str, str] = {}

    async def ask(self, method: str, address: str, body: Any = None) -> tuple[int, bytes]:
        """Status and body of the response."""
        path, _, query = address.partition("?")
        cookie = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        fields = {"host": "localhost:8000", "content-type": "application/json", "sec-fetch-site": "same-origin"}
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "client": ("127.0.0.1", 5),
            "headers": [(name.encode(), value.encode()) for name, value in {**fields, "cookie": cookie}.items()],
        }
        answered: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": orjson.dumps(body) if body is not None else b""}

        async def send(message: dict[str, Any]) -> None:
            answered.append(message)

        await self._app(scope, receive, send)
        for name, value in answered[0]["headers"]:
            if name.lower() == b"set-cookie":
                key, _, rest = value.decode().partition("=")
                self._cookies[key] = rest.partition(";")[0]
        return answered[0]["status"], b"".join(each.get("body", b"") for each in answered[1:])


async def publish_page() -> None:
    """As the owner has, in a process of before."""
    engine = create_engine(Settings().database_url)
    async with engine.begin() as connection:
        await connection.exec_driver_sql(PUBLISHED)
    await engine.dispose()


async def use_everything() -> list[str]:
    """What each request was answered, for a reader of a failure."""
    browser, answers = Browser(create_app(Settings())), []
    await load(*LOADED_EARLY)
    sign_up = {"name": "Ann Example", "email": "ann@minimal.test", "password": "CorrectHorse7!"}
    answers.append(await browser.ask("POST", "/api/auth/signup", sign_up))
    for document in DOCUMENTS:
        answers.append(await browser.ask("POST", "/graphql", {"query": document}))
    await publish_page()
    answers.append(await browser.ask("POST", "/graphql", {"query": PAGE}))
    answers.append(await browser.ask("GET", "/unsubscribe?token=x"))
    answers.append(await browser.ask("POST", WEBHOOK_PATH, {}))
    answers.append(await browser.ask("GET", f"/images/{UUID(int=1)}/200.avif"))
    return [f"{status} {body[:200]!r}" for status, body in answers]


def main() -> None:
    imported = set()

    def note(event: str, values: tuple[Any, ...]) -> None:
        name = str(values[0]) if event == "import" else ""
        is_rare = any(name == each or name.startswith(f"{each}.") for each in RARE)
        if is_rare and name not in TINY and asyncio._get_running_loop() is not None:
            imported.add(name)

    sys.addaudithook(note)
    answers = asyncio.run(use_everything())
    sys.stderr.write("\n".join(answers))
    loaded = sorted(each for each in RARE if each in sys.modules)
    sys.stdout.write(f"loaded: {' '.join(loaded)}\non the loop: {' '.join(sorted(imported))}\n")


if __name__ == "__main__":
    main()
