// What cannot be undone: things that go where nothing comes back from need the owner's recorded
// sign-off, looked up by the gateway.
import { actsOf, thingsOf, unknown, valuesOf, type Rule } from './rule.ts'

/** Kinds whose disposal is ordinary: tips, gloves, empty packaging. */
const disposableClasses = new Set(['tip_rack'])

export const finalDisposal: Rule = {
  id: 'final_disposal',
  check: ({ scene, registry, state }) => {
    const finals = new Set(registry.devices.filter((d) => d.final).map((d) => d.id))
    const kinds = new Map(registry.kinds.map((kind) => [kind.id, kind]))
    const signed = new Set(state.approvals.map((approval) => approval.subject))
    return {
      unknowns: actsOf(scene, 'carry', 'place', 'discard').flatMap(({ step, act }) => {
        const into = ['to', 'place', 'into'].flatMap((role) =>
          valuesOf(act, role, 'thing', 'place'),
        )
        if (!into.some(({ ref }) => ref.id !== null && finals.has(ref.id))) return []
        const things = ['thing', 'what'].flatMap((role) => valuesOf(act, role, 'thing'))
        const open = things.filter(
          ({ ref }) =>
            !disposableClasses.has(kinds.get(ref.kind ?? '')?.class ?? '') &&
            !signed.has(ref.id ?? ref.raw),
        )
        const [first] = open
        if (first === undefined && things.length > 0) return []
        const at = first?.at ?? thingsOf(act)[0]?.at ?? step.at
        return [
          unknown('FINAL_WITHOUT_RECORD', { step, at }, 'The owner’s sign-off is not recorded.'),
        ]
      }),
    }
  },
}
