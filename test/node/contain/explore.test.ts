// Every world that a session can come into, for every graph of up to three nodes (four in the long run), with
// two processes of the agent, an operator, the clock, and two of resets, cuts and changes of the site (one in
// graphs of three nodes, but for the long run): states are counted, what must hold holds in each, and each planted
// fault is found (invariants 1, 2, 12 and 13). Rows are those of the object's own store.
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import type { SessionState } from '../../../contain/session-state.ts'
import { rowsIn } from '../../sim/gateway/session-rows.ts'
import { explore } from './explore/explore.ts'
import { variants } from './explore/variants.ts'
import { graphs, realParts, type Graph, type Parts } from './explore/world.ts'

const long = process.env['PORTCULLIS_EXPLORE_NODES'] !== undefined
const nodesMax = Number(process.env['PORTCULLIS_EXPLORE_NODES'] ?? 3)
const faultsIn = (nodes: number): number => (nodes <= 2 || long ? 2 : 1)
const rows = rowsIn(new DatabaseSync(':memory:'))

/** What the rows give back of a state depends on nothing but the state. */
function partsOf({ binding }: Graph): Parts {
  const kept = new WeakMap<SessionState, SessionState>()
  return realParts((state) => {
    let back = kept.get(state)
    if (back === undefined) {
      const own = rows()
      own.save(null, state, [], 0)
      back = own.state(binding)
      kept.set(state, back)
    }
    return back
  })
}

describe('every world of a session', () => {
  const sizes = Array.from({ length: nodesMax }, (_, i) => i + 1)
  test.each(sizes)(
    'of %i nodes keeps what must hold',
    (n) => {
      const seen = graphs(n).map((graph) => explore(graph, partsOf(graph), faultsIn(n)))
      for (const { found } of seen) expect(found).toBe(null)
      const sum = (count: (one: (typeof seen)[0]) => number) =>
        seen.reduce((total, one) => total + count(one), 0)
      const states = sum((one) => one.states)
      console.log(
        `${n} nodes: ${seen.length} graphs, ${states} states, ${sum((one) => one.moves)} moves`,
      )
      // A walk that ends at the door would find nothing.
      expect(sum((one) => one.ended)).toBeGreaterThan(states / 20)
      expect(states).toBeGreaterThan(1_000)
    },
    3_600_000,
  )

  test.each(variants)('shows it when %s', (_, change) => {
    const [graph] = graphs(2).slice(-1) as [Graph]
    const real = partsOf(graph)
    const { found } = explore(graph, { ...real, ...change(real) }, 2)
    expect(found).not.toBe(null)
    console.log(`${found?.sentence}: ${found?.way.join(', ')}`)
  })
})
