// Signing in with a credential, kept in this tab only; and again, over the page, when it has ended.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { credential, ended, me, signOut } from './state/who.ts'

function Form({ submit }: { submit: (token: string) => void }): VNode {
  const text = useSignal('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (text.value.trim() !== '') submit(text.value.trim())
      }}
    >
      <label for="credential">Credential (pc_…)</label>
      <input
        id="credential"
        type="password"
        autocomplete="off"
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

export function SignIn(): VNode {
  return (
    <main id="main">
      <h1>Portcullis: sign in</h1>
      <Form
        submit={(token) => {
          me.value = null
          ended.value = false
          credential.value = token
        }}
      />
    </main>
  )
}

/** The page below stays: what was written is there after signing in again. */
export function SignInAgain(): VNode {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const never = me.value === null
  return (
    <dialog ref={dialog} aria-labelledby="again" onCancel={(event) => event.preventDefault()}>
      <h2 id="again">{never ? 'The credential was not taken' : 'Your sign-in has ended'}</h2>
      <p role="alert">
        {never
          ? 'Try it again, or ask an administrator for another.'
          : 'Sign in again to go on; what you wrote is kept.'}
      </p>
      <Form
        submit={(token) => {
          const before = me.value
          me.value = null
          credential.value = token
          ended.value = false
          // Whoever comes back as somebody else must not send what the first one wrote unseen.
          if (before !== null) dialog.current?.close()
        }}
      />
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </dialog>
  )
}
