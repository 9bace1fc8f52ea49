// What the dry run found, as evidence: breaches and unknowns of physics, limits and site rules.
import type { Rule } from './rule.ts'

/** Every finding of the trace, unchanged: its codes are its own. */
export const fromTrace: Rule = {
  id: 'dry_run',
  check: ({ trace, scene }) => {
    const byAt = new Map(scene.steps.map((step) => [step.at, step.node.id]))
    const nodeOf = (at: string): string | null => {
      const [, root, index] = at.split('/')
      return root === 'nodes' ? (byAt.get(`/nodes/${index ?? ''}`) ?? null) : null
    }
    return {
      breaches: trace.findings
        .filter((f) => f.kind === 'breach')
        .map((f) => ({
          code: f.code,
          node: nodeOf(f.at),
          at: f.at,
          verdict: f.verdict,
          facts: { ...f.facts },
          ...(f.rule === null ? {} : { rule: f.rule }),
          ...(f.remedy === null ? {} : { remedy: f.remedy }),
        })),
      unknowns: trace.findings
        .filter((f) => f.kind === 'unknown')
        .map((f) => ({
          code: f.code,
          node: nodeOf(f.at),
          at: f.at,
          what:
            f.rule === null
              ? 'A fact that the step needs is not known.'
              : `Rule ${f.rule} is open.`,
          facts: { ...f.facts },
        })),
    }
  },
}
