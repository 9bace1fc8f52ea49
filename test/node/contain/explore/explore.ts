// Walks through every world that can be reached, breadth first, so that the way to a broken sentence is
// the shortest one. Worlds are kept as digests, and the worlds themselves only while they wait their turn.
import { createHash } from 'node:crypto'
import { hasEnded } from '../../../../contain/session-state.ts'
import { broken } from './holds.ts'
import { Mover, opening } from './moves.ts'
import { keyOf, type Graph, type Parts, type World } from './world.ts'

export type Explored = {
  readonly states: number
  readonly moves: number
  readonly ended: number
  /** The sentence that does not hold, and the way there; null when all hold everywhere. */
  readonly found: { readonly sentence: string; readonly way: readonly string[] } | null
}

/** How a world was reached. */
type Way = { readonly name: string; readonly from: Way | null }

const stepsOf = (way: Way | null): string[] =>
  way === null ? [] : [...stepsOf(way.from), way.name]

/** Half of a digest of the key: among a hundred million worlds two meet once in ten thousand walks. */
const idOf = (world: World): bigint =>
  createHash('sha1').update(keyOf(world)).digest().readBigUInt64LE()

export function explore(graph: Graph, parts: Parts, faults: number): Explored {
  const mover = new Mover(graph, parts)
  const first = opening(graph, parts, faults)
  const seen = new Set([idOf(first)])
  let waiting: { world: World; way: Way }[] = [{ world: first, way: { name: 'open', from: null } }]
  let moves = 0
  let ended = 0
  while (waiting.length > 0) {
    const next: typeof waiting = []
    for (const { world, way } of waiting) {
      if (hasEnded(world.state)) ended++
      for (const move of mover.all(world)) {
        moves++
        const sentence = broken(graph, world, move)
        if (sentence !== null) {
          const found = { sentence, way: [...stepsOf(way), move.name] }
          return { states: seen.size, moves, ended, found }
        }
        const id = idOf(move.to)
        if (seen.has(id)) continue
        seen.add(id)
        next.push({ world: move.to, way: { name: move.name, from: way } })
      }
    }
    waiting = next
  }
  return { states: seen.size, moves, ended, found: null }
}
