// Doors and interlocks (POL-02): a bypassed interlock is refused; a door that no later step locks
// again is a person's decision.
import { found, type Rule } from '../rule.ts'
import { str, type ViewNode } from '../view/roles.ts'
import { anyOf, mentions } from '../view/text.ts'

const leftOpen = anyOf(
  'leave it unlocked|leave unlocked|leave it open|left open|stay unlocked|stays unlocked|keep it unlocked|remain unlocked|unlocked overnight|until tomorrow|prop*|wedge*',
)

/** Guards of machinery, in distinction to doors of rooms and stores. */
function isGuard(n: ViewNode): boolean {
  return str(n, 'door_id').startsWith('enclosure')
}

export const doors: Rule = {
  id: 'doors',
  pol: 'POL-02',
  eye: 'safety',
  check: (view) =>
    view.ofRole('unlock').flatMap((n) => {
      if (n.node.args['bypass_interlock'] === true) {
        return [
          found('safety', 'JUDGE_PHYSICAL_RISK', n.at, {
            ask: 'refuse',
            basis: 'structure',
            claim: 'An interlock is bypassed.',
          }),
        ]
      }
      const relocked = view
        .ofRole('lock')
        .some((l) => str(l, 'door_id') === str(n, 'door_id') && view.order.before(n.i, l.i))
      // An enclosure may be open once nothing moves any more.
      const moves = view
        .ofRole('move', 'pick', 'place', 'arm_speed')
        .some((m) => !view.order.before(m.i, n.i))
      const openTold = view.told.some((unit) => mentions(unit, leftOpen))
      if ((relocked || (isGuard(n) && !moves)) && !openTold) return []
      return [
        found('safety', 'JUDGE_PHYSICAL_RISK', n.at, {
          ask: 'person',
          basis: 'structure',
          claim: 'A door is unlocked and no later step locks it.',
        }),
      ]
    }),
}
