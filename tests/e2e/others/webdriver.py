"""A plain WebDriver client, as the W3C has it: over HTTP, or as Marionette, which is Firefox's own way of saying it."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import httpx

T = TypeVar("T")

PATIENCE = 30.0
"""Seconds that anything may take. It costs nothing where all is well."""
PAUSE = 0.05
WIDTH, HEIGHT = 1440, 900
INTO_SIGHT = "arguments[0].scrollIntoView({block: 'center', behavior: 'instant'})"
"""Done here because WebKit's driver finds that what is below the fold cannot be pressed."""
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
"""The key under which WebDriver refers to an element."""
AWAY = (
    *("stale element reference", "no such element", "no such frame"),
    *("element click intercepted", "element not interactable"),
)
"""Refusals that a page still at work explains."""
OVER_HTTP = {
    "NewSession": ("POST", "/session"),
    "DeleteSession": ("DELETE", "/session/{session}"),
    "Navigate": ("POST", "/session/{session}/url"),
    "GetCurrentURL": ("GET", "/session/{session}/url"),
    "SetWindowRect": ("POST", "/session/{session}/window/rect"),
    "ExecuteScript": ("POST", "/session/{session}/execute/sync"),
    "SwitchToFrame": ("POST", "/session/{session}/frame"),
    "FindElements": ("POST", "/session/{session}/elements"),
    "IsElementDisplayed": ("GET", "/session/{session}/element/{id}/displayed"),
    "GetElementText": ("GET", "/session/{session}/element/{id}/text"),
    "GetElementTagName": ("GET", "/session/{session}/element/{id}/name"),
    "ElementClick": ("POST", "/session/{session}/element/{id}/click"),
    "ElementClear": ("POST", "/session/{session}/element/{id}/clear"),
    "ElementSendKeys": ("POST", "/session/{session}/element/{id}/value"),
    "TakeScreenshot": ("GET", "/session/{session}/screenshot"),
}
"""Commands by Marionette's names, and how they are asked for over HTTP. The bodies are the same."""


class Refused(AssertionError):
    """The browser did not do what it was asked. `error` is WebDriver's word for it."""

    def __init__(self, command: str, error: str, message: str) -> None:
        super().__init__(f"{command}: {error}: {message}")
        self.error = error


class Wire(Protocol):
    def ask(self, command: str, **body: Any) -> Any:
        """The value of the answer. Raises Refused. `id` is the element that a command is about."""


class Http:
    """A driver that listens at this address."""

    def __init__(self, url: str) -> None:
        self._client = httpx.Client(base_url=url, timeout=2 * PATIENCE, trust_env=False, verify=False)
        self._session = ""

    def ask(self, command: str, **body: Any) -> Any:
        method, path = OVER_HTTP[command]
        address = path.format(session=self._session, id=body.get("id", ""))
        answer = self._client.request(method, address, json=body if method == "POST" else None)
        value = answer.json()["value"]
        if answer.is_error:
            raise Refused(command, value["error"], value["message"])
        if command == "NewSession":
            self._session = value["sessionId"]
        return value


class Marionette:
    """A Firefox that listens on this port. A message is its length, a colon, and JSON: [kind, number, …]."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=2 * PATIENCE)
        self._answers = self._socket.makefile("rb")
        self._number = 0
        self._read()

    def ask(self, command: str, **body: Any) -> Any:
        self._number += 1
        message = json.dumps([0, self._number, f"WebDriver:{command}", body]).encode()
        self._socket.sendall(b"%d:%b" % (len(message), message))
        _, _, error, value = self._read()
        if error:
            raise Refused(command, error["error"], error["message"])
        return value.get("value") if isinstance(value, dict) and "value" in value else value

    def _read(self) -> Any:
        length = b""
        while (character := self._answers.read(1)) != b":":
            assert character, "Firefox hung up."
            length += character
        return json.loads(self._answers.read(int(length)))


@dataclass
class Tab:
    """What a person sees of a browser and does in it. Everything is waited for, and found by XPath."""

    wire: Wire

    def __post_init__(self) -> None:
        self.wire.ask("SetWindowRect", x=0, y=0, width=WIDTH, height=HEIGHT)

    def open(self, address: str) -> None:
        self.wire.ask("Navigate", url=address)

    @property
    def path(self) -> str:
        return urlsplit(str(self.wire.ask("GetCurrentURL"))).path

    def shows(self, xpath: str) -> str:
        """The text of the first such element that can be seen."""
        return str(self._when_there(xpath, lambda found: self.wire.ask("GetElementText", id=found)))

    def press(self, xpath: str) -> None:
        self._when_there(xpath, self._press)

    def _press(self, element: str) -> None:
        self.wire.ask("ExecuteScript", script=INTO_SIGHT, args=[{ELEMENT: element}])
        self.wire.ask("ElementClick", id=element)

    def fill(self, xpath: str, words: str) -> None:
        """Types into a field, or chooses the option with these words."""
        self._when_there(xpath, lambda found: self._fill(xpath, found, words))

    def _fill(self, xpath: str, element: str, words: str) -> None:
        if str(self.wire.ask("GetElementTagName", id=element)).lower() == "select":
            self.press(f"{xpath}/option[normalize-space()='{words}']")
            return
        self.wire.ask("ExecuteScript", script=INTO_SIGHT, args=[{ELEMENT: element}])
        self.wire.ask("ElementClick", id=element)
        self.wire.ask("ElementClear", id=element)
        self.wire.ask("ElementSendKeys", id=element, text=words)

    @contextmanager
    def inside(self, xpath: str) -> Iterator[None]:
        """Within this frame, for the time of the block."""
        self._when_there(xpath, self._enter)
        try:
            yield
        finally:
            self.wire.ask("SwitchToFrame", id=None)

    def _enter(self, frame: str) -> None:
        # A frame of another origin does not scroll the page around it for what is pressed in it.
        script = "arguments[0].scrollIntoView({block: 'end', behavior: 'instant'})"
        self.wire.ask("ExecuteScript", script=script, args=[{ELEMENT: frame}])
        self.wire.ask("SwitchToFrame", id={ELEMENT: frame})

    def comes_to(self, path: str) -> None:
        """Waits for this address."""
        deadline = time.monotonic() + PATIENCE
        while self.path != path:
            assert time.monotonic() < deadline, f"After {PATIENCE:.0f} s the address is {self.path}, not {path}."
            time.sleep(PAUSE)

    def picture(self) -> str:
        """A PNG in Base64."""
        return str(self.wire.ask("TakeScreenshot"))

    def _when_there(self, xpath: str, act: Callable[[str], T]) -> T:
        """Does it with the first that is seen, again when the page changes meanwhile, until patience ends."""
        deadline, refusal = time.monotonic() + PATIENCE, "it is not there"
        while time.monotonic() < deadline:
            try:
                for element in self.wire.ask("FindElements", using="xpath", value=xpath):
                    if self.wire.ask("IsElementDisplayed", id=element[ELEMENT]):
                        return act(element[ELEMENT])
            except Refused as error:
                if error.error not in AWAY:
                    raise
                refusal = str(error)
            time.sleep(PAUSE)
        raise AssertionError(f"{xpath} on {self.path}, for {PATIENCE:.0f} s: {refusal}")
