// One gateway and, one after the other, a real agent that offers less than this release does (n−1), one that offers
// no more than signed rows, and one that offers words of a later release (n+1): each runs a plan, is stopped in mid-act, and its
// cell is cleared. What an agent offers is changed on its way, at the upgrade.
import { expect, it } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { stageOfFile } from './harness.ts'

const onStage = stageOfFile()
/** What this release added. */
const added = new Set<string>(['stop-order', 'lists', 'trace'])

const peers: readonly (readonly [string, (offer: string) => string])[] = [
  [
    'n−1',
    (offer) =>
      offer
        .split(' ')
        .filter((name) => !added.has(name))
        .join(' '),
  ],
  ['the first with signed rows', () => 'signed-rows rest reasons'],
  ['n+1', (offer) => `telepathy ${offer} time-travel`],
]

it.each(peers)(
  'an agent of %s runs a plan, is stopped in mid-act, and its cell is cleared',
  async (_who, offer) => {
    const stage = onStage()
    stage.lab.proxy?.setOffer(offer)
    await stage.lab.agent().kill('SIGTERM')
    await stage.lab.restartAgent()
    await stage.ready()
    const ran = await stage.ended(await stage.sessionOf(await stage.accept()))
    expect(ran).toMatchObject({ status: 'completed', reason: null })
    const session = await stage.sessionOf(await stage.accept())
    await stage.begun(session, 'n2')
    const { cell, operator: token } = stage.lab.record
    await must(stage.lab.url, { method: 'POST', path: `/v1/cells/${cell}/stop`, token })
    expect(await stage.ended(session)).toMatchObject({ reason: 'stopped_by_person' })
    // An agent that tells no rest ends the run before its device has answered.
    const stopped = async () =>
      (await stage.journal(session)).some(({ tool }) => tool === 'liquid_handler.safe_stop')
    await expect.poll(stopped, { timeout: 20_000 }).toBe(true)
    await stage.ready()
    expect(await stage.cell()).toMatchObject({ needs_clearance: false, session: null })
  },
  240_000,
)
