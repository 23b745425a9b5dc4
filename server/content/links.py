"""Where links of pages may lead."""

from urllib.parse import urlsplit

from server.platform.core.text import is_storable

LONGEST = 500
WRONG = "A page of this shop (/category/men), or an address with https:, http: or mailto:"
SCHEMES = ("https", "http", "mailto")


def link_problem(link: str) -> str | None:
    """What is wrong with the address of a link; None when nothing is."""
    if len(link) > LONGEST:
        return f"At most {LONGEST} characters"
    # Browsers drop control characters and read a backslash as a slash.
    if not link.isprintable() or "\\" in link or " " in link or not is_storable(link):
        return WRONG
    if link.startswith("#") or (link.startswith("/") and not link.startswith("//")):
        return None
    return None if _has_place(link) else WRONG


def _has_place(link: str) -> bool:
    try:
        parts = urlsplit(link)
    except ValueError:
        return False
    if parts.scheme == "mailto":
        return "@" in parts.path
    return parts.scheme in SCHEMES and bool(parts.hostname)
