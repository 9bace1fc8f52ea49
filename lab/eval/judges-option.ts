// `--judges`, `--depth` and `--model`: which panel judges an evaluation, and with which endpoints. Live
// needs keys in the environment; without them the panel is an outage and no plan is accepted. A replay
// answers from a recording, `opinions` puts recorded seats beside the rules, past the prompts; `sim` and
// `binding` are stand-ins of vendors, whose verdicts measure nothing.
import { readFile } from 'node:fs/promises'
import { bindingPanel, defaultEndpoints, vendorPanel } from '../../adapters/models/default-seats.ts'
import { startReplayServer } from '../local/replay-server.ts'
import { startVendorSim } from '../local/vendor-sim/server.ts'
import { policySchema, type ModelSeat, type Policy } from '../../protocol/policy.ts'
import { readRecording } from '../../verify/panel/record.ts'
import { modelEnv, type Env } from './model-env.ts'
import { readOpinions, type Recorded } from './opinions.ts'

export type JudgesChoice = {
  /** What was chosen, without file names. */
  readonly kind: 'offline' | 'live' | 'sim' | 'replay' | 'opinions' | 'binding'
  /** The policy of the evaluation, from the site's. */
  readonly policy: (site: Policy) => Policy
  /** Further variables of the Worker. */
  readonly vars: Record<string, string>
  /** Opinions that stand in for the panel's; null: what the gateway asked is what counts. */
  readonly opinions: Recorded | null
  /** True: the stand-in of the platform's binding answers, and no key is needed. */
  readonly binding: boolean
  /** What to say when it is over, e.g. how much a recording did not hold. */
  readonly close: () => Promise<string | null>
}

export type JudgesOptions = {
  readonly judges: string
  readonly depth: string | null
  /** `seat=model`, each a seat that gets another model. */
  readonly models: readonly string[]
  /** Version of the prompts; null leaves the site's. */
  readonly prompt: string | null
}

type Source = Pick<JudgesChoice, 'vars' | 'close'>

const depths = [1, 3, 5, 7] as const

/** What most kinds have in common. */
const plain = { opinions: null, binding: false, close: () => Promise.resolve(null) }

/** Live panel: the site's own seats, or the default ones where the site names none. */
function livePolicy(site: Policy): Policy {
  return policySchema.parse({
    ...site,
    panel: 'live',
    judges: site.judges.length > 0 ? site.judges : vendorPanel.judges,
    chief: site.chief ?? vendorPanel.chief,
  })
}

/** Every endpoint name of the default seats, all at one address. */
function allAt(sim: { url: string }): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(defaultEndpoints).map(([name, { wire }]) => [
        name,
        { wire, url: wire === 'anthropic' ? sim.url : `${sim.url}/v1`, key: 'local' },
      ]),
    ),
  )
}

function live(env: Env): Source {
  const { vars, missing } = modelEnv(env)
  if (missing.length > 0) {
    process.stderr.write(`no key for: ${missing.join(', ')}. Their judges are missing.\n`)
  }
  return { vars, close: () => Promise.resolve(null) }
}

async function replayed(file: string): Promise<Source> {
  const calls = readRecording(await readFile(file, 'utf8'))
  if (!calls.ok) throw new Error(`${file}: ${calls.error}`)
  const server = await startReplayServer(calls.value)
  return {
    vars: { MODEL_REPLAY: server.replay },
    close: async () => {
      await server.close()
      const missed = [...server.missed].map(([seat, n]) => `${seat} ${n}`)
      return missed.length === 0
        ? `${server.used()} calls answered from ${file}`
        : `not in ${file}, so those judges are missing: ${missed.join(', ')}`
    },
  }
}

async function simulated(): Promise<Source> {
  const vendor = await startVendorSim()
  return {
    vars: { MODEL_ENDPOINTS: allAt(vendor) },
    close: async () => {
      await vendor.close()
      return 'judged by the vendor simulator: these verdicts say nothing about any model'
    },
  }
}

/** Puts other models on seats. Throws when a seat does not exist. */
function withModels(policy: Policy, models: ReadonlyMap<string, string>): Policy {
  const swap = (seat: ModelSeat): ModelSeat => ({
    ...seat,
    model: models.get(seat.name) ?? seat.model,
  })
  const chief = policy.chief === null ? null : swap(policy.chief)
  const names = new Set([...policy.judges, ...(chief === null ? [] : [chief])].map((s) => s.name))
  const unknown = [...models.keys()].filter((name) => !names.has(name))
  if (unknown.length > 0) throw new Error(`--model: no such seat: ${unknown.join(', ')}`)
  return { ...policy, judges: policy.judges.map(swap), chief }
}

function readModels(texts: readonly string[]): Map<string, string> {
  return new Map(
    texts.map((text) => {
      const [, seat, model] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? []
      if (seat === undefined || model === undefined) {
        throw new Error(`--model takes seat=model, got ${text}`)
      }
      return [seat, model]
    }),
  )
}

/** The choice for the options. Throws with what is allowed. */
export async function judgesFrom(options: JudgesOptions, env: Env): Promise<JudgesChoice> {
  const { judges, depth } = options
  const least = depth === null ? null : depths.find((allowed) => String(allowed) === depth)
  if (least === undefined) throw new Error(`--depth takes 1, 3, 5 or 7, got ${depth}`)
  // What `--prompt` may be is for the policy's schema to say.
  const deepened = (site: Policy): Policy =>
    policySchema.parse({
      ...site,
      ...(least === null ? {} : { least_depth: least }),
      ...(options.prompt === null ? {} : { prompt_version: options.prompt }),
    })
  const models = readModels(options.models)
  if (judges === 'offline') {
    if (models.size > 0) throw new Error('--model goes with models, not with --judges offline')
    return {
      kind: 'offline',
      policy: (site) => ({ ...deepened(site), panel: 'offline' }),
      vars: {},
      ...plain,
    }
  }
  const recorded = /^opinions:(.+)$/.exec(judges)?.[1]
  if (recorded !== undefined) {
    return {
      ...plain,
      kind: 'opinions',
      // Rules judge in the gateway; the recorded seats are put beside what they found.
      policy: (site) => ({ ...deepened(site), panel: 'offline' }),
      vars: {},
      opinions: await readOpinions(recorded),
    }
  }
  const policy = (site: Policy): Policy => withModels(livePolicy(deepened(site)), models)
  if (judges === 'live') return { ...plain, kind: 'live', policy, ...live(env) }
  if (judges === 'sim') return { ...plain, kind: 'sim', policy, ...(await simulated()) }
  if (judges === 'binding') {
    const seats = (site: Policy): Policy =>
      policySchema.parse({ ...deepened(site), panel: 'live', ...bindingPanel })
    return {
      ...plain,
      kind: 'binding',
      policy: (site) => withModels(seats(site), models),
      vars: {},
      binding: true,
      close: () =>
        Promise.resolve('judged by the stand-in of the binding: these verdicts measure nothing'),
    }
  }
  const file = /^replay:(.+)$/.exec(judges)?.[1]
  if (file !== undefined) return { ...plain, kind: 'replay', policy, ...(await replayed(file)) }
  throw new Error(
    `--judges takes offline, live, sim, binding, replay:FILE or opinions:FILE, got ${judges}`,
  )
}
