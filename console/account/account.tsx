// One's own page: where one is signed in, and one's passkeys.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { Confirmed } from '../admin/confirm.tsx'
import { api, type Passkey, type SignIn } from '../api.ts'
import { useAct, type Act } from '../state/act.ts'
import { addPasskey, endPasskey } from '../state/passkeys.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { ago, moment, until } from '../text/times.ts'

type Doing = { act: Act; again: () => Promise<void> }

const ways: Record<SignIn['way'], string> = {
  code: 'by a code',
  access: 'by the identity provider',
  passkey: 'by a passkey',
}

function SignIns({ rows, act, again }: Doing & { rows: readonly SignIn[] }): VNode {
  const end = (one: SignIn): void =>
    void act
      .run(
        () => api.endSignIn(one.id),
        () => 'That sign-in is ended.',
      )
      .then(again)
  return (
    <section aria-labelledby="sign-ins">
      <h2 id="sign-ins">Where you are signed in</h2>
      <ul>
        {rows.map((one) => (
          <li key={one.id}>
            Since {moment(one.created_ms)} {ways[one.way]}
            {one.current ? ' (this browser)' : ''}, ends {until(one.expires_ms)}.{' '}
            <button type="button" disabled={act.busy.value} onClick={() => end(one)}>
              End the sign-in of {moment(one.created_ms)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Passkeys({ rows, act, again }: Doing & { rows: readonly Passkey[] }): VNode {
  const name = useSignal('')
  const add = (): void =>
    void act
      .run(
        () => addPasskey(name.value.trim(), rows.length === 0),
        (made) => `The passkey ${made.name} is yours. It ends ${until(made.expires_ms)}.`,
      )
      .then(async (taken) => {
        if (taken) name.value = ''
        await again()
      })
  const end = (one: Passkey): void =>
    void act
      .run(
        () => endPasskey(one.id),
        () => `The passkey ${one.name} is ended, with the sign-ins opened by one.`,
      )
      .then(again)
  return (
    <section aria-labelledby="passkeys">
      <h2 id="passkeys">Your passkeys</h2>
      <p>
        A passkey signs you in without a code, and signs an acceptance where your site asks for it.
        To add another one, or to end one, you touch one that you have; a lost one is ended by an
        administrator.
      </p>
      <ul>
        {rows.map((one) => (
          <li key={one.id}>
            <Shown text={one.name} />, for {one.rp_id}, made {moment(one.created_ms)},{' '}
            {one.last_used_ms === null ? 'never used' : `used ${ago(one.last_used_ms)}`}, ends{' '}
            {until(one.expires_ms)}.{' '}
            <Confirmed
              label={`End the passkey ${one.name}`}
              says="Sign-ins that were opened by a passkey of yours end too."
              busy={act.busy.value}
              act={() => end(one)}
            />
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.value.trim() !== '') add()
        }}
      >
        <label for="passkey-name">Name of the new passkey</label>
        <input
          id="passkey-name"
          required
          maxLength={80}
          value={name.value}
          onInput={(event) => {
            name.value = event.currentTarget.value
          }}
        />
        <p class="actions">
          <button type="submit" class="primary" disabled={act.busy.value}>
            Add a passkey
          </button>
        </p>
      </form>
    </section>
  )
}

export function AccountPage(): VNode {
  const act = useAct()
  const mine = me.value?.credential
  const read = usePolled('account', async () => {
    const [signIns, passkeys] = await Promise.all([api.signIns(), api.passkeys()])
    return { signIns: signIns.items, passkeys: passkeys.items }
  })
  // An administrator is shown those of everybody; this page is about one's own.
  const own = <T extends { credential: string }>(rows: readonly T[] = []): T[] =>
    rows.filter(({ credential }) => credential === mine)
  const doing = { act, again: read.again }
  return (
    <section>
      <h1>Your account</h1>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      <SignIns {...doing} rows={own(read.value.value?.signIns)} />
      <Passkeys {...doing} rows={own(read.value.value?.passkeys)} />
    </section>
  )
}
