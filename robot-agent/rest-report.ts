// The agent's signed word on how the devices of a session stand: the newest is sent on every connection
// until it is acknowledged; an older one is worth nothing.
import { limits } from '../protocol/limits.ts'
import type { DeviceRest } from '../protocol/tokens.ts'
import type { SessionDeps } from './session-deps.ts'

type Frame = { readonly fid: string; readonly text: string }

export class RestReport {
  readonly #session: string
  readonly #deps: Pick<SessionDeps, 'config' | 'signer' | 'bootId' | 'nowMs'>
  #seq = 0
  #frame: Frame | null = null

  constructor(session: string, deps: SessionDeps) {
    this.#session = session
    this.#deps = deps
  }

  /** Signs how the devices stand now. False when a newer word was asked for meanwhile. */
  async sign(ctx: string, devices: readonly DeviceRest[]): Promise<boolean> {
    const { config, signer, bootId, nowMs } = this.#deps
    const seq = ++this.#seq
    const text = await signer.rest({
      sub: config.agent,
      sid: this.#session,
      ctx,
      boot_id: bootId,
      seq,
      devices: devices.slice(0, limits.restDevicesMax),
      at_ms: nowMs(),
    })
    if (seq !== this.#seq) return false
    this.#frame = { fid: `rest_${bootId}_${seq}`.slice(-limits.idCharsMax), text }
    return true
  }

  /** What is to be sent; null when nothing is, or all of it is acknowledged. */
  get frame(): { fid: string; type: 'rest'; rest: string } | null {
    const frame = this.#frame
    return frame === null ? null : { fid: frame.fid, type: 'rest', rest: frame.text }
  }

  /** True when `re` acknowledges the newest word. */
  acked(re: string | null): boolean {
    if (this.#frame === null || re !== this.#frame.fid) return false
    this.#frame = null
    return true
  }
}
