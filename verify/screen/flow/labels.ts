// What each node's output may carry, by itself: the registry's labels, narrowed by the fields it asks
// for, widened by what its own arguments hold.
import type { FlowLabel } from '../../../protocol/registry.ts'
import type { SiteMeaning } from '../../../protocol/site-file.ts'
import type { SceneNode, TextLeaf } from '../scene.ts'
import { wordsOf } from '../words.ts'
import { asksForAll, fieldLabel } from './fields.ts'
import { shapesIn, type Shape } from './shapes.ts'
import { keptForBoth } from '../../lexicon/remembered.ts'

/** Labels as bits, so that travelling over the graph is an OR. */
export const labelBit: Readonly<Record<FlowLabel, number>> = {
  identifiers: 1,
  credentials: 2,
  study_data: 4,
  images: 8,
  images_of_people: 16,
  device_state: 32,
  code_output: 64,
  external_content: 128,
}

export const bitsOf = (labels: Iterable<FlowLabel>): number => {
  let bits = 0
  for (const label of labels) bits |= labelBit[label]
  return bits
}

/** The strings that name fields which the node reads. */
export function fieldsRead(used: SceneNode): readonly TextLeaf[] {
  return used.texts.filter(({ role }) => role === 'fields')
}

const sameField = (a: string, b: string): boolean => wordsOf(a).join('') === wordsOf(b).join('')

/** Whether a field name is on the site's list of identifying fields, or means the same. */
export function isIdentifying(field: string, listed: readonly string[]): boolean {
  if (asksForAll(field) || fieldLabel(field) === 'identifiers') return true
  return listed.some((name) => sameField(name, field))
}

/** True when a camera of the call may see people. */
function peopleInView(used: SceneNode, site: SiteMeaning): boolean {
  const cameras = new Map(site.devices.map((d) => [d.id, d.sees_people]))
  return used.step.acts.some(({ roles }) =>
    Object.values(roles)
      .flat()
      .some((value) => value.kind === 'thing' && (cameras.get(value.ref.id ?? '') ?? true)),
  )
}

/** Narrows `identifiers` to the fields that identify; other fields are study data. */
function narrowed(used: SceneNode, bits: number, site: SiteMeaning): number {
  const fields = fieldsRead(used)
  if (fields.length === 0) return bits
  const listed = site.records.person_fields
  const canIdentify =
    (bits & (labelBit.identifiers | labelBit.study_data)) !== 0 || listed.length > 0
  let out = bits & ~labelBit.identifiers
  let plain = false
  for (const { value } of fields) {
    const identifying = canIdentify && isIdentifying(value, listed)
    if (identifying) out |= labelBit.identifiers
    if (fieldLabel(value) === 'credentials') out |= labelBit.credentials
    if (!identifying || asksForAll(value)) plain = true
  }
  // With only identifying fields there is no study data in the answer.
  return plain ? out : out & ~labelBit.study_data
}

/** Shapes and telling argument names in a node's own arguments. */
export function shapesOf(used: SceneNode): { readonly leaf: TextLeaf; readonly shape: Shape }[] {
  const out: { readonly leaf: TextLeaf; readonly shape: Shape }[] = []
  for (const leaf of used.texts) {
    if (leaf.value.length >= 4 && fieldLabel(leaf.role) === 'credentials') {
      const shape: Shape = {
        label: 'credentials',
        kind: leaf.role,
        weight: 'sure',
        span: [0, leaf.value.length],
      }
      out.push({ leaf, shape })
      continue
    }
    for (const shape of shapesIn(leaf.value)) out.push({ leaf, shape })
  }
  return out
}

/** Labels that the node's output has of its own; flow and window both ask. */
export const ownLabels = keptForBoth((used: SceneNode, site: SiteMeaning): number => {
  let bits = narrowed(used, bitsOf(used.tool?.emits ?? []), site)
  if ((bits & (labelBit.images | labelBit.images_of_people)) !== 0) {
    bits &= ~labelBit.images_of_people
    // A camera that the site file does not know may see people.
    if (peopleInView(used, site)) bits |= labelBit.images_of_people
  }
  for (const { shape } of shapesOf(used)) {
    if (shape.weight === 'sure') bits |= labelBit[shape.label]
  }
  return bits
})
