"""Cursor pages as Stripe cuts them: newest first, `starting_after` going back in time."""

from demo.outside import objects
from demo.outside.errors import Invalid, missing
from demo.outside.ledger import Json, Transaction

COLUMNS = {
    "status": "status = ?",
    "payment_intent": "payment_intent = ?",
    "charge": "charge = ?",
    "type": "json_extract(body, '$.type') = ?",
}
BOUNDS = {"gt": ">", "gte": ">=", "lt": "<", "lte": "<="}
USUAL = 10


def page(tx: Transaction, kind: str, url: str, read: Json) -> Json:
    """Raises Invalid when a cursor names no object of the kind."""
    clauses, values = _filters(read)
    backwards = "ending_before" in read
    if backwards and "starting_after" in read:
        raise Invalid("You may only specify one of ending_before and starting_after.", param="ending_before")
    for name, sign in (("starting_after", "<"), ("ending_before", ">")):
        if name in read:
            seq = tx.seq(kind, read[name])
            if seq is None:
                raise missing(kind, read[name], name)
            clauses.append(f"seq {sign} ?")
            values.append(seq)
    limit = read.get("limit", USUAL)
    order = "seq" if backwards else "seq DESC"
    items = tx.all(kind, " AND ".join(clauses) or "1", *values, order=order, limit=limit + 1)
    has_more, items = len(items) > limit, items[:limit]
    return objects.listing(url, items[::-1] if backwards else items, has_more)


def page_of(listing: Json, read: Json) -> Json:
    """A page of a list that is all here, in its own order."""
    data = listing["data"]
    for name in ("starting_after", "ending_before"):
        if name in read and read[name] not in [item["id"] for item in data]:
            raise missing("item", read[name], name)
    limit, places = read.get("limit", USUAL), [item["id"] for item in data]
    if "ending_before" in read:
        before = data[: places.index(read["ending_before"])]
        return objects.listing(listing["url"], before[-limit:], len(before) > limit)
    start = places.index(read["starting_after"]) + 1 if "starting_after" in read else 0
    return objects.listing(listing["url"], data[start : start + limit], len(data) > start + limit)


def _filters(read: Json) -> tuple[list[str], list[object]]:
    clauses: list[str] = []
    values: list[object] = []
    for name, sql in COLUMNS.items():
        if name in read:
            clauses.append(sql)
            values.append(read[name])
    if "types" in read:
        clauses.append(f"json_extract(body, '$.type') IN ({', '.join('?' * len(read['types']))})")
        values.extend(read["types"])
    if "customer_details" in read:
        clauses.append("json_extract(body, '$.customer_details.email') = ?")
        values.append(read["customer_details"].get("email"))
    created = read.get("created")
    bounds = created if isinstance(created, dict) else {"gte": created, "lte": created} if created is not None else {}
    for name, value in bounds.items():
        clauses.append(f"created {BOUNDS[name]} ?")
        values.append(value)
    return clauses, values
