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

function privateV6(address: string): boolean {
  const g = groupsOf(address)
  const [first = 0] = g
  const zeros = (count: number) => g.slice(0, count).every((group) => group === 0)
  // Loopback, unspecified, mapped and compatible IPv4: all begin with 80 zero bits.
  if (zeros(5)) return true
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfe80 || first >= 0xff00) return true
  // NAT64, 6to4 and Teredo carry an IPv4 address that may be private; documentation is no host.
  return first === 0x64 || first === 0x2002 || (first === 0x2001 && (g[1] === 0 || g[1] === 0xdb8))
}

/** True for hosts that are not, or may not be, on the public internet. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  if (host.startsWith('[')) return privateV6(host.slice(1, -1))
  const v4 = /^(\d+)\.(\d+)\.(\d+)\.\d+$/.exec(host)
  if (v4 !== null) return privateV4(Number(v4[1]), Number(v4[2]), Number(v4[3]))
  if (!host.includes('.')) return true
  return /\.(localhost|local|internal|lan|intranet|corp|home|home\.arpa|test|invalid|onion)$/.test(
    host,
  )
}

export type UrlRefusal = 'url_invalid' | 'url_not_https' | 'url_private' | 'url_credentials'

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
  return url.protocol === 'https:' ? null : 'url_not_https'
}
