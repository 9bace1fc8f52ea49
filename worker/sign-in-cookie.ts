// The cookie that carries a person's sign-in. Scripts cannot read it, other origins cannot send it, and it
// is taken only for requests that the console itself makes.
import { parse, serialize } from 'hono/utils/cookie'

/** Over https the name itself forbids that a neighbour's host or a plain connection sets it (RFC 6265bis). */
const nameFor = (url: URL): string =>
  url.protocol === 'https:' ? '__Host-portcullis' : 'portcullis-local'

/** The value that the browser brought, or null. */
export function signInCookie(request: Request): string | null {
  const name = nameFor(new URL(request.url))
  const value = parse(request.headers.get('cookie') ?? '', name)[name]
  return value === undefined || value === '' || value.length > 200 ? null : value
}

/** Id of the sign-in that a cookie names; nothing is proved by it. */
export const namedSignIn = (request: Request): string | null =>
  signInCookie(request)?.split('.')[0] ?? null

/** `Set-Cookie` for a sign-in that ends then; with an empty value it is taken away. */
export function setSignInCookie(request: Request, value: string, maxAgeS: number): string {
  const url = new URL(request.url)
  return serialize(nameFor(url), value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    secure: url.protocol === 'https:',
    maxAge: maxAgeS,
  })
}

/**
 * Whether a request with a cookie was made by a page of this origin. Browsers say it themselves (Fetch
 * Metadata); where they do not, as over plain http on a network, `Origin` has to say it for whatever
 * changes something. Reads of another origin get no answer from their browser, and no cookie (SameSite).
 */
export function isOwnPage(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  if (request.method === 'GET' || request.method === 'HEAD') return true
  return request.headers.get('origin') === new URL(request.url).origin
}
