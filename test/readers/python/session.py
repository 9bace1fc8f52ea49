"""One session as an agent sees it: the welcome, the frames that it sends, the eight checks."""

from plans import depends, order, plan_digest
from shapes import an_id, anything, closed, list_of, one_of, text, whole
from signed import LONG_CHARS, TOKEN_CHARS, read, verify
from strict_json import Refused, digest, parse

FRAME_BYTES = 65_536
HEAD = {"v": one_of(1), "fid": an_id, "nonce": an_id}
jws = text(TOKEN_CHARS)
entry = closed({"nid": an_id, "state": one_of("received", "started", "actuated", "ended")})
kept = closed({"type": text(120), "bytes": whole, "digest": text(60)})
result = closed(
    {
        "data": anything,
        "from": one_of("structured", "json_text", "text", "none"),
        "kept": list_of(kept, 32),
        "left_out": whole,
    }
)
ABORTS = (
    "local_stop shutdown pin_changed server_lost receipt_invalid context_mismatch token_invalid "
    "go_invalid server_restarted list_unreadable ledger_failed"
).split()
FRAMES = {
    "hello": closed(
        {
            **HEAD,
            "type": one_of("hello"),
            "session": an_id,
            "boot_id": an_id,
            "ledger_head": list_of(entry, 256),
            "proof": jws,
        }
    ),
    "pull": closed({**HEAD, "type": one_of("pull")}),
    "start": closed({**HEAD, "type": one_of("start"), "nid": an_id, "token": jws, "start": jws}),
    "report": closed(
        {**HEAD, "type": one_of("report"), "nid": an_id, "report": jws}, {"result": result}
    ),
    "rest": closed({**HEAD, "type": one_of("rest"), "rest": text(LONG_CHARS)}),
    "abort": closed(
        {**HEAD, "type": one_of("abort"), "reason": one_of(*ABORTS), "detail": text(300)}
    ),
}


def read_frame(text_, nonce, proven):
    data = text_.encode("utf-8")
    if len(data) > FRAME_BYTES:
        raise Refused("frame_too_large")
    try:
        frame = parse(data)
    except Refused:
        raise Refused("frame_not_json") from None
    kind = frame.get("type") if isinstance(frame, dict) else None
    if not isinstance(kind, str) or kind not in FRAMES or not FRAMES[kind](frame):
        raise Refused("frame_schema")
    if frame["nonce"] != nonce:
        raise Refused("nonce_mismatch")
    if not proven and kind != "hello":
        raise Refused("hello_expected")
    return frame


class Session:
    """What the welcome says, believed after everything in it has been computed again."""

    def __init__(self, welcome, gateway_keys):
        context = welcome["context"]
        self.context = context
        self.iss = welcome["iss"]
        self.keys = gateway_keys
        self.ctx = digest("context", context)
        receipt = verify("receipt", welcome["receipt"], gateway_keys)
        manifest = verify("manifest", welcome["manifest"], gateway_keys)
        plan = context["plan"]
        rows = {row["tool"]: digest("tool-row", row) for row in welcome["rows"]}
        told = [(node["nid"], node["seq"]) for node in manifest["nodes"]]
        for what, good in {
            "H": self.ctx == welcome["ctx"] == receipt["ctx"] == manifest["ctx"],
            "order": context["order"] == order(plan["nodes"]),
            "rows": rows == context["tools"] and len(rows) == len(welcome["rows"]),
            "plan": receipt["plan_digest"] == plan_digest(plan),
            "decision": receipt["decision_digest"] == context["decision_digest"],
            "manifest": told == [(nid, i) for i, nid in enumerate(context["order"])],
        }.items():
            if not good:
                raise Refused(f"welcome: {what}")
        self.jti = {node["nid"]: node["jti"] for node in manifest["nodes"]}
        self.nodes = {node["id"]: node for node in plan["nodes"]}

    def check(self, nid, token, progress, holder_jkt, revoked, now_ms):
        """'ok', or the reason of the first check that fails."""
        context = self.context
        node = self.nodes.get(nid)
        if node is None:
            return "token_not_of_node"
        try:
            written = read("node", token)[1]
            jti = written.get("jti") if isinstance(written, dict) else None
        except Refused:
            jti = None
        if isinstance(jti, str) and jti != self.jti[nid]:
            return "token_not_of_node"
        try:
            claims = verify("node", token, self.keys)
        except Refused:
            return "signature_invalid"
        if (claims["iss"], claims["aud"], claims["sid"]) != (
            self.iss,
            context["site"],
            context["session"],
        ):
            return "session_mismatch"
        if claims["nid"] != nid or context["order"][claims["seq"] : claims["seq"] + 1] != [nid]:
            return "node_mismatch"
        if any(progress.get(one) != "succeeded" for one in depends(node)):
            return "dependency_open"
        earlier = context["order"][: context["order"].index(nid)]
        if any(progress.get(one) != "succeeded" for one in earlier):
            return "node_out_of_turn"
        if claims["tool"] != node["tool"]:
            return "tool_mismatch"
        if claims["args"] != digest("args", node["args"]):
            return "args_mismatch"
        if claims["ctx"] != self.ctx:
            return "context_mismatch"
        lives = claims["nbf"] * 1_000 <= now_ms < claims["exp"] * 1_000
        if not lives or now_ms >= context["deadline"]:
            return "token_expired"
        if progress.get(nid) in ("executing", "succeeded", "failed", "unknown"):
            return "already_executed"
        holder = (claims["sub"], claims["cnf"]["jkt"], holder_jkt)
        if holder != (context["agent"], context["agent_jkt"], context["agent_jkt"]):
            return "holder_mismatch"
        return "epoch_revoked" if revoked else "ok"
