// What a policy may hide from vendors: kinds, fields, words and patterns that match in linear time.
import { describe, expect, it } from 'vitest'
import { call, codesOf, freshSite } from './support/door.ts'

const rule = { kind: 'patient', fields: ['patient_id'], words: ['Greywater Ward'] }

describe('the rules of what is hidden', () => {
  it('are set with the policy and read back', async () => {
    const site = await freshSite()
    const body = { hide: [{ ...rule, patterns: [String.raw`CASE-\d{4}`] }] }
    const put = await call('PUT', '/v1/policies', { token: site.admin, body })
    expect(put.status, put.text).toBe(200)
    const got = await call('GET', '/v1/policies', { token: site.admin })
    expect((got.body as { policy: object }).policy).toMatchObject(body)
  })

  it('are refused with a pattern that may take long, or that matches where nothing stands', async () => {
    const site = await freshSite()
    for (const pattern of ['(a+)+$', 'x*', '(']) {
      const body = { hide: [{ ...rule, patterns: [pattern] }] }
      const put = await call('PUT', '/v1/policies', { token: site.admin, body })
      const refused = [['pattern_not_linear', '/hide/0/patterns/0']]
      expect([pattern, put.status, codesOf(put)]).toEqual([pattern, 422, refused])
    }
  })
})
