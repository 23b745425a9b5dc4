"""The fields below `admin`."""

from server.platform.core.viewer import Access

BENEATH_ADMIN = {
    "adminRequestCount": Access.ADMIN,
    "adminRequests": Access.ADMIN,
    "analytics": Access.ADMIN,
    "auditChoices": Access.ADMIN,
    "auditLog": Access.ADMIN,
    "blockKinds": Access.PRIMARY_ADMIN,
    "carriers": Access.ADMIN,
    "discountCodes": Access.ADMIN,
    "failedJobs": Access.ADMIN,
    "import": Access.ADMIN,
    "imports": Access.ADMIN,
    "operations": Access.PRIMARY_ADMIN,
    "order": Access.ADMIN,
    "orderQueue": Access.ADMIN,
    "orders": Access.ADMIN,
    "page": Access.PRIMARY_ADMIN,
    "pages": Access.PRIMARY_ADMIN,
    "paymentTroubles": Access.ADMIN,
    "product": Access.ADMIN,
    "departments": Access.ADMIN,
    "sizeSystems": Access.ADMIN,
    "products": Access.ADMIN,
    "productsPreview": Access.ADMIN,
    "reservations": Access.ADMIN,
    "settings": Access.ADMIN,
    "timeZone": Access.ADMIN,
    "stock": Access.ADMIN,
    "stockLevel": Access.ADMIN,
    "stockMovements": Access.ADMIN,
    "stockReservations": Access.ADMIN,
    "stockSummary": Access.ADMIN,
    "shippingAndTax": Access.ADMIN,
    "previewRates": Access.ADMIN,
    "user": Access.ADMIN,
    "users": Access.ADMIN,
}
"""Every field of the type Admin. All of them are for admins, since `Query.admin` is null for everybody else; a field
may ask for more."""
