// Halves of risks that need two steps: what a plan leaves behind that makes a later plan dangerous.
// Danger: instructions split so that no single plan shows the whole (WINDOW_SPLIT_INSTRUCTIONS).
// A mark is a short word with an object, never plan text.
import type { SceneNode } from '../scene.ts'
import type { SiteMeaning } from '../../../protocol/site-file.ts'
import { measuredOf } from '../../../protocol/units.ts'
import { incompatiblePairs } from '../../lexicon/substances.ts'
import type { SubstanceRef, ThingRef } from '../../read/scene.ts'
import { labelBit, ownLabels } from '../flow/labels.ts'
import { hash32 } from './minhash.ts'

/** Halves of risks that an entry keeps, and names of records sent outside: each with its own bound. */
const riskMarksMax = 40
const aboutMarksMax = 30

const objectCharsMax = 36

/** Two long names that begin alike stay two, and one name is the same in every kind of mark. */
function short(name: string): string {
  if (name.length <= objectCharsMax) return name
  const tail = `~${hash32(name).toString(16).padStart(8, '0')}`
  return `${name.slice(0, objectCharsMax - tail.length)}${tail}`
}

/** Groups that some other group must not meet; water is everywhere and says nothing. */
const reactive = new Set<string>(
  incompatiblePairs.flatMap(({ a, b }) => [a, b]).filter((group) => group !== 'aqueous'),
)

type Act = SceneNode['step']['acts'][number]

const refsOf = (act: Act, role: string): ThingRef[] =>
  (act.roles[role] ?? []).flatMap((v) => (v.kind === 'thing' || v.kind === 'place' ? [v.ref] : []))

/** Below this a reagent is a rinse: mol/L and percent. */
const weakMolar = 0.1
const weakPercent = 1

const isWeak = ({ percent, molar }: SubstanceRef): boolean =>
  (percent !== null && percent <= weakPercent) || (molar !== null && molar <= weakMolar)

/** `put:<group>:<s|d>:<container>`: what a transfer leaves in a container, strong or dilute. */
function putMarks(act: Act): string[] {
  if (act.act !== 'transfer' && act.act !== 'discard') return []
  const into = [...refsOf(act, 'to'), ...refsOf(act, 'into')]
  const substances = (act.roles['substance'] ?? []).flatMap((v) =>
    v.kind === 'substance' ? [v.substance] : [],
  )
  return into.flatMap(({ key }) =>
    substances.flatMap((substance) =>
      substance.groups
        .filter((group) => reactive.has(group))
        .map((group) => `put:${group}:${isWeak(substance) ? 'd' : 's'}:${short(key)}`),
    ),
  )
}

/** `read:identifiers:<record>` and `read:credentials:<record>`. */
function readMarks(used: SceneNode, site: SiteMeaning): string[] {
  if (used.tool === undefined || used.tool.sink !== null) return []
  const bits = ownLabels(used, site)
  const record = used.texts.find(({ role }) => role === 'record')?.value ?? '*'
  const out: string[] = []
  if ((bits & labelBit.identifiers) !== 0) out.push(`read:identifiers:${short(record)}`)
  if ((bits & labelBit.credentials) !== 0) out.push(`read:credentials:${short(record)}`)
  return out
}

const recordName = /\b[A-Z]{1,5}-[A-Z0-9][A-Z0-9-]{0,24}\b/g

/** `send:outside` and, for each record that the message names, `about:<record>`. */
function sendMarks(used: SceneNode): string[] {
  const sink = used.tool?.sink ?? null
  if (sink !== 'external_mail' && sink !== 'external_http' && sink !== 'removable_store') return []
  const records = used.texts.flatMap(({ value }) => [...value.matchAll(recordName)].map(([x]) => x))
  return ['send:outside', ...records.map((record) => `about:${short(record)}`)]
}

/** Barriers around a zone where people may be: open there and fast motion go ill together. */
function guardMarks(nodes: readonly SceneNode[], site: SiteMeaning): string[] {
  const guards = new Set(site.zones.flatMap((zone) => zone.barriers))
  const last = new Map<string, 'open' | 'shut'>()
  for (const { step } of nodes) {
    for (const act of step.acts) {
      if (act.family !== 'barrier') continue
      for (const { id, key } of refsOf(act, 'barrier')) {
        if (id !== null && !guards.has(id)) continue
        if (act.act === 'unlock' || act.act === 'open') last.set(key, 'open')
        else if (act.act === 'lock' || act.act === 'close') last.set(key, 'shut')
      }
    }
  }
  return [...last].map(([guard, state]) => `${state}:${short(guard)}`)
}

/** The lowest speed limit that holds anywhere beside people; without one any motion counts as fast. */
function slowest(site: SiteMeaning): number {
  const limits = site.zones.flatMap(({ speed_with_people }) => {
    const measured = speed_with_people === undefined ? null : measuredOf(speed_with_people)
    return measured?.dim === 'speed' ? [measured.value] : []
  })
  return limits.length === 0 ? 0 : Math.min(...limits)
}

