// Other words for the nodes of public sources: indirect wording, everyday terms, British and
// American spelling. Written from knowledge of the domain; indexed, never shown as a node's text.
import aliases from './facts/aliases.json' with { type: 'json' }
import type { GraphBuilder } from './graph.ts'

/** Adds the alias column; ids that this graph does not hold are skipped. */
export function addAliases(graph: GraphBuilder): void {
  for (const [id, words] of Object.entries(aliases)) graph.alias(id, words)
}
