"""`expand[]`: an id gives way to the object that it names."""

from typing import Any

from demo.outside import objects
from demo.outside.errors import ApiError
from demo.outside.ledger import Json, Transaction

EXPANDABLE = {
    "charge": "charge",
    "latest_charge": "charge",
    "payment_intent": "payment_intent",
    "payment_method": "payment_method",
}
DEEPEST = 4


def expand(tx: Transaction, body: Json, paths: list[str]) -> Json:
    """Raises ApiError for a path that names nothing expandable."""
    for path in paths:
        parts = path.split(".")
        if len(parts) > DEEPEST + (parts[0] == "data"):
            raise ApiError("You cannot expand more than 4 levels of a property", param="expand")
        _walk(tx, body, parts, path)
    return body


def _walk(tx: Transaction, node: Any, parts: list[str], path: str) -> None:
    if isinstance(node, list):
        for item in node:
            _walk(tx, item, parts, path)
        return
    if not isinstance(node, dict) or not parts:
        return
    name, *rest = parts
    _open(tx, node, name, path, is_last=not rest)
    _walk(tx, node.get(name), rest, path)


def _open(tx: Transaction, node: Json, name: str, path: str, is_last: bool) -> None:
    if f"_{name}" in node:
        value = node[f"_{name}"]
        node[name] = lines(node) if name == "line_items" else value
    elif name == "refunds" and node.get("object") == "charge":
        refunds = tx.all("refund", "charge = ?", node["id"], order="seq DESC")
        node[name] = objects.listing(f"/v1/charges/{node['id']}/refunds", refunds)
    elif name in EXPANDABLE and name in node:
        if isinstance(node[name], str):
            node[name] = tx.get(EXPANDABLE[name], node[name])
    elif is_last and not (name == "data" and node.get("object") == "list"):
        raise ApiError(f"This property cannot be expanded ({path}).", param="expand")


def lines(session: Json) -> Json:
    """A session's line items as a list object."""
    return objects.listing(f"/v1/checkout/sessions/{session['id']}/line_items", session["_line_items"])
