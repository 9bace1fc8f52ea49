// What one step sends, after it was written. The output gate holds every frame until the writes are on
// disk; a `go` is signed only here, when its row is there.
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
