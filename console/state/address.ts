// Where the page is: the part of the address after `#`. Every plan, session and cell has one; Back, reload
// and a second tab come to the same place, and the server never sees it.
import { computed, signal } from '@preact/signals'

/** Pages of what a site is set to. */
export const siteParts = ['standing', 'file', 'policy', 'tools', 'memory', 'keeping'] as const
export type SitePart = (typeof siteParts)[number]

/** What has a trail. */
export const trailsOf = ['site', 'plans', 'sessions', 'templates'] as const
export type TrailOf = (typeof trailsOf)[number]

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
  | { at: 'templates' }
  | { at: 'template'; template: string }
  | { at: 'propose'; plan: string }
  | { at: 'site'; part: SitePart }
  | { at: 'trail'; of: TrailOf; id: string }
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
  const [root = '', id = '', more = ''] = path.split('/')
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
    case 'templates':
      if (name === 'from' && more !== '') return { at: 'propose', plan: decoded(more) }
      return name === '' ? { at: 'templates' } : { at: 'template', template: name }
    case 'site': {
      const part = siteParts.find((one) => one === (name || 'standing'))
      return part === undefined ? { at: 'nowhere', path } : { at: 'site', part }
    }
    case 'trails': {
      const of = trailsOf.find((one) => one === name)
      const known = of !== undefined && (of === 'site' || more !== '')
      return known ? { at: 'trail', of, id: decoded(more) } : { at: 'nowhere', path }
    }
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
  templates: '#/templates',
  template: (template: string): string => `#/templates/${encodeURIComponent(template)}`,
  propose: (plan: string): string => `#/templates/from/${encodeURIComponent(plan)}`,
  site: (of: SitePart): string => `#/site/${of}`,
  trail: (of: TrailOf, id = ''): string =>
    `#/trails/${of}${id === '' ? '' : `/${encodeURIComponent(id)}`}`,
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
