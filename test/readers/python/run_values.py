"""Values of the run: references, conversions, conditions, and what becomes of a node."""

from fractions import Fraction
import operator
import re

from plans import depends
from shapes import ID_CHARS, closed, flag, list_of, number, text, utf16
from strict_json import INTEGER_MAX, digest, pointer

closed_value = lambda v: isinstance(v, str) or flag(v)  # noqa: E731
FORMS = (
    closed(
        {"node": text(ID_CHARS), "pointer": text(300), "min": number, "max": number},
        {"unit": text(40)},
    ),
    closed({"node": text(ID_CHARS), "pointer": text(300), "enum": list_of(closed_value, 64, 1)}),
)
COMPARE = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
}
COMPARED_CHARS = 200


class Miss(Exception):
    """Why a value may not be used, and where in the node it was wanted."""

    def __init__(self, code, at):
        super().__init__(f"{code} at {at}")
        self.code = code
        self.at = at


def convert(value, conversion):
    """value × scale + offset, exactly, then rounded once to the nearest double."""
    scale, offset = (
        Fraction(int(top), int(bottom))
        for top, bottom in (conversion["scale"], conversion["offset"])
    )
    out = float(Fraction(value) * scale + offset)
    return int(out) if out.is_integer() else out


def exact(value):
    minus_zero = isinstance(value, float) and value == 0 and str(value).startswith("-")
    return abs(value) <= INTEGER_MAX and not minus_zero


class Run:
    """One node whose turn it is, and what it may know of the run."""

    def __init__(self, case):
        self.nodes = {node["id"]: node for node in case["nodes"]}
        self.nid = case["nid"]
        self.declared = case["declared"]
        self.progress = case["progress"]
        self.results = case["results"]
        self.conversions = {(one["node"], one["at"]): one for one in case["conversions"]}

    def ancestors(self):
        seen, todo = set(), list(depends(self.nodes[self.nid]))
        while todo:
            one = todo.pop()
            if one in self.nodes and one not in seen:
                seen.add(one)
                todo += depends(self.nodes[one])
        return seen

    def look_up(self, wanted, at):
        """The value of a result as it stands; raises Miss."""
        node, where = wanted["node"], wanted["pointer"]
        if node not in self.ancestors():
            raise Miss("not_ancestor", at)
        if self.progress.get(node) != "succeeded":
            raise Miss("not_succeeded", at)
        if where not in self.declared.get(self.nodes[node]["tool"], {}):
            raise Miss("not_declared", at)
        result = self.results.get(node)
        if result is None or (result["from"] == "none" and not result["kept"]):
            raise Miss("no_result", at)
        if result["from"] == "none":
            raise Miss("kept_by_digest", at)
        value = result["data"]
        for part in where.split("/")[1:]:
            part = part.replace("~1", "/").replace("~0", "~")
            if isinstance(value, dict) and part in value:
                value = value[part]
            elif (
                isinstance(value, list)
                and re.fullmatch(r"0|[1-9][0-9]*", part)
                and int(part) < len(value)
            ):
                value = value[int(part)]
            else:
                raise Miss("no_value", at)
        return value

    def number(self, wanted, at, always):
        """A number, converted; `always` where the context must have a line for it."""
        value = self.look_up(wanted, at)
        if not number(value):
            raise Miss("wrong_type", at)
        if not exact(value):
            raise Miss("not_exact", at)
        if not always:
            return value
        conversion = self.conversions.get((self.nid, at))
        if conversion is None:
            raise Miss("no_conversion", at)
        value = convert(value, conversion)
        if not exact(value):
            raise Miss("not_exact", at)
        if conversion["whole"] and not isinstance(value, int):
            raise Miss("not_whole", at)
        return value

    def referred(self, reference, at):
        if not any(form(reference) for form in FORMS):
            raise Miss("malformed", at)
        if "enum" in reference:
            value = self.look_up(reference, at)
            if not closed_value(value):
                raise Miss("wrong_type", at)
            if not any(type(one) is type(value) and one == value for one in reference["enum"]):
                raise Miss("not_listed", at)
            return value
        value = self.number(reference, at, True)
        if value < reference["min"]:
            raise Miss("below_min", at)
        if value > reference["max"]:
            raise Miss("above_max", at)
        return value

    def resolved(self, value, path):
        """The arguments with every reference replaced, in document order."""
        if isinstance(value, list):
            return [self.resolved(one, [*path, i]) for i, one in enumerate(value)]
        if not isinstance(value, dict):
            return value
        if "$from" in value:
            if set(value) != {"$from"}:
                raise Miss("malformed", pointer(path))
            return self.referred(value["$from"], pointer(path))
        return {name: self.resolved(one, [*path, name]) for name, one in value.items()}

    def holds(self, condition, path, values):
        """Whether a condition holds; `values` learns what was compared. Nothing is left out."""
        for name, both in (("all", all), ("any", any)):
            if name in condition:
                parts = enumerate(condition[name])
                return both([self.holds(one, [*path, name, i], values) for i, one in parts])
        if "not" in condition:
            return not self.holds(condition["not"], [*path, "not"], values)
        at = pointer(path)
        operands = [(COMPARE[name], condition[name]) for name in COMPARE if name in condition]
        wanted = operands[0][1]
        if number(wanted):
            value = self.number(condition["result"], at, "unit" in condition)
        else:
            value = self.look_up(condition["result"], at)
            if type(value) is not type(wanted):
                raise Miss("wrong_type", at)
            if isinstance(value, str) and utf16(value) > COMPARED_CHARS:
                raise Miss("too_long", at)
        values.append(value)
        return all(compare(value, operand) for compare, operand in operands)

    def outcome(self):
        node = self.nodes[self.nid]
        if any(self.progress.get(one) == "skipped" for one in depends(node)):
            return {"do": "skip", "values": []}
        try:
            values = []
            if "when" in node and not self.holds(node["when"], ["when"], values):
                return {"do": "skip", "values": values}
            if "require" in node and not self.holds(node["require"], ["require"], []):
                return {"do": "end", "reason": "require_not_met", "miss": None, "at": None}
            args = self.resolved(node["args"], ["args"])
        except Miss as miss:
            return {"do": "end", "reason": "reference_missed", "miss": miss.code, "at": miss.at}
        return {
            "do": "run",
            "args": args,
            "args_digest": digest("args", args),
            "template_digest": digest("args", node["args"]),
        }
