"""Which texts are e-mail addresses."""


def is_deliverable(value: str) -> bool:
    """Whether mail could be sent there, by the syntax of mail (RFC 5321, 5322 and 6532) and of domain names.

    At most 254 characters, with a dot in the domain. Nothing is looked up. Names reserved for tests (RFC 2606) are
    accepted.
    """
    # With the first address: the library reads tables of international domain names.
    from email_validator import EmailNotValidError, validate_email

    try:
        validate_email(value, check_deliverability=False, test_environment=True, strict=True)
    except EmailNotValidError:
        return False
    return True
