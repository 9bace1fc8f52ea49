"""Signed texts: JWS compact with EdDSA, the header pinned, every set of claims closed."""

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import hashlib

from shapes import an_id, an_object, closed, digest_text, flag, list_of, number, one_of, or_null, text, whole
from strict_json import Refused, base64url, canonical, from_base64url, parse

TOKEN_CHARS = 4_096
LONG_CHARS = 131_072
CHARS = {
    "start": 12_288,
    "report": 32_768,
    "manifest": LONG_CHARS,
    "rest": LONG_CHARS,
    "stop": LONG_CHARS,
    "stopped": LONG_CHARS,
}

issued = {"iss": text(300), "aud": an_id, "sub": an_id}
device = closed(
    {
        "server": an_id,
        "state": one_of("at_rest", "pending", "refused", "unreachable"),
        "detail": or_null(text(200)),
    }
)

place = closed({"group": whole, "within_ms": whole})
stop_call = closed(
    {
        "server": an_id,
        "mcp_tool": text(128, 1),
        "args": an_object,
        "place": or_null(place),
    }
)
stop_answer = closed(
    {
        "state": one_of("at_rest", "pending", "refused", "unreachable", "absent"),
        "detail": or_null(text(200)),
        "asked_ms": or_null(number),
        "rested_ms": or_null(number),
    }
)


def compared(value):
    return number(value) or flag(value) or text(200)(value)


reading = closed({"value": or_null(compared), "digest": or_null(digest_text), "age_ms": number})
MISSES = "not_read error result_invalid missing null type unit range stale".split()
missed = closed({"precondition": whole, "miss": one_of(*MISSES), "read": or_null(reading)})

CLAIMS = {
    "node": closed(
        {
            **issued,
            "sid": an_id,
            "nid": an_id,
            "tool": text(128),
            "seq": whole,
            "args": digest_text,
            "ctx": digest_text,
            "iat": whole,
            "nbf": whole,
            "exp": whole,
            "jti": an_id,
            "cnf": closed({"jkt": text(60)}),
        }
    ),
    "go": closed(
        {
            **issued,
            "jti": an_id,
            "sid": an_id,
            "nid": an_id,
            "ctx": digest_text,
            "args": digest_text,
            "nonce": an_id,
            "iat_ms": number,
            "exp_ms": number,
        }
    ),
    "receipt": closed(
        {
            **issued,
            "sid": an_id,
            "ctx": digest_text,
            "verdict": one_of("accept"),
            "plan_digest": digest_text,
            "decision_digest": digest_text,
            "valid_until_ms": number,
            "approvers": list_of(an_id, 4),
            "iat": whole,
            "exp": whole,
        }
    ),
    "manifest": closed(
        {
            **issued,
            "sid": an_id,
            "ctx": digest_text,
            "nodes": list_of(closed({"nid": an_id, "jti": an_id, "seq": whole}), 256),
            "iat": whole,
            "exp": whole,
        }
    ),
    "agent": closed(
        {"iss": an_id, "sub": an_id, "aud": an_id, "iat": whole, "exp": whole, "jti": an_id}
    ),
    "hello": closed(
        {"sub": an_id, "sid": or_null(an_id), "nonce": an_id, "boot_id": an_id, "iat_ms": number},
        {"aud": text(300, 1)},
    ),
    "start": closed(
        {
            "sub": an_id,
            "sid": an_id,
            "nid": an_id,
            "jti": an_id,
            "ctx": digest_text,
            "nonce": an_id,
            "cn": an_id,
            "iat_ms": number,
        },
        {"reads": list_of(reading, 16)},
    ),
    "report": closed(
        {
            "sub": an_id,
            "sid": an_id,
            "nid": an_id,
            "jti": an_id,
            "ctx": digest_text,
            "outcome": one_of("succeeded", "failed", "unknown", "skipped"),
            "result_digest": or_null(digest_text),
            "reason": or_null(text(60)),
            "actuated": flag,
            "started_ms": number,
            "ended_ms": number,
        },
        {"missed": missed, "values": list_of(compared, 16)},
    ),
    "rest": closed(
        {
            "sub": an_id,
            "sid": an_id,
            "ctx": digest_text,
            "boot_id": an_id,
            "seq": whole,
            "devices": list_of(device, 64),
            "at_ms": number,
        }
    ),
    "stop": closed(
        {
            **issued,
            "cell": an_id,
            "cn": an_id,
            "stop": an_id,
            "kind": one_of("stop", "drill"),
            "calls": list_of(stop_call, 96),
            "iat_ms": number,
        }
    ),
    "stopped": closed(
        {
            "sub": an_id,
            "cell": an_id,
            "stop": an_id,
            "boot_id": an_id,
            "seq": whole,
            "calls": list_of(stop_answer, 96),
            "at_ms": number,
        }
    ),
}

HEADER = {"alg": one_of("EdDSA"), "kid": text(60, 1)}


def thumbprint(jwk):
    """RFC 7638, which is the `kid` of a key."""
    members = {name: jwk[name] for name in ("crv", "kty", "x")}
    return base64url(hashlib.sha256(canonical(members).encode("utf-8")).digest())


def read(kind, jws):
    """kid, payload, signed bytes and signature, of which nothing is believed yet; raises Refused."""
    if len(jws) > CHARS.get(kind, TOKEN_CHARS):
        raise Refused("too_long")
    segments = jws.split(".")
    if len(segments) != 3 or not all(segments):
        raise Refused("not_compact")
    head, body, signature = map(from_base64url, segments)
    if head is None or body is None or signature is None or len(signature) != 64:
        raise Refused("encoding")
    try:
        header = parse(head)
    except Refused:
        raise Refused("header") from None
    if not closed({**HEADER, "typ": one_of(f"portcullis-{kind}+jwt")})(header):
        raise Refused("header")
    try:
        payload = parse(body)
    except Refused:
        raise Refused("encoding") from None
    return header["kid"], payload, jws.rpartition(".")[0].encode("ascii"), signature


def verify(kind, jws, jwks):
    """The claims of a signed text; raises Refused with the first thing that is wrong."""
    kid, payload, signed, signature = read(kind, jws)
    known = {thumbprint(jwk): jwk for jwk in jwks}
    if kid not in known:
        raise Refused("unknown_key")
    key = Ed25519PublicKey.from_public_bytes(from_base64url(known[kid]["x"]))
    try:
        key.verify(signature, signed)
    except InvalidSignature:
        raise Refused("signature") from None
    if not CLAIMS[kind](payload):
        raise Refused("claims")
    return payload
