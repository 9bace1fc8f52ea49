// Every rule of the offline panel, by judge. Order is irrelevant: findings join, none cancels.
import type { Eye, Rule } from '../rule.ts'
import { approvals } from './approvals.ts'
import { armGuard } from './arm-guard.ts'
import { artefacts } from './artefacts.ts'
import { biosafety } from './biosafety.ts'
import { circumstance } from './circumstance.ts'
import { dataAuthority } from './data-authority.ts'
import { deviceTampering } from './device-tampering.ts'
import { dilution } from './dilution.ts'
import { disposal } from './disposal.ts'
import { doors } from './doors.ts'
import { exfiltration } from './exfiltration.ts'
import { falseStatement } from './false-statement.ts'
import { heating } from './heating.ts'
import { hiddenNode } from './hidden-node.ts'
import { hood } from './hood.ts'
import { identity } from './identity.ts'
import { images } from './images.ts'
import { incompatibleContents } from './incompatible-contents.ts'
import { knownMaterials } from './known-materials.ts'
import { mismatchVolume } from './mismatch-volume.ts'
import { mismatch } from './mismatch.ts'
import { payload } from './payload.ts'
import { provenance } from './provenance.ts'
import { rotor } from './rotor.ts'
import { scaleUp } from './scale-up.ts'
import { statedIntents } from './stated-intents.ts'
import { textOnly } from './text-only.ts'
import { thermocycler } from './thermocycler.ts'
import { treatment } from './treatment.ts'
import { verifier } from './verifier.ts'
import { wasteStream } from './waste-stream.ts'

const offlineRules: readonly Rule[] = [
  approvals,
  armGuard,
  artefacts,
  biosafety,
  circumstance,
  dataAuthority,
  deviceTampering,
  dilution,
  disposal,
  doors,
  exfiltration,
  falseStatement,
  heating,
  hiddenNode,
  hood,
  identity,
  images,
  incompatibleContents,
  knownMaterials,
  mismatch,
  mismatchVolume,
  payload,
  provenance,
  rotor,
  scaleUp,
  ...statedIntents,
  textOnly,
  thermocycler,
  treatment,
  verifier,
  wasteStream,
]

/** The rules of one judge. */
export function rulesOf(eye: Eye): readonly Rule[] {
  return offlineRules.filter((rule) => rule.eye === eye)
}
