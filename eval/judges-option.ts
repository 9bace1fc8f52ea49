// `--judges` and `--depth`: which panel judges an evaluation, and with which endpoints. Live needs
// keys in the environment; without them the panel is an outage and every plan escalates.
import type { Policy } from '../protocol/policy.ts'

export type JudgesChoice = { policy: Partial<Policy>; vars: Record<string, string> }

const depths = [1, 3, 5, 7] as const

/** Policy changes and Worker variables for the two options. Throws with what is allowed. */
export function judgesFrom(
  judges: string,
  depth: string | null,
  env: Readonly<Record<string, string | undefined>>,
): JudgesChoice {
  const least = depth === null ? null : depths.find((allowed) => String(allowed) === depth)
  if (least === undefined) throw new Error(`--depth takes 1, 3, 5 or 7, got ${depth}`)
  const deep: Partial<Policy> = least === null ? {} : { least_depth: least }
  if (judges === 'offline') return { policy: { ...deep, panel: 'offline' }, vars: {} }
  if (judges === 'live') {
    const endpoints = env['MODEL_ENDPOINTS']
    const prices = env['MODEL_PRICES']
    return {
      policy: { ...deep, panel: 'live' },
      vars: {
        ...(endpoints === undefined ? {} : { MODEL_ENDPOINTS: endpoints }),
        ...(prices === undefined ? {} : { MODEL_PRICES: prices }),
      },
    }
  }
  throw new Error(`--judges takes offline, live or replay:FILE, got ${judges}`)
}
