-- The lines of a shopper's cart at current prices and stock, in the order of adding, each with the first picture of its
-- color, else of the product. What an open checkout of the shopper's own holds is available to them.
--
-- VOLATILE, which is the default, so that it sees what another function of the same statement has written.
CREATE OR REPLACE FUNCTION cart_contents(shopper uuid)
RETURNS TABLE (
    variant_id uuid, product_id uuid, category text, name text, sku text, size text, color_id uuid, color text, color_hex text,
    available integer, retired boolean, quantity integer, price_cents bigint, discounted_price_cents integer,
    seen_price_cents integer, weight_grams integer, discount_code text, fallback_image text,
    image_id uuid, alt text, width integer, height integer, placeholder text
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT
        variants.id, products.id, products.category, products.name, variants.sku, variants.size,
        product_colors.id, product_colors.name, product_colors.hex,
        variants.stock + coalesce(held.quantity, 0),
        coalesce(products.retired_at, variants.retired_at) IS NOT NULL,
        cart_lines.quantity,
        products.price_cents,
        CASE
            WHEN discount_applies(products.discount_starts_at, products.discount_ends_at)
            THEN products.discounted_price_cents
        END,
        cart_lines.seen_price_cents, products.weight_grams, carts.discount_code, products.image,
        picture.image_id, picture.alt, picture.width, picture.height, picture.placeholder
    FROM carts
    JOIN cart_lines ON cart_lines.cart_id = carts.id
    JOIN variants ON variants.id = cart_lines.variant_id
    JOIN product_colors ON product_colors.id = variants.color_id
    JOIN products ON products.id = variants.product_id
    LEFT JOIN reserved_pieces AS held
        ON held.user_id = shopper AND held.is_open AND held.variant_id = cart_lines.variant_id
    LEFT JOIN LATERAL (
        SELECT product_images.image_id, product_images.alt, images.width, images.height, images.placeholder
        FROM product_images JOIN images ON images.id = product_images.image_id
        WHERE product_images.product_id = products.id
            AND (product_images.color_id = variants.color_id OR product_images.color_id IS NULL)
        ORDER BY product_images.color_id IS NULL, product_images.position, product_images.id
        LIMIT 1
    ) AS picture ON true
    WHERE carts.user_id = shopper
    ORDER BY cart_lines.added_at, cart_lines.variant_id;
END
$$;
