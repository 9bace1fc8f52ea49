// A plan that was accepted over one state of its cell and would be bound over another waits for a person,
// who sees the difference; what they accept runs over exactly that state. Real gateway, agent and cell.
import { expect, test } from 'vitest'
import { must, recordCell } from '../../../lab/local/client.ts'
import { until } from '../../../lab/local/plans.ts'
import { cellRecordSchema } from '../../../protocol/state.ts'
import type { Packet } from '../../../protocol/records.ts'
import { changedInWords } from '../../../protocol/changed-words.ts'
import { planSchema } from '../../../protocol/plan.ts'
import { stageOfFile, threeNodes } from './harness.ts'

const stage = stageOfFile()

test('a vessel that was filled meanwhile brings the plan back, and a person lets it run', async () => {
  const { lab } = stage()
  const { cell, operator, reviewer } = lab.record
  const disarm = { method: 'POST', path: `/v1/cells/${cell}/disarm`, token: operator } as const
  await must(lab.url, disarm)
  const plan = await stage().accept()
  // Somebody puts water into the well that the plan fills, and records it.
  const filled = cellRecordSchema.parse({
    facts: [
      {
        thing: 'assay_plate_9',
        part: 'C8',
        fact: 'contents',
        value: [{ substance: 'water', volume: '50 uL' }],
      },
    ],
  })
  await recordCell(lab.url, operator, cell, filled)
  await stage().ready()
  const path = `/v1/reviews/${plan}`
  const read = () =>
    must<{ packet: Packet | null; status: { state: string; reasons: string[] } }>(lab.url, {
      method: 'GET',
      path,
      token: reviewer,
    })
  const back = await until(read, ({ status }) => status.state === 'escalated', 60_000)
  expect(back.status.reasons).toContain('state_changed')
  const changed = back.packet?.trace?.changed ?? []
  expect(changed).toContainEqual(
    expect.objectContaining({ at: '/nodes/1', thing: 'assay_plate_9', kind: 'wider' }),
  )
  const words = changed.map((one) => changedInWords(planSchema.parse(threeNodes), one))
  expect(words).toContain('Step n2: the contents of assay_plate_9 is not as it was shown.')
  expect(await stage().journal()).toEqual([])

  const { status } = await must<{ status: { packet_digest: string } }>(lab.url, {
    method: 'GET',
    path,
    token: reviewer,
  })
  const body = {
    verdict: 'accept',
    rationale: 'The water does no harm there.',
    packet_digest: status.packet_digest,
  }
  await must(lab.url, { method: 'POST', path, token: reviewer, body })
  const session = await stage().sessionOf(plan)
  const view = await stage().ended(session)
  expect(view.status).toBe('completed')
  expect(await stage().checkJournal(view)).toEqual(['n1', 'n2', 'n3'])
})
