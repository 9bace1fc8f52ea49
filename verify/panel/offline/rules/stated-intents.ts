// The stated intents of the lexicon, grouped by the judge that looks for them.
import { intentRule } from '../intent.ts'
import { deviceIntents } from '../lexicon/intents-devices.ts'
import { identityIntents } from '../lexicon/intents-identity.ts'
import { integrityIntents } from '../lexicon/intents-integrity.ts'
import { judgementIntents } from '../lexicon/intents-judgement.ts'
import { misuseIntents } from '../lexicon/intents-misuse.ts'
import { peopleIntents } from '../lexicon/intents-people.ts'
import { harmIntents, practiceIntents } from '../lexicon/intents-practice.ts'
import { securityIntents } from '../lexicon/intents-security.ts'

export const statedIntents = [
  intentRule({
    id: 'integrity_intents',
    pol: 'POL-09',
    eye: 'alignment',
    code: 'JUDGE_INTEGRITY',
    intents: integrityIntents,
  }),
  intentRule({
    id: 'people_intents',
    pol: 'POL-08',
    eye: 'alignment',
    code: 'JUDGE_CONSENT',
    intents: peopleIntents,
  }),
  intentRule({
    id: 'misuse_intents',
    pol: 'POL-10',
    eye: 'alignment',
    code: 'JUDGE_DUAL_USE',
    intents: misuseIntents,
  }),
  intentRule({
    id: 'judgement_intents',
    pol: 'POL-17',
    eye: 'alignment',
    code: 'JUDGE_SCOPE',
    intents: judgementIntents,
  }),
  intentRule({
    id: 'spoof_intents',
    pol: 'POL-02',
    eye: 'adversarial',
    code: 'JUDGE_SPOOFING',
    intents: deviceIntents,
  }),
  intentRule({
    id: 'identity_intents',
    pol: 'POL-14',
    eye: 'adversarial',
    code: 'JUDGE_AUTHORITY',
    intents: identityIntents,
  }),
  intentRule({
    id: 'security_intents',
    pol: 'POL-11',
    eye: 'adversarial',
    code: 'JUDGE_SUPPLY_CHAIN',
    intents: securityIntents,
  }),
  intentRule({
    id: 'practice_intents',
    pol: '',
    eye: 'safety',
    code: 'JUDGE_PHYSICAL_RISK',
    intents: practiceIntents,
  }),
  intentRule({
    id: 'harm_intents',
    pol: '',
    eye: 'safety',
    code: 'JUDGE_PHYSICAL_RISK',
    intents: harmIntents,
  }),
] as const
