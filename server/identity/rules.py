"""Validation of the account forms. Texts and order of the rules are the specification's."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

from server.platform.core import countries
from server.platform.core.emails import is_deliverable
from server.platform.core.errors import InvalidInput
from server.platform.core.text import is_blank, is_email, is_storable

NAME_LEAST = 5
PASSWORD_LEAST = 8
PASSWORD_MOST = 128
LINE_MOST = 200
PHONE_LEAST, PHONE_MOST = 5, 15
"""Digits."""

SIGN_UP_PASSWORD = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[!@#$%^&*])[A-Za-z0-9!@#$%^&*]{8,}")
RESET_PASSWORD = re.compile(r"(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])(?=.*[@$!%*?&]).*", re.DOTALL)

BAD_NAME = "Name must be at least 5 characters"
BAD_EMAIL = "Please enter a valid email"
NOTHING_TO_SIGN_IN_WITH = "Please enter your password to signin"
SIGN_UP_RULE = (
    "Password must contain at least 8 characters, including uppercase, lowercase, numbers and special characters"
    " (!@#$%^&*)"
)
EMPTY = "Password filed cannot be empty"
TOO_SHORT = "Password must be at least 8 characters long"
RESET_RULE = (
    "Password must contain at least one uppercase letter, one lowercase letter, one number, and one special character"
)
BAD_PHONE = f"A phone number has {PHONE_LEAST} to {PHONE_MOST} digits"
TOO_LONG = "Password must be at most 128 characters"
TOO_COMMON = "This password is one of the most common ones. Please choose one that is harder to guess."


@dataclass(frozen=True)
class AddressForm:
    """An address: as it was typed, or, from `address`, with its country and state as codes."""

    name: str
    address1: str
    address2: str
    city: str
    country: str
    state: str | None
    """None leaves the present one, unless the country changes."""
    postal_code: str
    phone: str
    is_default: bool


@dataclass(frozen=True)
class SignUpForm:
    """The sign-up form."""

    name: str
    email: str
    password: str


def clean_email(value: str) -> str:
    """The e-mail as it is compared and stored: trimmed, in lower case."""
    return value.strip().lower()


def sign_up(name: str, email: str, password: str) -> SignUpForm:
    """The form, trimmed. Raises InvalidInput with every broken rule."""
    form = SignUpForm(name.strip(), clean_email(email), password)
    _refuse(
        {"name": name_problem(form.name), "email": email_problem(form.email), "password": password_problem(password)}
    )
    return form


def sign_in(email: str, password: str) -> str:
    """The e-mail, in lower case. Raises InvalidInput."""
    email = clean_email(email)
    _refuse({"email": _pattern_problem(email), "password": None if password else NOTHING_TO_SIGN_IN_WITH})
    return email


def email_of_account(email: str) -> str:
    """The e-mail of an account that may exist, in lower case. Raises InvalidInput.

    It follows the specification's simple pattern alone: accounts of before may have an address that mail refuses.
    """
    email = clean_email(email)
    _refuse({"email": _pattern_problem(email)})
    return email


def email_for_mail(email: str) -> str:
    """The e-mail, in lower case, to which mail can be sent. Raises InvalidInput."""
    email = clean_email(email)
    _refuse({"email": email_problem(email)})
    return email


def new_password(password: str) -> None:
    """Checks the rule of the reset screen, whose special characters differ from sign-up's. Raises InvalidInput."""
    _refuse({"newPassword": reset_problem(password)})


def profile(name: str | None, email: str | None, password: str | None) -> None:
    """Checks what changes; None for what stays. Raises InvalidInput with every broken rule."""
    _refuse(
        {
            "name": None if name is None else name_problem(name),
            "email": None if email is None else email_problem(email),
            "password": None if password is None else password_problem(password),
        }
    )


def address(form: AddressForm) -> AddressForm:
    """The form, trimmed, with the codes of its country and state. Raises InvalidInput with every broken rule.

    A country without states in its addresses has none.
    """
    typed = _trimmed(form)
    country = countries.code_of(typed.country) or ""
    state = None if typed.state is None else countries.state_of(country, typed.state) or ""
    form = replace(typed, country=country, state=state)
    _refuse(
        {
            "name": line_problem(form.name, "Full name", required="Full name is required"),
            "address1": line_problem(form.address1, "Address", required="Address is required"),
            "address2": line_problem(form.address2, "Address"),
            "city": line_problem(form.city, "City", required="City is required"),
            "country": _country_problem(typed.country, country),
            "state": _state_problem(country, typed.state or "", form.state),
            "postalCode": postal_code_problem(country, form.postal_code),
            "phone": phone_problem(form.phone),
        }
    )
    return form


