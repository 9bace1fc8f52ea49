// The frame of every page: who is signed in, where one can go, and the page itself. When a sign-in ends,
// the page stays as it is under the question to sign in again.
import { useSignalEffect } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { api } from './api.ts'
import { CellPage } from './cells/cell.tsx'
import { CellsPage } from './cells/cells.tsx'
import { SessionPage } from './cells/session.tsx'
import { Inbox } from './inbox/inbox.tsx'
import { ReviewPage } from './review/review.tsx'
import { SignIn, SignInAgain } from './sign-in.tsx'
import { addressOf, go, place, type Place } from './state/address.ts'
import { count } from './state/inbox.ts'
import { credential, ended, me, signOut } from './state/who.ts'

const titles: Record<Place['at'], string> = {
  home: 'Portcullis',
  inbox: 'Inbox',
  plan: 'Plan',
  cells: 'Cells',
  cell: 'Cell',
  session: 'Run',
  nowhere: 'Not found',
}

/** Learns who is signed in, once for each credential. */
function useWho(): void {
  useSignalEffect(() => {
    const token = credential.value
    if (token === null || me.value !== null) return
    api.me().then(
      (who) => {
        if (credential.peek() !== token) return
        me.value = who
        if (place.peek().at === 'home') {
          go(who.role === 'reviewer' ? addressOf.inbox : addressOf.cells)
        }
      },
      () => undefined,
    )
  })
}

function useTitle(): void {
  useSignalEffect(() => {
    const waiting = me.value?.role === 'reviewer' ? count.value : null
    const name = titles[place.value.at]
    const before = waiting === null || waiting === 0 ? '' : `(${waiting}) `
    document.title = `${before}${name}${name === 'Portcullis' ? '' : ' – Portcullis'}`
  })
}

function Link(props: { to: string; at: Place['at'][]; children: ComponentChildren }): VNode {
  const here = props.at.includes(place.value.at)
  return (
    <a href={props.to} {...(here ? { 'aria-current': 'page' as const } : {})}>
      {props.children}
    </a>
  )
}

function Header(): VNode {
  const who = me.value
  return (
    <header>
      <a class="brand" href="#/">
        Portcullis
      </a>
      {who === null ? null : (
        <>
          <nav aria-label="Pages">
            {who.role === 'reviewer' ? (
              <Link to={addressOf.inbox} at={['inbox', 'plan']}>
                Inbox{count.value === null ? '' : ` (${count.value})`}
              </Link>
            ) : null}
            <Link to={addressOf.cells} at={['cells', 'cell', 'session']}>
              Cells
            </Link>
          </nav>
          <p class="who">
            {who.owner}, {who.role} at {who.site}{' '}
            <button type="button" onClick={signOut}>
              Sign out
            </button>
          </p>
        </>
      )}
    </header>
  )
}

function Page(): VNode {
  const there = place.value
  switch (there.at) {
    case 'home':
      return <p>Choose a page above.</p>
    case 'inbox':
      return <Inbox query={there.query} />
    case 'plan':
      return <ReviewPage key={there.plan} plan={there.plan} />
    case 'cells':
      return <CellsPage />
    case 'cell':
      return <CellPage key={there.cell} name={there.cell} />
    case 'session':
      return <SessionPage key={there.session} session={there.session} />
    case 'nowhere':
      return (
        <section>
          <h1>There is no such page</h1>
          <p>The address names none that this page knows.</p>
        </section>
      )
  }
}

export function App(): VNode {
  useWho()
  useTitle()
  if (credential.value === null) return <SignIn />
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => toMain(event)}>
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {me.value === null ? <p role="status">Signing in …</p> : <Page />}
      </main>
      {ended.value ? <SignInAgain /> : null}
    </>
  )
}

/** The address names pages, so the link to the content moves the focus itself. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
