// What a rule of the site lets a plan leave on or open. It has to cover every act of the plan that switched
// the thing on, or opened it: one act that no such rule covers, and the finding stands.
import type { SiteRule } from '../../protocol/site-file.ts'
import type { SceneAct } from '../read/scene.ts'
import type { TraceFinding } from '../simulate/trace.ts'

/** An act of the plan, with the rules that are known to apply to it and to hold. */
export type Covered = { readonly act: SceneAct; readonly rules: readonly SiteRule[] }

const openers: ReadonlySet<string> = new Set(['open', 'set_opening', 'unlock'])

/** Whether an act may have set this thing; one whose thing is not known may have set any. */
function sets(act: SceneAct, role: string, thing: string): boolean {
  return (act.roles[role] ?? []).some(
    (value) => value.kind === 'thing' && (value.ref.id === null || value.ref.id === thing),
  )
}

function allowed(acts: readonly Covered[], leaves: 'on' | 'open'): boolean {
  return acts.length > 0 && acts.every(({ rules }) => rules.some((r) => r.leaves === leaves))
}

/** Whether the site's rules let the plan leave what a finding says is left. */
export function mayStay(finding: TraceFinding, acts: readonly Covered[]): boolean {
  const { thing } = finding.facts
  if (typeof thing !== 'string') return false
  if (finding.code === 'DRYRUN_LEFT_ON') {
    const by = acts.filter(({ act }) => act.family === 'energy' && sets(act, 'device', thing))
    return allowed(by, 'on')
  }
  if (finding.code === 'DRYRUN_LEFT_OPEN') {
    const by = acts.filter(({ act }) => openers.has(act.act) && sets(act, 'barrier', thing))
    return allowed(by, 'open')
  }
  return false
}
