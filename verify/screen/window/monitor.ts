// The long-window monitor: what recent plans of a planner, its owner and the site say about a new one.
// Pure over the window that the site kept; each rule gives at most a few findings, all of them flags.
import type { Finding } from '../../../protocol/finding.ts'
import type { WindowEntry } from '../../../protocol/snapshot.ts'
import { report } from '../report.ts'
import { lineageOf } from './lineage.ts'
import { metBy, wantedBy } from './marks.ts'
import { sameSketch, similarity, unionOf } from './minhash.ts'
import { windowRules } from './rules.ts'

/** The new plan as an entry; it has no verdict yet. `raising` are capabilities that can do harm. */
export type Current = Omit<WindowEntry, 'plan' | 'verdict' | 'decided_ms'> & {
  readonly thresholds: { readonly advisory: number; readonly warning: number }
  readonly sensitive: ReadonlySet<string>
}

type Rule = (now: Current, window: readonly WindowEntry[]) => Finding[]

const within = (now: Current, entry: WindowEntry, ms: number): boolean =>
  now.at_ms - entry.at_ms <= ms

const related = (now: Current, entry: WindowEntry): boolean =>
  entry.planner === now.planner || entry.owner === now.owner

const percent = (share: number): number => Math.round(share * 100) / 100

/** Refused versions that this plan names and whose deterministic codes are gone. */
function mended(now: Current, window: readonly WindowEntry[]): ReadonlySet<string> {
  const lineage = lineageOf(now.supersedes, window)
  const still = new Set(now.codes)
  return new Set(
    lineage.filter(({ codes }) => codes.every((code) => !still.has(code))).map(({ plan }) => plan),
  )
}

/** A near-copy of something refused, by the same planner or owner, that does not own up to it. */
const probing: Rule = (now, window) => {
  const excused = mended(now, window)
  let best: { entry: WindowEntry; share: number } | null = null
  for (const entry of window) {
    if (entry.verdict !== 'reject' || !related(now, entry) || excused.has(entry.plan)) continue
    if (!within(now, entry, windowRules.probingMs)) continue
    const share = similarity(now.sketch, entry.sketch)
    if (share >= windowRules.nearCopy && share > (best?.share ?? 0)) best = { entry, share }
  }
  if (best === null) return []
  const facts = { plan: best.entry.plan, similarity: percent(best.share) }
  return [report('WINDOW_PROBING', 'flag', '', facts)]
}

const burst: Rule = (now, window) => {
  const refused = window.filter(
    (entry) => entry.verdict === 'reject' && within(now, entry, windowRules.burstMs),
  )
  const ofPlanner = refused.filter(({ planner }) => planner === now.planner).length
  const ofOwner = refused.filter(({ owner }) => owner === now.owner).length
  const over = ofPlanner >= windowRules.burstOfPlanner || ofOwner >= windowRules.burstOfOwner
  if (!over) return []
  const facts = { of_planner: ofPlanner, of_owner: ofOwner, within_ms: windowRules.burstMs }
  return [report('WINDOW_REJECTION_BURST', 'flag', '', facts)]
}

/** Weak signs of injection in several plans of one sitting that together reach the warning. */
const splitText: Rule = (now, window) => {
  const { advisory, warning } = now.thresholds
  const least = advisory / 2
  if (now.sigma < least) return []
  const others = window
    .filter((entry) => related(now, entry) && within(now, entry, windowRules.splitMs))
    .filter((entry) => entry.sigma >= least && !sameSketch(entry.sketch, now.sketch))
    .map(({ sigma }) => sigma)
    .toSorted((a, b) => b - a)
    .slice(0, windowRules.splitPlansMax - 1)
  const sum = others.reduce((total, sigma) => total + sigma, now.sigma)
  // Two plans at the advisory threshold are chance; three that add up to both thresholds are not.
  if (others.length < 2 || sum < advisory + warning) return []
  const facts = { plans: others.length + 1, sigma: percent(sum) }
  return [report('WINDOW_SPLIT_INSTRUCTIONS', 'flag', '', facts)]
}

/**
 * When each guard was last shut by a plan that was accepted. One that was only submitted, waits for a
 * person or was withdrawn has shut nothing.
 */
function lastShut(window: readonly WindowEntry[]): Map<string, number> {
  const out = new Map<string, number>()
  for (const { marks, at_ms, verdict } of window) {
    if (verdict !== 'accept') continue
    for (const mark of marks) {
      if (!mark.startsWith('shut:')) continue
      const guard = mark.slice('shut:'.length)
      out.set(guard, Math.max(out.get(guard) ?? 0, at_ms))
    }
  }
  return out
}

/**
 * True when the guard that the entry opens was shut again for certain: by a plan that came in after the
 * opening one had been decided. An opening that is still undecided may run after any shutting.
 */
function shutAgain(entry: WindowEntry, mark: string, shut: ReadonlyMap<string, number>): boolean {
  if (!mark.startsWith('open:') || entry.verdict !== 'accept') return false
  return (shut.get(mark.slice('open:'.length)) ?? 0) > (entry.decided_ms ?? entry.at_ms)
}

const reachMs = {
  contents: windowRules.contentsMs,
  sitting: windowRules.readThenSendMs,
  window: windowRules.keptMs,
} as const

