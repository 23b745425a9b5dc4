"""Serving image files, and the upload of new ones."""

from contextlib import AbstractAsyncContextManager
from typing import cast
from uuid import UUID

from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from server.config import Settings
from server.media import service
from server.media.formats import FORMATS, Format
from server.media.service import ImageProcessor, NewImage
from server.platform.core import limits
from server.platform.core.context import transaction
from server.platform.core.errors import InvalidInput, NotFound, Unavailable
from server.platform.core.viewer import Access
from server.platform.web.rest import Body, Call, answer, nothing, read_body, refusal, route

FOR_A_WHILE = "public, max-age=60"
FOR_EVER = "public, max-age=31536000, immutable"


HOUR = 3600


class UploadBody(Body):
    """A picture that is to be uploaded; its size is in bytes."""

    size: int = Field(ge=0)


async def upload(call: Call) -> Response:
    """Stores the image in the body; responds with its id, for `createProduct`."""
    pictures = call.context.resources.get(ImageProcessor)
    async with _counted(call, "image_uploads"):
        image = await pictures.keep(await read_body(call.request, pictures.max_bytes, pictures.too_large()))
    return await _added(call, image)


async def sign_upload(call: Call) -> Response:
    """Responds with a URL at which the bucket takes a picture by PUT; 204 when pictures are sent to the shop."""
    body = await call.body(UploadBody)
    pictures = call.context.resources.get(ImageProcessor)
    if body.size > pictures.max_bytes:
        raise InvalidInput({"size": str(pictures.too_large())})
    if not call.context.resources.get(Settings).direct_uploads:
        return nothing()
    async with _counted(call, "signed_uploads"):
        signed = await pictures.sign_upload(call.context.signed_in.user_id)
    return answer({"id": str(signed.id), "url": signed.url}, 201)


async def take_over(call: Call) -> Response:
    """Stores the image that the bucket took at a signed URL of the viewer; responds as `upload` does."""
    pictures = call.context.resources.get(ImageProcessor)
    async with _counted(call, "image_uploads"):
        image = await pictures.take_over(call.context.signed_in.user_id, call.path_id())
    return await _added(call, image)


def _counted(call: Call, limit: str) -> AbstractAsyncContextManager[object]:
    """Counts an attempt. Raises TooManyRequests above an admin's uploads within an hour."""
    most = call.context.resources.get(Settings).limits.image_uploads_per_hour
    return limits.attempt(call.context.sessions, limits.Limit(f"{limit}:{call.context.signed_in.user_id}", most, HOUR))


async def _added(call: Call, image: NewImage) -> Response:
    pictures = call.context.resources.get(ImageProcessor)
    try:
        async with transaction(call.context) as session:
            await service.add(session, [image])
    except BaseException:
        await pictures.discard([image])
        raise
    shown = {"id": str(image.id), "width": image.width, "height": image.height, "placeholder": image.placeholder}
    return answer(shown, 201)


async def picture(request: Request) -> Response:
    """One file of an image. The content at a URL never changes, so caches keep it forever."""
    width, _, kind = request.path_params["file"].partition(".")
    try:
        image_id = UUID(request.path_params["id"])
    except ValueError:
        return refusal(NotFound("This picture"))
    if kind not in FORMATS or not _is_width(width) or str(image_id) != request.path_params["id"]:
        return refusal(NotFound("This picture"))
    headers = {
        "etag": f'"{image_id}-{width}-{kind}"',
        "cache-control": FOR_EVER,
        "x-content-type-options": "nosniff",
        # Mails, feed readers and the payment page show images too.
        "cross-origin-resource-policy": "cross-origin",
    }
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    pictures: ImageProcessor = request.app.state.shop.resources.get(ImageProcessor)
    try:
        file = await pictures.file(image_id, int(width), cast(Format, kind))
    except Unavailable as error:
        return refusal(error)
    if file is None:
        return refusal(NotFound("This picture"))
    if not file.is_exact:
        headers = {"cache-control": FOR_A_WHILE, "x-content-type-options": "nosniff"}
    return Response(file.data, headers=headers, media_type=file.media_type)


def _is_width(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4 and not text.startswith("0")


_picture = Route("/images/{id}/{file}", picture, methods=["GET"], name="GET /images/{id}/{file}")
_picture.allows = Access.ANYONE  # type: ignore[attr-defined]

routes = [
    route("POST", "/uploads/images", upload, allows=Access.ADMIN),
    route("POST", "/uploads/images/signed", sign_upload, allows=Access.ADMIN),
    route("POST", "/uploads/images/signed/{id}", take_over, allows=Access.ADMIN),
    _picture,
]
