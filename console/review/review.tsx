// One plan: what will happen, why it waits and the decision on the first screen; everything that it rests
// on below. What is not part of what the digest names says so.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import { concernedNodes, summaryOf } from '../../protocol/plan-words.ts'
import { api, Refused, type ReviewRecord } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { hasEnded } from '../state/who.ts'
import { rows } from '../state/inbox.ts'
import { Fold, Shown } from '../text/shown.tsx'
import { moment, until } from '../text/times.ts'
import { DecisionBar } from './bar.tsx'
import { Changed } from './changed.tsx'
import { mismatch } from './check.ts'
import { GraphPicture } from './graph.tsx'
import { History, Signatures } from './history.tsx'
import { LastTime } from './last.tsx'
import { Judges } from './judges.tsx'
import { Part } from './part.tsx'
import { notesOf } from './places.ts'
import { States } from './states.tsx'
import { Sources } from './sources.tsx'
import { LeftOn, Steps, Written } from './steps.tsx'

type Loaded = { record: ReviewRecord; wrong: string | null }

function First({ record }: { record: ReviewRecord }): VNode {
  const { plan, packet, status, approvals, approvals_required } = record
  const summary = summaryOf(plan, packet, {
    reasons: status.reasons,
    approvals: approvals.filter(({ verdict }) => verdict === 'accept').length,
    required: approvals_required,
  })
  const waits = status.state === 'escalated'
  return (
    <section class="first">
      <h1>
        <Shown text={summary.goal} />
      </h1>
      <dl>
        <dt>What will happen</dt>
        <dd>
          <Shown text={summary.what} />
        </dd>
        <dt>{waits ? 'Why it waits' : `Why it is ${status.state}`}</dt>
        <dd>
          <Shown text={summary.why} />
        </dd>
      </dl>
      <p class="soft">
        <Shown text={`${status.planner}, for ${status.owner}`} />
        {waits && packet !== null ? `; due ${until(packet.expires)}` : ''}
      </p>
    </section>
  )
}

function Identity({ record }: { record: ReviewRecord }): VNode {
  const { plan, packet, status } = record
  const facts: [string, string][] = [
    ['Plan', status.plan],
    ['Packet', status.packet_digest ?? 'none'],
    ['Planner', `${status.planner}, for ${status.owner}`],
    ['Model it says it is', plan.planner.model ?? 'not said'],
    ['Agent that shall carry it out', plan.agent ?? 'any that can'],
    ['Replaces', status.supersedes ?? 'nothing'],
    ['Received', moment(status.received_ms)],
    ['Expires', moment(packet?.expires ?? null)],
  ]
  return (
    <>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Shown text={value} />
            </dd>
          </div>
        ))}
      </dl>
      {status.session === null ? null : (
        <p>
          It runs or ran as <a href={addressOf.session(status.session)}>{status.session}</a>.
        </p>
      )}
      <p>
        <a href={addressOf.trail('plans', status.plan)}>Trail of this plan</a>
      </p>
      <button type="button" onClick={() => print()}>
        Print
      </button>
    </>
  )
}

function Body({ loaded, reload }: { loaded: Loaded; reload: () => Promise<void> }): VNode {
  const { record, wrong } = loaded
  const { plan, packet } = record
  const notes = notesOf(packet)
  const cited =
    packet === null ? [] : [...new Set([...packet.citations, ...notes.flatMap((n) => n.cites)])]
  return (
    <article class="review">
      {wrong === null ? null : (
        <p role="alert" class="alarm">
          {wrong}
        </p>
      )}
      <First record={record} />
      <Changed plan={plan} packet={packet} />
      <Part title="Steps">
        <GraphPicture plan={plan} concerned={concernedNodes(plan, packet)} />
        <Steps plan={plan} trace={packet?.trace ?? null} notes={notes} />
        <States record={record} />
        <LeftOn trace={packet?.trace ?? null} />
      </Part>
      <Part title="What the planner wrote">
        <Written plan={plan} notes={notes} />
      </Part>
      {packet === null ? null : (
        <Part title="Judges">
          <Judges plan={plan} packet={packet} />
        </Part>
      )}
      <Part title="Before">
        <LastTime record={record} />
        <History record={record} />
      </Part>
      <Part title="Sources">
        <Sources plan={record.status.plan} cited={cited} />
      </Part>
      <Part title="Record">
        <Identity record={record} />
        {record.approvals.length === 0 ? null : (
          <>
            <h3>Signatures</h3>
            <Signatures approvals={record.approvals} />
          </>
        )}
        <Fold title="The packet as JSON">
          <pre>
            <Shown text={JSON.stringify(packet, null, 2)} />
          </pre>
        </Fold>
      </Part>
      {wrong === null ? <DecisionBar record={record} reload={reload} /> : null}
    </article>
  )
}

export function ReviewPage({ plan }: { plan: string }): VNode {
  const loaded = useSignal<Loaded | null>(null)
  const trouble = useSignal('')
  const load = async (): Promise<void> => {
    try {
      const record = await api.review(plan)
      loaded.value = { record, wrong: await mismatch(record) }
      trouble.value = ''
    } catch (cause) {
      trouble.value = cause instanceof Refused ? cause.message : String(cause)
    }
  }
  // Read again when the list has changed (somebody else may have decided) and after signing in again.
  const known = rows.value
  const isEnded = hasEnded.value
  useEffect(() => {
    if (!isEnded) void load()
  }, [plan, known, isEnded])
  return (
    <>
      {trouble.value === '' ? null : <p role="alert">{trouble.value}</p>}
      {loaded.value === null ? (
        trouble.value === '' ? (
          <p role="status">Reading …</p>
        ) : null
      ) : (
        <Body loaded={loaded.value} reload={load} />
      )}
    </>
  )
}
