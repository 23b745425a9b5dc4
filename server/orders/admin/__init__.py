"""The back office's half of orders: finding them, sending them, answering returns, and what admins note."""

from server.orders.admin.actions import OrderAdminMutations
from server.orders.admin.listing import OrderListAdminFields
from server.orders.admin.order import OrdersOrderFields

__all__ = ["OrderAdminMutations", "OrderListAdminFields", "OrdersOrderFields"]
