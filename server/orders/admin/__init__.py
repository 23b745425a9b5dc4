"""Orders in the back office: listing, shipping, returns and notes."""

from server.orders.admin.actions import OrderAdminMutations
from server.orders.admin.listing import OrderListAdminFields
from server.orders.admin.order import OrdersOrderFields
from server.orders.admin.reservations import ReservationAdminFields

__all__ = ["OrderAdminMutations", "OrderListAdminFields", "OrdersOrderFields", "ReservationAdminFields"]
