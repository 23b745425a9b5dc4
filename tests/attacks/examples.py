"""Arguments for the fuzzer that have to be consistent with each other or with the shop's data, by operation."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.api.conftest import ADDRESS
from tests.api.inputs import PASSWORD
from tests.attacks.nasty import Ids


@dataclass(frozen=True)
class Tokens:
    """What was sent by mail or made by somebody else, and works."""

    reset: str
    confirm: str
    unsubscribe: str
    google: str
    preview: str
    """Of `CHANGE` for the first product."""
    versions: Mapping[str, str]
    """Of the orders, by id."""


CHANGE: dict[str, Any] = {"price": {"step": "RAISE_AMOUNT", "amount": "1.00"}}
CODE = {"percent": 20, "isActive": True}
PARCEL = {"carrier": "UPS", "trackingNumber": "1Z 8", "trackingUrl": ""}
CATEGORY = {"name": "Hats", "slug": "hats", "isHidden": False}
BELTS = {"name": "Belts", "axes": [{"name": "Length", "values": [{"name": "80"}, {"name": "90"}]}], "market": "EU"}
PRODUCT: dict[str, Any] = {
    "name": "Linen Shirt",
    "subtitle": "Washed linen",
    "description": "With slubs.",
    "price": "92.00",
    "category": "men_shirts",
    "sizes": ["S", "M"],
}
ZONE = {
    "name": "Alps",
    "isRestOfWorld": False,
    "countries": ["CH"],
    "basis": "TOTAL",
    "rates": [{"minimum": "0.00", "price": "12.00"}],
}
BLOCKS_OF_PAGE = [{"freeText": {"text": "Washed."}}]
RANGE = {"preset": "ALL_TIME"}
OF_SHIPPED = [
    f"Mutation.{name}"
    for name in ("markDelivered", "acceptReturn", "refuseReturn", "refundReturn", "retryRefund", "settleRefund")
]


def examples(ids: Ids, tokens: Tokens) -> dict[str, dict[str, Any]]:
    """An argument that is not named is made from the schema."""
    product, variant = ids["product"][0], ids["variant"][0]
    order, line, shipped_order, shipped_line = ids["order"][0], ids["line"][0], ids["order"][1], ids["line"][1]
    seen, shipped_seen = ({"version": tokens.versions[str(each)]} for each in (order, shipped_order))
    image = {"imageId": ids["image"][0], "color": 0, "alt": "Front"}
    color = {"hex": "#b7d0ea", "name": "Sky"}
    edited = {
        **PRODUCT,
        "title": "Linen Shirt",
        "colors": [{**color, "id": ids["color"][0]}],
        "variants": [{"color": 0, "size": size, "stock": 5, "seenStock": 5, "sku": f"OX-{size}"} for size in "SM"],
        "images": [image],
        "details": [{"label": "Fit", "text": "Regular"}],
        "measurements": [{"point": "LENGTH", "size": "S", "micrometers": 730_000}],
    }
    refunded = [{"lineId": line, "quantity": 1, "restock": False}]
    return {
        "Admin.productsPreview": {"selection": {"ids": [product]}, "change": CHANGE},
        "Admin.stockLevel": {"variantId": variant},
        "Admin.previewRates": {"country": "GB", "goods": "20.00"},
        "Analytics.report": {"range": RANGE, "by": ["DAY"]},
        "ReportRow.dim": {"is": "DAY"},
        "Analytics.funnel": {"range": RANGE},
        "Analytics.cohorts": {"range": RANGE},
        "Analytics.basketPairs": {"range": RANGE},
        "Mutation.createSavedReport": {"input": {"name": "Daily", "definition": "by=DAY"}},
        "Mutation.updateSavedReport": {"input": {"name": "Daily", "definition": "by=DAY"}},
        "Query.page": {"path": "/pages/cotton"},
        "EditablePage.preview": {"input": {"title": "Linen", "description": "", "blocks": BLOCKS_OF_PAGE}},
        "Mutation.createPage": {"input": {"key": "linen", "title": "Linen"}},
        "Mutation.updatePage": {"version": 1, "input": {"title": "Linen", "description": "", "blocks": BLOCKS_OF_PAGE}},
        "Mutation.revertPage": {"version": 1, "number": None},
        "Mutation.publishPage": {"version": 1, "at": None},
        "Mutation.adjustStock": {"changes": [{"variantId": variant, "by": 1}], "reason": "RECEIVED"},
        "Mutation.createDiscountCode": {"code": "NEW20", "input": CODE},
        "Mutation.updateDiscountCode": {"code": "SPRING10", "input": CODE},
        "Mutation.createDeliveryZone": {"input": ZONE},
        "Mutation.updateDeliveryZone": {"input": ZONE},
        "Mutation.setTaxRate": {"country": "FR", "input": {"basisPoints": 2_000, "name": "TVA"}},
        "Mutation.updateSettings": {"input": {"seller": "Minimal | 1 Main Street", "lowStockThreshold": 3}},
        "Mutation.completeCheckout": {"sessionId": ids["checkout"][0]},
        "Mutation.cancelOrder": {"id": order},
        "Mutation.refundOrder": {**seen, "id": order, "input": {"lines": refunded, "reason": "Late."}},
        "Mutation.requestReturn": {"orderId": shipped_order, "lines": [{"lineId": shipped_line, "quantity": 1}]},
        "Mutation.shipOrder": {**seen, "id": order, "input": {**PARCEL, "lines": [{"lineId": line, "quantity": 1}]}},
        "Mutation.createOrderNote": {**seen, "orderId": order},
        "Mutation.cancelOrderAsShop": {**seen, "id": order},
        **dict.fromkeys(OF_SHIPPED, shipped_seen),
        "Mutation.updateShipment": {**shipped_seen, "input": PARCEL},
        "Mutation.receiveReturn": {**shipped_seen, "lines": [{"lineId": shipped_line, "quantity": 1, "restock": 1}]},
        "Mutation.notifyWhenBack": {"email": "new@shop.test"},
        "Mutation.addToCart": {"variantId": variant},
        "Mutation.setCartQuantity": {"variantId": variant, "quantity": 2},
        "Mutation.updateProducts": {"selection": {"ids": [product]}, "change": CHANGE, "token": tokens.preview},
        "Mutation.createDepartment": {"key": "kids", "input": {**CATEGORY, "heading": "For Kids"}},
        "Mutation.updateDepartment": {"key": "men", "version": 1, "input": {**CATEGORY, "heading": "For Kids"}},
        "Mutation.createCategory": {"department": "men", "kind": "hats", "input": CATEGORY},
        "Mutation.updateCategory": {"key": "men_jeans", "version": 1, "input": CATEGORY},
        "Mutation.renameKind": {"key": "jeans", "name": "Denim"},
        "Mutation.moveDepartment": {"key": "men", "before": None},
        "Mutation.moveCategory": {"key": "men_shirts", "before": None},
        "Mutation.mergeCategories": {"key": "women_trousers", "into": "women_jeans"},
        "Mutation.deleteDepartment": {"key": "babies"},
        "Mutation.deleteCategory": {"key": "women_trousers"},
        "Mutation.createSizeSystem": {"key": "belts", "input": BELTS},
        "Mutation.updateSizeSystem": {"key": "letters", "version": 1, "input": BELTS},
        "Mutation.deleteSizeSystem": {"key": "rings"},
        "Mutation.createProduct": {"input": {**PRODUCT, "colors": [color], "images": [image], "stock": 3}},
        "Mutation.updateProduct": {"id": product, "version": 1, "input": edited},
        "Mutation.signIn": {"email": "shopper@shop.test", "password": PASSWORD},
        "Mutation.confirmSignIn": {"code": "123456", "passkey": None},
        "Mutation.reauthenticate": {
            "input": {"password": None, "googleToken": None, "code": "123456", "passkey": None}
        },
        "Mutation.signInWithGoogle": {"token": tokens.google},
        "Mutation.checkPasswordReset": {"token": tokens.reset},
        "Mutation.resetPassword": {"token": tokens.reset, "newPassword": PASSWORD},
        "Mutation.verifyEmail": {"token": tokens.confirm},
        "Mutation.updateProfile": {"input": {"name": "Ada King"}},
        "Mutation.createAddress": {"input": ADDRESS},
        "Mutation.updateAddress": {"input": ADDRESS},
    }
