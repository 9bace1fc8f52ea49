// Why a plan did not pass, from its record: a breach stops it, an unknown or a doubt holds it.
import { z } from 'zod'
import { injectionCodes } from '../../protocol/codes/injection.ts'
import { memoryCodes } from '../../protocol/codes/memory.ts'
import type { Packet } from '../../protocol/records.ts'

const coded = z
  .array(
    z.looseObject({
      code: z.string(),
      at: z.string().optional(),
      subject: z.string().optional(),
    }),
  )
  .default([])
const evidenceSchema = z
  .looseObject({ breaches: coded, unknowns: coded, doubts: coded })
  .prefault({})

export type Marks = {
  stopped_by: string[]
  held_by: string[]
  /** `code place` of everything found, each once and sorted. */
  places: string[]
}

/** What was read in words or found similar is a doubt, whoever found it. */
const fromWords = new Set([...Object.keys(injectionCodes), ...Object.keys(memoryCodes)])

const codes = (list: readonly { readonly code: string }[]): string[] =>
  [...new Set(list.map(({ code }) => code))].toSorted()

/** Codes of breaches, and codes of unknowns and doubts, each once and sorted. */
export function marksOf(packet: Pick<Packet, 'floor'> & { readonly evidence?: unknown }): Marks {
  const { breaches, unknowns, doubts } = evidenceSchema.parse(packet.evidence ?? {})
  const facts = packet.floor.findings.filter(({ effect }) => effect !== 'advisory')
  const all = [...packet.floor.findings, ...breaches, ...unknowns, ...doubts]
  const place = (at: unknown): string => (typeof at === 'string' ? at : '')
  return {
    places: [
      ...new Set(all.map((f) => `${f.code} ${place(f.at ?? ('subject' in f ? f.subject : ''))}`)),
    ].toSorted(),
    stopped_by: codes([...breaches, ...facts.filter(({ code }) => !fromWords.has(code))]),
    held_by: codes([...unknowns, ...doubts, ...facts.filter(({ code }) => fromWords.has(code))]),
  }
}
