// `npm run drain`: no new runs anywhere in the deployment, and what still runs until it has ended.
import { askDeployment, type Moving } from './guard.ts'
import { SetupError, type World } from './port.ts'

const pollMs = 3_000

/** Begins or ends a drain; `waits` until nothing runs. Answers what still runs. */
export async function drain(
  world: World,
  { on, reason, waits }: { on: boolean; reason: string; waits: boolean },
  say: (line: string) => void,
): Promise<Moving> {
  const body = JSON.stringify({ on, reason })
  let now = await askDeployment<Moving>(world, '/v1/drain', { method: 'POST', body })
  for (;;) {
    if (now === null) {
      throw new SetupError(
        `The deployment does not answer, or the operator's token is not in ${world.vault.folder}.`,
      )
    }
    say(told(now))
    if (!on || !waits || (now.running.length === 0 && now.silent.length === 0)) return now
    await world.wait(pollMs)
    now = await askDeployment<Moving>(world, '/v1/drain')
  }
}

function told({ sites, draining, running, silent }: Moving): string {
  const runs = running.map(({ site, cell }) => `${cell} of ${site}`).join(', ')
  return [
    `${draining} of ${sites} sites bind no plan`,
    runs === '' ? 'nothing runs' : `running: ${runs}`,
    ...(silent.length === 0 ? [] : [`no answer from: ${silent.join(', ')}`]),
  ].join('; ')
}
