// The order: against another algorithm, on random graphs, whatever the order of the array.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { topologicalOrder, validateGraph } from '../../../protocol/graph.ts'
import { limits } from '../../../protocol/limits.ts'

const seed = Number(process.env['PORTCULLIS_SEED'] ?? Date.now() % 2 ** 31)
type Node = { id: string; depends_on: string[] }

const ids = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,3}$/), {
  minLength: 1,
  maxLength: 30,
})
const dag: fc.Arbitrary<Node[]> = ids.chain((names) =>
  fc
    .array(fc.array(fc.nat({ max: 29 }), { maxLength: 4 }), {
      minLength: names.length,
      maxLength: names.length,
    })
    .map((picks) =>
      names.map((id, i) => ({
        id,
        depends_on: [...new Set((picks[i] ?? []).filter((j) => j < i))].map((j) => names[j] ?? ''),
      })),
    ),
)

/** The definition itself: again and again the smallest id whose dependencies are all done. */
function byDefinition(nodes: readonly Node[]): string[] {
  const done: string[] = []
  while (done.length < nodes.length) {
    const ready = nodes.filter(
      ({ id, depends_on }) => !done.includes(id) && depends_on.every((dep) => done.includes(dep)),
    )
    const least = ready.map(({ id }) => id).reduce((a, b) => (b < a ? b : a))
    done.push(least)
  }
  return done
}

const name = (i: number) => `n${String(i).padStart(3, '0')}`

describe('the order', () => {
  test(`is the smallest ready id at each step, whatever the array order (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        dag.chain((nodes) =>
          fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: nodes.length })),
        ),
        ([nodes, shuffled]) => {
          expect(validateGraph(shuffled)).toEqual([])
          expect(topologicalOrder(shuffled)).toEqual(byDefinition(nodes))
        },
      ),
      { seed, numRuns: 2_000 },
    )
  })

  test('is by UTF-16 units, not by language', () => {
    const nodes = ['b', 'a', 'B', '_', '10', '9'].map((id) => ({ id, depends_on: [] }))
    expect(topologicalOrder(nodes)).toEqual(['10', '9', 'B', '_', 'a', 'b'])
  })

  test('does not exist for a graph that is not valid', () => {
    expect(() => topologicalOrder([{ id: 'a', depends_on: ['a'] }])).toThrow(TypeError)
    expect(() => topologicalOrder([{ id: 'a', depends_on: ['x'] }])).toThrow(TypeError)
    const twice = { id: 'a', depends_on: [] }
    expect(() => topologicalOrder([twice, twice])).toThrow(TypeError)
  })

  test('of the largest graph is found at once, whatever its shape', () => {
    const count = limits.nodesMax
    const full = Array.from({ length: count }, (_, i) => ({
      id: name(i),
      depends_on: Array.from({ length: i }, (__, j) => name(j)),
    }))
    const started = performance.now()
    expect(topologicalOrder(full)).toEqual(full.map(({ id }) => id))
    expect(performance.now() - started).toBeLessThan(1_000)
  })
})

describe('a cycle', () => {
  test('is named with its path, from its smallest id', () => {
    const nodes = [
      { id: 's', depends_on: [] },
      { id: 'x', depends_on: ['s', 'z'] },
      { id: 'y', depends_on: ['x'] },
      { id: 'z', depends_on: ['y'] },
      { id: 'after', depends_on: ['x'] },
    ]
    expect(validateGraph(nodes)).toEqual([
      { code: 'cycle', at: '/nodes/1/depends_on', message: 'cycle: x → z → y → x' },
    ])
  })

  test(`is found in every graph that has one, and its path is one (seed ${seed})`, () => {
    fc.assert(
      fc.property(dag, fc.nat(), fc.nat(), (nodes, a, b) => {
        const order = topologicalOrder(nodes)
        const early = nodes.find(({ id }) => id === order[a % order.length])
        const late = order.slice(a % order.length)[b % (order.length - (a % order.length))]
        // An edge from an earlier node to a later one closes a cycle if the later needs the earlier.
        if (early === undefined || late === undefined || late === early.id) return
        const closed = nodes.map((node) =>
          node === early && !node.depends_on.includes(late)
            ? { ...node, depends_on: [...node.depends_on, late] }
            : node,
        )
        const found = validateGraph(closed)
        if (!reaches(nodes, late, early.id)) {
          expect(found).toEqual([])
          return
        }
        expect(found[0]?.code).toBe('cycle')
        const path = (found[0]?.message ?? '').replace('cycle: ', '').split(' → ')
        expect(path[0]).toBe(path.at(-1))
        for (const [i, id] of path.slice(0, -1).entries()) {
          expect(closed.find((node) => node.id === id)?.depends_on).toContain(path[i + 1])
        }
      }),
      { seed, numRuns: 2_000 },
    )
  })
})

/** True when `from` depends on `to`, directly or not. */
function reaches(nodes: readonly Node[], from: string, to: string): boolean {
  const open = [from]
  const seen = new Set<string>()
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(nodes.find((node) => node.id === id)?.depends_on ?? []))
  }
  return false
}
