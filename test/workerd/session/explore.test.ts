// Every world that a session can come into, for every graph of up to two nodes (four in the long run), with
// two processes of the agent, an operator, the clock, and two of resets, cuts and changes of the site (one
// in graphs of more than two nodes): states are counted, what must hold holds in each, and each planted
// fault is found (invariants 1, 2, 12 and 13). Rows are the object's own, in its own SQLite.
import { runInDurableObject } from 'cloudflare:test'
import { describe, expect, test } from 'vitest'
import type { SessionState } from '../../../contain/session-state.ts'
import { SessionStore } from '../../../durable-objects/session/store.ts'
import { explore } from './explore/explore.ts'
import { variants } from './explore/variants.ts'
import { graphs, realParts, type Graph, type Parts } from './explore/world.ts'
import { testEnv } from './agent.ts'

const nodesMax = Number(testEnv.EXPLORE_NODES)

/** Runs `work` with rows that are written to and read from the storage of a session object. */
function withRows<T>(work: (partsOf: (graph: Graph) => Parts) => T): Promise<T> {
  const stub = testEnv.EXECUTION_SESSION.getByName('explored')
  return runInDurableObject(stub, (_, { storage }) => {
    const store = new SessionStore(storage.sql)
    store.create()
    return work((graph) =>
      realParts((state: SessionState) => {
        for (const table of ['session', 'nodes']) storage.sql.exec(`DELETE FROM ${table}`)
        store.save(null, state)
        return store.state(graph.binding)
      }),
    )
  })
}

describe('every world of a session', () => {
  const sizes = Array.from({ length: nodesMax }, (_, i) => i + 1)
  test.each(sizes)('of %i nodes keeps what must hold', async (n) => {
    const seen = await withRows((partsOf) =>
      graphs(n).map((graph) => explore(graph, partsOf(graph))),
    )
    for (const { found } of seen) expect(found).toBe(null)
    const sum = (count: (one: (typeof seen)[0]) => number) =>
      seen.reduce((total, one) => total + count(one), 0)
    const states = sum((one) => one.states)
    console.log(
      `${n} nodes: ${seen.length} graphs, ${states} states, ${sum((one) => one.moves)} moves`,
    )
    // A walk that ends at the door would find nothing.
    expect(sum((one) => one.ended)).toBeGreaterThan(states / 4)
    expect(states).toBeGreaterThan(3_000)
  })

  test.each(variants)('shows it when %s', async (_, change) => {
    const seen = await withRows((partsOf) => {
      const [graph] = graphs(2).slice(-1) as [Graph]
      const real = partsOf(graph)
      return explore(graph, { ...real, ...change(real) })
    })
    expect(seen.found).not.toBe(null)
    console.log(`${seen.found?.sentence}: ${seen.found?.way.join(', ')}`)
  })
})
