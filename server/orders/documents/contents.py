"""What an invoice, a packing slip and an address label say: texts for their templates, which only place them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from server.orders import totals
from server.orders.queries import PlacedOrder, SentShipment, SoldLine
from server.platform.core import days, money, postal_addresses

NO_NAME = "Product Name Unavailable"
HAN = {"HK": "HK", "JP": "JP", "KP": "KR", "KR": "KR", "MO": "HK", "TW": "TC"}
"""Which country's forms of Chinese characters an address has; elsewhere it is the simplified ones ("SC")."""

Contents = dict[str, Any]


@dataclass(frozen=True)
class Letterhead:
    """Who sells, as the settings say. `seller` is name and address, line by line; `vat_number` is empty without one."""

    seller: str
    vat_number: str
    shop_url: str

    def contents(self, order: PlacedOrder) -> Contents:
        """What all documents of an order have in common."""
        return {
            "number": order.number,
            "seller": self.seller.splitlines(),
            "site": self.shop_url.partition("://")[2],
            "han": HAN.get(order.shipping_address.get("country_code", ""), "SC"),
        }


@dataclass(frozen=True)
class Shipments:
    """Shipments of an order, oldest first: all, or the one that was chosen."""

    sent: Sequence[SentShipment]
    is_choice: bool = False


def invoice(order: PlacedOrder, sent: Sequence[SentShipment], letterhead: Letterhead, zone: ZoneInfo) -> Contents:
    """The invoice, with days of this zone. It is issued when the order is paid."""
    return {
        **letterhead.contents(order),
        "vat_number": letterhead.vat_number,
        "facts": _invoice_facts(order, sent, zone),
        "buyer": [*postal_addresses.lines_of(order.shipping_address), order.email],
        "lines": [_invoice_line(line) for line in order.lines],
        "sums": [[row.label, row.amount] for row in totals.rows(order)],
        "total": money.dollars(order.total_cents),
        "included": totals.included_tax(order),
        "rates": [
            [row.rate, money.dollars(row.net_cents), money.dollars(row.tax_cents), money.dollars(row.gross_cents)]
            for row in totals.by_rate(order)
        ],
        "refunds": _refunds(order),
    }


def packing_slip(order: PlacedOrder, shipments: Shipments, letterhead: Letterhead, zone: ZoneInfo) -> Contents:
    """The slip of the chosen shipment; without a choice, of what is to be sent, or of all shipments."""
    waiting = [(line, line.quantity - line.shipped - line.called_off) for line in order.lines]
    waiting = [(line, count) for line, count in waiting if count > 0]
    if waiting and not shipments.is_choice:
        parcels = [_parcel("", waiting)]
    else:
        parcels = [_parcel(_sent(each, zone), _pieces(order, each)) for each in shipments.sent]
    return {
        **letterhead.contents(order),
        "address": postal_addresses.lines_of(order.shipping_address),
        "ordered": _date(order.created_at, zone),
        "parcels": parcels,
    }


def address_label(order: PlacedOrder, shipments: Shipments, letterhead: Letterhead) -> Contents:
    """The label of the chosen shipment; without a choice, of a parcel that has no carrier yet."""
    return {
        **letterhead.contents(order),
        "address": postal_addresses.lines_of(order.shipping_address),
        "phone": order.shipping_address.get("phone", ""),
        "tracking": _tracking(shipments.sent[0]) if shipments.is_choice else "",
    }


def _invoice_facts(order: PlacedOrder, sent: Sequence[SentShipment], zone: ZoneInfo) -> list[list[str]]:
    facts = [["Ordered", _date(order.created_at, zone)]]
    if order.paid_at:
        facts.append(["Paid", f"{_date(order.paid_at, zone)}, by card"])
    facts += [["Sent", day] for day in dict.fromkeys(_date(each.created_at, zone) for each in sent)]
    if order.canceled_at:
        facts.append(["Canceled", _date(order.canceled_at, zone)])
    return [["Issued", _date(order.paid_at or order.created_at, zone)], *facts]


def _invoice_line(line: SoldLine) -> Contents:
    return {
        "name": line.name or NO_NAME,
        "variant": ", ".join(part for part in (line.color, line.size) if part),
        "quantity": str(line.quantity),
        "price": money.dollars(line.unit_price_cents),
        "total": money.dollars(line.unit_price_cents * line.quantity),
    }


def _refunds(order: PlacedOrder) -> list[list[str]]:
    if not order.refunded_cents:
        return []
    left = order.total_cents - order.refunded_cents
    return [["Paid back", money.dollars(-order.refunded_cents)], ["After refunds", money.dollars(left)]]


def _parcel(heading: str, pieces: Sequence[tuple[SoldLine, int]]) -> Contents:
    rows = [[line.name or NO_NAME, line.sku, line.color, line.size, str(count)] for line, count in pieces]
    return {"heading": heading, "rows": rows, "pieces": str(sum(count for _, count in pieces))}


def _pieces(order: PlacedOrder, shipment: SentShipment) -> list[tuple[SoldLine, int]]:
    return [(line, shipment.pieces[line.id]) for line in order.lines if line.id in shipment.pieces]


def _sent(shipment: SentShipment, zone: ZoneInfo) -> str:
    return ", ".join(filter(None, (f"Sent {_date(shipment.created_at, zone)}", _tracking(shipment))))


def _tracking(shipment: SentShipment) -> str:
    return " ".join(filter(None, (shipment.carrier, shipment.tracking_number)))


def _date(moment: datetime, zone: ZoneInfo) -> str:
    day = days.day_of(moment, zone)
    return f"{day:%B} {day.day}, {day.year}"
