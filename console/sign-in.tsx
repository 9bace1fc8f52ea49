// Signing in with a one-time code, a passkey or whom the identity provider vouches for; and again, over the
// page, when the sign-in has ended.
import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { api, type SignInWays } from './api.ts'
import { signInByPasskey } from './state/passkeys.ts'
import { signInBy, signInWith, signOut } from './state/sign-in.ts'

function Form({ trouble }: { trouble: Signal<string> }): VNode {
  const text = useSignal('')
  const submit = async (): Promise<void> => {
    if (text.value.trim() === '') return
    trouble.value = ''
    trouble.value = await signInBy(text.value)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {trouble.value === '' ? null : <p role="alert">{trouble.value}</p>}
      <label for="code">One-time code or link</label>
      <input
        id="code"
        autocomplete="one-time-code"
        required
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
        }}
      />
      <p class="actions">
        <button type="submit" class="primary">
          Sign in
        </button>
        <OtherWays trouble={trouble} />
      </p>
    </form>
  )
}

/** A button for each way that this browser has beside the code. */
function OtherWays({ trouble }: { trouble: Signal<string> }): VNode {
  const ways = useSignal<SignInWays>({ access: null })
  useEffect(() => {
    // Without an answer there is the code.
    void api.signInWays().then(
      (found) => (ways.value = found),
      () => undefined,
    )
  }, [])
  const show = async (way: () => Promise<unknown>): Promise<void> => {
    trouble.value = ''
    trouble.value = await signInWith(way)
  }
  const { access } = ways.value
  return (
    <>
      {'PublicKeyCredential' in globalThis ? (
        <button type="button" onClick={() => void show(signInByPasskey)}>
          Sign in with a passkey
        </button>
      ) : null}
      {(access?.choices ?? []).map(({ site, credential, role, owner }) => (
        <button
          key={credential}
          type="button"
          onClick={() => void show(() => api.signInByAccess(site, credential))}
        >
          Sign in as {owner}, {role} at {site}
        </button>
      ))}
      {access?.choices.length === 0 ? (
        <span>{access.email} is known to nobody here: ask an administrator of your site.</span>
      ) : null}
    </>
  )
}

/** `trouble`: why the link that brought somebody here did not work. */
export function SignIn({ trouble }: { trouble: Signal<string> }): VNode {
  return (
    <main id="main">
      <h1>Portcullis: sign in</h1>
      <p>
        A code is good once and for a quarter of an hour. An administrator of your site makes one
        for you; on your own machine <code>npm start</code> prints one.
      </p>
      <Form trouble={trouble} />
    </main>
  )
}

/** The page below stays: what was written is there after signing in again. */
export function SignInAgain(): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  const trouble = useSignal('')
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="again" onCancel={(event) => event.preventDefault()}>
      <h2 id="again">Your sign-in has ended</h2>
      <p role="alert">Sign in again to go on; what you wrote is kept.</p>
      <Form trouble={trouble} />
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </dialog>
  )
}
