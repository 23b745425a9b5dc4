"""Money is integer cents. Decimals exist only at the edges; no sum is ever computed in floating point."""

from decimal import Decimal, InvalidOperation

CURRENCY = "USD"
MAX_CENTS = 99_999_999


def cents(amount: Decimal | str) -> int:
    """Integer cents of a decimal amount.

    Raises ValueError for more than two decimals, NaN, infinity or over MAX_CENTS.
    """
    try:
        exact = Decimal(amount) * 100
    except InvalidOperation as error:
        raise ValueError("not an amount") from error
    if not exact.is_finite() or exact != exact.to_integral_value() or abs(exact) > MAX_CENTS:
        raise ValueError("not an amount in cents")
    return int(exact)


def decimal_text(amount: int) -> str:
    """`1990` is "19.90"."""
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100}.{abs(amount) % 100:02d}"


def dollars(amount: int) -> str:
    """`199000` is "$1,990.00"."""
    sign = "-" if amount < 0 else ""
    return f"{sign}${abs(amount) // 100:,}.{abs(amount) % 100:02d}"


def json_number(amount: int) -> float:
    """The amount as a JSON number for REST: at most two decimals, for display only."""
    return amount / 100


def is_discounted(price: int, discounted: int | None) -> bool:
    """Whether a discounted price applies: it is above zero and below the price."""
    return discounted is not None and 0 < discounted < price


def charged(price: int, discounted: int | None) -> int:
    """The price of one item in cents: discounted, if a discount applies."""
    return discounted if discounted is not None and 0 < discounted < price else price


def percent_off(price: int, discounted: int) -> int:
    """The discount in whole percent, rounded half up."""
    return ((price - discounted) * 200 + price) // (2 * price)


def percent(basis_points: int) -> str:
    """`1900` is "19%", `1925` is "19.25%"."""
    whole, rest = divmod(basis_points, 100)
    return f"{whole}.{rest:02d}".rstrip("0").rstrip(".") + "%" if rest else f"{whole}%"
