"""Limits of a GraphQL request before it is parsed."""

MAX_NESTING = 50
"""Levels of objects and lists in one JSON body; the schema's deepest input has six."""
CONTAINERS = dict, list


def is_nested_deeper(value: object, levels: int = MAX_NESTING) -> bool:
    """Whether decoded JSON has more than so many levels of objects and lists. Visits each member once."""
    members = [value]
    for _ in range(levels + 1):
        containers = [each for each in members if isinstance(each, CONTAINERS)]
        if not containers:
            return False
        members = [member for each in containers for member in (each.values() if isinstance(each, dict) else each)]
    return True
