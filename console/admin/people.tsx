// Who may do what at this site, by person; letting in, signing out and off-boarding.
import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { api, type Credential, type SignIn } from '../api.ts'
import { useAct, type Act } from '../state/act.ts'
import { usePolled } from '../state/polled.ts'
import { Shown } from '../text/shown.tsx'
import { ago, moment, until } from '../text/times.ts'
import { Confirmed } from './confirm.tsx'
import { LetIn, linkSays } from './grant.tsx'
import { ShownOnce, type Once } from './once.tsx'

type Doing = { act: Act; once: Signal<Once | null>; again: () => Promise<void> }

/** What a credential is, in a line. */
function lineOf(one: Credential): string {
  const used = one.last_used_ms === null ? 'never used' : `used ${ago(one.last_used_ms)}`
  const end = one.expires_ms === null ? 'does not end' : `ends ${until(one.expires_ms)}`
  const by = one.created_by === null ? '' : `, made by ${one.created_by}`
  const name = one.subject === one.owner ? '' : ` ${one.subject}`
  return `${one.role}${name}: ${used}, ${end}${by}`
}

function Row({ one, act, once, again }: Doing & { one: Credential }): VNode {
  const link = (): void =>
    void act.run(
      () => api.signInLink(one.id),
      ({ link: text, owner }) => {
        once.value = { says: linkSays(owner), text }
        return 'A link is shown above.'
      },
    )
  const revoke = (): void =>
    void act
      .run(
        () => api.revoke(one.id),
        () => `Revoked: ${one.role} ${one.subject}.`,
      )
      .then(again)
  return (
    <li>
      <Shown text={lineOf(one)} />
      <p class="actions">
        {one.role === 'planner' ? null : (
          <button type="button" disabled={act.busy.value} onClick={link}>
            Sign-in link for {one.owner} as {one.role}
          </button>
        )}
        <Confirmed
          label={`Revoke ${one.role} ${one.subject}`}
          says="What it approved, armed or has waiting falls with it."
          busy={act.busy.value}
          act={revoke}
        />
      </p>
    </li>
  )
}

function Person(props: Doing & { owner: string; held: readonly Credential[] }): VNode {
  const { owner, held, act, again } = props
  const offboard = (): void =>
    void act
      .run(
        () => api.offboard(owner),
        ({ items }) => `${owner} is out. Revoked: ${items.length}.`,
      )
      .then(again)
  return (
    <li class="card">
      <h3>
        <Shown text={owner} />
      </h3>
      <ul>
        {held.map((one) => (
          <Row key={one.id} {...props} one={one} />
        ))}
      </ul>
      <Confirmed
        label={`Off-board ${owner}`}
        says="Every credential and every sign-in of this person ends, and what rests on them falls."
        busy={act.busy.value}
        act={offboard}
      />
    </li>
  )
}

function SignIns({ rows, act, again }: Omit<Doing, 'once'> & { rows: readonly SignIn[] }): VNode {
  const end = (one: SignIn): void =>
    void act
      .run(
        () => api.endSignIn(one.id),
        () => `The sign-in of ${one.owner} is ended.`,
      )
      .then(again)
  return (
    <section aria-labelledby="sign-ins">
      <h2 id="sign-ins">Signed in now</h2>
      <ul>
        {rows.map((one) => (
          <li key={one.id}>
            <Shown text={one.owner} />
            {one.current ? ' (this browser)' : ''}, since {moment(one.created_ms)}, ends{' '}
            {until(one.expires_ms)}.{' '}
            <button type="button" disabled={act.busy.value} onClick={() => end(one)}>
              End the sign-in of {one.owner} of {moment(one.created_ms)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function PeoplePage(): VNode {
  const act = useAct()
  const once = useSignal<Once | null>(null)
  const read = usePolled('people', async () => {
    const [credentials, signIns] = await Promise.all([api.credentials(), api.signIns()])
    return { held: credentials.filter(({ revoked_ms }) => revoked_ms === null), signIns }
  })
  const held = read.value.value?.held ?? []
  const owners = [...new Set(held.map(({ owner }) => owner))].toSorted()
  const doing = { act, once, again: read.again }
  return (
    <section>
      <h1>People and programs</h1>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      <ShownOnce once={once} />
      <LetIn once={once} again={read.again} />
      <h2>Who may act here</h2>
      <ul class="cards">
        {owners.map((owner) => (
          <Person
            key={owner}
            {...doing}
            owner={owner}
            held={held.filter((one) => one.owner === owner)}
          />
        ))}
      </ul>
      <SignIns rows={read.value.value?.signIns.items ?? []} act={act} again={read.again} />
    </section>
  )
}
