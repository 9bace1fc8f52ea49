// Vectors of digests: kind, value, canonical form (RFC 8785), digest.
import { canonicalForm, digest, digestKinds, type DigestKind } from '../../../protocol/digest.ts'
import type { JsonValue } from '../../../protocol/json.ts'
import { vectorSession } from './session.ts'

export type DigestVector = {
  kind: DigestKind
  value: JsonValue | object
  canonical: string
  digest: string
}

const values: JsonValue[] = [
  {},
  { b: [1, 2.5, 1e-7], a: null, '\u20ac': 'é\u2028', '\ud83d\ude00': true },
]

export async function digestVectors(): Promise<DigestVector[]> {
  const { context, decision, rows: toolRows } = await vectorSession('sess_a')
  const rows: [DigestKind, JsonValue | object][] = (
    Object.keys(digestKinds) as DigestKind[]
  ).flatMap((kind) => values.map((value): [DigestKind, JsonValue] => [kind, value]))
  rows.push(['context', context], ['decision', decision], ['plan', context.plan])
  for (const row of toolRows) rows.push(['tool-row', row])
  for (const node of context.plan.nodes) rows.push(['args', node.args])
  const out = rows.map(async ([kind, value]) => ({
    kind,
    value,
    canonical: canonicalForm(value),
    digest: await digest(kind, value),
  }))
  return Promise.all(out)
}
