// What may come together: pairs that must not meet, waste streams, tips that touched something else,
// and labels that differ from what was drawn.
import type { SubstanceRef } from '../read/scene.ts'
import { find, setResidue, touch, type Ctx } from './context.ts'
import { joinFills, namesOf, pour, type Fill } from './fill.ts'
import type { Content } from './trace.ts'
import type { Vessel } from './vessels.ts'
import type { Stream } from './world.ts'

const idOf = (s: SubstanceRef): string => (s.ids.length > 0 ? s.ids.join('+') : s.raw.toLowerCase())

const sameSubstance = (a: SubstanceRef, b: SubstanceRef): boolean =>
  idOf(a) === idOf(b) || a.ids.some((id) => b.ids.includes(id))

/** A substance of which nobody knows what it is may be anything. */
const isRead = (s: SubstanceRef): boolean => s.known || s.groups.length > 0

/**
 * Findings for what `arriving` meets in `there`. Of a vessel that nobody `declared` only pairs are
 * found: that its contents are not known is told already.
 */
export function meetings(
  ctx: Ctx,
  at: string,
  place: string,
  arriving: Fill,
  there: Fill,
  declared = true,
): void {
  const { meets } = ctx.world.ports
  const reacts = (c: Content): boolean => isRead(c.substance) && meets(c.substance, null) !== null
  let open: string | null = null
  for (const a of arriving.list) {
    for (const b of there.list) {
      if (sameSubstance(a.substance, b.substance)) continue
      if (!isRead(a.substance) || !isRead(b.substance)) {
        const neither = !isRead(a.substance) && !isRead(b.substance)
        if (neither || reacts(a) || reacts(b)) open = a.substance.raw
        continue
      }
      const verdict = meets(a.substance, b.substance)
      if (verdict === null) continue
      // What may not be there at all is no fact yet.
      const sure = a.volume.lo > 0 && b.volume.lo > 0 ? true : null
      const facts = { in: place, a: a.substance.raw, b: b.substance.raw }
      find(ctx, 'DRYRUN_MATERIALS_MEET', sure, verdict, at, facts)
    }
    if (there.open && reacts(a)) open = a.substance.raw
  }
  if (arriving.open) open = there.list.find(reacts)?.substance.raw ?? open
  if (arriving.open && there.open && there.volume.hi > 0) open = 'not known'
  if (open !== null && declared) {
    const facts = { in: place, a: open, b: 'not known' }
    find(ctx, 'DRYRUN_MATERIALS_MEET', null, 'escalate', at, facts)
  }
}

/** A waste stream takes only what it says that it takes. */
export function streamTakes(ctx: Ctx, at: string, stream: Stream, what: Fill): void {
  const accepted = (s: SubstanceRef): boolean =>
    stream.accepts.length === 0 || s.groups.some((group) => stream.accepts.includes(group))
  const wanted = what.list.some((c) => accepted(c.substance))
  for (const { substance, volume } of what.list) {
    const facts = { stream: stream.id, substance: substance.raw }
    const refused = substance.groups.find((group) => stream.refuses.includes(group))
    const sure = volume.lo > 0 ? true : null
    if (refused !== undefined) {
      find(ctx, 'DRYRUN_STREAM_REFUSES', sure, 'reject', at, { ...facts, group: refused })
    } else if (!isRead(substance)) {
      find(ctx, 'DRYRUN_STREAM_REFUSES', null, 'escalate', at, facts)
    } else if (!accepted(substance)) {
      // Water or buffer that carries what the stream is for is no waste of its own.
      const carrier = wanted && substance.known && substance.hazards.length === 0
      if (!carrier) find(ctx, 'DRYRUN_STREAM_REFUSES', sure, 'escalate', at, facts)
    }
  }
  if (what.open) {
    const facts = { stream: stream.id, substance: 'not known' }
    find(ctx, 'DRYRUN_STREAM_REFUSES', null, 'escalate', at, facts)
  }
}

/** A label against what was drawn: an order by the source beats what the step calls it. */
export function labelled(ctx: Ctx, at: string, label: SubstanceRef, drawn: Fill): void {
  if (drawn.list.length === 0 && !drawn.open) return
  const facts = { label: label.raw, drawn: namesOf(drawn.list) || 'not known' }
  const matching = drawn.list.filter((c) => sameSubstance(c.substance, label))
  const untold = drawn.list.filter(
    (c) =>
      !sameSubstance(c.substance, label) &&
      c.substance.hazards.some((hazard) => !label.hazards.includes(hazard)),
  )
  if (untold.length > 0) {
    find(
      ctx,
      'DRYRUN_LABEL_DIFFERS',
      sureOf(untold),
      matching.length > 0 ? 'escalate' : 'reject',
      at,
      {
        ...facts,
        untold: namesOf(untold),
      },
    )
  } else if (isStronger(drawn, label)) {
    find(ctx, 'DRYRUN_LABEL_DIFFERS', drawn.open ? null : true, 'escalate', at, facts)
  } else if (matching.length === 0) {
    const sure = drawn.open || drawn.list.length === 0 ? null : true
    find(ctx, 'DRYRUN_LABEL_DIFFERS', sure, 'escalate', at, facts)
  }
}

/** Rounding of people: 0.98 M is sold as 1 M. */
const strengthSlack = 1.1

/**
 * One liquid alone is stronger than its label tells. In a mixture each keeps the strength that it came with,
 * which says nothing of the mixture.
 */
function isStronger({ list }: Fill, label: SubstanceRef): boolean {
  const [only] = list
  if (only === undefined || list.length > 1) return false
  const { percent, molar } = only.substance
  const over = (own: number | null, told: number | null): boolean =>
    own !== null && told !== null && own > told * strengthSlack
  return over(percent, label.percent) || over(molar, label.molar)
}

const sureOf = (list: readonly Content[]): true | null =>
  list.some((c) => c.volume.lo > 0) ? true : null

/** What the tip of a head carries over into the next source. */
export function tipTouches(ctx: Ctx, head: string, source: Vessel, drawn: Fill): void {
  const from = `${source.key} ${source.parts.kind === 'list' ? source.parts.names.join() : '*'}`
  const wet = ctx.state.residue.get(head)
  touch(ctx, head, 'tip', 'reads')
  if (wet === undefined) {
    setResidue(ctx, head, { fill: drawn, from })
    return
  }
  if (wet.from !== from || source.parts.kind === 'some') reused(ctx, source, wet.fill, drawn)
  setResidue(ctx, head, {
    fill: joinFills(wet.fill, pour(wet.fill, drawn)),
    from: wet.from === from ? from : null,
  })
}

function reused(ctx: Ctx, source: Vessel, wet: Fill, drawn: Fill): void {
  const all = [...wet.list, ...drawn.list]
  const human = all.some((c) => c.substance.human)
  const keys = new Set(drawn.list.map((c) => idOf(c.substance)))
  const differs = wet.list.some((c) => !keys.has(idOf(c.substance)))
  const facts = {
    thing: source.ref.raw,
    before: namesOf(wet.list) || 'not known',
    now: namesOf(drawn.list) || 'not known',
  }
  if (human || differs) {
    const sure = wet.open || drawn.open || wet.volume.lo === 0 ? null : true
    find(ctx, 'DRYRUN_TIP_REUSED', sure, 'escalate', source.at, facts)
  } else if (wet.open || drawn.open) {
    find(ctx, 'DRYRUN_TIP_REUSED', null, 'escalate', source.at, facts)
  }
  meetings(ctx, source.at, source.ref.raw, wet, drawn)
}
