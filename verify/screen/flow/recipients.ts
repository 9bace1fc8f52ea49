// Who receives what a sink sends, and whether the site knows them (POL-12). Domains are compared whole:
// a subdomain of an approved domain, or a name that looks like one, is not approved.
// Danger: supp0rt.example, support.example.evil.test, xn-- forms (CWE-1007).
import type { SceneNode } from '../scene.ts'
import { editDistance, hasInvisible, resolveLookAlikes, skeleton } from '../names.ts'
import { mailAddressesIn } from './shapes.ts'

export type Standing = 'approved' | 'unknown' | 'look-alike'

export type Recipient = {
  readonly at: string
  readonly domain: string
  /** The local part, or the whole URL: what names the receiver besides its domain. */
  readonly detail: string
  readonly standing: Standing
  readonly resembles: string | null
}

const recipientRoles = new Set(['to', 'from'])

/** Labels of a domain without its last one: what a reader recognises. */
const stemOf = (domain: string): string => domain.split('.').slice(0, -1).join('.')

function resembles(domain: string, approved: string): boolean {
  if (skeleton(domain) === skeleton(approved)) return true
  const plain = resolveLookAlikes(domain)
  const stem = stemOf(approved)
  // The approved name as a leading part of another domain, or the same name elsewhere.
  if (plain.startsWith(`${approved}.`) || plain.startsWith(`${approved}-`)) return true
  if (plain.endsWith(`-${approved}`)) return true
  const dashed = approved.replaceAll('.', '-')
  if (plain.split('.').some((label) => label === dashed || label.startsWith(`${dashed}-`)))
    return true
  if (stem.length >= 5 && skeleton(stemOf(plain)) === skeleton(stem)) return true
  if (stem.length < 5) return false
  return editDistance(plain, approved, stem.length >= 10 ? 2 : 1) <= (stem.length >= 10 ? 2 : 1)
}

/** How a domain stands to the approved list. A trailing dot and upper case are the same domain. */
export function standingOf(
  domain: string,
  approved: readonly string[],
): { readonly standing: Standing; readonly resembles: string | null } {
  if (approved.includes(domain)) return { standing: 'approved', resembles: null }
  const plain = domain.toLowerCase().replace(/\.$/, '')
  if (approved.includes(plain) && !hasInvisible(domain)) {
    return { standing: 'approved', resembles: null }
  }
  const genuineChild = approved.some((name) => plain.endsWith(`.${name}`))
  if (genuineChild) return { standing: 'unknown', resembles: null }
  const like = approved.find((name) => resembles(domain, name))
  if (like !== undefined) return { standing: 'look-alike', resembles: like }
  // A punycode label hides letters of other scripts from the reader of the record.
  return { standing: /(?:^|\.)xn--/.test(plain) ? 'look-alike' : 'unknown', resembles: null }
}

function hostOf(url: string): string | null {
  const match = /^[a-z][a-z0-9+.-]{1,15}:\/\/([^/?#]*)/i.exec(url)
  if (match === null) return null
  const authority = match[1] ?? ''
  // What stands before the last @ is a user name, whatever it looks like.
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return host.replace(/:[0-9]*$/, '').toLowerCase()
}

/** Mail addresses and hosts that a sink node names as its receivers. */
export function recipientsOf(used: SceneNode, approved: readonly string[]): Recipient[] {
  const out: Recipient[] = []
  for (const { role, value, at } of used.texts) {
    if (!recipientRoles.has(role)) continue
    const host = hostOf(value)
    if (host !== null) {
      out.push({ at, domain: host, detail: value, ...standingOf(host, approved) })
      continue
    }
    for (const part of value.split(/[\s,;<>]+/)) {
      const split = part.lastIndexOf('@')
      if (split <= 0) continue
      const domain = part.slice(split + 1)
      const local = part.slice(0, split)
      const standing = standingOf(domain, approved)
      // `user%evil.test@approved` and `a!b@approved` are routed on by old mail servers.
      const routed = /[%!]/.test(local)
      const found = routed ? ({ standing: 'look-alike', resembles: domain } as const) : standing
      out.push({ at, domain, detail: local, ...found })
    }
  }
  return out
}

/** Header lines smuggled into a field of a mail: `subject: "x\nBcc: …"`. */
export function smugglesHeader(used: SceneNode): string | null {
  for (const { role, value, at } of used.texts) {
    if (role === 'text') continue
    if (/[\r\n] ?(?:bcc|cc|to|reply-to|from|content-type) ?:/i.test(value)) return at
  }
  return null
}

/** Addresses in a message that belong neither to a receiver's domain nor to an approved one. */
export function foreignAddresses(
  text: string,
  known: { readonly approved: readonly string[]; readonly recipients: readonly Recipient[] },
): string[] {
  const domains = new Set([...known.approved, ...known.recipients.map(({ domain }) => domain)])
  return mailAddressesIn(text).filter((address) => {
    const domain = address.slice(address.lastIndexOf('@') + 1)
    // Role addresses of the laboratory's own network name no person to the outside.
    return !domains.has(domain) && !domain.endsWith('.internal')
  })
}
