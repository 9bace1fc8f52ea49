// Which hosts a site's own endpoint may name: public ones over https. An address inside the
// operator's network would turn the gateway into a way in (CWE-918); only the operator allows one.

function privateV4(a: number, b: number, c: number): boolean {
  return (
    a === 0 ||
    a === 10 ||
    a === 127 ||
    a >= 224 ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 169 && b === 254) ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 192 && b === 88 && c === 99) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113)
  )
}

const hexGroups = (part: string): number[] =>
  part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16))

/** The eight groups of an IPv6 address as the URL parser writes it (RFC 5952, no zone, no dots). */
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const front = hexGroups(head)
  if (tail === undefined) return front
  const back = hexGroups(tail)
  return [...front, ...Array.from({ length: 8 - front.length - back.length }, () => 0), ...back]
}

/**
 * Only 2000::/3 is given out as global unicast; everything else is loopback, link or site local,
 * multicast, translated, or reserved. Inside it, ranges that carry another address (2001::/23 with
 * Teredo and ORCHID, 6to4) or none at all (documentation) are no host either (RFC 6890).
 */
function privateV6(address: string): boolean {
  const [first = 0, second = 0] = groupsOf(address)
  if ((first & 0xe000) !== 0x2000) return true
  if (first === 0x2001 && (second < 0x0200 || second === 0xdb8)) return true
  return first === 0x2002 || (first === 0x3fff && second < 0x1000)
}

/** Endings that name no host of the public internet (RFC 6761, 6762, 7686, 8375, 9476, and custom). */
const privateEndings = new Set(
  (
    'localhost local localdomain domain internal intranet private lan corp home host arpa ' +
    'test example invalid onion alt cluster consul docker kubernetes svc workgroup'
  ).split(' '),
)

/** True for hosts that are not, or may not be, on the public internet. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.+$/, '')
  if (host.startsWith('[')) return privateV6(host.slice(1, -1))
  const v4 = /^(\d+)\.(\d+)\.(\d+)\.\d+$/.exec(host)
  if (v4 !== null) return privateV4(Number(v4[1]), Number(v4[2]), Number(v4[3]))
  const labels = host.split('.')
  // One label is looked up in the network's own search list; an empty one is no name at all.
  if (labels.length < 2 || labels.includes('')) return true
  return privateEndings.has(labels.at(-1) ?? '')
}

export type UrlRefusal =
  | 'url_invalid'
  | 'url_not_https'
  | 'url_private'
  | 'url_credentials'
  | 'url_port'

/** What is wrong with a URL, in words for who wrote it. */
export const urlRefusalWords: Record<UrlRefusal, string> = {
  url_invalid: 'is not a URL over https',
  url_not_https: 'must be over https',
  url_private: 'names a host that is not on the public internet',
  url_credentials: 'carries a user name or a password',
  url_port: 'names the port of another service: 443 or a port from 1024 will do',
}

/**
 * Checks the URL of a site's own endpoint. `allowed` are the hosts, with port where it matters
 * (`127.0.0.1:11434`), that the operator opened; for those http will do. A public name that resolves
 * to a private address is not seen here: the platform's egress has to refuse that.
 */
export function refuseUrl(text: string, allowed: readonly string[]): UrlRefusal | null {
  if (!URL.canParse(text)) return 'url_invalid'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'url_credentials'
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'url_invalid'
  if (allowed.includes(url.host) || allowed.includes(url.hostname)) return null
  if (isPrivateHost(url.hostname)) return 'url_private'
  if (url.protocol !== 'https:') return 'url_not_https'
  // '' is 443. Ports below 1024 belong to mail, shells and the like (CWE-918).
  return url.port === '' || Number(url.port) >= 1024 ? null : 'url_port'
}
