// A standing approval from an accepted plan: what may differ, in whose hands, how often, until when. The
// gateway runs it dry over all values at once before anybody can sign.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { Plan } from '../../protocol/plan.ts'
import { api, refusalInWords } from '../api.ts'
import { useAct } from '../state/act.ts'
import { addressOf, go } from '../state/address.ts'
import { Shown } from '../text/shown.tsx'
import { templatesApi } from './api.ts'
import { forget, formOf, termsOf, type FormDraft } from './form.ts'
import { Holes } from './holes.tsx'

function Words({ draft }: { draft: FormDraft }): VNode {
  const { goal, instructions } = draft.form.value
  return (
    <fieldset>
      <legend>Words of every run</legend>
      <p class="soft">
        Where a value differs, write its name in braces, like {'{volume}'}: each run has its own
        value there.
      </p>
      <label for="goal">Goal</label>
      <textarea
        id="goal"
        rows={2}
        required
        value={goal}
        onInput={(event) => draft.set({ goal: event.currentTarget.value })}
      />
      {instructions.map((text, i) => (
        <div key={i}>
          <label for={`instruction-${i}`}>Instruction {i + 1}</label>
          <textarea
            id={`instruction-${i}`}
            rows={2}
            required
            value={text}
            onInput={(event) =>
              draft.set({ instructions: instructions.with(i, event.currentTarget.value) })
            }
          />
        </div>
      ))}
    </fieldset>
  )
}

function Planners({ draft, known }: { draft: FormDraft; known: readonly string[] }): VNode {
  const { planners } = draft.form.value
  return (
    <fieldset>
      <legend>Planners that may ask for a run</legend>
      {[...new Set([...planners, ...known])].toSorted().map((name) => (
        <label key={name} class="check">
          <input
            type="checkbox"
            checked={planners.includes(name)}
            onChange={(event) =>
              draft.set({
                planners: event.currentTarget.checked
                  ? [...planners, name]
                  : planners.filter((one) => one !== name),
              })
            }
          />{' '}
          <Shown text={name} />
        </label>
      ))}
    </fieldset>
  )
}

const numbers = [
  ['runs', 'How many runs', { min: 1, max: 1_000, required: true }],
  ['days', 'For how many days', { min: 1, max: 92, required: true }],
  ['look_every', 'Every so many runs one goes to a person (empty: none)', { min: 2, max: 1_000 }],
] as const

function Limits({ draft }: { draft: FormDraft }): VNode {
  const form = draft.form.value
  return (
    <fieldset>
      <legend>How far it goes</legend>
      {numbers.map(([name, label, more]) => (
        <div key={name}>
          <label for={name}>{label}</label>
          <input
            id={name}
            type="number"
            {...more}
            value={form[name]}
            onInput={(event) => draft.set({ [name]: event.currentTarget.value })}
          />
        </div>
      ))}
      <label for="agent">The one agent that may run it (empty: any that can)</label>
      <input
        id="agent"
        autocomplete="off"
        value={form.agent}
        onInput={(event) => draft.set({ agent: event.currentTarget.value })}
      />
    </fieldset>
  )
}

function Proposal({ id, plan, known }: { id: string; plan: Plan; known: string[] }): VNode {
  const act = useAct()
  const draft = useMemo(() => formOf(id, plan), [id, plan])
  const send = (): void =>
    void act.run(
      () => templatesApi.propose(termsOf(id, plan, draft.form.value)),
      ({ template }) => {
        forget(id)
        go(addressOf.template(template))
        return 'Proposed.'
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <h1>Propose a standing approval</h1>
      <p>
        From{' '}
        <a href={addressOf.plan(id)}>
          <Shown text={plan.goal} />
        </a>
        . It covers nothing before people have signed it.
      </p>
      <Holes plan={plan} draft={draft} />
      <Words draft={draft} />
      <Planners draft={draft} known={known} />
      <Limits draft={draft} />
      <p class="actions">
        <button type="submit" class="primary" disabled={act.busy.value}>
          Propose
        </button>
      </p>
      <p role="status" class="notice">
        {act.notice.value}
      </p>
    </form>
  )
}

export function ProposePage({ plan }: { plan: string }): VNode {
  const read = useSignal<{ plan: Plan; known: string[] } | null>(null)
  const trouble = useSignal('')
  useEffect(() => {
    Promise.all([api.review(plan), api.tools()]).then(
      ([record, { registry }]) =>
        (read.value = { plan: record.plan, known: Object.keys(registry?.planners ?? {}) }),
      (cause: unknown) => (trouble.value = refusalInWords(cause)),
    )
  }, [plan])
  if (trouble.value !== '') return <p role="alert">{trouble.value}</p>
  if (read.value === null) return <p role="status">Reading …</p>
  return <Proposal id={plan} {...read.value} />
}
