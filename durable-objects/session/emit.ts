// What one step sends. All but a halt goes out after it was written: the output gate holds every frame until
// the writes are on disk, and a `go` is signed only here, when its row is there.
import type { Signer } from '../../adapters/signer.ts'
import { goClaims } from '../../contain/go.ts'
import { resolvedDigest } from '../../contain/resolve.ts'
import type { Effect } from '../../contain/session-state.ts'
import { signClaims } from '../../contain/sign.ts'
import type { SessionSockets } from './sockets.ts'

export type Sending = {
  readonly sockets: SessionSockets
  /** The connection whose frame is answered; null for an event of nobody's. */
  readonly asker: WebSocket | null
  readonly sign: () => Promise<Signer>
  readonly nowMs: number
}

type Halt = Extract<Effect, { do: 'send' }>
const isHalt = (effect: Effect): effect is Halt =>
  effect.do === 'send' && effect.frame.type === 'halt' && effect.to === 'proven'

/**
 * The halts of a step that nobody's frame has caused, before anything is written: a disk that is slow or full
 * must not stand between a stop and the device. One that a crash then forgets is sent again, since whoever
 * wished it asks again. Where a frame is answered, the order of the answers stands. Returns what is left.
 */
export function haltFirst(effects: readonly Effect[], sockets: SessionSockets): Effect[] {
  for (const { frame } of effects.filter(isHalt)) {
    for (const socket of sockets.proven()) sockets.send(socket, frame)
  }
  return effects.filter((effect) => !isHalt(effect))
}

/** Sends, answers, refuses and closes as the effects say, in their order. */
export async function emit(effects: readonly Effect[], by: Sending): Promise<void> {
  const { sockets, asker, nowMs } = by
  for (const effect of effects) {
    if (effect.do === 'send') {
      const all = effect.to === 'proven' ? sockets.proven() : [asker]
      for (const socket of all) if (socket !== null) sockets.send(socket, effect.frame)
    }
    if (effect.do === 'go' && asker !== null) {
      const { token, start, re } = effect
      const args = effect.args === null ? token.args : await resolvedDigest(effect.args)
      const { key } = await by.sign()
      const go = await signClaims(key, 'go', { ...goClaims(token, start, nowMs), args })
      sockets.send(asker, { v: 1, re, type: 'go', nid: token.nid, go })
    }
    if (effect.do === 'refuse' && asker !== null) {
      const { re, code, detail } = effect
      sockets.send(asker, { v: 1, re, type: 'error', code, detail })
      sockets.close(asker, 1008, code)
    }
    if (effect.do === 'close_stale') {
      for (const socket of sockets.proven()) {
        const boot = sockets.attachment(socket).hello?.boot_id
        if (boot !== effect.boot_id) sockets.close(socket, 1008, 'superseded')
      }
    }
  }
}
