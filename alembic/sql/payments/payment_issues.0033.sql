-- Given to orders: payments that need a person's attention, and those that did. A refund failed; a payment came for
-- what could not become an order any more; a buyer's bank disputes one.
CREATE OR REPLACE VIEW payment_issues AS
SELECT
    'refund_failed' AS kind,
    refunds.id::text AS id,
    refunds.created_at AS at,
    refunds.amount_cents,
    coalesce(orders.email, checkouts.email, '') AS email,
    orders.id AS order_id,
    orders.number,
    CASE
        WHEN
            refunds.closed_at IS NOT NULL
            OR EXISTS (SELECT FROM refunds later WHERE later.replaces_id = refunds.id)
            THEN 'closed'
        ELSE 'failed'
    END AS status,
    refunds.reason,
    refunds.payment_intent_id,
    refunds.closed_at IS NULL
        AND NOT EXISTS (SELECT FROM refunds later WHERE later.replaces_id = refunds.id) AS is_open
FROM refunds
LEFT JOIN orders ON orders.id = refunds.order_id
LEFT JOIN checkouts ON checkouts.id = refunds.checkout_id
WHERE refunds.status = 'failed'
UNION ALL
SELECT
    'unfulfillable',
    checkouts.id::text,
    coalesce(refunds.created_at, checkouts.created_at),
    checkouts.total_cents,
    checkouts.email,
    NULL::uuid,
    NULL::bigint,
    coalesce(refunds.status, 'pending'),
    coalesce(refunds.reason, ''),
    refunds.payment_intent_id,
    coalesce(refunds.status, 'pending') = 'pending'
FROM checkouts
LEFT JOIN refunds
    ON refunds.checkout_id = checkouts.id AND refunds.order_id IS NULL AND refunds.replaces_id IS NULL
WHERE checkouts.status = 'refunding'
UNION ALL
SELECT
    'disputed',
    disputes.id,
    disputes.created_at,
    disputes.amount_cents,
    coalesce(orders.email, ''),
    disputes.order_id,
    orders.number,
    disputes.status,
    disputes.reason,
    disputes.payment_intent_id,
    disputes.status NOT IN ('won', 'lost', 'warning_closed', 'prevented')
FROM disputes
LEFT JOIN orders ON orders.id = disputes.order_id;
