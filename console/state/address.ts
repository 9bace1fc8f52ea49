// Where the page is: the part of the address after `#`. Every plan, session and cell has one; Back, reload
// and a second tab come to the same place, and the server never sees it.
import { computed, signal } from '@preact/signals'

export type Place =
  | { at: 'home' }
  | { at: 'sign-in'; code: string }
  | { at: 'inbox'; query: URLSearchParams }
  | { at: 'plan'; plan: string }
  | { at: 'cells' }
  | { at: 'account' }
  | { at: 'people' }
  | { at: 'agents' }
  | { at: 'cell'; cell: string }
  | { at: 'session'; session: string }
  | { at: 'nowhere'; path: string }

const hash = signal(location.hash)
addEventListener('hashchange', () => {
  hash.value = location.hash
})

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** The place that an address names. */
export function placeOf(text: string): Place {
  const [path = '', search = ''] = text.replace(/^#?\/?/, '').split('?')
  const [root = '', id = ''] = path.split('/')
  const name = decoded(id)
  switch (root) {
    case '':
      return { at: 'home' }
    case 'sign-in':
      return { at: 'sign-in', code: name }
    case 'inbox':
      return { at: 'inbox', query: new URLSearchParams(search) }
    case 'plans':
      return name === '' ? { at: 'nowhere', path } : { at: 'plan', plan: name }
    case 'account':
      return { at: 'account' }
    case 'people':
      return { at: 'people' }
    case 'agents':
      return { at: 'agents' }
    case 'cells':
      return name === '' ? { at: 'cells' } : { at: 'cell', cell: name }
    case 'sessions':
      return name === '' ? { at: 'nowhere', path } : { at: 'session', session: name }
    default:
      return { at: 'nowhere', path }
  }
}

export const place = computed(() => placeOf(hash.value))

export const addressOf = {
  inbox: '#/inbox',
  cells: '#/cells',
  account: '#/account',
  people: '#/people',
  agents: '#/agents',
  plan: (plan: string): string => `#/plans/${encodeURIComponent(plan)}`,
  cell: (cell: string): string => `#/cells/${encodeURIComponent(cell)}`,
  session: (session: string): string => `#/sessions/${encodeURIComponent(session)}`,
} as const

export function go(address: string): void {
  location.hash = address
}

/** Another address for the same place: no new entry for Back. */
export function replaceAddress(address: string): void {
  history.replaceState(null, '', address)
  hash.value = location.hash
}
