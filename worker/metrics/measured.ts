// What was measured of the work itself: `go`, stops, judges.
import { measureBounds, readMeasures, type MeasureRow } from '../../adapters/measures-d1.ts'
import { histogram, type Family, type Labels, type Sample } from './text.ts'

/** Rows of one site and label, together. */
function groups(rows: readonly MeasureRow[]): MeasureRow[][] {
  const found = new Map<string, MeasureRow[]>()
  for (const row of rows) {
    const key = JSON.stringify([row.site, row.label])
    found.set(key, [...(found.get(key) ?? []), row])
  }
  return [...found.values()]
}

function samplesOf(
  rows: readonly MeasureRow[],
  bounds: readonly number[],
  labels: (row: MeasureRow) => Labels,
): Sample[] {
  return groups(rows).flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const counts = new Map(group.map(({ le, n }) => [le === -1 ? Infinity : le, n]))
    const sum = group.reduce((all, { total }) => all + total, 0)
    return histogram(labels(first), bounds, counts, sum)
  })
}

/** Families by site, and by vendor where a vendor did it. Throws when D1 is down. */
export async function measuredFamilies(db: D1Database): Promise<Family[]> {
  const all = await readMeasures(db)
  const of = (name: MeasureRow['name']): MeasureRow[] => all.filter((row) => row.name === name)
  const bySite = ({ site }: MeasureRow): Labels => ({ site })
  const byVendor = ({ site, label }: MeasureRow): Labels => ({ site, vendor: label })
  const byOutcome = ({ site, label }: MeasureRow): Labels => {
    const [vendor = '', outcome = ''] = label.split(' ')
    return { site, vendor, outcome }
  }
  const outcomes = of('judge_outcomes')
  return [
    {
      name: 'portcullis_go_seconds',
      help: 'From the start of a step that arrived to the go that left.',
      type: 'histogram',
      samples: samplesOf(of('go_seconds'), measureBounds.go_seconds, bySite),
    },
    {
      name: 'portcullis_stop_seconds',
      help: 'From the wish to stop a session to its end.',
      type: 'histogram',
      samples: samplesOf(of('stop_seconds'), measureBounds.stop_seconds, bySite),
    },
    {
      name: 'portcullis_judge_seconds',
      help: 'How long a judge or chief took.',
      type: 'histogram',
      samples: samplesOf(of('judge_seconds'), measureBounds.judge_seconds, byVendor),
    },
    {
      name: 'portcullis_judges_total',
      help: 'Judges and chiefs that were asked, by how that ended.',
      type: 'counter',
      samples: outcomes.map((row) => ({ labels: byOutcome(row), value: row.n })),
    },
    {
      name: 'portcullis_judge_cost_usd_total',
      help: 'What they cost, as far as prices are known.',
      type: 'counter',
      samples: outcomes.map((row) => ({ labels: byOutcome(row), value: row.total })),
    },
  ]
}
