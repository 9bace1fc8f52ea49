"""Closed shapes: what docs/protocol.md says of plans, claims and frames, as small predicates."""

import re

ID_CHARS = 64


def text(most, least=0):
    return lambda v: isinstance(v, str) and least <= utf16(v) <= most


def utf16(value):
    """Lengths are counted in UTF-16 code units."""
    return len(value.encode("utf-16-be", "surrogatepass")) // 2


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def whole(value):
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def flag(value):
    return isinstance(value, bool)


def one_of(*words):
    return lambda v: isinstance(v, type(words[0])) and v in words


def or_null(shape):
    return lambda v: v is None or shape(v)


def list_of(shape, most, least=0):
    return lambda v: isinstance(v, list) and least <= len(v) <= most and all(map(shape, v))


def closed(required, optional=()):
    """An object with exactly these members, the optional ones or not."""
    known = {**required, **dict(optional)}
    return (
        lambda v: isinstance(v, dict)
        and all(name in v for name in required)
        and all(name in known and known[name](member) for name, member in v.items())
    )


def anything(_):
    return True


def an_object(value):
    return isinstance(value, dict)


an_id = text(ID_CHARS, 1)


def digest_text(value):
    return isinstance(value, str) and re.fullmatch(r"[a-z]+:[A-Za-z0-9_-]{43}", value) is not None
