// Kept parts of results, asked for piece by piece on the presence socket of the agent that keeps them. In
// memory alone: whoever waits is gone with the hub's life, and asks again.
import type { PartPiece } from '../../protocol/part-frames.ts'
import { limits } from '../../protocol/limits.ts'
import { err, ok } from '../../protocol/result.ts'
import type { PartAnswer, PartAsk } from '../contracts.ts'
import type { PresenceSockets } from './presence-sockets.ts'

type Waiting = { readonly agent: string; readonly resolve: (answer: PartAnswer) => void }

export class Parts {
  readonly #presence: PresenceSockets
  readonly #waiting = new Map<string, Waiting>()

  constructor(presence: PresenceSockets) {
    this.#presence = presence
  }

  /** One piece; a closed answer within `limits.partPieceMs`, whatever the agent does. */
  async ask({ agent, digest, offset }: PartAsk): Promise<PartAnswer> {
    if (this.#waiting.size >= limits.partPiecesInFlightMax) return err({ reason: 'too_many' })
    if (!this.#presence.online(Date.now()).has(agent)) return err({ reason: 'agent_away' })
    const ask = crypto.randomUUID()
    const bytes = limits.partPieceBytes
    const sent = this.#presence.tellNewest(agent, 'parts', {
      v: 1,
      re: null,
      type: 'part_wanted',
      ask,
      digest,
      offset,
      bytes,
    })
    if (!sent) return err({ reason: 'agent_outdated' })
    const { promise, resolve } = Promise.withResolvers<PartAnswer>()
    this.#waiting.set(ask, { agent, resolve })
    const timer = setTimeout(() => resolve(err({ reason: 'agent_away' })), limits.partPieceMs)
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(ask)
    }
  }

  /** What an agent brought; only the one that was asked can answer. */
  take(agent: string, ask: string, piece: PartPiece | null): void {
    const waiting = this.#waiting.get(ask)
    if (waiting?.agent !== agent) return
    waiting.resolve(piece === null ? err({ reason: 'absent' }) : ok(piece))
  }
}
