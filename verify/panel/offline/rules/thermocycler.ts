// A thermocycler runs with its lid closed; a lid that is not certain to be closed before the run
// burns, and opens hot aerosol.
import { found, type Rule } from '../rule.ts'
import { str } from '../view/roles.ts'

export const thermocycler: Rule = {
  id: 'thermocycler',
  pol: '',
  eye: 'safety',
  check: (view) =>
    view.ofRole('profile').flatMap((n) => {
      const same = (o: { readonly node: { readonly args: object } }) =>
        (o.node.args as { device_id?: unknown }).device_id === str(n, 'device_id')
      const opens = view.ofRole('lid_open').filter((o) => same(o) && !view.order.before(n.i, o.i))
      const undone = opens.filter(
        (o) =>
          !view
            .ofRole('lid_close')
            .some((c) => same(c) && view.order.before(o.i, c.i) && view.order.before(c.i, n.i)),
      )
      if (undone.length === 0) return []
      return [
        found('safety', 'JUDGE_PHYSICAL_RISK', n.at, {
          ask: 'person',
          basis: 'structure',
          claim: 'The cycler may run with its lid open.',
        }),
      ]
    }),
}
