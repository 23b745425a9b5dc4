"""All domains' tables in one place, for migrations."""

from server.analytics import models as analytics
from server.audit import models as audit
from server.cart import models as cart
from server.catalog import models as catalog
from server.content import models as content
from server.identity import models as identity
from server.inventory import models as inventory
from server.mail import models as mail
from server.media import models as media
from server.operations import models as operations
from server.orders import models as orders
from server.payments import models as payments
from server.platform.core import models as core
from server.pricing import models as pricing
from server.shop import models as shop
from server.wishlist import models as wishlist

ALL_MODELS = (
    core,
    audit,
    shop,
    identity,
    mail,
    media,
    catalog,
    content,
    pricing,
    cart,
    wishlist,
    orders,
    payments,
    inventory,
    analytics,
    operations,
)
