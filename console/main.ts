// The reviewer's page: sign in, see what waits for a person, decide on exactly what is displayed, and
// keep the cells. Plain DOM, no framework, nothing loaded from elsewhere.
import { isSignedIn, Refused, signOut } from './api.ts'
import { button } from './dom.ts'
import { cellsView } from './views/cells.ts'
import { packetView } from './views/packet.ts'
import { reviewsView } from './views/reviews.ts'
import { signInView } from './views/sign-in.ts'

/** What a view may do to the page around it. */
export type Page = {
  say(text: string, alarm?: boolean): void
  go(place: Place): void
}

export type Place =
  | { at: 'sign-in' }
  /** The first page that this credential may see. */
  | { at: 'home' }
  | { at: 'reviews' }
  | { at: 'packet'; plan: string }
  | { at: 'cells' }

const byId = (id: string): HTMLElement => {
  const node = document.getElementById(id)
  if (node === null) throw new TypeError(`index.html has no #${id}`)
  return node
}

const main = byId('main')
const nav = byId('nav')
const notice = byId('notice')

function say(text: string, alarm = false): void {
  notice.textContent = text
  notice.className = alarm ? 'alarm' : ''
}

type View = { place: Place; view: HTMLElement }

/** Reviews for who may see them, cells for the others. */
async function homeView(): Promise<View> {
  try {
    return { place: { at: 'reviews' }, view: await reviewsView(page) }
  } catch (cause) {
    if (!(cause instanceof Refused) || cause.status !== 403) throw cause
    return { place: { at: 'cells' }, view: await cellsView(page) }
  }
}

async function viewOf(place: Place): Promise<View> {
  switch (place.at) {
    case 'sign-in':
      return { place, view: signInView(page) }
    case 'home':
      return homeView()
    case 'reviews':
      return { place, view: await reviewsView(page) }
    case 'packet':
      return { place, view: await packetView(page, place.plan) }
    case 'cells':
      return { place, view: await cellsView(page) }
  }
}

function drawNav(place: Place): void {
  const current = (at: Place['at']): Record<string, string> =>
    place.at === at ? { 'aria-current': 'page' } : {}
  nav.replaceChildren(
    ...(isSignedIn()
      ? [
          button('Reviews', () => go({ at: 'reviews' }), current('reviews')),
          button('Cells', () => go({ at: 'cells' }), current('cells')),
          button('Sign out', () => {
            signOut()
            say('Signed out.')
            go({ at: 'sign-in' })
          }),
        ]
      : []),
  )
}

let shown = 0

async function show(place: Place): Promise<void> {
  const mine = ++shown
  try {
    const { place: there, view } = await viewOf(place)
    // Another place was asked for meanwhile: the older answer must not cover it.
    if (mine !== shown) return
    drawNav(there)
    main.replaceChildren(view)
    main.focus()
  } catch (cause) {
    if (mine !== shown) return
    if (cause instanceof Refused && cause.status === 401) {
      signOut()
      say('The credential was not taken.', true)
      await show({ at: 'sign-in' })
      return
    }
    drawNav(place)
    main.replaceChildren()
    say(cause instanceof Refused ? cause.message : 'The gateway could not be reached.', true)
  }
}

function go(place: Place): void {
  void show(place)
}

const page: Page = { say, go }

go(isSignedIn() ? { at: 'home' } : { at: 'sign-in' })
