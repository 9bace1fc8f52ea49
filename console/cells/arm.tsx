// Arming: shows what stands in the cell to confirm and which plans will start, and asks once. Disarming
// says what it does to a plan that runs.
import { useSignal } from '@preact/signals'
import type { VNode } from 'preact'
import type { CellState } from '../../protocol/state.ts'
import type { CellStatus } from '../../protocol/status.ts'
import { api, type QueuedPlan } from '../api.ts'
import { Shown } from '../text/shown.tsx'
import { useAct, type Act } from '../state/act.ts'
import { drillWarning, isArmed, startsOnArming } from './words.ts'

const hourMs = 3_600_000
const hours = [1, 4, 8]

function StartingList({ state }: { state: CellState | null }): VNode {
  if (state === null || state.inventory.length === 0) {
    return (
      <p>Nothing is recorded of what stands in this cell: rules that need it will ask a person.</p>
    )
  }
  return (
    <ul>
      {state.inventory.map(({ thing, kind, at }) => (
        <li key={thing}>
          <Shown text={`${thing} (${kind})${at === undefined ? '' : ` at ${at}`}`} />
        </li>
      ))}
    </ul>
  )
}

function WillStart({ lines }: { lines: readonly QueuedPlan[] }): VNode {
  if (lines.length === 0) return <p>No plan that waits now would start.</p>
  return (
    <>
      <p>
        <strong>
          {lines.length === 1
            ? 'This plan starts at once:'
            : 'These plans start, one by one, at once:'}
        </strong>
      </p>
      <ol>
        {lines.map(({ plan, planner, summary }) => (
          <li key={plan}>
            <Shown text={summary?.goal ?? plan} /> <span class="soft">({planner})</span>
            {summary === null ? null : (
              <p class="soft">
                <Shown text={summary.what} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

type ArmProps = {
  cell: CellStatus
  queue: readonly QueuedPlan[]
  state: CellState | null
  again: () => Promise<void>
}

function Ask(props: ArmProps & { act: Act; close: () => void }): VNode {
  const { cell, queue, state, again, act, close } = props
  const chosen = useSignal(1)
  // What is asked about is fixed: a plan that comes meanwhile must not slip in under a yes.
  const asked = useSignal({ cell, lines: startsOnArming(queue) as QueuedPlan[] })
  const changed =
    asked.value.cell.change !== cell.change ||
    startsOnArming(queue).some(({ plan }) => !asked.value.lines.some((one) => one.plan === plan))
  const arm = async (): Promise<void> => {
    const until_ms = Date.now() + chosen.value * hourMs
    const done = await act.run(
      () => api.arm(asked.value.cell, until_ms),
      () => 'Armed.',
    )
    if (done) close()
    await again()
  }
  return (
    <div class="ask" role="group" aria-label={`Arm ${cell.cell}`}>
      <h3>Is this what stands in the cell?</h3>
      <StartingList state={state} />
      <WillStart lines={asked.value.lines} />
      {drillWarning(cell) === null ? null : <p class="alarm">{drillWarning(cell)}</p>}
      {changed ? (
        <p role="alert">
          Something has changed since you were asked.{' '}
          <button
            type="button"
            onClick={() => {
              asked.value = { cell, lines: startsOnArming(queue) as QueuedPlan[] }
            }}
          >
            Show what is now
          </button>
        </p>
      ) : null}
      <label for="arm-for">Arm for</label>
      <select
        id="arm-for"
        value={String(chosen.value)}
        onChange={(event) => {
          chosen.value = Number(event.currentTarget.value)
        }}
      >
        {hours.map((n) => (
          <option key={n} value={String(n)}>
            {n} hour{n > 1 ? 's' : ''}
          </option>
        ))}
      </select>
      <p class="actions">
        <button type="button" class="primary" disabled={changed} onClick={() => void arm()}>
          Yes, arm {cell.cell}
        </button>
        <button type="button" onClick={close}>
          Not now
        </button>
      </p>
    </div>
  )
}

export function Arming(props: ArmProps): VNode {
  const { cell, again } = props
  const act = useAct()
  const asking = useSignal(false)
  const disarm = (): void =>
    void act
      .run(
        () => api.disarm(cell.cell),
        ({ session }) =>
          session === null
            ? 'Disarmed.'
            : 'Disarmed: no further plan starts. What runs goes on; Stop ends it.',
      )
      .then(again)
  return (
    <section aria-labelledby="arming">
      <h2 id="arming">Arming</h2>
      {asking.value ? (
        <Ask {...props} act={act} close={() => (asking.value = false)} />
      ) : (
        <p class="actions">
          <button type="button" onClick={() => (asking.value = true)}>
            Arm {cell.cell} …
          </button>
          {isArmed(cell) ? (
            <button type="button" onClick={disarm}>
              Disarm {cell.cell}
            </button>
          ) : null}
        </p>
      )}
      <p role="status" class="notice">
        {act.notice.value}
      </p>
    </section>
  )
}
