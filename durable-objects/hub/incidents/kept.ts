// What is kept of incidents between two looks: since when each stands and whether people were told.
import { z } from 'zod'
import { incidentSchema, type Incident } from '../../../protocol/incident.ts'
import type { HubStore } from '../store.ts'

export type Kept = Pick<Incident, 'kind' | 'since_ms' | 'facts'> & { readonly told: boolean }

const keptSchema = incidentSchema.pick({ kind: true, since_ms: true, facts: true }).extend({
  told: z.boolean(),
})

/** Names that the release before has for what it told, in the setting `told`. */
const older: Readonly<Record<string, Incident['kind']>> = {
  cell_needs_clearance: 'cell_latched',
  stop_not_reached: 'stop_unconfirmed',
}

/** By kind and what it is about. A row that cannot be read is told again rather than lost. */
export function readKept(store: HubStore): Map<string, Kept> {
  const kept = new Map<string, Kept>()
  const text = store.get('incidents')
  if (text === null) {
    for (const key of Object.keys(objectOf(store.get('told')))) {
      const [event = '', ...about] = key.split('/')
      const kind = older[event]
      if (kind === undefined) continue
      kept.set(`${kind}/${about.join('/')}`, { kind, since_ms: Date.now(), told: true, facts: {} })
    }
    return kept
  }
  for (const [key, value] of Object.entries(objectOf(text))) {
    const read = keptSchema.safeParse(value)
    if (read.success) kept.set(key, read.data)
  }
  return kept
}

function objectOf(text: string | null): Record<string, unknown> {
  try {
    return z
      .record(z.string(), z.unknown())
      .catch({})
      .parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}
