// Whether an address is a page that the site lists: exact host, a path within a listed folder, no query
// unless the list says so. One answer for conditions and for the rule over fetches.
import type { Registry } from '../../protocol/registry.ts'

/** `/safe` covers itself and what lies below it, never `/safe-other`. */
function within(path: string, listed: string): boolean {
  const folder = listed.endsWith('/') ? listed : `${listed}/`
  return path === listed || path.startsWith(folder)
}

/** False for whatever is not plainly listed, also for what cannot be read as an address. */
export function pageListed(address: string, pages: Registry['network']['pages']): boolean {
  let url: URL
  try {
    url = new URL(address)
  } catch {
    return false
  }
  // What a server may decode again can leave its folder: such a path is never on a list.
  if (/%2e|%2f|%5c|\\|\/\.\.?(\/|$)/i.test(address)) return false
  return pages.some(
    (page) =>
      url.protocol === 'https:' &&
      url.hostname === page.host.toLowerCase() &&
      url.port === '' &&
      url.username === '' &&
      within(url.pathname, page.path) &&
      (page.query || url.search === '') &&
      url.hash === '',
  )
}
