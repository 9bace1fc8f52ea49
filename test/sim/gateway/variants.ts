// The gateway with one fault planted in it each, for as long as a run takes. A simulator that misses one of
// them proves nothing.
import { HubStore } from '../../../durable-objects/hub/store.ts'
import { Continuity } from '../../../durable-objects/hub/mark.ts'
import { PresenceSockets } from '../../../durable-objects/hub/presence-sockets.ts'
import { ReviewStore, StateUnreadable } from '../../../durable-objects/review/store.ts'
import { Stopper, type Wish } from '../../../durable-objects/hub/stopper.ts'
import { SessionStore } from '../../../durable-objects/session/store.ts'

export type Planted = { readonly undo: () => void }

/** Replaces one method of a class; `make` gets the real one. */
export function plant(
  of: { readonly prototype: object },
  method: string,
  make: (real: (...args: unknown[]) => unknown) => (this: object, ...args: unknown[]) => unknown,
): Planted {
  const prototype = of.prototype as Record<string, (...args: unknown[]) => unknown>
  const real = prototype[method]
  if (real === undefined) throw new TypeError(`there is no ${method}`)
  prototype[method] = make(real)
  return {
    undo: () => {
      prototype[method] = real
    },
  }
}

export const gatewayVariants = {
  noticesNoRestore: () =>
    plant(Continuity, 'ask', () => {
      return function () {
        Object.assign(this, { known: true })
        return Promise.resolve()
      }
    }),
  latchesNothing: () =>
    plant(HubStore, 'write', (real) => {
      return function (statement, ...values) {
        return real.call(this, String(statement).replace('needs_clearance = 1,', ''), ...values)
      }
    }),
  tellsNoEnd: () => plant(SessionStore, 'enqueue', () => () => undefined),
  readsNothingNew: () =>
    plant(ReviewStore, 'row', (real) => {
      return function () {
        const { sql } = this as ReviewStore
        const rows = (this as ReviewStore).hasTable('review')
          ? sql.exec<{ row: string }>('SELECT row FROM review').toArray()
          : []
        if (rows.some(({ row }) => row.includes('later'))) throw new StateUnreadable('later')
        return real.call(this)
      }
    }),
  trustsANewProcess: () =>
    plant(PresenceSockets, 'bootSeen', (real) => {
      return function (boot) {
        const { cell } = boot as { cell: string }
        const { store } = this as unknown as { store: HubStore }
        const armed = 'armed_until_ms, armed_by, armed_credential'
        const [row] = store.sql.exec(`SELECT ${armed} FROM cells WHERE cell = ?`, cell)
        real.call(this, boot)
        store.write(
          `UPDATE cells SET (${armed}) = (?, ?, ?) WHERE cell = ?`,
          ...Object.values(row ?? {}),
          cell,
        )
        return { another: false, disarmed: false }
      }
    }),
  stopsByWord: () =>
    plant(Stopper, 'stop', () => (wish) => {
      const { session, cell } = wish as Wish
      const stop = { session, cell, stop: 'stopped', devices: [] }
      return Promise.resolve({ stop, status: null })
    }),
} satisfies Record<string, () => Planted>