/** The other half of a risk in an earlier plan that was not refused. */
const splitRisk: Rule = (now, window) => {
  const wanted = wantedBy(now.marks)
  if (wanted.size === 0) return []
  const shut = lastShut(window)
  const out: Finding[] = []
  for (const entry of window) {
    if (entry.verdict === 'reject' || sameSketch(entry.sketch, now.sketch)) continue
    for (const mark of entry.marks) {
      if (shutAgain(entry, mark, shut)) continue
      // Forgotten marks of a stranger's plan count once somebody has let that plan run.
      const strange = !related(now, entry) && entry.verdict !== 'accept'
      if (strange && mark.startsWith('more:')) continue
      for (const risk of metBy(mark, wanted)) {
        if (!within(now, entry, reachMs[risk.within])) continue
        // Reading and sending by different people is daily work unless the record is the same.
        if (risk.within === 'sitting' && !related(now, entry)) continue
        const code =
          entry.planner === now.planner ? 'WINDOW_SPLIT_INSTRUCTIONS' : 'WINDOW_COLLUSION'
        out.push(report(code, 'flag', '', { plan: entry.plan, risk: risk.risk }))
      }
    }
  }
  return unique(out)
}

/** One finding for each code and risk; the same pair may occur in many plans. */
function unique(findings: readonly Finding[]): Finding[] {
  const byRisk = new Map<string, Finding>()
  for (const item of findings) {
    const key = `${item.code} ${String(item.facts['risk'])}`
    if (!byRisk.has(key)) byRisk.set(key, item)
  }
  return [...byRisk.values()].slice(0, 10)
}

/** Plans that are parts of one refused plan, the new one among them. */
const parts: Rule = (now, window) => {
  const lineage = new Set(lineageOf(now.supersedes, window).map(({ plan }) => plan))
  const wholes = window
    .filter(({ verdict, plan }) => verdict === 'reject' && !lineage.has(plan))
    .filter((entry) => within(now, entry, windowRules.probingMs))
    .map((refused) => ({ refused, own: similarity(now.sketch, refused.sketch) }))
    .filter(({ own }) => own >= windowRules.partAtLeast && own < windowRules.nearCopy)
    .toSorted((a, b) => b.own - a.own)
    .slice(0, windowRules.wholesMax)
  for (const { refused, own } of wholes) {
    const others = window
      .filter((x) => x.at_ms > refused.at_ms && x.verdict !== 'reject')
      .filter((x) => !sameSketch(x.sketch, now.sketch))
      .map((entry) => ({ entry, share: similarity(entry.sketch, refused.sketch) }))
      .filter(({ share }) => share >= windowRules.partAtLeast && share < windowRules.nearCopy)
      .toSorted((a, b) => b.share - a.share)
      .slice(0, windowRules.partsMax - 1)
    if (others.length === 0) continue
    const whole = unionOf([now.sketch, ...others.map(({ entry }) => entry.sketch)])
    const share = similarity(whole, refused.sketch)
    const grown = share > Math.max(own, ...others.map((x) => x.share))
    if (share < windowRules.partsTogether || !grown) continue
    const alone = others.every(({ entry }) => entry.planner === now.planner)
    const code = alone ? 'WINDOW_SPLIT_INSTRUCTIONS' : 'WINDOW_COLLUSION'
    const facts = { plan: refused.plan, parts: others.length + 1, similarity: percent(share) }
    return [report(code, 'flag', '', facts)]
  }
  return []
}

/** Step by step, plans that each use a capability which was new to the planner. */
const creep: Rule = (now, window) => {
  const own = window
    .filter((entry) => entry.planner === now.planner && entry.verdict !== 'reject')
    .toSorted((a, b) => a.at_ms - b.at_ms)
  if (own.length < windowRules.habitPlansMin) return []
  const known = new Set<string>()
  const steps: number[] = []
  for (const [i, entry] of own.entries()) {
    const fresh = entry.capabilities.filter((capability) => !known.has(capability))
    for (const capability of fresh) known.add(capability)
    const sensitive = fresh.some((capability) => now.sensitive.has(capability))
    if (i >= windowRules.habitPlansMin && sensitive) steps.push(i)
  }
  const added = now.capabilities.filter((x) => !known.has(x) && now.sensitive.has(x))
  if (added.length === 0) return []
  const recent = steps.filter((i) => i >= own.length - windowRules.creepPlans).length
  if (recent + 1 < windowRules.creepSteps) return []
  const facts = { added: added.join(' '), steps: recent + 1, plans: own.length }
  return [report('WINDOW_CAPABILITY_CREEP', 'flag', '', facts)]
}

const retries: Rule = (now, window) => {
  const refused = lineageOf(now.supersedes, window).filter(({ verdict }) => verdict === 'reject')
  if (refused.length < windowRules.retriesMax) return []
  return [report('WINDOW_RETRIES', 'flag', '/supersedes', { refused: refused.length })]
}

const rules: readonly Rule[] = [probing, burst, splitText, splitRisk, parts, creep, retries]

/** Findings about a new plan from what the site remembers. Entries of the future are ignored. */
export function monitor(now: Current, window: readonly WindowEntry[]): Finding[] {
  const past = window.filter(
    (entry) => entry.at_ms <= now.at_ms && now.at_ms - entry.at_ms <= windowRules.keptMs,
  )
  if (past.length === 0) return []
  return rules.flatMap((rule) => rule(now, past))
}
