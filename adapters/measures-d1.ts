// Measures of work, by site: how late a `go` was, how long a stop took to reach its session, how long judges
// took, how their calls ended and what they cost. Written beside the work, in one batch, and never in its way.

/** Upper bounds of the buckets, in seconds; a measure without any is only counted and summed. */
export const measureBounds = {
  /** From the `start` that arrived to the `go` that left. */
  go_seconds: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 5],
  /** From a person's wish to the end of the session. */
  stop_seconds: [0.05, 0.1, 0.25, 0.5, 1, 5, 30],
  /** One judge or chief, all samples. */
  judge_seconds: [0.5, 1, 2, 5, 10, 30, 60],
  /** How judges ended; the total is what they cost, in dollars, as far as prices are known. */
  judge_outcomes: [],
} as const satisfies Record<string, readonly number[]>
export type MeasureName = keyof typeof measureBounds

export type Measure = {
  readonly name: MeasureName
  /** Names separated by a blank; '' where nothing is told apart. */
  readonly label: string
  /** Seconds, or dollars. */
  readonly value: number
}

export type MeasureRow = {
  site: string
  name: MeasureName
  label: string
  /** -1: beyond all bounds. */
  le: number
  n: number
  total: number
}

const bucketOf = ({ name, value }: Measure): number => {
  const bounds: readonly number[] = measureBounds[name]
  return bounds.find((bound) => value <= bound) ?? -1
}

/** Adds measures of one site; resolves whatever becomes of it. */
export async function noteMeasures(
  db: D1Database,
  site: string,
  measures: readonly Measure[],
): Promise<void> {
  const rows = new Map<string, { measure: Measure; le: number; n: number; total: number }>()
  for (const measure of measures) {
    const le = bucketOf(measure)
    const key = JSON.stringify([measure.name, measure.label, le])
    const row = rows.get(key) ?? { measure, le, n: 0, total: 0 }
    rows.set(key, { ...row, n: row.n + 1, total: row.total + measure.value })
  }
  if (rows.size === 0) return
  try {
    await db.batch(
      [...rows.values()].map(({ measure, le, n, total }) =>
        db
          .prepare(
            `INSERT INTO measures (site, name, label, le, n, total) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT (site, name, label, le)
               DO UPDATE SET n = n + excluded.n, total = total + excluded.total`,
          )
          .bind(site, measure.name, measure.label, le, n, total),
      ),
    )
  } catch (cause) {
    console.error(JSON.stringify({ event: 'measures_lost', why: String(cause).slice(0, 200) }))
  }
}

/** Everything that was measured: a few rows a site. */
export async function readMeasures(db: D1Database): Promise<MeasureRow[]> {
  const { results } = await db
    .prepare('SELECT site, name, label, le, n, total FROM measures ORDER BY 1, 2, 3, 4')
    .all<MeasureRow>()
  return results
}
