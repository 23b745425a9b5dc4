"""Valid inputs, to be changed in one place by the tests that send them."""

import base64
from typing import Any

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
PRODUCT: dict[str, Any] = {
    "name": "Linen Shirt",
    "subtitle": "Washed linen",
    "description": "With slubs.",
    "price": 92,
    "category": "men_shirts",
    "stock": 12,
    "gender": "men",
    "colors": ["#eeeeee"],
    "sizes": ["S", "M"],
    "images": [
        {
            "data": "data:image/png;base64," + base64.b64encode(PIXEL).decode(),
            "originalName": "front.png",
            "type": "image/png",
        }
    ],
    "totalImages": 1,
}
PASSWORD = "CorrectHorse7!"
