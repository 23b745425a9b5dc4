"""The cookies, the same-site rule and the security headers."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from server.platform.core.context import ResponseCookie
from server.platform.core.site import Site

SESSION_HOURS = 24
DEVICE_DAYS = 365
SIGN_IN_SECONDS = 600
"""How long a browser may take to sign in: slightly longer than a challenge is valid."""


def cookie_name(site: Site) -> str:
    """The session cookie's name.

    Over http it ends in the port: cookies ignore ports, so two local shops would collide.
    """
    if site.is_https:
        return "__Host-accessToken"
    return f"accessToken-{urlsplit(site.public_url).port or 80}"


def session_cookie(site: Site, token: str | None) -> ResponseCookie:
    """Sets the session cookie, or deletes it when `token` is None."""
    return ResponseCookie(cookie_name(site), token, SESSION_HOURS * 3600)


def device_cookie_name(site: Site) -> str:
    """The name of the cookie that recognizes a browser which has signed in before; it does not sign in."""
    return cookie_name(site).replace("accessToken", "device")


def device_cookie(site: Site, token: str) -> ResponseCookie:
    """Sets the device cookie; it stays when the session ends."""
    return ResponseCookie(device_cookie_name(site), token, DEVICE_DAYS * 86_400)


def browser_cookie_name(site: Site) -> str:
    """The name of the cookie of a browser in the middle of a sign-in."""
    return cookie_name(site).replace("accessToken", "signingIn")


def browser_cookie(site: Site, token: str) -> ResponseCookie:
    """Sets the cookie that ties a sign-in in progress to this browser."""
    return ResponseCookie(browser_cookie_name(site), token, SIGN_IN_SECONDS)


def hint_name(site: Site) -> str:
    """The name of the cookie with the time when the session expires (epoch ms), for scripts."""
    return cookie_name(site).replace("accessToken", "signedIn")


def is_same_site(headers: Mapping[str, str], site: Site) -> bool:
    """Whether a state-changing request comes from the shop's own pages, or from no page at all.

    Browsers send it as Sec-Fetch-Site, older ones as Origin. A request with cookies and neither header is refused. One
    without cookies and headers comes from a script, which gains nothing by it.
    """
    from_site = headers.get("sec-fetch-site")
    origin = headers.get("origin")
    if from_site is not None:
        return from_site == "same-origin" or (from_site == "none" and origin is None)
    if origin is not None:
        return origin.lower() in allowed_origins(site)
    return "cookie" not in headers


def allowed_origins(site: Site) -> set[str]:
    """The shop's own origin; on loopback under both of its names."""
    parts = urlsplit(site.public_url)
    origins = {f"{parts.scheme}://{parts.netloc}".lower()}
    if site.is_loopback and parts.port:
        origins |= {f"http://localhost:{parts.port}", f"http://127.0.0.1:{parts.port}"}
    return origins


def is_json(headers: Mapping[str, str]) -> bool:
    """Whether the body's media type is application/json."""
    return headers.get("content-type", "").partition(";")[0].strip().lower() == "application/json"
