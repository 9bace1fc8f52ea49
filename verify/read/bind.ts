// One argument as one role of an act: a number becomes an interval in the scene's unit, a name a
// thing, a liquid a substance. What cannot be read is no value, never a guess.
import type { RoleSpec } from '../../protocol/acts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { referenceSchema } from '../../protocol/reference.ts'
import { measuredOf, scaled, unitOf } from '../../protocol/units.ts'
import { canonicalPart } from './parts.ts'
import { openNode } from './open.ts'
import { isReference, scalarText } from './pointers.ts'
import type { RoleValue } from './scene.ts'
import type { Substances } from './substances.ts'
import type { Things } from './things.ts'

export type Names = { readonly things: Things; readonly substances: Substances }

/** What a row says about the argument beside the value itself. */
export type Reading = {
  readonly role: string
  readonly spec: RoleSpec
  /** UCUM code or spelling; null: none is declared. */
  readonly unit: string | null
  /** The thing of which the value is a part. */
  readonly of: string | null
  /** Meanings of closed values. */
  readonly means: ReadonlyMap<string, string> | null
}

export type Bound = {
  readonly values: readonly RoleValue[]
  /** Exactly one of the values will be so. */
  readonly oneOf: boolean
}

/** Parts have a form of their own; other choices need a meaning from the row. */
const isPartRole = (role: string): boolean => role === 'part' || role.endsWith('_part')

function quantity(value: JsonValue, at: string, reading: Reading): RoleValue | null {
  const dims = reading.spec.dims ?? []
  const meant = reading.means?.get(scalarText(value) ?? '')
  const told = meant ?? (typeof value === 'string' ? value : null)
  if (told !== null && Number.isNaN(Number(told))) {
    const measured = measuredOf(told)
    if (measured === null || !dims.includes(measured.dim)) return null
    const { dim, value: v } = measured
    return { kind: 'quantity', at, dim, value: { lo: v, hi: v }, shown: told }
  }
  if (typeof value === 'boolean' || value === null || told?.trim() === '') return null
  const number = Number(told ?? value)
  return numbers(number, number, at, reading)
}

function numbers(lo: number, hi: number, at: string, reading: Reading): RoleValue | null {
  const dims = reading.spec.dims ?? []
  // Only a plain count goes without a unit.
  const code = reading.unit ?? (dims.length === 1 && dims[0] === 'count' ? '1' : null)
  const unit = code === null ? null : unitOf(code)
  if (unit === null || !dims.includes(unit.dim)) return null
  const [a, b] = [scaled(lo, unit), scaled(hi, unit)]
  if (!Number.isFinite(a) || !Number.isFinite(b)) return null
  const shown = `${lo === hi ? String(lo) : `${lo} to ${hi}`} ${code ?? ''}`.trim()
  return { kind: 'quantity', at, dim: unit.dim, value: { lo: a, hi: b }, shown }
}

function thing(
  text: string,
  at: string,
  kind: 'thing' | 'place',
  reading: Reading,
  names: Names,
): RoleValue {
  const name = reading.means?.get(text) ?? text
  const ref =
    reading.of === null
      ? names.things.resolve(name, reading.role)
      : { ...names.things.resolve(reading.of, reading.role), raw: text, part: canonicalPart(text) }
  return { kind, at, ref }
}

function choice(text: string, at: string, reading: Reading): RoleValue | null {
  const means = reading.means?.get(text) ?? null
  if (means !== null) return { kind: 'choice', at, raw: text, means }
  if (isPartRole(reading.role)) return { kind: 'choice', at, raw: text, means: canonicalPart(text) }
  // A unit is its own meaning.
  if (reading.role === 'unit') return { kind: 'choice', at, raw: text, means: text }
  return null
}