def _trimmed(form: AddressForm) -> AddressForm:
    texts = {name: value.strip() for name, value in vars(form).items() if isinstance(value, str)}
    return AddressForm(**{**vars(form), **texts})


def _country_problem(typed: str, code: str) -> str | None:
    problem = line_problem(typed, "Country", required="Country is required")
    return problem or (None if code else "This country is not known; choose one, or give its ISO 3166 code")


def _state_problem(country: str, typed: str, code: str | None) -> str | None:
    states = countries.states_of(country)
    is_unknown = states.choices and typed and not code
    return line_problem(typed, states.label) or (f"This {states.label.lower()} is not known" if is_unknown else None)


def name_problem(name: str) -> str | None:
    """What is wrong with a full name; None when nothing is."""
    return BAD_NAME if len(name) < NAME_LEAST or is_blank(name) else line_problem(name, "Name")


def email_problem(email: str) -> str | None:
    """What is wrong with an e-mail that is to be kept; None when mail can be sent to it."""
    return _pattern_problem(email) or (None if is_deliverable(email) else BAD_EMAIL)


def _pattern_problem(email: str) -> str | None:
    """Invisible characters are refused, so that equal-looking addresses are equal."""
    return None if is_email(email) and email.isprintable() else BAD_EMAIL


def postal_code_problem(country: str, postal_code: str) -> str | None:
    """What is wrong with a postal code, by the pattern of its country's post; None without one."""
    problem = line_problem(postal_code, "Postal code")
    if problem or not postal_code:
        return problem
    form = countries.postal_code_of(country)
    if form is None or form.matches(postal_code):
        return None
    return f"This is no {form.label} of {countries.name_of(country)}; one looks like {form.example}"


def phone_problem(phone: str) -> str | None:
    """What is wrong with a telephone number. Only its digits are counted: E.164 allows 15 at most."""
    digits = sum(char.isdecimal() for char in phone)
    return line_problem(phone, "Phone number", required="Phone number is required") or (
        None if PHONE_LEAST <= digits <= PHONE_MOST else BAD_PHONE
    )


def password_problem(password: str) -> str | None:
    """What is wrong with a password by the rule of sign-up and profile."""
    return _first_broken(
        (TOO_LONG, lambda: len(password) <= PASSWORD_MOST),
        (SIGN_UP_RULE, lambda: SIGN_UP_PASSWORD.fullmatch(password) is not None),
        (TOO_COMMON, lambda: not is_common(password)),
    )


def reset_problem(password: str) -> str | None:
    """What is wrong with a password by the rule of the reset screen."""
    return _first_broken(
        (EMPTY, lambda: password != ""),
        (TOO_SHORT, lambda: len(password) >= PASSWORD_LEAST),
        (TOO_LONG, lambda: len(password) <= PASSWORD_MOST),
        (RESET_RULE, lambda: RESET_PASSWORD.fullmatch(password) is not None),
        (TOO_COMMON, lambda: not is_common(password)),
    )


def may_be_present(password: str) -> bool:
    """Whether any screen accepts the password, so that an account may already have it."""
    return password_problem(password) is None or reset_problem(password) is None


def is_common(password: str) -> bool:
    """Whether the password itself is in the library's list, which is in lower case."""
    return password.lower() in _common_passwords()


async def load_common_passwords() -> None:
    """Reads the list in a thread, before the first password is checked: it takes a tenth of a second and megabytes."""
    if not _common_passwords.cache_info().currsize:
        await asyncio.to_thread(_common_passwords)


@cache
def _common_passwords() -> frozenset[str]:
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(FREQUENCY_LISTS["passwords"])


def line_problem(value: str, what: str, required: str | None = None) -> str | None:
    """What is wrong with one line of text; None when nothing is."""
    if required and is_blank(value):
        return required
    if len(value) > LINE_MOST:
        return f"{what} must be at most {LINE_MOST} characters"
    if not is_storable(value) or any(char < " " for char in value):
        return f"{what} contains characters that cannot be used"
    return None


def _first_broken(*checks: tuple[str, Callable[[], bool]]) -> str | None:
    return next((message for message, holds in checks if not holds()), None)


def _refuse(problems: dict[str, str | None]) -> None:
    broken = {field: message for field, message in problems.items() if message}
    if broken:
        raise InvalidInput(broken)
