"""Pictures for the forms of the back office."""

from io import BytesIO

from PIL import Image
from playwright.async_api import FilePayload


def picture(name: str, color: str) -> FilePayload:
    file = BytesIO()
    Image.new("RGB", (600, 800), color).save(file, "PNG")
    return {"name": name, "mimeType": "image/png", "buffer": file.getvalue()}
