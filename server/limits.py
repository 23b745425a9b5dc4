"""Limits that protect a shop. They are constants for owners; tests and load tests pass others as LIMITS, in JSON."""

from pydantic import BaseModel, Field

from server.platform.core.setting_types import Amount, Count


class Limits(BaseModel, extra="forbid"):
    """Numbers above which something is refused, dropped or made to wait."""

    max_concurrent_requests: int = Field(default=12, ge=4)
    """Requests that one process answers at once; the others queue. With more none would be answered sooner, while a
    process has one core and its pool of connections."""
    low_disk_mb: Amount = 500
    """Below this free space the shop stops recording visits and resizing images, but keeps selling."""

    max_image_bytes: Count = 15_000_000
    max_image_pixels: Count = 50_000_000
    """Largest picture an admin may upload."""
    image_uploads_per_hour: Count = 1_000
    """Pictures that one admin may upload within an hour."""
    max_product_images: Count = 12
    """Most pictures a product may have."""
    max_addresses: Count = 10
    """Most addresses a shopper may keep."""

    sign_in_failures_per_account: Count = 10
    sign_in_failures_per_address: Count = 100
    """Failed sign-ins within five minutes before an account or an address has to wait. Browsers that have signed in to
    the account before have a count of their own; all others together may fail ten times as often in a day. Three times
    as many passwords are hashed for one address."""
    resets_per_day: Count = 5
    """Password-reset mails a day for one e-mail address, requested from one address or one known browser."""
    sign_ups_per_hour: Count = 100
    """New accounts an hour from one address; new e-mails of accounts count with them."""
    email_changes_per_hour: Count = 5
    """New e-mails an hour for one account."""

    stock_alerts_per_hour: Count = 30
    """Requests for a back-in-stock mail an hour from one address."""
    stock_alerts_per_day: Count = 20
    """Such requests a day for one e-mail address."""

    code_failures_per_account: Count = 10
    code_failures_per_address: Count = 50
    """Discount codes that do not exist, within ten minutes, before an account or an address has to wait."""

    abandoned_checkouts_per_account: Count = 30
    """Checkouts of one account within ten minutes that end without a payment, before it has to wait."""
    reserved_variants_per_account: Count = 40
    reserved_pieces_per_account: Count = 80
    reserved_value_per_account: Count = 10_000
    """Variants, pieces and their value, in whole units of the shop's currency, that one account may reserve at a time
    until they are paid; accounts that have never paid a quarter of each, but always one piece."""
    unpaid_hours_per_account: Count = 8
    """Hours a day that one account may reserve more than a piece without paying; one that has never paid a quarter."""
    cancellations_per_account: Count = 5
    """Orders that one account may cancel within a day before it has to wait with the next one."""

    events_per_visit: Count = 300
    events_per_address_per_day: Count = 20_000
    events_per_day: Count = 500_000
    """Rows a day of what visits do, for the reports: of one visit, of one address, of all. What is over is dropped."""
