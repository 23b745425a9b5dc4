"""The back office's half of orders: finding them, sending them, answering returns, and what admins note."""

from server.orders.admin.actions import Mutation
from server.orders.admin.listing import AdminFields
from server.orders.admin.order import OrderFields

__all__ = ["AdminFields", "Mutation", "OrderFields"]
