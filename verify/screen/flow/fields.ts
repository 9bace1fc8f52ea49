// What a field, argument or file is called → what it holds. Reads names in any spelling
// (`donorName`, `DONOR-NAME`, `date of birth`, `dob`), in the languages that laboratories use.
// Danger: person-identifying fields read under another name than the registry lists (CWE-359).
import type { FlowLabel } from '../../../protocol/registry.ts'
import { wordsOf } from '../words.ts'

export type Sensitive = Extract<FlowLabel, 'identifiers' | 'credentials'>

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Words that mean a person whose data the site holds. */
export const personWords = setOf(
  'donor donors patient patients participant participants volunteer volunteers proband probands subject subjects person persons people individual individuals employee employees staff client clients customer customers guardian guardians parent mother father relative relatives spender spenderin patientin patienten teilnehmer donneur donneuse donante paciente pacientes пациент донор 患者 捐献者',
)

/** One word that names a person by itself. */
const alone = setOf(
  'surname forename firstname lastname fullname familyname givenname maidenname dob birthday birthdate dateofbirth mrn ssn nhsno nhs passport email emails mail phone phones telephone cellphone fax postcode zipcode nachname vorname geburtsdatum geburtstag telefon telefonnummer anschrift ausweisnummer versichertennummer prénom adresse téléphone apellido apellidos dirección teléfono correo donorname patientname homeaddress iban faceimage nationalid medicalrecordno 姓名 身份证 氏名 生年月日 фио паспорт',
)

/** Words that together name a person; every word of one row must occur. */
const together: readonly (readonly string[])[] = [
  'first name',
  'last name',
  'full name',
  'family name',
  'given name',
  'maiden name',
  'legal name',
  'middle name',
  'birth date',
  'birth day',
  'date birth',
  'birth place',
  'place birth',
  'national id',
  'national identity',
  'national number',
  'identity number',
  'identity card',
  'id card',
  'social security',
  'insurance no',
  'insurance number',
  'insurance id',
  'health number',
  'health id',
  'medical record',
  'hospital no',
  'hospital number',
  'hospital id',
  'patient id',
  'patient no',
  'patient number',
  'passport no',
  'driver license',
  'driving licence',
  'tax id',
  'tax number',
  'bank account',
  'contact details',
  'contact data',
  'contact person',
  'contact number',
  'contact info',
  'next kin',
  'e mail',
  'cell phone',
  'home address',
  'postal code',
  'postal address',
  'mailing address',
  'zip code',
  'street address',
  'personal data',
  'personal details',
  'person identity',
  'pii',
  'phi',
].map((row) => row.split(' '))

/** An address of a machine is no address of a person. */
const machineWords = setOf(
  'ip mac bus i2c spi modbus device register memory url web network host server node well plate rack slot deck port uart can serial usb hardware reagent',
)

/** Contact data of an organisation names no person. */
const organisationWords = setOf(
  'vendor supplier manufacturer support company institution institute department provider service helpdesk hotline office courier carrier laboratory lab site sponsor hersteller lieferant fabricant fournisseur fabricante proveedor',
)

const credentialAlone = setOf(
  'password passwords passwd pwd passphrase passcode secret secrets apikey apikeys accesskey privatekey secretkey credential credentials token tokens accesstoken authtoken bearertoken refreshtoken sessiontoken jwt otp totp kennwort passwort contraseña пароль 密码 パスワード sshkey keypair keystore',
)

const credentialTogether: readonly (readonly string[])[] = [
  'api key',
  'access key',
  'private key',
  'secret key',
  'ssh key',
  'signing key',
  'encryption key',
  'license key',
  'access code',
  'door code',
  'alarm code',
  'badge code',
  'pin code',
  'recovery code',
  'safe combination',
  'session cookie',
  'login data',
  'pass word',
  'mot passe',
].map((row) => row.split(' '))

const has = (words: readonly string[], rows: readonly (readonly string[])[]): boolean =>
  rows.some((row) => row.every((word) => words.includes(word)))

function namesPerson(words: readonly string[], joined: string): boolean {
  const person = words.some((word) => personWords.has(word))
  if (!person && words.some((word) => organisationWords.has(word))) return false
  if (alone.has(joined) || has(words, together)) return true
  const machine = words.some((word) => machineWords.has(word))
  if (words.some((word) => alone.has(word))) return !machine
  if (words.includes('address') || words.includes('adress')) return !machine
  return person && words.some((word) => word === 'name' || word === 'names' || word === 'contact')
}

function namesCredential(words: readonly string[], joined: string): boolean {
  // "token count" and "secret santa" exist; a count, length or id of one reveals nothing.
  if (words.some((word) => ['count', 'length', 'expiry', 'expires', 'policy'].includes(word)))
    return false
  return (
    credentialAlone.has(joined) ||
    words.some((word) => credentialAlone.has(word)) ||
    has(words, credentialTogether)
  )
}

/** The label of a field by its name; null when the name says nothing sensitive. */
export function fieldLabel(name: string): Sensitive | null {
  const words = wordsOf(name)
  const joined = words.join('')
  if (namesCredential(words, joined)) return 'credentials'
  return namesPerson(words, joined) ? 'identifiers' : null
}

/** `*`, `all` and the like: every field of the record, hence the identifying ones too. */
export function asksForAll(name: string): boolean {
  const text = name.trim().toLowerCase()
  if (/^[*%]|\.\*$/.test(text)) return true
  return /^(?:all|any|everything|full|complete|entire)(?:[ _-]?(?:fields?|columns?|attributes?|data|record|of it))?$/.test(
    text,
  )
}
