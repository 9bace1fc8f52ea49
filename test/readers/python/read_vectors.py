"""Reads test/vectors and says where it disagrees: python3 read_vectors.py FOLDER

Written from docs/protocol.md alone, with the standard library and python3-cryptography. Prints one line
for each file, `name: N agreed`, and every disagreement; exits 1 when there is one.
"""

import json
import sys
from pathlib import Path

import plans
import session
import signed
from strict_json import Refused, canonical, digest, from_base64url, parse


def outcome(call, *args):
    """What a call gives, or why it refuses."""
    try:
        return "ok", call(*args)
    except Refused as refused:
        return refused.reason, refused.at


def parsing(vectors):
    for row in vectors["valid"]:
        yield row["name"], canonical(parse(row["text"].encode("utf-8"))), row["canonical"]
    for row in vectors["invalid"]:
        data = from_base64url(row["bytes"]) if "bytes" in row else row["text"].encode("utf-8")
        yield row["name"], outcome(parse, data), (row["reason"], row["at"])


def plan_files(vectors):
    for row in vectors["valid"]:
        plan = parse(row["text"].encode("utf-8"))
        got = (
            plans.violations(plan),
            canonical(plans.completed(plan)),
            plans.plan_digest(plan),
            plans.order(plan["nodes"]),
        )
        yield row["name"], got, ([], row["canonical"], row["digest"], row["order"])
    for row in vectors["invalid"]:
        found = plans.violations(parse(row["text"].encode("utf-8")))
        yield row["name"], found, row["violations"]


def digests(vectors):
    for i, row in enumerate(vectors):
        # The file itself is read by the same rules as everything else.
        got = (canonical(row["value"]), digest(row["kind"], row["value"]))
        yield f"{i} {row['kind']}", got, (row["canonical"], row["digest"])


def tokens(vectors, keys):
    for row in vectors["valid"]:
        got = outcome(signed.verify, row["kind"], row["text"], [keys[row["signer"]]])
        yield row["kind"], got, ("ok", row["claims"])
        for other in vectors["valid"]:
            if other["kind"] != row["kind"]:
                got = outcome(signed.verify, other["kind"], row["text"], [keys[row["signer"]]])
                yield f"{row['kind']} as {other['kind']}", got[0], "header"
    for row in vectors["invalid"]:
        got = outcome(signed.verify, row["kind"], row["text"], [keys[row["signer"]]])
        yield row["name"], got[0], row["reason"]


def checks(vectors, here):
    for row in vectors:
        asked = ("nid", "token", "progress", "holder_jkt", "revoked", "now_ms")
        yield row["name"], here.check(*(row[name] for name in asked)), row["outcome"]


def frames(vectors):
    for row in vectors["valid"]:
        got = outcome(session.read_frame, row["text"], vectors["nonce"], True)
        yield row["name"], got, ("ok", json.loads(row["text"]))
    for row in vectors["invalid"]:
        got = outcome(session.read_frame, row["text"], vectors["nonce"], row["proven"])
        yield row["name"], got[0], row["reason"]


def main(folder):
    def load(name):
        return json.loads((Path(folder) / f"{name}.json").read_text("utf-8"))

    keys = load("keys")
    token_file = load("tokens")
    here = session.Session(token_file["session"], [keys["gateway"]])
    suites = {
        "parsing": parsing(load("parsing")),
        "plans": plan_files(load("plans")),
        "digests": digests(load("digests")),
        "tokens": tokens(token_file, keys),
        "checks": checks(load("checks"), here),
        "frames": frames(load("frames")),
    }
    wrong = 0
    for name, rows in suites.items():
        agreed = 0
        for row, got, expected in rows:
            if got == expected:
                agreed += 1
            else:
                wrong += 1
                print(f"{name}: {row}: got {got!r}, expected {expected!r}")
        print(f"{name}: {agreed} agreed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
