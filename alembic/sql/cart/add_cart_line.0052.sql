-- Adds pieces of a variant to a shopper's cart, in one round trip. Nothing has changed where `problem` is given: 'account',
-- 'variant' and 'product' are not there, 'stock' says that only `available` can be had, 'pieces' that the line may have
-- `most_pieces`, which are fewer, 'full' that the cart has as many lines as it may. What a checkout of the shopper's own holds can
-- be had. Locks the account (against deletion only), then the cart, so that additions in two tabs add up.
CREATE OR REPLACE FUNCTION add_cart_line(
    shopper uuid, wanted uuid, pieces integer, most_lines integer, most_pieces integer DEFAULT NULL,
    OUT problem text, OUT product_name text, OUT available bigint
) LANGUAGE plpgsql AS $$
DECLARE
    its_cart uuid;
    in_cart integer;
    price bigint;
    is_retired boolean;
BEGIN
    PERFORM FROM users WHERE id = shopper FOR KEY SHARE;
    IF NOT FOUND THEN
        problem := 'account';
        RETURN;
    END IF;
    SELECT id INTO its_cart FROM carts WHERE user_id = shopper FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        INSERT INTO carts (user_id) VALUES (shopper) ON CONFLICT DO NOTHING;
        SELECT id INTO its_cart FROM carts WHERE user_id = shopper FOR NO KEY UPDATE;
    END IF;

    SELECT
        products.name,
        coalesce(products.retired_at, variants.retired_at) IS NOT NULL,
        variants.stock + coalesce((
            SELECT sum(quantity) FROM reserved_pieces
            WHERE user_id = shopper AND is_open AND variant_id = wanted
        ), 0),
        CASE
            WHEN discount_applies(products.discount_starts_at, products.discount_ends_at)
            THEN least(products.price_cents, products.discounted_price_cents)
            ELSE products.price_cents
        END
    INTO product_name, is_retired, available, price
    FROM variants JOIN products ON products.id = variants.product_id
    WHERE variants.id = wanted;
    IF NOT FOUND OR is_retired THEN
        problem := CASE WHEN is_retired THEN 'product' ELSE 'variant' END;
        RETURN;
    END IF;

    SELECT quantity INTO in_cart FROM cart_lines WHERE cart_id = its_cart AND variant_id = wanted;
    IF coalesce(in_cart, 0)::bigint + pieces > least(available, most_pieces) THEN
        problem := CASE WHEN most_pieces < available THEN 'pieces' ELSE 'stock' END;
    ELSIF in_cart IS NULL AND (SELECT count(*) FROM cart_lines WHERE cart_id = its_cart) >= most_lines THEN
        problem := 'full';
    ELSE
        INSERT INTO cart_lines (cart_id, variant_id, quantity, seen_price_cents)
        VALUES (its_cart, wanted, pieces, price)
        ON CONFLICT (cart_id, variant_id) DO UPDATE
        SET quantity = cart_lines.quantity + excluded.quantity, seen_price_cents = excluded.seen_price_cents;
    END IF;
END
$$;
