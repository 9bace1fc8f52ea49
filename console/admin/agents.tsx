// Robot agents of the site: which serve which cell, and the code with which another one enrols itself.
import { useSignal, type Signal } from '@preact/signals'
import type { VNode } from 'preact'
import type { AgentStatus } from '../../protocol/status.ts'
import { api } from '../api.ts'
import { useAct, type Act } from '../state/act.ts'
import { usePolled } from '../state/polled.ts'
import { Shown } from '../text/shown.tsx'
import { ago, until } from '../text/times.ts'
import { Confirmed } from './confirm.tsx'
import { Field } from './field.tsx'
import { ShownOnce, type Once } from './once.tsx'

function standingOf(agent: AgentStatus): string {
  if (agent.revoked) return 'revoked'
  if (agent.online) return 'connected'
  return agent.last_seen_ms === null ? 'never connected' : `last seen ${ago(agent.last_seen_ms)}`
}

/** What its servers say of themselves, or nothing when all are well. */
function troubleOf(agent: AgentStatus): string[] {
  const servers = Object.entries(agent.health?.servers ?? {})
  return servers.flatMap(([name, { state, reason }]) =>
    state === 'up' ? [] : [`${name} is down (${reason ?? 'no reason given'})`],
  )
}

type AgentProps = { agent: AgentStatus; act: Act; again: () => Promise<void> }

function Agent({ agent, act, again }: AgentProps): VNode {
  const revoke = (): void =>
    void act
      .run(
        () => api.revokeAgent(agent.agent),
        () => `${agent.agent} is revoked: nothing runs in ${agent.cell} until another is enrolled.`,
      )
      .then(again)
  return (
    <li class="card">
      <h3>
        <Shown text={agent.agent} />
      </h3>
      <p>
        Serves <Shown text={agent.cell} />, {standingOf(agent)}.
      </p>
      {troubleOf(agent).map((line) => (
        <p key={line} class="soft">
          <Shown text={line} />
        </p>
      ))}
      <p class="soft">Key {agent.jkt}</p>
      {agent.revoked ? null : (
        <Confirmed
          label={`Revoke ${agent.agent}`}
          says="It can do nothing more; what it runs is stopped."
          busy={act.busy.value}
          act={revoke}
        />
      )}
    </li>
  )
}

type EnrolProps = { act: Act; once: Signal<Once | null> }

function Enrol({ act, once }: EnrolProps): VNode {
  const agent = useSignal('')
  const cell = useSignal('')
  const make = (): void =>
    void act.run(
      () => api.enrolmentCode(agent.value.trim(), cell.value.trim()),
      ({ code, expires_ms }) => {
        const says = `On the machine of ${agent.value}, ${until(expires_ms)} at the latest:`
        const text = `node portcullis-agent.mjs enrol --config agent.json --code ${code}`
        once.value = { says, text }
        return 'A code is shown above.'
      },
    )
  return (
    <form
      aria-labelledby="enrol"
      onSubmit={(event) => {
        event.preventDefault()
        make()
      }}
    >
      <h2 id="enrol">Enrol an agent</h2>
      <Field id="agent" label="Name of the agent" value={agent} />
      <Field id="cell" label="Cell that it serves" value={cell} />
      <p class="actions">
        <button type="submit" class="primary" disabled={act.busy.value}>
          Make a code
        </button>
      </p>
    </form>
  )
}

export function AgentsPage(): VNode {
  const act = useAct()
  const once = useSignal<Once | null>(null)
  const read = usePolled('agents', () => api.agents())
  const items = read.value.value?.items ?? []
  return (
    <section>
      <h1>Agents</h1>
      {read.trouble.value === '' ? null : <p role="alert">{read.trouble.value}</p>}
      <p role="status" class="notice">
        {act.notice.value}
      </p>
      <ShownOnce once={once} />
      <Enrol act={act} once={once} />
      <h2>Enrolled</h2>
      <ul class="cards">
        {items.map((agent) => (
          <Agent key={agent.agent} agent={agent} act={act} again={read.again} />
        ))}
      </ul>
    </section>
  )
}
