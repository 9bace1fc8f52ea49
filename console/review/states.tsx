// The state of the lab along the steps: what each one changes, from what to what, with what is not known.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { refusalInWords, type ReviewRecord } from '../api.ts'
import { Shown } from '../text/shown.tsx'
import { orderOf } from './places.ts'
import { changeInWords, readTrace, type TraceStep } from './trace.ts'

function Step({ nth, step }: { nth: number; step: TraceStep }): VNode {
  return (
    <li value={nth}>
      {step.changes.length === 0 ? 'Changes nothing.' : null}
      {step.sure ? '' : 'Only in some runs, or one case of several: '}
      <ul>
        {step.changes.map((changed, i) => (
          <li key={i}>
            <Shown text={changeInWords(changed)} />
          </li>
        ))}
      </ul>
    </li>
  )
}

export function States({ record }: { record: ReviewRecord }): VNode | null {
  const steps = useSignal<TraceStep[] | null>(null)
  const trouble = useSignal('')
  const { packet, plan, status } = record
  const digestNamed = packet?.trace?.trace_digest
  if (digestNamed === undefined) return null
  const read = (): void => {
    if (steps.value !== null) return
    readTrace(status.plan, packet).then(
      (answer) => {
        if (typeof answer === 'string') trouble.value = answer
        else steps.value = answer
      },
      (cause: unknown) => (trouble.value = refusalInWords(cause)),
    )
  }
  const order = orderOf(plan)
  return (
    <details onToggle={read} key={digestNamed}>
      <summary>The state of the lab along the steps</summary>
      {trouble.value === '' ? null : <p role="alert">{trouble.value}</p>}
      {steps.value === null ? (
        trouble.value === '' ? (
          <p role="status">Reading …</p>
        ) : null
      ) : (
        <ol>
          {steps.value.map((step, i) => (
            <Step key={i} nth={order.indexOf(step.node) + 1} step={step} />
          ))}
        </ol>
      )}
    </details>
  )
}
