"""Plans: the closed shape, the graph, and the one order in which its nodes may run."""

import heapq
import re

from shapes import ID_CHARS, an_object, closed, list_of, text
from strict_json import digest, pointer

NODE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge", "in", "not_in", "known")


def violation(code, *path):
    return {"code": code, "at": pointer(path)}


def condition(value):
    """A condition of a node: all, any, not, or one comparison of a result."""
    if not isinstance(value, dict):
        return False
    if set(value) in ({"all"}, {"any"}):
        (parts,) = value.values()
        return isinstance(parts, list) and len(parts) > 0 and all(map(condition, parts))
    if set(value) == {"not"}:
        return condition(value["not"])
    asked = closed({"result": closed({"node": text(ID_CHARS), "pointer": text(300)})})
    return (
        "is" in value
        and asked(value["is"])
        and set(value) <= {"is", *COMPARISONS}
        and len(value) >= 2
    )


NODE = {
    "tool": text(128, 1),
    "args": an_object,
    "depends_on": list_of(lambda v: isinstance(v, str), 256),
    "sandbox": lambda v: v is None or text(ID_CHARS, 1)(v),
    "when": condition,
    "require": condition,
    "always": lambda v: v is True,
}
PLAN = {
    "goal": text(2_000, 1),
    "planner": an_object,
    "agent": text(ID_CHARS, 1),
    "supersedes": text(ID_CHARS, 1),
    "follows": text(ID_CHARS, 1),
}
NAME = {"id": text(ID_CHARS, 1), "model": text(ID_CHARS, 1)}


def members(value, shapes, required, path):
    """Violations of the members of a closed object."""
    found = [
        violation("schema", *path, name)
        for name, shape in shapes.items()
        if (name in value or name in required) and not (name in value and shape(value[name]))
    ]
    return found


def unknown(value, known, path):
    return [violation("unknown_field", *path, name) for name in value if name not in known]


def shape_violations(plan):
    if not isinstance(plan, dict):
        return [violation("schema")]
    found = members(plan, PLAN, {"goal", "planner"}, ())
    if isinstance(plan.get("planner"), dict):
        found += members(plan["planner"], NAME, {"id"}, ("planner",))
        found += unknown(plan["planner"], NAME, ("planner",))
    instructions = plan.get("instructions")
    if not isinstance(instructions, list) or not 1 <= len(instructions) <= 100:
        found.append(violation("schema", "instructions"))
    else:
        found += [
            violation("schema", "instructions", i)
            for i, one in enumerate(instructions)
            if not text(4_000, 1)(one)
        ]
    nodes = plan.get("nodes")
    if not isinstance(nodes, list) or len(nodes) > 256:
        found.append(violation("schema", "nodes"))
    else:
        for i, node in enumerate(nodes):
            found += node_violations(node, ("nodes", i))
    return found + unknown(plan, {*PLAN, "instructions", "nodes"}, ())


def node_violations(node, path):
    if not isinstance(node, dict):
        return [violation("schema", *path)]
    found = []
    if not isinstance(node.get("id"), str):
        found.append(violation("schema", *path, "id"))
    elif NODE_ID.fullmatch(node["id"]) is None:
        found.append(violation("id_not_plain", *path, "id"))
    found += members(node, NODE, {"tool", "args"}, path)
    for i, other in enumerate(node.get("depends_on", [])):
        if isinstance(other, str) and NODE_ID.fullmatch(other) is None:
            found.append(violation("id_not_plain", *path, "depends_on", i))
    return found + unknown(node, {"id", *NODE}, path)


def depends(node):
    return node.get("depends_on", [])


def graph_violations(nodes):
    ids = [node["id"] for node in nodes]
    found = [
        violation("id_duplicate", "nodes", i, "id") for i, one in enumerate(ids) if one in ids[:i]
    ]
    for i, node in enumerate(nodes):
        for k, other in enumerate(depends(node)):
            at = ("nodes", i, "depends_on", k)
            if other == node["id"]:
                found.append(violation("dependency_self", *at))
            elif other not in ids:
                found.append(violation("dependency_unknown", *at))
            elif other in depends(node)[:k]:
                found.append(violation("dependency_duplicate", *at))
    if found:
        return found
    behind = set(ids) - set(order(nodes))
    if not behind:
        return []
    on_cycle = [one for one in sorted(behind) if reaches(nodes, one, one)]
    return [violation("cycle", "nodes", ids.index(on_cycle[0]), "depends_on")]


def reaches(nodes, start, goal):
    by_id = {node["id"]: depends(node) for node in nodes}
    seen, todo = set(), list(by_id[start])
    while todo:
        one = todo.pop()
        if one == goal:
            return True
        if one not in seen:
            seen.add(one)
            todo += by_id[one]
    return False


def order(nodes):
    """Topological; among those whose dependencies are done, the smallest id first. Ids are ASCII."""
    open_count = {node["id"]: len(depends(node)) for node in nodes}
    ready = [one for one, count in open_count.items() if count == 0]
    heapq.heapify(ready)
    out = []
    while ready:
        done = heapq.heappop(ready)
        out.append(done)
        for node in nodes:
            if done in depends(node):
                open_count[node["id"]] -= 1
                if open_count[node["id"]] == 0:
                    heapq.heappush(ready, node["id"])
    return out


def violations(plan):
    return shape_violations(plan) or graph_violations(plan["nodes"])


def completed(plan):
    """The plan with what may be left out of its nodes: it is this that is digested."""
    nodes = [{"depends_on": [], "sandbox": None, **node} for node in plan["nodes"]]
    return {**plan, "nodes": nodes}


def plan_digest(plan):
    return digest("plan", completed(plan))
