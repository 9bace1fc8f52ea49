// One run: now, next and done with times; after its end which step was moving, which devices answered and
// what is not known.
import type { VNode } from 'preact'
import { api, type Run } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { moment, now, span } from '../text/times.ts'
import { useAct } from '../state/act.ts'
import { stopInWords } from './words.ts'

const states: Record<string, string> = {
  pending: 'next',
  released: 'about to start',
  executing: 'now',
  succeeded: 'done',
  failed: 'failed',
  unknown: 'not known how it ended',
}

const rests: Record<Run['devices'][number]['state'], string> = {
  at_rest: 'answered its safe-stop, at rest',
  pending: 'has not answered yet',
  refused: 'answered that it did not stop',
  unreachable: 'could not be reached',
}

const stepName = (run: Run, nid: string): string => {
  const step = run.steps.find((one) => one.nid === nid)
  return step === undefined
    ? nid
    : `step ${run.steps.indexOf(step) + 1}, ${step.sentence ?? step.tool}`
}

/** What is known after the end; nothing is told as sure that was not reported. */
export function AfterEnd({ run }: { run: Run }): VNode | null {
  if (run.ended_ms === null || run.status === 'completed') return null
  const unknown = run.steps.filter(({ state }) => state === 'unknown')
  return (
    <div class="after">
      <p>
        The run ended {moment(run.ended_ms)}: {(run.reason ?? 'unknown').replaceAll('_', ' ')}
        {run.stopped_by === null ? '' : `, by ${run.stopped_by}`}.
      </p>
      <p>
        {run.moving_at_end === null ? (
          'No step was under way.'
        ) : (
          <>
            Under way was <Shown text={stepName(run, run.moving_at_end)} />.
          </>
        )}{' '}
        {unknown.length === 0
          ? ''
          : `Not known how it ended: ${unknown.map(({ nid }) => nid).join(', ')}.`}
      </p>
      {run.devices.length === 0 ? (
        <p>No device has reported its rest.</p>
      ) : (
        <ul>
          {run.devices.map(({ server, state, detail }) => (
            <li key={server}>
              {server}: {rests[state]}
              {detail === null ? '' : ` (${detail})`}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function took(step: Run['steps'][number]): string {
  if (step.started_ms === null) return ''
  const end = step.ended_ms ?? (step.state === 'executing' ? now.value : null)
  const since = moment(step.started_ms)
  return end === null ? since : `${since}, ${span(end - step.started_ms)}`
}

/** What the device says of a running step, and that it has said nothing for too long. */
function HowFar({ step }: { step: Run['steps'][number] }): VNode | null {
  const { progress, stuck_since_ms, late_since_ms, state } = step
  if (state !== 'executing') return null
  if (stuck_since_ms !== undefined) {
    return (
      <strong role="alert">
        stuck: the device has said nothing since {moment(stuck_since_ms)}
      </strong>
    )
  }
  if (late_since_ms !== undefined) {
    return (
      <strong role="alert">
        late: by the time it states it would have been over at {moment(late_since_ms)}
      </strong>
    )
  }
  if (progress === undefined) return null
  const of = progress.total === null ? '' : ` of ${progress.total}`
  return (
    <span class="soft">
      {progress.progress === null ? '' : `${progress.progress}${of} `}
      {progress.message === null ? null : <Shown text={progress.message} />}
    </span>
  )
}

/** The steps of a run with their state and times. */
export function RunSteps({ run }: { run: Run }): VNode {
  return (
    <ol class="steps">
      {run.steps.map((step) => (
        <li key={step.nid} class={`step ${step.state}`} aria-current={step.state === 'executing'}>
          <strong class="badge">{states[step.state] ?? step.state}</strong>{' '}
          <Shown text={step.sentence ?? step.tool} /> <span class="soft">{took(step)}</span>
          <HowFar step={step} />
          {step.reason === null ? null : <span> {step.reason.replaceAll('_', ' ')}</span>}
        </li>
      ))}
    </ol>
  )
}

export function RunHead({ run }: { run: Run }): VNode {
  const done = run.steps.filter(({ state }) => state === 'succeeded').length
  return (
    <p>
      <Shown text={run.goal ?? run.plan} />:{' '}
      {run.ended_ms === null ? `${done} of ${run.steps.length} steps done` : run.status}.
    </p>
  )
}

export function SessionPage({ session }: { session: string }): VNode {
  const polled = usePolled(session, () => api.run(session))
  const act = useAct()
  const run = polled.value.value
  if (run === null) {
    return polled.trouble.value === '' ? (
      <p role="status">Reading …</p>
    ) : (
      <p role="alert">{polled.trouble.value}</p>
    )
  }
  return (
    <section>
      <h1>Run in {run.cell}</h1>
      <RunHead run={run} />
      <p role="status">As of {moment(polled.as_of_ms.value)}.</p>
      {polled.trouble.value === '' ? null : <p role="alert">{polled.trouble.value}</p>}
      <AfterEnd run={run} />
      <RunSteps run={run} />
      <p>
        <a href={addressOf.cell(run.cell)}>Cell {run.cell}</a>
        {' · '}
        <a href={addressOf.trail('sessions', session)}>Its trail</a>
        {me.value?.role === 'reviewer' ? (
          <>
            {' · '}
            <a href={addressOf.plan(run.plan)}>Its plan</a>
          </>
        ) : null}
      </p>
      {run.ended_ms === null ? (
        <section class="bar" aria-label="Stop">
          <p role="status" class="notice">
            {act.notice.value}
          </p>
          <button
            type="button"
            class="stop"
            onClick={() =>
              void act.run(() => api.stopSession(session), stopInWords).then(polled.again)
            }
          >
            Stop this run now
          </button>
        </section>
      ) : null}
    </section>
  )
}
