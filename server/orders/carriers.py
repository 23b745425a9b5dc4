"""Carriers and their tracking pages."""

from urllib.parse import quote, urlsplit

FOLLOWED_AT = {
    "UPS": "https://www.ups.com/track?tracknum={}",
    "USPS": "https://tools.usps.com/go/TrackConfirmAction?tLabels={}",
    "FedEx": "https://www.fedex.com/fedextrack/?trknbr={}",
    "DHL": "https://www.dhl.com/global-en/home/tracking/tracking-parcel.html?tracking-id={}",
    "Royal Mail": "https://www.royalmail.com/track-your-item#/tracking-results/{}",
    "La Poste": "https://www.laposte.fr/outils/suivre-vos-envois?code={}",
    "PostNord": "https://tracking.postnord.com/en/tracking?id={}",
    "DPD": "https://www.dpd.com/tracking?parcelNumber={}",
    "GLS": "https://gls-group.com/track/{}",
}
"""Tracking URL by the carrier's name; {} is the tracking number."""
LONGEST_URL = 500


def followed_at(carrier: str, number: str) -> str:
    """The tracking URL; empty for an unknown carrier or without a tracking number."""
    addresses = {name.casefold(): address for name, address in FOLLOWED_AT.items()}
    address = addresses.get(carrier.strip().casefold())
    return address.format(quote(number, safe="")) if address and number else ""


def is_web_address(value: str) -> bool:
    """Whether mails and pages may link to it: http or https, with a host, all characters printable."""
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    is_plain = value.isprintable() and " " not in value and len(value) <= LONGEST_URL
    return is_plain and parts.scheme in ("http", "https") and bool(parts.hostname)