/** Reads one plain value in a role; null: it cannot be read. */
function plain(value: JsonValue, at: string, reading: Reading, names: Names): RoleValue | null {
  const { kind } = reading.spec
  if (kind === 'quantity') return quantity(value, at, reading)
  if (kind === 'flag') {
    const meant = reading.means?.get(scalarText(value) ?? '')
    if (typeof value === 'boolean' && meant === undefined) return { kind, at, value }
    if (meant === 'true' || meant === 'on') return { kind, at, value: true }
    return meant === 'false' || meant === 'off' ? { kind, at, value: false } : null
  }
  const text = scalarText(value)
  if (text === null || text === '') return null
  switch (kind) {
    case 'thing':
    case 'place':
      return thing(text, at, kind, reading, names)
    case 'substance':
      return { kind, at, substance: names.substances.read(reading.means?.get(text) ?? text) }
    case 'choice':
      return choice(text, at, reading)
    case 'text':
    case 'address':
      return { kind, at, text }
  }
}

/**
 * The device takes the number in the row's unit: a reference that converts into another one slips, and one
 * without a unit is a result of which nobody has said what its number means. A count has none.
 */
function sameUnit(wantedCode: string, givenCode: string | undefined): boolean {
  const wanted = unitOf(wantedCode)
  if (givenCode === undefined) return wanted?.dim === 'count'
  const given = unitOf(givenCode)
  return (
    wanted !== null &&
    given !== null &&
    wanted.dim === given.dim &&
    wanted.num * given.den === given.num * wanted.den &&
    wanted.offset === given.offset
  )
}

/** Reads a value or a reference; no values: it cannot be read. */
export function bindValue(value: JsonValue, at: string, reading: Reading, names: Names): Bound {
  const none: Bound = { values: [], oneOf: false }
  if (!isReference(value)) {
    const one = plain(value, at, reading, names)
    return one === null ? none : { values: [one], oneOf: false }
  }
  const parsed = referenceSchema.safeParse(value)
  if (!parsed.success) return none
  const from = parsed.data.$from
  if ('enum' in from) {
    const values = from.enum.map((one) => plain(one, at, reading, names))
    const read = values.filter((one) => one !== null)
    // One value that cannot be read leaves the whole argument unread.
    return read.length === values.length ? { values: read, oneOf: read.length > 1 } : none
  }
  // A number that is filed somewhere: it says nothing in words, whatever it turns out to be.
  if (reading.spec.kind === 'text')
    return { values: [{ kind: 'text', at, text: '' }], oneOf: false }
  if (reading.spec.kind !== 'quantity') return none
  // An open value of a template is in the argument's own unit: nothing converts it.
  const open = from.node === openNode
  if (reading.unit !== null && !open && !sameUnit(reading.unit, from.unit)) return none
  const unit = reading.unit ?? from.unit ?? null
  const one = numbers(from.min, from.max, at, { ...reading, unit })
  return one === null ? none : { values: [one], oneOf: false }
}

/** Puts a part that is bound on its own beside the thing that it belongs to. */
export function withParts(
  roles: Readonly<Record<string, readonly RoleValue[]>>,
): Record<string, readonly RoleValue[]> {
  const out: Record<string, readonly RoleValue[]> = { ...roles }
  for (const [role, values] of Object.entries(roles)) {
    const parts = roles[`${role}_part`] ?? (role === 'thing' ? roles['part'] : undefined)
    if (parts === undefined || parts.length === 0) continue
    out[role] = values.map((value, i) => {
      if (value.kind !== 'thing' && value.kind !== 'place') return value
      // Lists that do not pair: it may be any part.
      const paired =
        parts.length === 1 ? parts[0] : values.length === parts.length ? parts[i] : null
      const part = paired?.kind === 'choice' ? paired.means : '*'
      return { ...value, ref: { ...value.ref, part } }
    })
    // One thing with several parts: one value for each of them.
    const [only] = values
    if (values.length === 1 && parts.length > 1 && only !== undefined) {
      if (only.kind !== 'thing' && only.kind !== 'place') continue
      out[role] = parts.map((one) => ({
        ...only,
        ref: { ...only.ref, part: one.kind === 'choice' ? one.means : '*' },
      }))
    }
  }
  return out
}
