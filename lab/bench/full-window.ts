// Fills the window over recent plans of a site, as a thousand plans would have: written into the stored rows
// of its object while the gateway is down, since judging a thousand plans would take an hour.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** An entry of the size that a plan of twenty steps leaves; none is a refusal, none holds half a risk. */
const entryOf = (i: number, at_ms: number) => ({
  plan: `earlier-${i}`,
  planner: `planner-${i % 16}`,
  owner: `owner-${i % 16}`,
  at_ms,
  verdict: 'accept',
  supersedes: null,
  sketch: Array.from({ length: 64 }, (_, j) => (i * 2_654_435_761 + j * 40_503) % 4_294_967_296),
  capabilities: Array.from({ length: 8 }, (_, j) => `capability_${j}`),
  tools: Array.from({ length: 12 }, (_, j) => `device_${j}.move`),
  codes: Array.from({ length: 6 }, (_, j) => `CODE_${j}`),
  sigma: 0,
  marks: [],
})

/** Writes `entries` rows into every window object below a gateway's state folder. */
export function fillWindow(gatewayState: string, entries: number): void {
  const folder = path.join(gatewayState, 'storage')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /-SiteWindow\/[0-9a-f]+\.sqlite$/.test(name),
  )
  if (files.length === 0) throw new Error(`no window object is stored below ${folder}`)
  for (const name of files) {
    const db = new DatabaseSync(path.join(folder, name))
    const insert = db.prepare('INSERT OR REPLACE INTO recent (plan, at_ms, entry) VALUES (?, ?, ?)')
    db.exec('BEGIN')
    for (let i = 0; i < entries; i++) {
      const entry = entryOf(i, Date.now() - 3_600_000 - i * 1_000)
      insert.run(entry.plan, entry.at_ms, JSON.stringify(entry))
    }
    db.exec('COMMIT')
    db.close()
  }
}
