// A site at full speed, as a process of its own: `node lab/bench/noise.ts URL` with the operator's token in
// OPERATOR_TOKEN. It makes its site, then obeys lines on stdin: `loud` and `quiet`. After each `quiet` it
// prints what it had done since, as one line of JSON.
import { createInterface } from 'node:readline'
import { formatToken } from '../../adapters/secret.ts'
import { makeId } from '../../protocol/ids.ts'
import { policySchema } from '../../protocol/policy.ts'
import type { Registry } from '../../protocol/registry.ts'
import { createCredential, createSite, request } from '../local/client.ts'
import { loadSite } from '../local/demo-site.ts'
import { driver, openPlan, planner, readings, submitting, type Field } from './drivers.ts'

const [base = ''] = process.argv.slice(2)
const submitters = 8
const guessers = 4
const talkers = 2
/** Tools of the large registry that is approved again and again. */
const toolsMax = 300

/** The same site with many more tools. */
function large(registry: Registry): Registry {
  const [first] = registry.tools
  if (first === undefined) throw new Error('the registry has tools')
  const more = Array.from({ length: toolsMax - registry.tools.length }, (_, i) => {
    const name = `spare.device_${i}`
    return {
      ...first,
      name,
      mcp_tool: name,
      description: `What spare device ${i} does in the lab.`,
    }
  })
  return { ...registry, tools: [...registry.tools, ...more] }
}

const { registry, policy, proven } = await loadSite(undefined)
const handle = await createSite(base, process.env['OPERATOR_TOKEN'] ?? '', {
  site: `noise-${process.pid}`,
  registry,
  policy: policySchema.parse(policy),
  proven,
})
const owner = 'n.oise'
const field: Field = {
  handle,
  operator: await createCredential(handle, { role: 'operator', subject: 'o', owner }),
  planners: {
    [planner]: await createCredential(handle, { role: 'planner', subject: planner, owner }),
  },
}
const drivers = []
for (let i = 1; i <= talkers; i++) drivers.push(await driver(field, i))
const sleeper = await driver(field, 0)
sleeper.goOffline()
const sessions = []
for (const agent of drivers) sessions.push(await openPlan(field, agent, readings(4)))

const counts = { frames: 0, sign_ins_failed: 0, refused: 0, registries: 0 }
let loud = false
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Does one thing after the other while it is loud. */
async function again(one: () => Promise<void>): Promise<void> {
  for (;;) {
    if (loud) await one().catch(() => pause(50))
    else await pause(20)
  }
}

/** Wrong tokens of the right form, each of another credential that is not there. */
async function guess(): Promise<void> {
  const random = (bytes: number) => crypto.getRandomValues(new Uint8Array(bytes))
  const token = formatToken(makeId('cred', random(26)), random(32))
  const answer = await request(base, { method: 'GET', path: '/v1/plans', token })
  if (answer.status === 429) counts.refused += 1
  else counts.sign_ins_failed += 1
}

const big = large(registry)
async function approve(): Promise<void> {
  const call = { method: 'PUT', path: '/v1/tools', token: handle.admin, body: big }
  const answer = await request(base, call)
  if (answer.status === 429) {
    counts.refused += 1
    await pause(100)
  } else if (answer.status === 200 || answer.status === 422) counts.registries += 1
}

for (const session of sessions) {
  void again(async () => {
    await session.pull()
    counts.frames += 1
  })
}
for (let i = 0; i < guessers; i++) void again(guess)
void again(approve)

let flood: ReturnType<typeof submitting> | null = null
process.stdout.write('{"ready":true}\n')
for await (const line of createInterface({ input: process.stdin })) {
  if (line === 'loud') {
    loud = true
    flood = submitting(field, submitters, sleeper.name)
  }
  if (line === 'quiet') {
    loud = false
    await flood?.end()
    process.stdout.write(`${JSON.stringify({ plans: flood?.count() ?? 0, ...counts })}\n`)
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] = 0
  }
}
process.exit(0)