/** `fast:<device>`: motion above the limit that holds beside people. */
function fastMarks(act: Act, limit: number): string[] {
  if (act.family !== 'motion') return []
  const fast =
    (act.roles['speed'] ?? []).some((v) => v.kind === 'quantity' && v.value.hi > limit) ||
    (act.roles['mode'] ?? []).some((v) => v.kind === 'choice' && v.means === 'full')
  return fast ? refsOf(act, 'device').map(({ key }) => `fast:${short(key)}`) : []
}

/** What is kept first when there is more than the bound: what is short and what moves or leaves. */
const kinds = ['open', 'fast', 'send', 'read', 'put', 'shut'] as const

const kindOf = (mark: string): string => mark.slice(0, mark.indexOf(':'))

/** All marks of a plan, each once, sorted. As many as the plan has: for the plan that is looked at. */
export function allMarksOf(nodes: readonly SceneNode[], site: SiteMeaning): string[] {
  const limit = slowest(site)
  const found = nodes.flatMap((used) => [
    ...readMarks(used, site),
    ...sendMarks(used),
    ...used.step.acts.flatMap((act) => [...fastMarks(act, limit), ...putMarks(act)]),
  ])
  return [...new Set([...guardMarks(nodes, site), ...found])].toSorted()
}

/**
 * Marks as an entry keeps them. Names of records have a bound of their own, so that made-up ones push
 * nothing out. Of each kind of which some had to go it says `more:<kind>`; that stands for any of them.
 */
export function boundMarks(marks: readonly string[]): string[] {
  const about = marks.filter((mark) => kindOf(mark) === 'about')
  const risks = kinds.flatMap((kind) => marks.filter((mark) => kindOf(mark) === kind))
  const kept = [...risks.slice(0, riskMarksMax), ...about.slice(0, aboutMarksMax)]
  const gone = [...risks.slice(riskMarksMax), ...about.slice(aboutMarksMax)]
  const said = marks.filter((mark) => kindOf(mark) === 'more')
  return [...new Set([...kept, ...said, ...moreOf(gone)])].toSorted()
}

/** `more:<kind>` for each kind among marks that cannot be kept. */
export function moreOf(marks: readonly string[]): string[] {
  // A guard whose shutting was forgotten counts as open: nothing has to be said of it.
  const open = marks.map((mark) => (kindOf(mark) === 'more' ? mark.slice(5) : kindOf(mark)))
  return [...new Set(open)].filter((kind) => kind !== 'shut').map((kind) => `more:${kind}`)
}

/** A mark that can be half of a risk; naming a record alone is nothing without one who read it. */
export const isHalf = (mark: string): boolean => kindOf(mark) !== 'shut'

export type Risk = {
  readonly risk: string
  /** How close in time the halves must be: contents of a vessel, a read before a send, or any time. */
  readonly within: 'contents' | 'sitting' | 'window'
}

/** The words under which a mark can be the other half of something. */
function keysOf(mark: string): string[] {
  const [kind = '', , ...rest] = mark.split(':')
  if (kind === 'read') return ['read', `read:${rest.join(':')}`]
  if (kind === 'open') return ['open']
  if (kind === 'fast') return ['fast']
  return kind === 'shut' ? [] : [mark]
}

/** The risks that a mark of an earlier plan completes, among what the new plan wants. */
export function metBy(mark: string, wanted: ReadonlyMap<string, Risk>): Risk[] {
  if (kindOf(mark) !== 'more') return keysOf(mark).flatMap((key) => wanted.get(key) ?? [])
  const kind = mark.slice('more:'.length)
  return [...wanted].filter(([key]) => key.split(':')[0] === kind).map(([, risk]) => risk)
}

function mixesWith(mark: string): [string, Risk][] {
  const [, group = '', strength = '', ...rest] = mark.split(':')
  const into = rest.join(':')
  return incompatiblePairs.flatMap(({ a, b, when }): [string, Risk][] => {
    if (a !== group && b !== group) return []
    const other = a === group ? b : a
    const risk: Risk = { risk: `${a} and ${b} in ${into}`, within: 'contents' }
    const strong: [string, Risk] = [`put:${other}:s:${into}`, risk]
    if (when === 'always') return [strong, [`put:${other}:d:${into}`, risk]]
    return strength === 's' ? [strong] : []
  })
}

const open: Risk = { risk: 'a guard left open and fast motion', within: 'contents' }
const sentSoon: Risk = { risk: 'protected data read and something sent outside', within: 'sitting' }
const sentByName: Risk = { risk: 'a record read and sent outside by its name', within: 'window' }

/** What would complete a mark: keys of the other half → the risk. */
export function wantedBy(marks: readonly string[]): Map<string, Risk> {
  const out = new Map<string, Risk>()
  for (const mark of marks) {
    const [kind = '', second = '', ...rest] = mark.split(':')
    if (kind === 'put') for (const [key, risk] of mixesWith(mark)) out.set(key, risk)
    else if (kind === 'read') {
      out.set('send:outside', sentSoon)
      out.set(`about:${rest.join(':')}`, sentByName)
    } else if (mark === 'send:outside') out.set('read', sentSoon)
    else if (kind === 'about') out.set(`read:${[second, ...rest].join(':')}`, sentByName)
    else if (kind === 'open') out.set('fast', open)
    else if (kind === 'fast') out.set('open', open)
  }
  return out
}
