// Letting somebody in: a person gets a link to sign in, a program the token of its credential, shown once.
import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import { api, type NewCredential } from '../api.ts'
import { useAct } from '../state/act.ts'
import type { Role } from '../state/who.ts'
import { Field } from './field.tsx'
import type { Once } from './once.tsx'

const dayMs = 86_400_000
const meanings: readonly (readonly [Role, string])[] = [
  ['reviewer', 'Reviewer: decides on plans'],
  ['operator', 'Operator: arms, stops and clears cells'],
  ['administrator', 'Administrator: lets people in, approves tools and policies'],
  ['planner', 'Planner: a program that submits plans'],
]

/** A new credential, and what its holder is given. */
async function letIn(wanted: NewCredential): Promise<Once> {
  const { credential, token } = await api.createCredential(wanted)
  if (wanted.role === 'planner') {
    const says = `The token of ${wanted.subject}. It is shown once; put it where the program reads it.`
    return { says, text: token }
  }
  const { link } = await api.signInLink(credential.id)
  return { says: linkSays(wanted.owner), text: link }
}

/** What is said above a link. */
export const linkSays = (owner: string): string =>
  `Give this link to ${owner} and to nobody else. It signs in once, within a quarter of an hour.`

type Props = { once: Signal<Once | null>; again: () => Promise<void> }

export function LetIn({ once, again }: Props): VNode {
  const act = useAct()
  const role = useSignal<Role>('reviewer')
  const owner = useSignal('')
  const subject = useSignal('')
  const days = useSignal('')
  const isProgram = role.value === 'planner'
  const send = async (): Promise<void> => {
    const wanted: NewCredential = {
      role: role.value,
      owner: owner.value.trim(),
      subject: (isProgram ? subject.value : owner.value).trim(),
      expires_ms: days.value === '' ? null : Date.now() + Number(days.value) * dayMs,
    }
    await act.run(
      () => letIn(wanted),
      (shown) => {
        once.value = shown
        owner.value = ''
        subject.value = ''
        return `${wanted.owner} is let in as ${wanted.role}.`
      },
    )
    await again()
  }
  return (
    <form
      aria-labelledby="let-in"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <h2 id="let-in">Let somebody in</h2>
      <label for="role">As</label>
      <select
        id="role"
        value={role.value}
        onChange={(event) => {
          role.value =
            meanings.find(([name]) => name === event.currentTarget.value)?.[0] ?? 'reviewer'
        }}
      >
        {meanings.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <Field id="owner" label={isProgram ? 'Who answers for it' : 'Name'} value={owner} />
      {isProgram ? (
        <Field id="subject" label="Name of the planner, as in the site file" value={subject} />
      ) : null}
      <label for="days">Ends after days (empty: never)</label>
      <input
        id="days"
        type="number"
        min={1}
        value={days.value}
        onInput={(event) => {
          days.value = event.currentTarget.value
        }}
      />
      <p class="actions">
        <button type="submit" class="primary" disabled={act.busy.value}>
          Let in
        </button>
      </p>
      <p role="status" class="notice">
        {act.notice.value}
      </p>
    </form>
  )
}
