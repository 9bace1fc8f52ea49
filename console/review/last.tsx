// What happened last time: an earlier plan that is the same, or the run before under the same standing
// approval; who decided it, why, and how its run ended. It is of the record of today, not of the digest.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, type ReviewRecord } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { templatesApi } from '../templates/api.ts'
import { Shown } from '../text/shown.tsx'
import { Signatures } from './history.tsx'

function Ended({ record }: { record: ReviewRecord }): VNode {
  const { state, session, session_reason } = record.status
  const why = session_reason === null ? '' : ` (${session_reason.replaceAll('_', ' ')})`
  return (
    <p>
      It is <strong>{state.replaceAll('_', ' ')}</strong>
      {why}. {session === null ? 'It never ran.' : <a href={addressOf.session(session)}>Its run</a>}
    </p>
  )
}

/** One earlier plan with its end, read when it is on the page. */
function Earlier({ plan }: { plan: string }): VNode {
  const record = useSignal<ReviewRecord | null>(null)
  const trouble = useSignal(false)
  useEffect(() => {
    api.review(plan).then(
      (answer) => (record.value = answer),
      () => (trouble.value = true),
    )
  }, [plan])
  return (
    <>
      <p>
        <a href={addressOf.plan(plan)}>
          <Shown text={record.value?.plan.goal ?? plan} />
        </a>
        {trouble.value ? ': its record cannot be read any more.' : ''}
      </p>
      {record.value === null ? null : (
        <>
          <Ended record={record.value} />
          <Signatures approvals={record.value.approvals} />
        </>
      )}
    </>
  )
}

/** The standing approval that a run was asked for under, and the run before it. */
function Standing({ record }: { record: ReviewRecord }): VNode | null {
  const use = record.packet?.standing
  const before = useSignal<string | null>(null)
  const template = use?.template
  useEffect(() => {
    if (template === undefined) return
    void templatesApi
      .trail(template)
      .catch(() => ({ items: [] }))
      .then(({ items }) => {
        const runs = items.flatMap(({ event, facts: { plan } }) =>
          event === 'template_used' && typeof plan === 'string' ? [plan] : [],
        )
        const own = runs.indexOf(record.status.plan)
        before.value = (own < 0 ? runs.at(-1) : runs[own - 1]) ?? null
      })
  }, [template])
  if (use === undefined) return null
  return (
    <>
      <h3>
        A run under <a href={addressOf.template(use.template)}>a standing approval</a>
      </h3>
      <p>
        {use.nth === null ? 'It did not count as one.' : `It is run ${use.nth} of ${use.of}.`}
        {use.look ? ' It is a sample for a person to look at.' : ''}
      </p>
      {before.value === null ? null : (
        <>
          <p>The run before it:</p>
          <Earlier plan={before.value} />
        </>
      )}
    </>
  )
}

export function LastTime({ record }: { record: ReviewRecord }): VNode {
  return (
    <>
      <Standing record={record} />
      {record.precedent === null ? null : (
        <>
          <h3>A person accepted exactly this plan before</h3>
          <Earlier plan={record.precedent} />
        </>
      )}
    </>
  )
}
