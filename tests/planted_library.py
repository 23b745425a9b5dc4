"""A library that logs without knowing the shop's rules."""

import logging

logger = logging.getLogger("planted.library")


def says(value: str) -> None:
    logger.warning("No answer from %s", value)
    logger.warning(f"No answer from {value}")
    try:
        raise ValueError(value)
    except ValueError:
        logger.exception("Broken")
