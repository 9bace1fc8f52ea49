// The frame of every page: who is signed in, where one can go, and the page itself. When a sign-in ends,
// the page stays as it is under the question to sign in again.
import { useSignal, useSignalEffect } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { AccountPage } from './account/account.tsx'
import { AgentsPage } from './admin/agents.tsx'
import { PeoplePage } from './admin/people.tsx'
import { CellPage } from './cells/cell.tsx'
import { CellsPage } from './cells/cells.tsx'
import { SessionPage } from './cells/session.tsx'
import { Inbox } from './inbox/inbox.tsx'
import { ReviewPage } from './review/review.tsx'
import { SignIn, SignInAgain } from './sign-in.tsx'
import { addressOf, place, type Place } from './state/address.ts'
import { count } from './state/inbox.ts'
import { begin, signInBy, signOut } from './state/sign-in.ts'
import { hasEnded, me, standing } from './state/who.ts'

const titles: Record<Place['at'], string> = {
  home: 'Portcullis',
  'sign-in': 'Sign in',
  inbox: 'Inbox',
  plan: 'Plan',
  account: 'Your account',
  people: 'People',
  agents: 'Agents',
  cells: 'Cells',
  cell: 'Cell',
  session: 'Run',
  nowhere: 'Not found',
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
            <Link to={addressOf.account} at={['account']}>
              Account
            </Link>
            {who.role === 'administrator' ? (
              <>
                <Link to={addressOf.people} at={['people']}>
                  People
                </Link>
                <Link to={addressOf.agents} at={['agents']}>
                  Agents
                </Link>
              </>
            ) : null}
          </nav>
          <p class="who">
            {who.owner}, {who.role} at {who.site}{' '}
            <button type="button" onClick={() => void signOut()}>
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
    case 'sign-in':
      return <AnotherSignIn code={there.code} />
    case 'inbox':
      return <Inbox query={there.query} />
    case 'plan':
      return <ReviewPage key={there.plan} plan={there.plan} />
    case 'account':
      return <AccountPage />
    case 'people':
      return <PeoplePage />
    case 'agents':
      return <AgentsPage />
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

/** A link that was opened while somebody is signed in: nothing is changed without being asked. */
function AnotherSignIn({ code }: { code: string }): VNode {
  const trouble = useSignal('')
  return (
    <section>
      <h1>Sign in with this link?</h1>
      <p>You are signed in as {me.value?.owner}. The link signs this browser in anew.</p>
      {trouble.value === '' ? null : <p role="alert">{trouble.value}</p>}
      <button
        type="button"
        class="primary"
        onClick={() => void signInBy(code).then((why) => (trouble.value = why))}
      >
        Sign in
      </button>
    </section>
  )
}

export function App(): VNode {
  const trouble = useSignal('')
  useEffect(() => {
    void begin().then((why) => (trouble.value = why))
  }, [])
  useTitle()
  if (standing.value === 'out') return <SignIn trouble={trouble} />
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => toMain(event)}>
        Skip to content
      </a>
      <Header />
      <main id="main" tabIndex={-1}>
        {me.value === null ? <p role="status">Signing in …</p> : <Page />}
      </main>
      {hasEnded.value ? <SignInAgain /> : null}
    </>
  )
}

/** The address names pages, so the link to the content moves the focus itself. */
function toMain(event: Event): void {
  event.preventDefault()
  document.getElementById('main')?.focus()
}
