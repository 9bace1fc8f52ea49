// What a session needs of its process: identity, clocks, randomness, storage, devices. All of it is a
// parameter, so that a test can hold every one of them.
import type { ClockWatch } from './clock.ts'
import type { AgentConfig } from './config.ts'
import type { Devices } from './devices.ts'
import type { GatewayKeys } from './gateway-keys.ts'
import type { KeptLedger } from './kept-ledger.ts'
import type { Log } from './log.ts'
import type { PartStore } from './part-store.ts'
import type { AgentSigner } from './signer.ts'
import type { StopTurns } from './stop-turns.ts'

export type SessionDeps = {
  readonly config: AgentConfig
  readonly bootId: string
  readonly signer: AgentSigner
  readonly keys: GatewayKeys
  readonly ledger: KeptLedger
  readonly devices: Devices
  readonly parts: PartStore
  /** The order in which devices stop, over everything that this agent stops. */
  readonly turns: StopTurns
  readonly log: Log
  readonly clock: ClockWatch
  /** Servers of which a person at the cell has said that their devices are at rest. */
  readonly atRest: ReadonlySet<string>
  readonly nowMs: () => number
  readonly monotonicMs: () => number
  readonly random: () => number
  readonly newId: (kind: 'frame' | 'nonce' | 'jti') => string
  /** No node of this session will run any more and its devices are at rest. */
  readonly onRest: () => void
  /** It is over here, for this reason, and nothing more is owed that anybody would take. */
  readonly onClosed: (reason: string) => void
}
