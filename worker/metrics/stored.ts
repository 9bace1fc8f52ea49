// What D1 knows: plans, reasons, times, open reviews, spending.
import {
  countCredentials,
  countPlans,
  countReasons,
  openReviews,
  planSeconds,
  spentOn,
  type SecondsBucket,
} from '../../adapters/counts-d1.ts'
import { histogram, type Family, type Sample } from './text.ts'

function secondsOf(buckets: readonly SecondsBucket[], bounds: readonly number[]): Sample[] {
  const groups = new Map<string, SecondsBucket[]>()
  for (const bucket of buckets) {
    const key = JSON.stringify([bucket.site, bucket.stage])
    groups.set(key, [...(groups.get(key) ?? []), bucket])
  }
  return [...groups.values()].flatMap((group) => {
    const [{ site, stage } = { site: '', stage: '' }] = group
    const counts = new Map(group.map(({ le, n }) => [le === -1 ? Infinity : le, n]))
    const sum = group.reduce((total, { seconds }) => total + seconds, 0)
    return histogram({ site, stage }, bounds, counts, sum)
  })
}

/** Families of the whole deployment, by site. Throws when D1 is down: a scrape that fails is seen. */
export async function storedFamilies(db: D1Database, now_ms: number): Promise<Family[]> {
  const day = new Date(now_ms).toISOString().slice(0, 10)
  const [plans, reasons, times, reviews, spent, credentials] = await Promise.all([
    countPlans(db),
    countReasons(db),
    planSeconds(db),
    openReviews(db),
    spentOn(db, day),
    countCredentials(db),
  ])
  const seconds = (ms: number): number => Math.max(0, ms) / 1_000
  return [
    {
      name: 'portcullis_plans',
      help: 'Plans by state and verdict.',
      type: 'gauge',
      samples: plans.map(({ site, state, verdict, n }) => ({
        labels: { site, state, verdict: verdict === '' ? 'none' : verdict },
        value: n,
      })),
    },
    {
      name: 'portcullis_reasons_total',
      help: 'Why plans were decided as they were (of="decision") and runs ended (of="run").',
      type: 'counter',
      samples: reasons.map(({ n, ...labels }) => ({ labels, value: n })),
    },
    {
      name: 'portcullis_plan_seconds',
      help: 'Time to the first verdict (stage="verdict"), and from it to the end, people and queue included ("run").',
      type: 'histogram',
      samples: secondsOf(times.buckets, times.bounds),
    },
    {
      name: 'portcullis_reviews_open',
      help: 'Plans that wait for a person.',
      type: 'gauge',
      samples: reviews.map(({ site, n }) => ({ labels: { site }, value: n })),
    },
    {
      name: 'portcullis_review_oldest_seconds',
      help: 'How long the plan that was submitted first has waited for a person.',
      type: 'gauge',
      samples: reviews.map(({ site, oldest_ms }) => ({
        labels: { site },
        value: seconds(now_ms - oldest_ms),
      })),
    },
    {
      name: 'portcullis_review_expires_seconds',
      help: 'Until the first review expires and its plan with it.',
      type: 'gauge',
      samples: reviews.flatMap(({ site, expires_ms }) =>
        expires_ms === null ? [] : [{ labels: { site }, value: seconds(expires_ms - now_ms) }],
      ),
    },
    {
      name: 'portcullis_judge_spend_usd',
      help: 'Set aside for judges today (UTC).',
      type: 'gauge',
      samples: spent.map(({ site, usd }) => ({ labels: { site }, value: usd })),
    },
    {
      name: 'portcullis_credentials',
      help: 'Credentials that are not revoked, by role.',
      type: 'gauge',
      samples: credentials.map(({ site, role, n }) => ({ labels: { site, role }, value: n })),
    },
  ]
}
