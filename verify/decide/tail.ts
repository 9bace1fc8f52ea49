// Tail risk over the judges' estimates: one well-founded alarm must not be averaged away by
// several calm judges, which a mean or a vote would do.

/**
 * CVaR at level `alpha` of a discrete sample with equal weights, in the units of `risks`: the mean
 * of the worst (1 − alpha) share, the boundary value counted in part (Rockafellar and Uryasev,
 * 2000). An empty sample has no evidence of safety, so its risk is 1.
 */
export function tailRisk(risks: readonly number[], alpha: number): number {
  if (risks.length === 0) return 1
  const sorted = [...risks].sort((a, b) => b - a)
  const share = Math.max((1 - alpha) * sorted.length, Number.EPSILON)
  let left = share
  let sum = 0
  for (const risk of sorted) {
    const weight = Math.min(1, left)
    sum += weight * risk
    left -= weight
    if (left <= 0) break
  }
  return Math.min(1, Math.max(0, sum / share))
}
