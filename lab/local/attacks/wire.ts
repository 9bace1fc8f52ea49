// Attacks on the wire and on time: changed arguments and a held-back `go` between the real gateway and
// the real agent, an expired token, and a stranger's socket that must not end the run.
import { readFile } from 'node:fs/promises'
import { must } from '../client.ts'
import { passOn, type FrameHook } from '../proxy.ts'
import { bindSession, ended, gotGo, readyCell, type Attack, type AttackContext } from './attack.ts'
import { HostileAgent } from './hostile-agent.ts'

/** Acts that the cell's own journal shows as begun. */
export async function journalStarts(file: string): Promise<{ tool: string }[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { phase: string; tool: string })
    .filter((line) => line.phase === 'begin')
}

/** Runs the plan on the real agent while a hook bends its session frames. */
async function onRealAgent(
  context: AttackContext,
  attack: { name: string; expected: readonly string[]; hook: FrameHook },
) {
  const { lab } = context
  if (lab.proxy === null) throw new Error('the lab was started without a man in the middle')
  await readyCell(lab, lab.record.cell)
  const before = (await journalStarts(lab.journal)).length
  lab.proxy.setHook(attack.hook)
  try {
    const session = await bindSession(context, lab.record.agent)
    const view = await ended(lab, session)
    const after = (await journalStarts(lab.journal)).length
    const node = view.nodes.find((candidate) => candidate.reason !== null)
    const audit = await must<{
      items: { event: string; facts: { detail?: string; reason?: string } }[]
    }>(lab.url, {
      method: 'GET',
      path: `/v1/sessions/${session}/audit`,
      token: lab.record.operator,
    })
    const last = audit.items.findLast((entry) => entry.event === 'terminated')
    const detail = (last?.facts.detail ?? '').split(':')[0] ?? ''
    const reason = node?.reason ?? (view.reason === 'agent_aborted' ? detail : view.reason)
    return {
      name: attack.name,
      expected: attack.expected,
      reason: reason ?? view.status,
      session_terminated: view.status === 'terminated',
      executed: after > before,
    }
  } finally {
    lab.proxy.setHook(passOn)
    await readyCell(lab, lab.record.cell)
  }
}

const sessionFrame = (path: string): boolean => path.includes('/sessions/')

/** Changes one number in the arguments that accompany a token. */
const changeArgs: FrameHook = ({ direction, path, text }) => {
  if (direction !== 'to_agent' || !sessionFrame(path)) return { send: [{ text }] }
  const frame = JSON.parse(text) as { type: string; args?: Record<string, unknown> }
  if (frame.type !== 'token') return { send: [{ text }] }
  return { send: [{ text: JSON.stringify({ ...frame, args: { ...frame.args, extra: 1 } }) }] }
}

const holdGoMs = 900

const holdGo: FrameHook = ({ direction, path, text }) => {
  const isGo = direction === 'to_agent' && sessionFrame(path) && text.includes('"type":"go"')
  return { send: [isGo ? { text, afterMs: holdGoMs } : { text }] }
}

export const wireAttacks: readonly Attack[] = [
  {
    name: 'changed_arguments',
    run: (context) =>
      onRealAgent(context, {
        name: 'changed_arguments',
        expected: ['args_mismatch', 'token_invalid'],
        hook: changeArgs,
      }),
  },
  {
    name: 'late_go',
    run: (context) =>
      onRealAgent(context, {
        name: 'late_go',
        expected: ['go_late', 'go_invalid'],
        hook: holdGo,
      }),
  },
  {
    name: 'expired_token',
    run: async (context) => {
      const { lab, hostile } = context
      const policy = await must<{ policy: Record<string, unknown> }>(lab.url, {
        method: 'GET',
        path: '/v1/policies',
        token: lab.record.admin,
      })
      const setDeadline = (ms: unknown) =>
        must(lab.url, {
          method: 'PUT',
          path: '/v1/policies',
          token: lab.record.admin,
          body: { ...policy.policy, session_deadline_ms: ms },
        })
      await setDeadline(3_000)
      try {
        const id = await bindSession(context, hostile.name)
        const session = await hostile.join(id)
        await session.expect('welcome')
        const { token } = await session.pull()
        const frame = await session.startFrame(token)
        await new Promise((resolve) => setTimeout(resolve, 3_100))
        session.socket.send(frame)
        const executed = await gotGo(session)
        const view = await ended(lab, id)
        session.socket.close()
        return {
          name: 'expired_token',
          expected: ['token_expired', 'deadline_passed'],
          reason: view.reason ?? view.status,
          session_terminated: view.status === 'terminated',
          executed,
        }
      } finally {
        await setDeadline(policy.policy['session_deadline_ms'])
        await readyCell(lab, hostile.cell)
      }
    },
  },
  {
    name: 'stranger_socket',
    run: async (context) => {
      const { lab } = context
      await readyCell(lab, lab.record.cell)
      const before = (await journalStarts(lab.journal)).length
      const session = await bindSession(context, lab.record.agent)
      // One key that the site never saw, and one that is enrolled but not bound to this session.
      const unknown = await HostileAgent.create(lab.handle, {
        name: lab.record.agent,
        cell: lab.record.cell,
        enrol: false,
      })
      const refusals = [
        await refusedAt(unknown, session),
        await refusedAt(context.hostile, session),
      ]
      const view = await ended(lab, session)
      const after = (await journalStarts(lab.journal)).length
      return {
        name: 'stranger_socket',
        expected: ['closed, the run went on'],
        reason:
          refusals.every(Boolean) && view.status === 'completed'
            ? 'closed, the run went on'
            : `refused ${refusals.join()}, session ${view.status}`,
        session_terminated: view.status === 'terminated',
        // The bound agent's own nodes ran, once each; the stranger added none.
        executed: after - before !== view.order.length,
      }
    },
  },
]

/** True when the gateway closed the stranger's socket without a welcome. */
async function refusedAt(stranger: HostileAgent, session: string): Promise<boolean> {
  try {
    const joined = await stranger.join(session)
    await joined.expect('welcome')
    joined.socket.close()
    return false
  } catch {
    return true
  }
}
