// Addresses that a policy makes the gateway call. A forbidden one is refused when it is set, not first
// when somebody waits for it (CWE-918); it is checked again before every call.
import { parseHosts } from '../adapters/models/endpoints.ts'
import { refuseUrl, urlRefusalWords } from '../adapters/models/hosts.ts'
import type { Policy } from '../protocol/policy.ts'
import type { Violation } from '../protocol/reasons.ts'

/** One violation for each address that may not be called; `privateHosts` is `PRIVATE_HOSTS`. */
export function urlViolations(policy: Policy, privateHosts: string | undefined): Violation[] {
  const allowed = parseHosts(privateHosts)
  const places: [string, string | null][] = [
    ...policy.endpoints.map(({ url }, i): [string, string] => [`/endpoints/${i}/url`, url]),
    ['/review_webhook', policy.review_webhook],
  ]
  return places.flatMap(([at, url]) => {
    const refusal = url === null ? null : refuseUrl(url, allowed)
    if (refusal === null) return []
    return [{ code: 'url_forbidden' as const, at, message: `the URL ${urlRefusalWords[refusal]}` }]
  })
}
