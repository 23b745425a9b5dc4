"""Changes to a cart. Nothing is reserved here: stock is taken when a checkout is opened.

Every function locks the cart's row first, so that changes in two tabs add up instead of overwriting each other.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import Integer, Uuid, bindparam, cast, column, delete, func, select, text, update
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.ext.asyncio import AsyncSession

from server.cart import queries
from server.cart.errors import CartFull, OutOfStock, TooManyPieces
from server.cart.models import Cart, CartLine
from server.cart.queries import CartContents, VariantChoice
from server.config import DEFAULT_PIECES_PER_VARIANT, MAX_CART_LINES
from server.identity.models import User
from server.platform.core import clock
from server.platform.core.errors import Conflict, InvalidInput, NotFound
from server.platform.core.statements import PreparedStatement, Statements
from server.pricing import codes
from server.pricing.errors import CodeRefused


@dataclass(frozen=True)
class UnpaidLine:
    """Pieces of a variant whose payment has failed, and the price at which they were to be bought."""

    variant_id: UUID
    quantity: int
    seen_price_cents: int


async def get(session: Statements, user_id: UUID) -> CartContents:
    """The cart at current prices and stock; empty for a shopper without one."""
    return await queries.basket(session, user_id)


async def lock(session: AsyncSession, user_id: UUID) -> UUID:
    """Locks the cart's row until the transaction ends, creating it if needed. Returns its id.

    First in the order of locks: users (against deletion only), carts, checkouts, orders, products, variants. Raises
    NotFound when the account is gone.
    """
    cart_id: UUID | None = await session.scalar(_LOCK, {"user_id": user_id})
    if cart_id is None:
        if await session.scalar(_LOCK_OWNER, {"user_id": user_id}) is None:
            raise NotFound("This account")
        await session.execute(insert(Cart).values(user_id=user_id).on_conflict_do_nothing())
        cart_id = (await session.scalars(_LOCK, {"user_id": user_id})).one()
    return cart_id


_USER_ID = bindparam("user_id", type_=Uuid)
_LOCK_OWNER = select(User.id).where(User.id == _USER_ID).with_for_update(read=True, key_share=True)
# Two clauses of one statement, which locks row by row in their order; SQLAlchemy writes one.
_LOCK = text(
    """
    SELECT carts.id FROM users JOIN carts ON carts.user_id = users.id WHERE users.id = :user_id
    FOR KEY SHARE OF users FOR NO KEY UPDATE OF carts
    """
).bindparams(bindparam("user_id", type_=Uuid))


async def add_line(
    session: Statements,
    user_id: UUID,
    variant_id: UUID,
    quantity: int = 1,
    most_pieces: int = DEFAULT_PIECES_PER_VARIANT,
) -> CartContents:
    """Adds to the quantity in the cart, as one statement; a line has at most `most_pieces`.

    Raises InvalidInput, NotFound, OutOfStock, TooManyPieces or CartFull.
    """
    _check_quantity(quantity)
    limits = {"most_lines": MAX_CART_LINES, "most_pieces": min(most_pieces, MAX_INTEGER)}
    rows = await _ADD.rows(session, shopper=user_id, wanted=variant_id, pieces=min(quantity, MAX_INTEGER), **limits)
    added = rows[0]
    match added.problem:
        case "stock":
            raise OutOfStock(variant_id, added.can_have, added.product_name)
        case "pieces":
            raise TooManyPieces(most_pieces)
        case "full":
            raise CartFull(MAX_CART_LINES)
        case str():
            raise NotFound(_MISSING[added.problem])
    return await queries.contents_of(session, user_id, rows)


# The cart is read by a function that depends on the row of the first, and so sees what that has written.
_ADD = PreparedStatement(
    text(
        f"""
        SELECT added.problem, added.product_name, added.can_have, {queries.CONTENTS}
        FROM add_cart_line(:shopper, :wanted, :pieces, :most_lines, :most_pieces)
            AS added (problem, product_name, can_have)
        LEFT JOIN LATERAL cart_contents(CASE WHEN added.problem IS NULL THEN CAST(:shopper AS uuid) END) ON true
        """  # noqa: S608 - names of columns
    )
)
MAX_INTEGER = 2**31 - 1
_MISSING = {"account": "This account", "variant": "This item", "product": "This product"}


async def set_quantity(
    session: AsyncSession,
    user_id: UUID,
    variant_id: UUID,
    quantity: int,
    most_pieces: int = DEFAULT_PIECES_PER_VARIANT,
) -> CartContents:
    """Sets a line's quantity.

    Raises InvalidInput below 1, NotFound when the variant is not in the cart, and above the available stock or
    `most_pieces`, whichever is less, OutOfStock or TooManyPieces.
    """
    cart_id = await lock(session, user_id)
    offer = await _offer(session, user_id, variant_id)
    if offer.in_cart is None:
        raise NotFound("This item")
    _check_quantity(quantity)
    available = 0 if offer.retired else offer.available
    if quantity > min(available, most_pieces):
        if most_pieces < available:
            raise TooManyPieces(most_pieces)
        raise OutOfStock(variant_id, available, offer.name)
    line = update(CartLine).where(CartLine.cart_id == cart_id, CartLine.variant_id == variant_id)
    await session.execute(line.values(quantity=quantity))
    return await get(session, user_id)


async def remove_line(session: AsyncSession, user_id: UUID, variant_id: UUID) -> CartContents:
    """Removes a line; has no effect when it is not there."""
    cart_id = await lock(session, user_id)
    await session.execute(delete(CartLine).where(CartLine.cart_id == cart_id, CartLine.variant_id == variant_id))
    return await get(session, user_id)


async def use_code(session: AsyncSession, user_id: UUID, code: str) -> CartContents:
    """Replaces the cart's discount code. Raises CodeRefused unless this shopper may use it now.

    A code that only requires a larger subtotal is kept, and the cart says so until the subtotal is reached.
    """
    cart_id = await lock(session, user_id)
    applicable = await codes.find(session, code, user_id)
    if refusal := applicable.refusal(clock.now()):
        raise CodeRefused(applicable.code, refusal)
    await session.execute(update(Cart).where(Cart.id == cart_id).values(discount_code=applicable.code))
    return await get(session, user_id)


async def drop_code(session: AsyncSession, user_id: UUID) -> CartContents:
    """Removes the discount code; has no effect without one."""
    cart_id = await lock(session, user_id)
    await session.execute(update(Cart).where(Cart.id == cart_id).values(discount_code=None))
    return await get(session, user_id)


async def clear(session: AsyncSession, user_id: UUID) -> bool:
    """Removes all lines and the discount code. Returns whether there were any. The caller has locked the account."""
    own = select(Cart).where(Cart.user_id == user_id).with_for_update().execution_options(populate_existing=True)
    cart = await session.scalar(own)
    if cart is None:
        return False
    had_code, cart.discount_code = cart.discount_code is not None, None
    lines = await session.scalars(delete(CartLine).where(CartLine.cart_id == cart.id).returning(CartLine.variant_id))
    return bool(lines.all()) or had_code


async def take_bought(session: AsyncSession, user_id: UUID, bought: dict[UUID, int], code: str | None = None) -> None:
    """Removes bought quantities, and the code they were bought with. What was added since stays."""
    cart_id = await lock(session, user_id)
    if code is not None:
        used = update(Cart).where(Cart.id == cart_id, Cart.discount_code == code)
        await session.execute(used.values(discount_code=None))
    pieces = func.unnest(cast(list(bought), ARRAY(Uuid)), cast(list(bought.values()), ARRAY(Integer)))
    sold = pieces.table_valued(column("variant_id", Uuid), column("quantity", Integer)).render_derived("sold")
    same_line = (CartLine.cart_id == cart_id, CartLine.variant_id == sold.c.variant_id)
    await session.execute(delete(CartLine).where(*same_line, CartLine.quantity <= sold.c.quantity))
    rest = update(CartLine).where(*same_line).values(quantity=CartLine.quantity - sold.c.quantity)
    await session.execute(rest)


async def put_back(session: AsyncSession, user_id: UUID, unpaid: Sequence[UnpaidLine], code: str | None = None) -> None:
    """Adds to the cart what `take_bought` removed, and its code unless the cart has another.

    Omits variants that no longer exist, and those for which the cart has no free line.
    """
    cart_id = await lock(session, user_id)
    if code is not None:
        without = update(Cart).where(Cart.id == cart_id, Cart.discount_code.is_(None))
        await session.execute(without.values(discount_code=code))
    columns = {
        "variant_ids": [line.variant_id for line in unpaid],
        "quantities": [line.quantity for line in unpaid],
        "prices": [line.seen_price_cents for line in unpaid],
    }
    await session.execute(_PUT_BACK, {"cart": cart_id, "most_lines": MAX_CART_LINES, **columns})


# Variants that are in the cart come first, since they need no free line.
_PUT_BACK = text(
    """
    INSERT INTO cart_lines (cart_id, variant_id, quantity, seen_price_cents)
    SELECT :cart, unpaid.variant_id, unpaid.quantity, unpaid.price
    FROM unnest(:variant_ids, :quantities, :prices)
        WITH ORDINALITY AS unpaid (variant_id, quantity, price, position)
    JOIN variants ON variants.id = unpaid.variant_id
    LEFT JOIN cart_lines AS present ON present.cart_id = :cart AND present.variant_id = unpaid.variant_id
    ORDER BY present.variant_id IS NULL, unpaid.position
    LIMIT (
        SELECT greatest(:most_lines - count(*), 0) FROM cart_lines
        WHERE cart_id = :cart AND variant_id <> ALL (:variant_ids)
    )
    ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = cart_lines.quantity + excluded.quantity
    """
).bindparams(
    bindparam("cart", type_=Uuid),
    bindparam("variant_ids", type_=ARRAY(Uuid)),
    bindparam("quantities", type_=ARRAY(Integer)),
    bindparam("prices", type_=ARRAY(Integer)),
    bindparam("most_lines", type_=Integer),
)


async def variant_for(session: Statements, product_id: UUID, size: str | None, color: str | None) -> UUID:
    """The variant that a product and optionally its size and color (name or hex) mean.

    Without size or color it is the first in stock, colors before sizes. Raises NotFound for a product that is not on
    sale, InvalidInput for a size or color that it does not have.
    """
    choices = await queries.choices(session, product_id)
    if not choices:
        raise NotFound("This product")
    if color is not None:
        choices = _narrow(choices, "color", [c for c in choices if color.lower() in (c.color.lower(), c.color_hex)])
    if size is not None:
        choices = _narrow(choices, "size", [c for c in choices if c.size.casefold() == size.strip().casefold()])
    return next((choice for choice in choices if choice.stock > 0), choices[0]).variant_id


async def variant_known_as(session: AsyncSession, user_id: UUID, known_as: UUID) -> UUID:
    """The variant in the cart that a variant's or product's id means. Raises NotFound, or Conflict for several."""
    variant_ids = await queries.variants_in_cart(session, user_id, known_as)
    if known_as in variant_ids:
        return known_as
    if not variant_ids:
        raise NotFound("This item")
    if len(variant_ids) > 1:
        raise Conflict("Your cart holds this product in several sizes or colors. Name the variant instead.")
    return variant_ids[0]


def _check_quantity(quantity: int) -> None:
    if quantity < 1:
        raise InvalidInput({"quantity": "must be at least 1"})


async def _offer(session: AsyncSession, user_id: UUID, variant_id: UUID) -> queries.VariantOffer:
    offer = await queries.offer(session, user_id, variant_id)
    if offer is None:
        raise NotFound("This item")
    return offer


def _narrow(choices: Sequence[VariantChoice], name: str, matches: list[VariantChoice]) -> list[VariantChoice]:
    """Raises InvalidInput, which lists the possible values, when none matches."""
    if not matches:
        there = dict.fromkeys(choice.color if name == "color" else choice.size for choice in choices)
        raise InvalidInput({name: f"is one of {', '.join(there)}"})
    return matches
