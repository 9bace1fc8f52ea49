// The rule-based readers as the pipeline takes them.
import type { RuleReaders } from '../../judge.ts'
import { evidenceOfRules } from '../../decide/rule-evidence.ts'
import { judgeOffline, verdictOf } from './judge-offline.ts'

export { judgeOffline, verdictOf } from './judge-offline.ts'

/** What the rules find in one plan: breaches, unknowns and doubts. They have no vote. */
export const offlineRules: RuleReaders = (plan, site) =>
  evidenceOfRules(plan, judgeOffline(plan, site), verdictOf)
