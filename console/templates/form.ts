// What somebody is writing of a proposal, kept in this tab until it is sent.
import { computed, type ReadonlySignal } from '@preact/signals'
import { draftOf } from '../state/drafts.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Terms } from './api.ts'
import { candidatesOf, holeOf, type Opened } from './candidates.ts'

export type Form = {
  goal: string
  instructions: string[]
  /** By the name of the candidate; those that are not here do not differ. */
  opened: Record<string, Opened>
  planners: string[]
  agent: string
  runs: string
  days: string
  look_every: string
}

const begin = (plan: Plan): Form => ({
  goal: plan.goal,
  instructions: [...plan.instructions],
  opened: {},
  planners: [plan.planner.id],
  agent: plan.agent ?? '',
  runs: '20',
  days: '30',
  look_every: '10',
})

const nameOf = (plan: string): string => `propose.${plan}`

export type FormDraft = { form: ReadonlySignal<Form>; set: (changes: Partial<Form>) => void }

/** The draft of a proposal from one plan. */
export function formOf(id: string, plan: Plan): FormDraft {
  const draft = draftOf(nameOf(id))
  const form = computed<Form>(() =>
    draft.value === '' ? begin(plan) : { ...begin(plan), ...(JSON.parse(draft.value) as Form) },
  )
  return {
    form,
    set: (changes) => {
      draft.value = JSON.stringify({ ...form.peek(), ...changes })
    },
  }
}

/** It was sent: nothing is kept. */
export function forget(id: string): void {
  draftOf(nameOf(id)).value = ''
}

const dayMs = 86_400_000

/** The terms as the gateway takes them. */
export function termsOf(id: string, plan: Plan, form: Form): Terms {
  const holes = candidatesOf(plan).flatMap((one) => {
    const opened = form.opened[one.name]
    return opened === undefined ? [] : [holeOf(one, opened)]
  })
  const agent = form.agent.trim()
  return {
    plan: id,
    goal: form.goal,
    instructions: form.instructions,
    holes,
    planners: form.planners,
    ...(agent === '' ? {} : { agent }),
    runs: Number(form.runs),
    until_ms: Date.now() + Number(form.days) * dayMs,
    look_every: form.look_every.trim() === '' ? null : Number(form.look_every),
  }
}
