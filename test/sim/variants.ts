// Product code with one fault planted in it each, and the kind of fault in the world that brings it out.
import { ClockWatch } from '../../robot-agent/clock.ts'
import { Ledger } from '../../robot-agent/ledger.ts'
import { gatewayVariants, plant, type Planted } from './gateway/variants.ts'

const neverDoubtful = (): Planted => {
  const real = Object.getOwnPropertyDescriptor(ClockWatch.prototype, 'doubtful')
  if (real === undefined) throw new TypeError('there is no doubtful')
  Object.defineProperty(ClockWatch.prototype, 'doubtful', { ...real, get: () => false })
  return { undo: () => void Object.defineProperty(ClockWatch.prototype, 'doubtful', real) }
}

export type Variant = {
  readonly what: string
  /** What breaks in the world, as in `faults.ts`. */
  readonly kinds: readonly string[]
  readonly plant: () => Planted
  /** How often the people stop something, where the fault shows only then. */
  readonly stops?: number
}

export const variants: readonly Variant[] = [
  {
    what: 'a hub that was set back goes on as if nothing had happened',
    kinds: ['hub_restored'],
    plant: gatewayVariants.noticesNoRestore,
  },
  {
    what: 'nothing latches',
    kinds: ['power_cut', 'server_restarts'],
    plant: gatewayVariants.latchesNothing,
  },
  {
    what: 'the end of a session is told to nobody',
    kinds: ['object_reset'],
    plant: gatewayVariants.tellsNoEnd,
  },
  {
    what: 'a row with a field of a later release is not read',
    kinds: ['new_fields'],
    plant: gatewayVariants.readsNothingNew,
  },
  {
    what: 'a stop is called done before anybody was reached',
    kinds: ['cut'],
    stops: 0.3,
    plant: gatewayVariants.stopsByWord,
  },
  {
    what: 'a machine that slept is out of service for good',
    kinds: ['machine_asleep'],
    plant: neverDoubtful,
  },
  {
    what: 'a disk that has room again mends nothing',
    kinds: ['disk_full'],
    plant: () =>
      plant(Ledger, 'probe', () => {
        return function () {
          throw new Error('database or disk is full')
        }
      }),
  },
  {
    what: 'a new process finds its cell armed',
    kinds: ['agent_killed'],
    plant: gatewayVariants.trustsANewProcess,
  },
]
