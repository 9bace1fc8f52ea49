// What each node's output may carry, by itself: the registry's labels, narrowed by the fields it asks
// for, widened by what its own arguments hold.
import type { FlowLabel, Registry } from '../../../protocol/registry.ts'
import type { SceneNode, TextLeaf } from '../scene.ts'
import { wordsOf } from '../words.ts'
import { asksForAll, fieldLabel } from './fields.ts'
import { shapesIn, type Shape } from './shapes.ts'

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

const fieldKeys = new Set(
  'field fields column columns select attributes properties include keys columnnames fieldnames'.split(
    ' ',
  ),
)

/** The strings that name fields which the node reads. */
export function fieldsRead(used: SceneNode): readonly TextLeaf[] {
  return used.texts.filter(({ keyName }) => fieldKeys.has(keyName))
}

const sameField = (a: string, b: string): boolean => wordsOf(a).join('') === wordsOf(b).join('')

/** Whether a field name is on the site's list of identifying fields, or means the same. */
export function isIdentifying(field: string, listed: readonly string[]): boolean {
  if (asksForAll(field) || fieldLabel(field) === 'identifiers') return true
  return listed.some((name) => sameField(name, field))
}

/** Whether the node names a device that the site says may see people. */
function peopleInView(used: SceneNode, { devices }: Registry): boolean {
  const seeing = devices.filter((device) => device.sees_people)
  return used.texts.some(({ value }) => seeing.some(({ id }) => id === value))
}

/** Narrows `identifiers` to the fields that identify; other fields are study data. */
function narrowed(used: SceneNode, bits: number, registry: Registry): number {
  const fields = fieldsRead(used)
  if (fields.length === 0) return bits
  const listed = registry.records.person_fields
  const canIdentify = (bits & (labelBit.identifiers | labelBit.study_data)) !== 0
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
    if (leaf.value.length >= 4 && fieldLabel(leaf.key) === 'credentials') {
      const shape: Shape = {
        label: 'credentials',
        kind: leaf.key,
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

/** Labels that the node's output has of its own. */
export function ownLabels(used: SceneNode, registry: Registry): number {
  let bits = narrowed(used, bitsOf(used.tool?.emits ?? []), registry)
  if ((bits & (labelBit.images | labelBit.images_of_people)) !== 0) {
    bits &= ~labelBit.images_of_people
    const known = registry.devices.some((device) => device.sees_people)
    // A site that does not say which cameras see people may show them by any.
    if (peopleInView(used, registry)) bits |= labelBit.images_of_people
    else if (!known && used.tool?.emits.includes('images_of_people') === true) {
      bits |= labelBit.images_of_people
    }
  }
  for (const { shape } of shapesOf(used)) {
    if (shape.weight === 'sure') bits |= labelBit[shape.label]
  }
  return bits
}
