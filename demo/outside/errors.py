"""Refusals in Stripe's words: type, code, parameter and a sentence."""

from dataclasses import dataclass, field

from demo.outside.ledger import Json


@dataclass
class ApiError(Exception):
    """Becomes Stripe's error envelope."""

    message: str
    code: str | None = None
    param: str | None = None
    status: int = 400
    type: str = "invalid_request_error"
    extra: Json = field(default_factory=dict)

    def __str__(self) -> str:
        return self.message

    def envelope(self, request_id: str) -> Json:
        """The JSON body of the error."""
        error: Json = {"message": self.message, "type": self.type, **self.extra}
        if self.code:
            error |= {
                "code": self.code,
                "doc_url": f"https://stripe.com/docs/error-codes/{self.code.replace('_', '-')}",
            }
        if self.param:
            error["param"] = self.param
        error["request_log_url"] = f"/demo/payments?request={request_id}"
        return {"error": dict(sorted(error.items()))}


class Invalid(ApiError):
    """Found before anything ran: such an answer is not remembered under an idempotency key."""


def missing(kind: str, id: str, param: str = "id") -> ApiError:
    """The error for an unknown id."""
    return ApiError(
        f"No such {kind}: '{id}'", code="resource_missing", param=param, status=404 if param == "id" else 400
    )


def unauthorized(message: str) -> ApiError:
    """The error for a missing or wrong API key."""
    return ApiError(message, status=401)
