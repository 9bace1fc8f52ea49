// What a text holds by its shape: credentials and data that identify a person.
// Danger: data carried in the body of a message, where no label of a tool sees it (CWE-359, CWE-522).
// A name without context cannot be told from other words; only names next to a word for a person count.
import type { Sensitive } from './fields.ts'

export type Shape = {
  readonly label: Sensitive
  readonly kind: string
  /** `sure` blocks where the label may not go; `likely` flags. */
  readonly weight: 'sure' | 'likely'
  readonly span: readonly [number, number]
}

type ShapeRule = Omit<Shape, 'span'> & { readonly pattern: RegExp }

/** All from the linear subset; a test proves it. */
export const shapeRules: readonly ShapeRule[] = [
  {
    label: 'credentials',
    kind: 'private key',
    weight: 'sure',
    pattern: /-----BEGIN [A-Z ]{0,20}PRIVATE KEY|PuTTY-User-Key-File/,
  },
  {
    label: 'credentials',
    kind: 'token',
    weight: 'sure',
    pattern:
      /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30}|\bgithub_pat_[A-Za-z0-9_]{20}|\bglpat-[A-Za-z0-9_-]{18}|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20}|\bxox[abprs]-[A-Za-z0-9-]{10}|\bAIza[A-Za-z0-9_-]{30}|\b[rs]k_live_[A-Za-z0-9]{16}|\bnpm_[A-Za-z0-9]{30}|\bhf_[A-Za-z0-9]{28}|\bSG\.[A-Za-z0-9_-]{16}\./,
  },
  {
    label: 'credentials',
    kind: 'jwt',
    weight: 'sure',
    pattern: /[A-Za-z0-9_-]\.eyJ[A-Za-z0-9_-]{6}/,
  },
  {
    label: 'credentials',
    kind: 'authorization header',
    weight: 'sure',
    pattern:
      /\b(?:authorization|proxy-authorization|x-api-key|cookie) ?: ?(?:bearer |basic |token )?[a-z0-9._~+/=-]{12}|\bbearer [a-z0-9._~+/-]{20}/i,
  },
  {
    label: 'credentials',
    kind: 'password',
    weight: 'sure',
    pattern:
      /\b(?:password|passwd|passwort|passcode|passphrase|pwd|kennwort|contraseña|mot de passe|пароль|api[ _-]?key|secret[ _-]?key|access[ _-]?token|client[ _-]?secret) ?(?:[:=] ?['"`«„]?[^\s'"`]{4}|(?:is|lautet|est|es) ['"`«„]?[^\s'"`]{0,24}[0-9!@#$%&*])/i,
  },
  {
    label: 'credentials',
    kind: 'password in url',
    weight: 'sure',
    pattern: /\b[a-z]{3,12}:\/\/[^\s/:@]{1,64}:[^\s/:@]{1,128}@/i,
  },
  {
    label: 'identifiers',
    kind: 'national id',
    weight: 'sure',
    pattern:
      /\b(?:ssn|social security|national id|nhs|passport|mrn|medical record|insurance|personalausweis|versichertennummer|snils|身份证)(?: ?(?:no|nr|number|nummer|id|card))?\.? ?(?:[:=#]|is|:)? ?#?[a-z]{0,4}-?[0-9][0-9 -]{5}/i,
  },
  {
    label: 'identifiers',
    kind: 'national id',
    weight: 'likely',
    pattern:
      /\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b|\b[1-9][0-9]{5}(?:19|20)[0-9]{2}[01][0-9][0-3][0-9][0-9]{3}[0-9xX]\b|\b[A-CEGHJ-PR-TW-Z]{2} [0-9]{2} [0-9]{2} [0-9]{2} [A-D]\b/,
  },
  {
    label: 'identifiers',
    kind: 'date of birth',
    weight: 'sure',
    pattern:
      /\b(?:born|dob|d\.o\.b\.?|date of birth|birth ?date|birthday|geboren(?: am)?|geburtsdatum|né\(?e?\)? le|nacid[oa] el|fecha de nacimiento)(?: on)? ?[:=]? ?(?:[0-9]{1,2}[./ -][0-9]{1,2}[./ -][0-9]{2}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,2}\.? [a-zäéûç]{3,10}\.? [0-9]{4}|[a-z]{3,10} [0-9]{1,2},? [0-9]{4})/i,
  },
  {
    label: 'identifiers',
    kind: 'name',
    weight: 'sure',
    pattern:
      /\b(?:[Dd]onor|[Pp]atient|[Pp]articipant|[Vv]olunteer|[Pp]roband|[Ss]ubject|[Ss]pender|[Tt]eilnehmer)(?:in)?(?:['’]s)?(?: full)? [Nn]ame[sn]?(?: is| lautet)? ?[:=]? ?[A-ZÄÖÜÉ][a-zäöüéèß'-]{1,30}/,
  },
  {
    label: 'identifiers',
    kind: 'name',
    weight: 'likely',
    pattern:
      /\b(?:donor|patient|participant|volunteer|proband)(?:in)?:? (?:Mr|Mrs|Ms|Miss|Frau|Herr|Herrn|Mme|Sra?)\.? [A-ZÄÖÜÉ][a-zäöüéèß'-]{1,30}|\b(?:donor|patient|participant|volunteer|proband|patientin)s?:? [A-ZÄÖÜÉ][a-zäöüéèß'-]{2,30} [A-ZÄÖÜÉ][a-zäöüéèß'-]{2,30}\b/,
  },
  {
    label: 'identifiers',
    kind: 'phone',
    weight: 'likely',
    pattern:
      /(?:^|[^0-9.,+])\+[1-9][0-9]{0,2}[ ./()-]{1,2}[0-9]{1,4}[ ./()-]{0,2}[0-9]{2,4}[ ./-]{0,2}[0-9]{2,4}|\b(?:phone|telephone|tel|mobile|call (?:me|her|him|them) at|telefon|handy)(?: ?(?:no|nr|number))?\.? ?:? ?\+?[0-9(][0-9 ()/.-]{6}/i,
  },
]

const worthALook =
  /[0-9]{3}|[0-9][.\-/ ][0-9]|-----|key|pass|pwd|bearer|authorization|kennwort|contraseña|пароль|ghp_|eyJ|sk-|xox|donor|patient|particip|volunt|proband|subject|spender|teilnehm|secret|token|:\/\//i

/** Words in capitals after "patient" or "donor" that are no names. */
const noNames = new Set(
  'none not removed redacted withheld unknown consent form safety sample samples list card information file files data record records id study group cohort screening privacy care plasma serum blood registry portal services the and see'.split(
    ' ',
  ),
)

const isNoName = (match: string): boolean =>
  match
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => noNames.has(word))

/** Shapes in one text, at most one for each rule. */
export function shapesIn(text: string): Shape[] {
  if (text.length < 6 || !worthALook.test(text)) return []
  const plain = text.normalize('NFKC')
  const out: Shape[] = []
  for (const { pattern, label, kind, weight } of shapeRules) {
    const match = pattern.exec(plain)
    if (match === null || (kind === 'name' && isNoName(match[0]))) continue
    out.push({ label, kind, weight, span: [match.index, match.index + match[0].length] })
  }
  return out
}

const mailAddress = /[A-Za-z0-9._%+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z]{2,24}/g

/** Mail addresses in a text, lower case. */
export function mailAddressesIn(text: string): string[] {
  if (!text.includes('@')) return []
  return [...text.matchAll(mailAddress)].map(([address]) => address.toLowerCase())
}
