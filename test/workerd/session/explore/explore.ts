// Walks through every world that can be reached, breadth first, so that the way to a broken sentence is
// the shortest one.
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

type Visit = { readonly world: World; readonly name: string; readonly from: Visit | null }

function wayTo(visit: Visit | null): string[] {
  return visit === null ? [] : [...wayTo(visit.from), visit.name]
}

export function explore(graph: Graph, parts: Parts): Explored {
  const mover = new Mover(graph, parts)
  const first = opening(graph, parts)
  const seen = new Set([keyOf(first)])
  const queue: Visit[] = [{ world: first, name: 'open', from: null }]
  let moves = 0
  let ended = 0
  for (let i = 0; i < queue.length; i++) {
    const visit = queue[i] as Visit
    if (hasEnded(visit.world.state)) ended++
    for (const move of mover.all(visit.world)) {
      moves++
      const next = { world: move.to, name: move.name, from: visit }
      const sentence = broken(graph, visit.world, move)
      if (sentence !== null) {
        return { states: seen.size, moves, ended, found: { sentence, way: wayTo(next) } }
      }
      const key = keyOf(move.to)
      if (seen.has(key)) continue
      seen.add(key)
      queue.push(next)
    }
  }
  return { states: seen.size, moves, ended, found: null }
}
