// Attacks by an agent that holds the bound key: tokens swapped, replayed, altered, nodes invented,
// repeated or out of turn. Each must end the session and run nothing.
import { bindSession, ended, gotGo, onHostileSession, readyCell, type Attack } from './attack.ts'
import type { HostileSession } from './hostile-agent.ts'

/** Flips one character of one segment; for the last one to a neighbour that loose decoders take. */
export function alterToken(token: string, segment: 0 | 1 | 2, place: 'middle' | 'last'): string {
  const parts = token.split('.')
  const text = parts[segment] ?? ''
  const at = place === 'last' ? text.length - 1 : Math.floor(text.length / 2)
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const index = alphabet.indexOf(text[at] ?? 'A')
  // The low bits of the last character are padding: +1 changes only those, so a loose decoder sees
  // the same bytes.
  const changed = alphabet[index ^ 1] ?? 'A'
  parts[segment] = text.slice(0, at) + changed + text.slice(at + 1)
  return parts.join('.')
}

const notThisToken = ['token_not_of_node', 'signature_invalid']

async function sendAltered(
  session: HostileSession,
  change: (token: string) => string,
): Promise<{ executed: boolean }> {
  const { nid, token } = await session.pull()
  const frame = await session.startFrame(token, { nid })
  session.socket.send({ ...frame, token: change(token) })
  return { executed: await gotGo(session) }
}

const altered = (segment: 0 | 1 | 2, place: 'middle' | 'last'): Attack => {
  const names = ['header', 'payload', 'signature'] as const
  const name = `altered_${names[segment]}_${place}`
  return {
    name,
    run: (context) =>
      onHostileSession(context, name, notThisToken, (session) =>
        sendAltered(session, (token) => alterToken(token, segment, place)),
      ),
  }
}

export const tokenAttacks: readonly Attack[] = [
  {
    name: 'token_of_other_node',
    run: (context) =>
      onHostileSession(
        context,
        'token_of_other_node',
        ['token_not_of_node', 'node_mismatch', 'tool_mismatch'],
        async (session) => {
          const { token } = await session.pull()
          session.socket.send(await session.startFrame(token, { nid: 'n2' }))
          return { executed: await gotGo(session) }
        },
      ),
  },
  {
    name: 'token_of_other_session',
    run: async (context) => {
      const { lab, hostile } = context
      const first = await bindSession(context, hostile.name)
      const one = await hostile.join(first)
      await one.expect('welcome')
      const stolen = await one.pull()
      one.socket.send(one.frame('abort', { reason: 'local_stop', detail: 'token kept for later' }))
      await ended(lab, first)
      one.socket.close()
      await readyCell(lab, hostile.cell)
      return onHostileSession(
        context,
        'token_of_other_session',
        ['token_not_of_node', 'session_mismatch'],
        async (session) => {
          await session.pull()
          session.socket.send(await session.startFrame(stolen.token, { nid: stolen.nid }))
          return { executed: await gotGo(session) }
        },
      )
    },
  },
  altered(0, 'middle'),
  altered(0, 'last'),
  altered(1, 'middle'),
  altered(1, 'last'),
  altered(2, 'middle'),
  altered(2, 'last'),
  {
    name: 'undeclared_node',
    run: (context) =>
      onHostileSession(
        context,
        'undeclared_node',
        ['token_not_of_node', 'node_mismatch'],
        async (session) => {
          const { token } = await session.pull()
          session.socket.send(await session.startFrame(token, { nid: 'n99' }))
          return { executed: await gotGo(session) }
        },
      ),
  },
  {
    name: 'repeated_node',
    run: (context) =>
      onHostileSession(context, 'repeated_node', ['already_executed'], async (session) => {
        const { token } = await session.pull()
        session.socket.send(await session.startFrame(token))
        await session.expect('go')
        session.socket.send(await session.reportFrame(token))
        await session.expect('ack')
        session.socket.send(await session.startFrame(token))
        return { executed: await gotGo(session) }
      }),
  },
  {
    name: 'reordered_node',
    run: (context) =>
      onHostileSession(
        context,
        'reordered_node',
        ['token_not_of_node', 'node_out_of_turn', 'dependency_open'],
        async (session) => {
          // The last node is claimed first; its own token is not handed out before its turn.
          const { token } = await session.pull()
          const frame = await session.startFrame(token, { nid: 'n3', claims: { nid: 'n3' } })
          session.socket.send(frame)
          return { executed: await gotGo(session) }
        },
      ),
  },
]
