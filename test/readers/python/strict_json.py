"""JSON without loss, its canonical form (RFC 8785) and digests, as docs/protocol.md has them."""

import base64
import hashlib
import re
from decimal import Decimal, InvalidOperation

DEPTH_MAX = 32
VALUES_MAX = 20_000
INTEGER_MAX = 2**53 - 1
FORBIDDEN = {"__proto__", "constructor", "prototype"}
PREFIXES = {
    "plan": "plan",
    "packet": "packet",
    "decision": "decision",
    "context": "ctx",
    "args": "args",
    "registry": "reg",
    "policy": "pol",
    "definition": "def",
    "snapshot": "snap",
    "result": "result",
    "chief": "chief",
    "audit": "audit",
    "body": "body",
    "graph": "graph",
    "tool-row": "row",
    "state": "state",
    "trace": "trace",
    "standing": "standing",
    "export": "export",
}

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}


class Refused(Exception):
    """Why a text is not taken, and the JSON pointer of the place."""

    def __init__(self, reason, at=""):
        super().__init__(f"{reason} at '{at}'")
        self.reason = reason
        self.at = at


def pointer(path):
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


class Parser:
    def __init__(self, text):
        self.text = text
        self.at = 0
        self.path = []
        self.values = 0

    def fail(self, reason):
        raise Refused(reason, pointer(self.path))

    def blank(self):
        while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
            self.at += 1

    def take(self, char):
        if self.at < len(self.text) and self.text[self.at] == char:
            self.at += 1
            return True
        return False

    def document(self):
        self.blank()
        value = self.value(0)
        self.blank()
        if self.at != len(self.text):
            self.fail("not_json")
        return value

    def value(self, depth):
        self.values += 1
        if self.values > VALUES_MAX:
            self.fail("too_many_values")
        if self.at >= len(self.text):
            self.fail("not_json")
        char = self.text[self.at]
        if char in "{[":
            if depth >= DEPTH_MAX:
                self.fail("too_deep")
            self.at += 1
            return self.object(depth + 1) if char == "{" else self.array(depth + 1)
        if char == '"':
            return self.string()
        for word, meaning in WORDS.items():
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return meaning
        return self.number()

    def object(self, depth):
        found = {}
        self.blank()
        if self.take("}"):
            return found
        while True:
            self.blank()
            if self.at >= len(self.text) or self.text[self.at] != '"':
                self.fail("not_json")
            key = self.string()
            self.blank()
            if not self.take(":"):
                self.fail("not_json")
            self.path.append(key)
            if key in FORBIDDEN:
                self.fail("forbidden_key")
            if key in found:
                self.fail("duplicate_key")
            self.blank()
            found[key] = self.value(depth)
            self.path.pop()
            self.blank()
            if self.take("}"):
                return found
            if not self.take(","):
                self.fail("not_json")

    def array(self, depth):
        found = []
        self.blank()
        if self.take("]"):
            return found
        while True:
            self.path.append(len(found))
            self.blank()
            found.append(self.value(depth))
            self.path.pop()
            self.blank()
            if self.take("]"):
                return found
            if not self.take(","):
                self.fail("not_json")

    def string(self):
        self.at += 1
        units = []
        while True:
            if self.at >= len(self.text):
                self.fail("not_json")
            char = self.text[self.at]
            self.at += 1
            if char == '"':
                break
            if ord(char) < 0x20:
                self.fail("not_json")
            units.append(self.escape() if char == "\\" else char)
        # Halves of a pair come as two escapes; in UTF-16 they are one character or none at all.
        try:
            return "".join(units).encode("utf-16-be", "surrogatepass").decode("utf-16-be")
        except UnicodeDecodeError:
            self.fail("lone_surrogate")

    def escape(self):
        char = self.text[self.at : self.at + 1]
        self.at += 1
        if char in ESCAPES and char:
            return ESCAPES[char]
        digits = self.text[self.at : self.at + 4]
        if char != "u" or not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            self.fail("not_json")
        self.at += 4
        return chr(int(digits, 16))

    def number(self):
        match = NUMBER.match(self.text, self.at)
        if match is None:
            self.fail("not_json")
        self.at = match.end()
        written = match.group()
        value = float(written)
        try:
            exact = Decimal(written)
        except InvalidOperation:
            self.fail("number_not_exact")
        minus_zero = value == 0 and written.startswith("-")
        if minus_zero or abs(value) > INTEGER_MAX or Decimal(repr(value)) != exact:
            self.fail("number_not_exact")
        return int(value) if value.is_integer() else value


def parse(data):
    """The value of a JSON text in bytes; raises Refused."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("not_utf8") from None
    return Parser(text).document()


def canonical(value):
    """The canonical form of a value that `parse` gave."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return canonical_number(value)
    if isinstance(value, str):
        return canonical_string(value)
    if isinstance(value, list):
        return "[" + ",".join(canonical(item) for item in value) + "]"
    keys = sorted(value, key=lambda key: key.encode("utf-16-be"))
    return "{" + ",".join(canonical_string(key) + ":" + canonical(value[key]) for key in keys) + "}"


def canonical_string(text):
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    written = (short.get(c) or (f"\\u{ord(c):04x}" if ord(c) < 0x20 else c) for c in text)
    return '"' + "".join(written) + '"'


def canonical_number(value):
    """Number.prototype.toString of ECMAScript, which RFC 8785 refers to."""
    sign, digits, exponent = Decimal(repr(value)).as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    stripped = text.rstrip("0")
    exponent += len(text) - len(stripped)
    if not stripped:
        return "0"
    point = len(stripped) + exponent
    if len(stripped) <= point <= 21:
        body = stripped + "0" * (point - len(stripped))
    elif 0 < point <= 21:
        body = stripped[:point] + "." + stripped[point:]
    elif -6 < point <= 0:
        body = "0." + "0" * -point + stripped
    else:
        fraction = "." + stripped[1:] if len(stripped) > 1 else ""
        body = f"{stripped[0]}{fraction}e{'+' if point > 0 else '-'}{abs(point - 1)}"
    return ("-" if sign else "") + body


def base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def from_base64url(text):
    """The bytes of the one spelling that is allowed; None for every other."""
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text, re.ASCII) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64url(data) == text else None


def digest(kind, value):
    hashed = hashlib.sha256(f"portcullis/{kind}/v1\n{canonical(value)}".encode("utf-8")).digest()
    return f"{PREFIXES[kind]}:{base64url(hashed)}"
