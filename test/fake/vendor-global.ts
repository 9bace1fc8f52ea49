// Starts the vendor simulator for tests inside workerd, which cannot open servers themselves. A test
// picks a fault by the model's name: `fault-<kind>` or `fault-status-<n>`; other models answer.
import type { TestProject } from 'vitest/node'
import { startVendorSim } from '../../lab/local/vendor-sim/server.ts'
import type { SimFault, SimRequest } from '../../lab/local/vendor-sim/types.ts'

const kinds = [
  'reset',
  'silent',
  'stall',
  'cut',
  'early_end',
  'truncated',
  'truncated_json',
  'wrong_shape',
  'wrong_wire',
  'refusal',
  'other_plan',
  'smuggled',
  'duplicate_key',
] as const

function faultOf(request: SimRequest): SimFault | null {
  const name = /^fault-(.+)$/.exec(request.model)?.[1]
  if (name === undefined) return null
  const status = /^status-(\d{3})$/.exec(name)?.[1]
  // A pause that no plan waits for, so that the test need not either.
  if (status !== undefined) return { kind: 'status', status: Number(status), retryAfterS: 600 }
  if (name === 'huge') return { kind: 'huge', bytes: 10_000_000 }
  if (name === 'redirect') return { kind: 'redirect', to: 'http://127.0.0.1:9/' }
  const kind = kinds.find((known) => known === name)
  if (kind === undefined) throw new TypeError(`no such fault: ${name}`)
  return { kind }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const sim = await startVendorSim()
  sim.setFault(faultOf)
  project.provide('vendor', sim.url)
  return () => sim.close()
}
