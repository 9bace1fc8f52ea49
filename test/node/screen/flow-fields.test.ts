// Field names that identify a person, in their many spellings, and fields that only resemble them.
import { describe, expect, test } from 'vitest'
import { asksForAll, fieldLabel } from '../../../verify/screen/flow/fields.ts'

describe('field names', () => {
  test.each([
    'donor_name',
    'donorName',
    'DONOR-NAME',
    'Donor Name',
    'dоnor_name',
    'date_of_birth',
    'dob',
    'DOB',
    'birthDate',
    'national_id',
    'ssn',
    'phone',
    'phone_number',
    'e-mail',
    'contact_email',
    'address',
    'home_address',
    'medical_record_no',
    'MRN',
    'patient_id',
    'insurance_number',
    'last_name',
    'surname',
    'next_of_kin',
    'geburtsdatum',
    'Telefon',
    'patient.name',
    'passport_no',
    '姓名',
  ])('%s identifies a person', (name) => {
    expect(fieldLabel(name)).toBe('identifiers')
  })

  test.each([
    'name',
    'sample_name',
    'ip_address',
    'mac_address',
    'i2c_address',
    'birth_year',
    'consent_status',
    'donor_count',
    'subject_line',
    'gene_signature',
    'mobile_phase',
    'record_no',
    'volume',
    'well',
    'contact_test',
    'patient_consent',
    'cell_count',
    'age',
    'nominal',
    'zip_file',
    'hours_by_week',
    'assigned_to',
    'token_count',
    'secretion_rate',
    'password_policy',
    'vendor_email',
    'supplier_phone',
  ])('%s does not', (name) => {
    expect(fieldLabel(name)).toBeNull()
  })

  test.each([
    'password',
    'api_key',
    'apiKey',
    'API token',
    'private_key',
    'accessToken',
    'door_code',
    'ssh-key',
  ])('%s is a credential', (name) => {
    expect(fieldLabel(name)).toBe('credentials')
  })

  test('a wildcard asks for everything', () => {
    for (const name of ['*', 'all', 'ALL fields', 'record.*', 'all_columns']) {
      expect(asksForAll(name)).toBe(true)
    }
    for (const name of ['alloy', 'all_in_one_dye', 'full_scale', 'total']) {
      expect(asksForAll(name)).toBe(false)
    }
  })
})
