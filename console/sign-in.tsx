// Signing in with a one-time code; and again, over the page, when the sign-in has ended.
import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { signInBy, signOut } from './state/sign-in.ts'

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
      </p>
    </form>
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
