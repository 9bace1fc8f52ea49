// `doctor`: looks at everything that the agent needs, in the order in which one thing rests on another,
// and says of each what to do. It moves nothing and says no hello, so it may run beside the agent.
import { loadConfig } from './config.ts'
import { diskCheck, keyCheck, ledgerCheck, sandboxCheck, type Finding } from './doctor-local.ts'
import { gatewayChecks, standingOf } from './doctor-gateway.ts'
import { latchChecks, serverChecks } from './doctor-servers.ts'
import { nodeProblem } from './node-version.ts'
import { useProxy } from './proxy.ts'
import { signerOf } from './signer.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Prints a line for each thing looked at, and true when all are well. */
export async function doctor(
  file: string,
  env: Env,
  say: (line: string) => void,
): Promise<boolean> {
  let bad = 0
  const tell = (...findings: readonly Finding[]) => {
    for (const { about, problem, todo } of findings) {
      if (problem !== null) bad += 1
      say(problem === null ? `ok     ${about}` : `WRONG  ${about}: ${problem}`)
      if (problem !== null) say(`       do: ${todo}`)
    }
  }
  const old = nodeProblem(process.versions.node)
  tell({ about: 'Node', problem: old, todo: 'install Node 24 and start the agent with it' })
  const config = loadConfig(file, env)
  if (!config.ok) {
    tell({ about: 'configuration', problem: config.error, todo: 'correct the file' })
    return false
  }
  tell({ about: `configuration ${file}`, problem: null, todo: '' })
  try {
    useProxy(env, config.value)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    tell({ about: 'proxy', problem, todo: 'use a newer Node, or unset HTTPS_PROXY' })
  }
  const key = await keyCheck(config.value)
  tell(key.finding)
  const ledger = ledgerCheck(config.value, old)
  tell(ledger.finding, await diskCheck(config.value))
  const gateway = await gatewayChecks(config.value)
  tell(...gateway.findings)
  const known =
    key.key === null || !gateway.reached
      ? null
      : await standingOf(config.value, signerOf(key.key, config.value))
  if (known !== null) tell(...known.findings)
  const site = known?.site ?? null
  if (site !== null) tell(sandboxCheck(config.value, site.sandboxes))
  if (ledger.agentRuns)
    say('note   the agent is running and has its servers: they are not started twice')
  else tell(...(await serverChecks(config.value, site?.tools ?? null)))
  tell(...(await latchChecks(config.value)))
  say(bad === 0 ? 'all is well' : `${bad} ${bad === 1 ? 'thing is' : 'things are'} wrong`)
  return bad === 0
}
