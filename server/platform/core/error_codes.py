"""The codes of errors, which GraphQL responses carry as `extensions.code`."""

from enum import StrEnum
from typing import Self


class ErrorCode(StrEnum):
    """Every code that leaves the server, with its meaning. Codes that begin with GRAPHQL_ are about the document."""

    meaning: str

    def __new__(cls, code: str, meaning: str) -> Self:
        """A member whose value is its code."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.meaning = meaning
        return member

    BAD_USER_INPUT = "BAD_USER_INPUT", "A value breaks a rule. `fields` has a message for each input field, if known."
    UNAUTHENTICATED = "UNAUTHENTICATED", "The request needs a signed-in account, or the session has ended."
    FORBIDDEN = "FORBIDDEN", "The account lacks the role, or the request came from another site's page."
    REAUTHENTICATION_REQUIRED = "REAUTHENTICATION_REQUIRED", "The session's last sign-in is older than ten minutes."
    SECOND_FACTOR_MISSING = "SECOND_FACTOR_MISSING", "Admins of this shop need a second factor; this one has none."
    NOT_FOUND = "NOT_FOUND", "The object does not exist or belongs to another account."
    CONFLICT = "CONFLICT", "The present state refuses the change; it may succeed after a reload."
    RATE_LIMITED = "RATE_LIMITED", "A rate limit is exhausted. `retryAfter` has the seconds to wait."
    TOO_LARGE = "TOO_LARGE", "The request or the response exceeds its limit in bytes."
    TOO_COSTLY = (
        "TOO_COSTLY",
        "The operation asks for more than its limit. `cost` and `limit` have the numbers, if counted.",
    )
    UNAVAILABLE = "UNAVAILABLE", "The shop is overloaded or its database is away. Retry-After has the seconds to wait."
    INTERNAL = "INTERNAL", "A defect of the server. Its cause is in the log only."
    GRAPHQL_PARSE_FAILED = "GRAPHQL_PARSE_FAILED", "The document has a syntax error."
    GRAPHQL_VALIDATION_FAILED = "GRAPHQL_VALIDATION_FAILED", "The document does not fit the schema or its limits."
    GRAPHQL_VARIABLES_INVALID = (
        "GRAPHQL_VARIABLES_INVALID",
        "A variable is missing, or its value does not have its type.",
    )
    PERSISTED_QUERY_NOT_FOUND = "PERSISTED_QUERY_NOT_FOUND", "No operation has this hash. Send the document with it."
    METHOD_NOT_ALLOWED = (
        "METHOD_NOT_ALLOWED",
        "The method is not one of those in the Allow header; mutations need POST.",
    )
    NOT_ACCEPTABLE = "NOT_ACCEPTABLE", "The Accept header admits neither JSON nor application/graphql-response+json."
    MISDIRECTED_REQUEST = "MISDIRECTED_REQUEST", "The request is for another host."
