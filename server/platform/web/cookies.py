"""Cookies of a request's context, on its response."""

from time import time

from starlette.responses import Response

from server.platform.core.context import Context, ResponseCookie
from server.platform.core.security import cookie_name, hint_name


def apply_cookies(context: Context, response: Response) -> None:
    """Sets the context's cookies on the response.

    The session cookie is HttpOnly, so a hint for scripts goes with it.
    """
    for cookie in context.cookies:
        _set(context, response, cookie, httponly=True)
        if cookie.name == cookie_name(context.site):
            until = cookie.value and str(int((time() + cookie.max_age) * 1000))
            _set(context, response, ResponseCookie(hint_name(context.site), until, cookie.max_age), httponly=False)


def _set(context: Context, response: Response, cookie: ResponseCookie, *, httponly: bool) -> None:
    response.set_cookie(
        cookie.name,
        cookie.value or "",
        max_age=cookie.max_age if cookie.value else 0,
        path="/",
        secure=context.site.is_https,
        httponly=httponly,
        samesite="lax",
    )
