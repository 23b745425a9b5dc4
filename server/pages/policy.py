"""Content security policy and other headers: what a browser may load, and from where."""

from dataclasses import dataclass

from server.config import Settings
from server.media import service as media
from server.platform.web import csp_reports


@dataclass(frozen=True)
class ExternalOrigins:
    """Addresses of outside services that a page needs."""

    stripe_script: str | None
    """The stand-in's script; None with a real key, for which the card form loads Stripe's own."""
    google_script: str | None


def outside(settings: Settings) -> ExternalOrigins:
    """The addresses for these settings."""
    base = settings.outside_url
    return ExternalOrigins(
        stripe_script=f"{base}/stripe.js" if settings.stand_in_payments else None,
        google_script=f"{base}/google/gsi.js" if settings.stand_in_google else None,
    )


def content_security_policy(settings: Settings, *, workbench: bool = False) -> str:
    """The policy of all pages; only the workbench (GraphiQL) may style itself from scripts."""
    base = settings.outside_url
    stripe = base if settings.stand_in_payments else "https://js.stripe.com"
    google = base if settings.stand_in_google else "https://accounts.google.com/gsi/"
    scripts = {stripe, google if settings.stand_in_google else "https://accounts.google.com/gsi/client"}
    frames = {stripe, google} | (set() if settings.stand_in_payments else {"https://hooks.stripe.com"})
    connects = {google, base if settings.stand_in_payments else "https://api.stripe.com"}
    if settings.direct_uploads:
        connects.add(media.uploads_address(settings))
    styles = set() if settings.stand_in_google else {"https://accounts.google.com/gsi/style"}
    images = set() if settings.stand_in_payments else {"https://*.stripe.com"}
    sources = {
        "default-src": {"'self'"},
        "script-src": {"'self'"} | scripts,
        "style-src": {"'self'"} | styles | ({"'unsafe-inline'"} if workbench else set()),
        "style-src-attr": {"'unsafe-inline'"},
        "img-src": {"'self'", "data:", "blob:", settings.media_base_url or "'self'"} | images,
        "font-src": {"'self'", "data:"} if workbench else {"'self'"},
        "connect-src": {"'self'", settings.public_url.replace("http", "ws", 1)} | connects,
        "frame-src": frames,
        "worker-src": {"'self'", "blob:"} if workbench else {"'self'"},
        "form-action": {"'self'"},
        "object-src": {"'none'"},
        "base-uri": {"'none'"},
        "frame-ancestors": {"'none'"},
        "report-uri": {csp_reports.PATH},
        "report-to": {"csp"},
    }
    return "; ".join(f"{name} {' '.join(sorted(values))}" for name, values in sources.items())


def headers_of_all(settings: Settings) -> dict[str, str]:
    """Headers of every response. What is not a page but opened like one can load nothing."""
    headers = {
        "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "strict-origin-when-cross-origin",
    }
    if settings.is_https:
        headers["strict-transport-security"] = "max-age=63072000; includeSubDomains"
    return headers


def headers_of_pages(settings: Settings) -> dict[str, str]:
    """Headers of HTML only: half a kilobyte that images and scripts do not need."""
    return {
        **headers_of_all(settings),
        "content-security-policy": content_security_policy(settings),
        "reporting-endpoints": csp_reports.REPORTING_ENDPOINTS,
        "cross-origin-opener-policy": "same-origin-allow-popups",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), browsing-topics=()",
    }
