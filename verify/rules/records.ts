// Records that people and rules rely on: who writes them, how a value came about, and what may never
// be overwritten. Which fields those are stands in the site file.
import { referencesOfNode } from '../../protocol/plan-needs.ts'
import { formsOf } from '../lexicon/asks.ts'
import general from '../lexicon/relied-on.json' with { type: 'json' }
import type { Scene } from '../read/scene.ts'
import { wordsOf } from '../screen/words.ts'
import {
  actsOf,
  breach,
  choiceOf,
  doubt,
  unknown,
  wordsOfRole,
  type Done,
  type Rule,
} from './rule.ts'

/** One name in any spelling: case, separators and order of nothing else. */
const plain = (name: string): string => wordsOf(name).join('')

const listed = (name: string, list: readonly string[]): boolean => {
  const wanted = plain(name)
  return wanted !== '' && list.some((entry) => plain(entry) === wanted)
}

/** A field of a listed kind: the same name, or one that begins with the other, word by word. */
function ofKind(name: string, list: readonly string[]): boolean {
  const words = wordsOf(name)
  if (words.length === 0) return false
  return list.some((entry) => {
    const other = wordsOf(entry)
    const both = Math.min(words.length, other.length)
    return both > 0 && words.slice(0, both).join(' ') === other.slice(0, both).join(' ')
  })
}

/** A value that states what an approval field would: `released` in a field called `state`. */
function states(value: string, list: readonly string[]): boolean {
  const forms = new Set(list.flatMap((entry) => wordsOf(entry)).flatMap(formsOf))
  const words = wordsOf(value)
  return words.length <= 3 && words.some((word) => word.endsWith('ed') && forms.has(word))
}

const reliedWords = new Set(general.words)

/** A word of the field says that somebody's safety or permission may rest on it, in any lab. */
const isRelied = (field: string): boolean =>
  wordsOf(field).some((word) => reliedWords.has(word.toLowerCase()))

const valueOf = ({ act }: Done): string => wordsOfRole(act, 'value')[0]?.text ?? ''

const fieldOf = ({ act }: Done): string => wordsOfRole(act, 'field')[0]?.text ?? ''

/** The kind of result that the value itself refers to; a reference elsewhere in the call shows nothing. */
function referencedKind(
  scene: Scene,
  { step, act }: Done,
): 'observed' | 'computed' | 'other' | null {
  const values = act.roles['value'] ?? []
  const kinds = values.map(({ at }) => {
    const place = referencesOfNode(step.node).find((one) => `${step.at}${one.at}` === at)
    if (place === undefined) return null
    const source = scene.steps.find(({ node }) => node.id === place.from.node)
    const kind = source?.row?.meaning?.results[place.from.pointer]?.kind
    return kind === 'observed' || kind === 'computed' ? kind : 'other'
  })
  const [kind, ...more] = new Set(kinds)
  return more.length > 0 ? 'other' : (kind ?? null)
}

/** `measured` needs an observed result, `calculated` a computed one; constants are refused. */
export const provenanceShown: Rule = {
  id: 'provenance_shown',
  check: ({ scene }) => ({
    breaches: actsOf(scene, 'write_record').flatMap((done) => {
      const means = choiceOf(done.act, 'provenance')
      if (means !== 'measured' && means !== 'calculated') return []
      const kind = referencedKind(scene, done)
      const fits = means === 'measured' ? kind === 'observed' : kind === 'computed'
      if (fits) return []
      const at = done.act.roles['value']?.[0]?.at ?? done.step.at
      return [
        breach(
          'PROVENANCE_NOT_SHOWN',
          { step: done.step, at },
          {
            verdict: 'reject',
            facts: { filed_as: means, refers_to: kind ?? 'nothing' },
          },
        ),
      ]
    }),
  }),
}

/** Raw data stay as they are; a record is never deleted by a plan. */
export const rawRecords: Rule = {
  id: 'raw_records',
  check: ({ scene, registry }) => ({
    breaches: [
      ...actsOf(scene, 'write_record')
        .filter((done) => listed(fieldOf(done), registry.records.raw_fields))
        .map(({ step }) => breach('RAW_RECORD_CHANGED', { step }, { verdict: 'reject' })),
      ...actsOf(scene, 'delete_record').map(({ step }) =>
        breach('RAW_RECORD_CHANGED', { step }, { verdict: 'reject' }),
      ),
    ],
  }),
}

/** Fields that rules, releases or people rely on: consent, approvals, calibration, hazard classes. */
export const reliedOnRecords: Rule = {
  id: 'relied_on_records',
  check: ({ scene, registry }) => {
    const { relied_on_fields, approval_fields, consent_fields } = registry.records
    const lists = [...relied_on_fields, ...approval_fields, ...consent_fields]
    return {
      unknowns: actsOf(scene, 'write_record')
        .filter(
          (done) =>
            ofKind(fieldOf(done), lists) ||
            isRelied(fieldOf(done)) ||
            states(valueOf(done).toLowerCase(), approval_fields),
        )
        .map(({ step }) =>
          unknown('RECORD_RELIED_ON', { step }, 'Whether the value is true is not known.', {
            node: step.node.id,
          }),
        ),
    }
  },
}

/** Person-identifying fields: reading them is a question of purpose. */
export const personRecords: Rule = {
  id: 'person_records',
  check: ({ scene, registry }) => ({
    doubts: actsOf(scene, 'read_record')
      .filter(({ act }) =>
        wordsOfRole(act, 'fields').some(({ text }) => listed(text, registry.records.person_fields)),
      )
      .map(({ step }) =>
        doubt(
          'PERSON_DATA_READ',
          step.at,
          'Does the goal need fields that identify a person?',
          'consent',
          false,
        ),
      ),
  }),
}
