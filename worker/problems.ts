// Every refusal that the door can answer, once: a stable code, its status and its title (RFC 9457).
// Outsiders get few words; nothing here ever carries a stack trace or the text of an exception.
import type { Violation } from '../protocol/reasons.ts'
import { violationRemedies } from '../protocol/remedies.ts'

/** Codes are stable and never reused. */
export const problems = {
  query_invalid: { status: 400, title: 'The query has a field that cannot be taken.' },
  header_invalid: { status: 400, title: 'A header cannot be taken.' },
  credential_invalid: { status: 401, title: 'A valid credential is needed.' },
  agent_token_invalid: { status: 401, title: 'A fresh token signed by an enrolled key is needed.' },
  enrolment_refused: {
    status: 403,
    title:
      'This code enrols nothing: it is wrong, used or over. Ask an administrator for a new one.',
  },
  sign_in_refused: {
    status: 403,
    title: 'This code signs nobody in: it is wrong, used or over. Ask for a new one.',
  },
  passkey_refused: {
    status: 403,
    title: 'This passkey was not taken: it is known already, or not an answer to what was asked.',
  },
  touch_needed: {
    status: 403,
    title: 'This needs a fresh touch of a passkey: ask for one by POST /v1/touches.',
  },
  touch_refused: {
    status: 403,
    title: 'This touch does not sign that: it is used, over, or for something else. Touch again.',
  },
  role_forbidden: { status: 403, title: 'This credential may not do that.' },
  origin_forbidden: { status: 403, title: 'Requests from this origin are not taken.' },
  conflict_of_interest: {
    status: 403,
    title: 'The owner of a planner may not decide on its plans.',
  },
  not_found: { status: 404, title: 'There is nothing here for this credential.' },
  method_not_allowed: { status: 405, title: 'This place does not take this method.' },
  outdated: {
    status: 409,
    title:
      'The site has changed since: this plan can no longer be bound; it must be submitted again.',
  },
  last_administrator: {
    status: 409,
    title: 'The last administrator of a site stays: create another one first.',
  },
  no_passkey: {
    status: 409,
    title: 'This credential has no passkey for this address: add one on the page of your account.',
  },
  email_taken: { status: 409, title: 'This address is on a credential of another person.' },
  body_too_slow: { status: 408, title: 'The body took too long to arrive.' },
  site_exists: { status: 409, title: 'A site of this name exists.' },
  cell_taken: { status: 409, title: 'Another agent serves this cell.' },
  too_late: { status: 409, title: 'The plan is past the point where this is possible.' },
  not_over: {
    status: 409,
    title: 'The plan is not over, or somebody has not been told its end yet: try again later.',
  },
  template_standing: {
    status: 409,
    title:
      'A standing approval that was made from this plan may still cover runs: revoke it first.',
  },
  on_hold: { status: 409, title: 'A legal hold keeps this plan.' },
  not_escalated: { status: 409, title: 'The plan does not wait for a person.' },
  stale_packet: { status: 409, title: 'The packet has changed: look at it again.' },
  stale_assignee: { status: 409, title: 'Somebody else has taken it or let it go: look again.' },
  no_such_reviewer: { status: 409, title: 'There is no reviewer of this name at the site.' },
  already_resolved: {
    status: 409,
    title: 'The plan has been decided. While it does not run, it can be withdrawn.',
  },
  same_approver: { status: 409, title: 'The second approval must come from another person.' },
  review_expired: { status: 409, title: 'The time for a review has passed.' },
  not_proposed: { status: 409, title: 'This standing approval does not wait for a signature.' },
  template_refused: {
    status: 409,
    title: 'A rule rejects this for some value of its holes: nobody can approve it.',
  },
  template_expired: { status: 409, title: 'The time of this standing approval is over.' },
  too_many_templates: {
    status: 429,
    title: 'The site has as many standing approvals as it may have.',
  },
  needs_clearance: { status: 409, title: 'A person must record the state of the cell first.' },
  session_running: { status: 409, title: 'A session runs in this cell.' },
  session_unreachable: {
    status: 409,
    title:
      'The session of this cell does not answer: it is not known whether it has ended. An administrator can take it off the cell.',
  },
  nothing_to_release: { status: 409, title: 'The plan does not wait for a person.' },
  not_at_rest: {
    status: 409,
    title:
      'A device of this cell has not been reported at rest. An administrator can declare that it is.',
  },
  stale_change: {
    status: 409,
    title: 'The cell has changed since you saw it: look again and name the change that you saw.',
  },
  site_not_ready: { status: 409, title: 'The site has no approved registry of tools yet.' },
  idempotency_conflict: {
    status: 422,
    title: 'This Idempotency-Key was used with another body.',
  },
  part_expired: {
    status: 410,
    title:
      'The agent does not keep this part any more: its time is over, or newer ones took its place.',
  },
  part_withheld: {
    status: 403,
    title: 'A planner reads pictures and sounds; files that are text are read by people.',
  },
  body_too_large: { status: 413, title: 'The body is larger than the limit.' },
  media_type: { status: 415, title: 'The body must be application/json, without an encoding.' },
  violations: { status: 422, title: 'The body breaks a rule; nothing was stored.' },
  upgrade_required: { status: 426, title: 'This place speaks WebSocket only.' },
  queue_full: { status: 429, title: 'The site has too many plans waiting.' },
  queue_share_full: { status: 429, title: 'This planner has too many plans waiting.' },
  too_many_records: { status: 429, title: 'The cell holds as many records as it may.' },
  too_many_holds: { status: 429, title: 'The site has as many legal holds as it may have.' },
  too_many_requests: { status: 429, title: 'Too many requests in a short time.' },
  too_many_keys: {
    status: 429,
    title: 'This credential has used as many idempotency keys today as may be kept.',
  },
  too_many_judging: {
    status: 429,
    title: 'As many plans of this site are being judged as may be at a time.',
  },
  too_many_agents: { status: 429, title: 'The site has as many agents as it may have.' },
  too_many_credentials: { status: 429, title: 'The site has as many credentials as it may have.' },
  too_many_passkeys: { status: 429, title: 'This credential has as many passkeys as it may have.' },
  part_changed: {
    status: 502,
    title: 'What the agent keeps under this digest is something else; it is not given out.',
  },
  part_unreachable: {
    status: 503,
    title: 'The agent that keeps this part is not connected, or too old to give it.',
  },
  too_many_parts: { status: 429, title: 'As many parts are being fetched as may be at a time.' },
  internal: { status: 500, title: 'Something broke on our side; nothing was accepted by it.' },
  unavailable: { status: 503, title: 'A part of the gateway is down; try again.' },
  not_configured: { status: 503, title: 'The deployment lacks what this needs.' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** A refusal on its way out. */
export type Refusal = {
  code: ProblemCode
  /** One sentence about this case. Never text of an exception. */
  detail?: string
  violations?: readonly Violation[]
  retryAfterS?: number
  headers?: Record<string, string>
}

/** Each violation with what to do about it. */
export function withRemedies(violations: readonly Violation[]): (Violation & { remedy: string })[] {
  return violations.map((one) => ({ ...one, remedy: violationRemedies[one.code] }))
}

/** The answer to a refusal: `application/problem+json` with our `code` and `violations[]`. */
export function problem(refusal: Refusal, requestId?: string): Response {
  const { status, title } = problems[refusal.code]
  const headers = new Headers(refusal.headers)
  headers.set('content-type', 'application/problem+json')
  if (refusal.retryAfterS !== undefined) headers.set('retry-after', String(refusal.retryAfterS))
  if (status === 401) headers.set('www-authenticate', 'Bearer realm="portcullis"')
  const body = {
    type: `urn:portcullis:problem:${refusal.code}`,
    title,
    status,
    code: refusal.code,
    ...(refusal.detail === undefined ? {} : { detail: refusal.detail }),
    ...(requestId === undefined ? {} : { instance: `urn:portcullis:request:${requestId}` }),
    ...(refusal.violations === undefined ? {} : { violations: withRemedies(refusal.violations) }),
  }
  return new Response(JSON.stringify(body), { status, headers })
}
