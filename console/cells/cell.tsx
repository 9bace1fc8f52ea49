// One cell: what runs now, what waits, how its devices are, and what a person may do to it. The stop is
// always in view; every act names the change that was seen.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { AgentStatus, CellStatus } from '../../protocol/status.ts'
import { api, type QueuedPlan } from '../api.ts'
import { addressOf } from '../state/address.ts'
import { usePolled } from '../state/polled.ts'
import { me } from '../state/who.ts'
import { Shown } from '../text/shown.tsx'
import { ago, moment } from '../text/times.ts'
import { useAct } from '../state/act.ts'
import { Arming } from './arm.tsx'
import { Clearance } from './clearance.tsx'
import { Inventory } from './inventory.tsx'
import { AfterEnd, RunHead, RunSteps } from './session.tsx'
import { StopBar } from './stop.tsx'
import { cellStopInWords, stateOf, waitsFor } from './words.ts'

/** Everything of one cell, read together, so that it is of one moment. */
async function readCell(name: string) {
  const [cells, queue, agents, state] = await Promise.all([
    api.cells(),
    api.queue(name),
    api.agents().catch(() => ({ items: [] as AgentStatus[] })),
    api.cellState(name),
  ])
  const cell = cells.items.find((one) => one.cell === name) ?? null
  const agent = agents.items.find((one) => one.cell === name && !one.revoked) ?? null
  const run = cell?.session === null || cell === null ? null : await api.run(cell.session)
  return { cell, queue: queue.items, agent, state, run }
}

function Devices({ cell, agent }: { cell: CellStatus; agent: AgentStatus | null }): VNode {
  if (agent === null) return <p>Agent: {cell.agent ?? 'none'}.</p>
  const servers = Object.entries(agent.health?.servers ?? {})
  return (
    <>
      <p>
        Agent {agent.agent}: {agent.online ? 'connected' : 'not connected'}
        {agent.health === null ? '' : `, told ${ago(agent.health.reported_at_ms)}`}.
      </p>
      <ul>
        {servers.map(([name, { state, reason }]) => (
          <li key={name}>
            {name}: {state}
            {reason === undefined ? '' : ` (${reason.replaceAll('_', ' ')})`}
          </li>
        ))}
      </ul>
    </>
  )
}

function Queue({ queue }: { queue: readonly QueuedPlan[] }): VNode {
  if (queue.length === 0) return <p>Nothing waits.</p>
  return (
    <ol>
      {queue.map((line) => (
        <li key={line.plan}>
          <Shown text={line.summary?.goal ?? line.plan} />{' '}
          <span class="soft">
            {line.planner}
            {waitsFor(line) === null ? '' : `: ${waitsFor(line)}`}
          </span>
        </li>
      ))}
    </ol>
  )
}

/** What else a person has to know before acting. */
function Notes({ cell }: { cell: CellStatus }): VNode {
  const { changed, holds, not_at_rest, cell_stop, drill } = cell
  return (
    <>
      {changed === null ? null : (
        <p class="soft">
          Latest: {changed.what.replaceAll('_', ' ')}, by {changed.by}, {ago(changed.at_ms)}.
        </p>
      )}
      {holds.map((one) => (
        <p key={one.session}>
          Plans of {one.planner} wait: <a href={addressOf.session(one.session)}>a run</a> ended (
          {one.reason.replaceAll('_', ' ')}).
        </p>
      ))}
      {not_at_rest.length === 0 ? null : (
        <p class="alarm">Not reported at rest: {not_at_rest.join(', ')}.</p>
      )}
      {cell_stop === null || cell_stop.state === 'stopped' ? null : (
        <p class="alarm">{cellStopInWords(cell_stop)}</p>
      )}
      {drill === null ? null : <p>{cellStopInWords(drill)}</p>}
    </>
  )
}

function Release({ cell, again }: { cell: CellStatus; again: () => Promise<void> }): VNode | null {
  const act = useAct()
  if (cell.held_by === null && cell.holds.length === 0) return null
  return (
    <p class="actions">
      <button
        type="button"
        onClick={() =>
          void act
            .run(
              () => api.release(cell),
              () => 'Plans may start again.',
            )
            .then(again)
        }
      >
        Let plans of {cell.cell} start
      </button>
      <span role="status">{act.notice.value}</span>
    </p>
  )
}

export function CellPage({ name }: { name: string }): VNode {
  const polled = usePolled(name, () => readCell(name))
  const last = useSignal<string | null>(null)
  const read = polled.value.value
  const session = read?.cell?.session ?? null
  useEffect(() => {
    if (session !== null) last.value = session
  }, [session])
  if (read === null) {
    return polled.trouble.value === '' ? (
      <p role="status">Reading …</p>
    ) : (
      <p role="alert">{polled.trouble.value}</p>
    )
  }
  const { cell, queue, agent, state, run } = read
  if (cell === null) return <p role="alert">There is no cell {name}.</p>
  const role = me.value?.role
  const ran = last.value ?? cell.holds.at(-1)?.session ?? cell.stops.at(-1)?.session ?? null
  return (
    <section>
      <h1>Cell {cell.cell}</h1>
      <p>
        State: {stateOf(cell)}. <span role="status">As of {moment(polled.as_of_ms.value)}.</span>
      </p>
      {polled.trouble.value === '' ? null : <p role="alert">{polled.trouble.value}</p>}
      <Notes cell={cell} />
      <h2>Now</h2>
      {run === null ? (
        <p>Nothing runs.</p>
      ) : (
        <>
          <RunHead run={run} />
          <AfterEnd run={run} />
          <RunSteps run={run} />
        </>
      )}
      <h2>Waiting</h2>
      <Queue queue={queue} />
      <Release cell={cell} again={polled.again} />
      {cell.needs_clearance && role !== 'administrator' ? (
        <Clearance cell={cell} session={ran} again={polled.again} />
      ) : null}
      {!cell.needs_clearance && role === 'operator' ? (
        <Arming cell={cell} queue={queue} state={state} again={polled.again} />
      ) : null}
      <h2>Devices</h2>
      <Devices cell={cell} agent={agent} />
      <Inventory cell={name} state={state} mayRecord={role === 'operator'} again={polled.again} />
      <StopBar cell={cell} again={polled.again} />
    </section>
  )
}
