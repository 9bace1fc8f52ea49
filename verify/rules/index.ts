// All rules over one reading and its dry run. They have no vote: they yield breaches, unknowns and
// doubts, and `decide` knows what each does in each mode.
import type { Breach, RaisedDoubt, Unknown } from '../../protocol/evidence.ts'
import { askedFor } from './asked.ts'
import { codeEnds } from './code-ends.ts'
import { coverage } from './coverage.ts'
import { finalDisposal } from './final.ts'
import { hiddenData, untoldRecords } from './hidden-data.ts'
import { placeholders } from './placeholders.ts'
import { forbiddenSteps } from './forbidden.ts'
import { stepIds } from './handles.ts'
import { circumstances, statedIntents } from './intents.ts'
import { materials, toldOrganisms, unidentifiedMaterial } from './materials.ts'
import { toldNames } from './names.ts'
import {
  administration,
  consent,
  heldThings,
  ownIdentity,
  recordedApprovals,
} from './records-of-people.ts'
import { personRecords, provenanceShown, rawRecords, reliedOnRecords } from './records.ts'
import { toldOrdinals } from './ordinals.ts'
import { repeatedActs } from './repeats.ts'
import { joined, type Rule, type RuleInput } from './rule.ts'
import { images, inPieces, outgoingTexts, recipients } from './speech.ts'
import { toldRecords } from './told-records.ts'
import { toldValues } from './told.ts'
import { fromTrace } from './trace.ts'

/** Order is irrelevant: findings join, none cancels another. */
export const rules: readonly Rule[] = [
  fromTrace,
  toldValues,
  toldNames,
  toldRecords,
  toldOrdinals,
  askedFor,
  placeholders,
  hiddenData,
  untoldRecords,
  forbiddenSteps,
  materials,
  unidentifiedMaterial,
  toldOrganisms,
  recordedApprovals,
  heldThings,
  consent,
  ownIdentity,
  administration,
  provenanceShown,
  rawRecords,
  reliedOnRecords,
  personRecords,
  recipients,
  outgoingTexts,
  inPieces,
  images,
  finalDisposal,
  stepIds,
  repeatedActs,
  codeEnds,
  statedIntents,
  circumstances,
  coverage,
]

/** What the rules find; pure, total, independent of the order of the nodes array. */
export function judgeByRules(input: RuleInput): {
  readonly breaches: readonly Breach[]
  readonly unknowns: readonly Unknown[]
  readonly doubts: readonly RaisedDoubt[]
} {
  return joined(rules.map((rule) => rule.check(input)))
}
