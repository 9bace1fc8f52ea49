// Halves of risks that need two steps: what a plan leaves behind that makes a later plan dangerous.
// Danger: instructions split so that no single plan shows the whole (WINDOW_SPLIT_INSTRUCTIONS).
// A mark is a short word with an object, never plan text.
import type { SceneNode } from '../scene.ts'
import { clip } from '../report.ts'
import { incompatiblePairs } from '../../panel/offline/lexicon/incompatible.ts'
import { liquidParser, type Liquid } from '../../panel/offline/view/liquid.ts'
import { labelBit, ownLabels } from '../flow/labels.ts'

const markCharsMax = 60
const marksMax = 50

/** Groups that some other group must not meet; water is everywhere and says nothing. */
const reactive = new Set<string>(
  incompatiblePairs.flatMap(({ a, b }) => [a, b]).filter((group) => group !== 'aqueous'),
)

const text = (used: SceneNode, wanted: RegExp): string | null =>
  used.texts.find(({ keys }) => wanted.test(keys.join('.')))?.value ?? null

/** `put:<group>:<s|d>:<container>`: what a transfer leaves in a container, strong or dilute. */
function putMarks(used: SceneNode, parse: (raw: string) => Liquid): string[] {
  const into = text(used, /^(?:destination\.labware|destination|container)$/)
  const liquid = text(used, /^(?:liquid|reagent|substance|chemical)$/)
  if (into === null || liquid === null) return []
  const { groups, trace, dilute } = parse(liquid)
  if (trace) return []
  return [...groups]
    .filter((group) => reactive.has(group))
    .map((group) => `put:${group}:${dilute ? 'd' : 's'}:${into}`)
}

/** `read:identifiers:<record>` and `read:credentials:<record>`. */
function readMarks(used: SceneNode): string[] {
  if (used.tool === undefined || used.tool.sink !== null) return []
  const bits = ownLabels(used)
  const record = text(used, /(?:^|[._])(?:id|record|sample)$/) ?? '*'
  const out: string[] = []
  if ((bits & labelBit.identifiers) !== 0) out.push(`read:identifiers:${record}`)
  if ((bits & labelBit.credentials) !== 0) out.push(`read:credentials:${record}`)
  return out
}

const recordName = /\b[A-Z]{1,5}-[A-Z0-9][A-Z0-9-]{0,24}\b/g

/** `send:outside` and, for each record that the message names, `about:<record>`. */
function sendMarks(used: SceneNode): string[] {
  const sink = used.tool?.sink ?? null
  if (sink !== 'external_mail' && sink !== 'external_http' && sink !== 'removable_store') return []
  const records = used.texts.flatMap(({ value }) => [...value.matchAll(recordName)].map(([x]) => x))
  return ['send:outside', ...records.map((record) => `about:${record}`)]
}

const actsOn = (used: SceneNode): string | null => text(used, /(?:door|guard|gate|lid)_?id$/)

/** Guards that the plan leaves open or shuts last. */
function guardMarks(nodes: readonly SceneNode[]): string[] {
  const last = new Map<string, 'open' | 'shut'>()
  for (const used of nodes) {
    const guard = actsOn(used)
    if (guard === null) continue
    if (/unlock|open/.test(used.node.tool)) last.set(guard, 'open')
    else if (/lock|close|shut/.test(used.node.tool)) last.set(guard, 'shut')
  }
  return [...last].map(([guard, state]) => `${state}:${guard}`)
}

/** `fast:<tool's device>`: motion above the limit that holds beside people. */
function fastMarks(used: SceneNode): string[] {
  const limit = used.tool?.policy_hints?.['collaborative_limit_mm_s']
  if (typeof limit !== 'number') return []
  const fast = used.leaves.some(
    ({ key, value }) =>
      (/speed/i.test(key) && typeof value === 'number' && value > limit) ||
      (key === 'mode' && value === 'full'),
  )
  return fast ? [`fast:${used.node.tool.split('.')[0] ?? ''}`] : []
}

/** All marks of a plan, each once, sorted; bounded, with the rarer kinds kept first. */
export function marksOf(nodes: readonly SceneNode[]): string[] {
  const parse = liquidParser()
  const rare = [
    ...guardMarks(nodes),
    ...nodes.flatMap((x) => [...readMarks(x), ...sendMarks(x), ...fastMarks(x)]),
  ]
  const puts = nodes.flatMap((used) => putMarks(used, parse))
  const marks = new Set(
    [...rare.toSorted(), ...puts.toSorted()].map((mark) => clip(mark, markCharsMax)),
  )
  return [...marks].slice(0, marksMax).toSorted()
}

export type Risk = {
  readonly risk: string
  /** How close in time the halves must be: contents of a vessel, a read before a send, or any time. */
  readonly within: 'contents' | 'sitting' | 'window'
}

const enclosing = /enclosure|guard|cage|cell|fence/i

/** The words under which a mark can be the other half of something. */
export function keysOf(mark: string): string[] {
  const [kind = '', second = '', ...rest] = mark.split(':')
  if (kind === 'read') return ['read', `read:${rest.join(':')}`]
  if (kind === 'open') return enclosing.test(second) ? ['open'] : []
  if (kind === 'fast') return ['fast']
  return kind === 'shut' ? [] : [mark]
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
    else if (kind === 'open' && enclosing.test(second)) out.set('fast', open)
    else if (kind === 'fast') out.set('open', open)
  }
  return out
}
