// The σ thresholds in force: the site's own, tightened by its alert level, never loosened.
import type { Policy } from '../../protocol/policy.ts'

export type Thresholds = { readonly advisory: number; readonly warning: number }

const tightening: Readonly<Record<Policy['alert_level'], number>> = {
  normal: 1,
  elevated: 0.8,
  high: 0.6,
}

/** The thresholds in force; a warning threshold below the advisory one pulls it down. */
export function thresholdsOf(policy: Pick<Policy, 'injection' | 'alert_level'>): Thresholds {
  const factor = tightening[policy.alert_level]
  const warning = policy.injection.warning * factor
  return { advisory: Math.min(policy.injection.advisory * factor, warning), warning }
}
