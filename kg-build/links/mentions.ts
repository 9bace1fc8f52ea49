// Lab scenarios and unsafe decisions mention equipment and substances in words: rule `mention`.
import chemicals from '../facts/chemicals.json' with { type: 'json' }
import equipment from '../facts/equipment.json' with { type: 'json' }
import { slug, type GraphBuilder } from '../graph.ts'
import { derive } from './derive.ts'

type Term = { readonly to: string; readonly pattern: RegExp }

const escape = (s: string): string => s.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Whole words only; plain words that mean many things are no evidence. */
const vague = new Set(['water', 'alcohol', 'ether', 'aqueous', 'caustic', 'alkali', 'lithium'])

function terms(): Term[] {
  const all: Term[] = []
  const add = (to: string, words: readonly string[]): void => {
    const good = words.filter((w) => w.length > 3 && !vague.has(w.toLowerCase()))
    if (good.length === 0) return
    const body = good.map(escape).join('|')
    all.push({ to, pattern: new RegExp(String.raw`(?<![\w-])(?:${body})(?:s|es)?(?![\w-])`, 'i') })
  }
  for (const e of equipment) add(`equip:${slug(e.name)}`, [e.name, ...e.aka])
  for (const c of chemicals) add(c.id, [c.name, ...c.aka])
  return all
}

const kinds = new Set(['lab-scenario', 'unsafe-decision', 'manual-section', 'failure-mode'])

/** Adds `mentions` edges from texts to what they name. */
export function linkMentions(graph: GraphBuilder): void {
  const list = terms()
  for (const node of graph.nodeList()) {
    if (!kinds.has(node.kind)) continue
    const text = node.kind === 'manual-section' ? node.name : `${node.name} ${node.text}`
    for (const term of list) {
      if (term.pattern.test(text)) derive(graph, 'mention', node.id, 'mentions', term.to)
    }
  }
}
