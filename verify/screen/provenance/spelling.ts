// Names of trusted things in look-alike spelling, anywhere in the plan: a reader or judge takes them for
// the real ones (CWE-1007). Plain variation ("bench 3" for bench_03) is no finding.
import type { Finding } from '../../../protocol/finding.ts'
import type { Registry } from '../../../protocol/registry.ts'
import { hasInvisible, likeness, skeleton } from '../names.ts'
import { report } from '../report.ts'
import type { Scene } from '../scene.ts'
import { keptFor } from '../../lexicon/remembered.ts'

type Kind = 'sandbox' | 'signer' | 'domain' | 'identity' | 'tool'

type Known = { readonly name: string; readonly kind: Kind }

/** Registered names by skeleton. */
const registeredNames = keptFor((registry: Registry): ReadonlyMap<string, Known> => {
  const out = new Map<string, Known>()
  const add = (kind: Kind, names: Iterable<string>): void => {
    for (const name of names) {
      const key = skeleton(name)
      if (key.length >= 5 && !out.has(key)) out.set(key, { name, kind })
    }
  }
  add('sandbox', registry.sandboxes)
  add('signer', registry.signers)
  add('domain', registry.network.domains)
  add('identity', Object.keys(registry.planners))
  add(
    'tool',
    registry.tools.map(({ name }) => name),
  )
  return out
})

/** The same with the names of the site's agents. */
function knownNames(scene: Scene): ReadonlyMap<string, Known> {
  const { registry, agents } = scene.snapshot
  const out = new Map(registeredNames(registry))
  for (const { agent } of agents) {
    const key = skeleton(agent)
    if (key.length >= 5 && !out.has(key)) out.set(key, { name: agent, kind: 'identity' })
  }
  return out
}

const nonAscii = /\P{ASCII}/u
const nameLike = /[^\s,;:!?"'()[\]{}<>«»„“”]+/gu
const mcpPrefixed = /\bmcp__[a-z0-9_-]{1,60}__[a-z0-9_.-]{1,80}/gi

/** How words of one text imitate registered names. */
function imitations(
  text: string,
  known: ReadonlyMap<string, Known>,
): { known: Known; given: string; at: number }[] {
  const out: { known: Known; given: string; at: number }[] = []
  for (const match of text.matchAll(nameLike)) {
    const given = match[0].replace(/[.。]+$/u, '').replace(/^[^@\s]{1,64}@/u, '')
    if (given.length < 5 || given.length > 160) continue
    // Letters in another case, or other separators, are how people write; digits for letters are not.
    const odd = nonAscii.test(given) || /[0-9|!$]/.test(given)
    if (!odd) continue
    const found = known.get(skeleton(given))
    if (found === undefined || sameLetters(given, found.name)) continue
    out.push({ known: found, given, at: match.index })
  }
  return out
}

const bare = (x: string): string => x.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** Equal but for case and ASCII separators. */
function sameLetters(a: string, b: string): boolean {
  if (nonAscii.test(a)) return false
  return bare(a) === bare(b)
}

function ofText(at: string, text: string, known: ReadonlyMap<string, Known>): Finding[] {
  const out: Finding[] = []
  if (nonAscii.test(text) || /[0-9|!$]/.test(text)) {
    for (const { known: like, given, at: from } of imitations(text, known)) {
      const effect = like.kind === 'tool' ? 'flag' : 'block'
      const facts = { given, resembles: like.name, kind: like.kind }
      out.push(
        report('NAME_NOT_CANONICAL', effect, { at, span: [from, from + given.length] }, facts),
      )
    }
  }
  if (text.includes('__')) {
    for (const match of text.matchAll(mcpPrefixed)) {
      const tool = [...known.values()].find(
        ({ kind, name }) => kind === 'tool' && likeness(match[0], name) === 'spelling',
      )
      if (tool === undefined) continue
      const facts = { given: match[0], resembles: tool.name, kind: 'tool' }
      const span = [match.index, match.index + match[0].length] as const
      out.push(report('NAME_NOT_CANONICAL', 'flag', { at, span }, facts))
    }
  }
  return out
}

/** Look-alikes of registered names in prose and arguments, and names with invisible characters. */
export function checkSpelling(scene: Scene): Finding[] {
  const known = knownNames(scene)
  const out: Finding[] = []
  for (const { at, text } of scene.prose) out.push(...ofText(at, text, known))
  for (const { texts } of scene.nodes) {
    for (const { at, value } of texts) out.push(...ofText(at, value, known))
  }
  const { agent } = scene.plan
  if (agent !== undefined && hasInvisible(agent)) {
    out.push(report('NAME_NOT_CANONICAL', 'block', '/agent', { kind: 'identity' }))
  } else if (agent !== undefined) out.push(...ofText('/agent', agent, known))
  return out
}
