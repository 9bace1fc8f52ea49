// The alerting rules, by a real Prometheus where one is installed: each fires for its own incident, soon,
// and clears itself; and a scrape of a real gateway gives figures.
import { spawn, spawnSync } from 'node:child_process'
import { createServer, type AddressInfo } from 'node:net'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSite, must } from '../../../lab/local/client.ts'
import { loadSite } from '../../../lab/local/demo-site.ts'
import { startGateway, type Gateway } from '../../../lab/local/gateway.ts'
import { decisionReasonSchema } from '../../../protocol/records.ts'
import { policySchema } from '../../../protocol/policy.ts'
import { root } from '../../../lab/local/bundle.ts'
import { agentJwk } from '../../shared/session-fixture.ts'

const rules = path.join(root, 'deploy/alerts/portcullis.rules.yml')
const hasPrometheus = spawnSync('promtool', ['--version']).status === 0
if (!hasPrometheus) process.stderr.write('no Prometheus is installed: its tests are skipped\n')

const folder = mkdtempSync(path.join(tmpdir(), 'portcullis-alerts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const cell = 'site="s",cell="c"'
const agent = `${cell},agent="a"`
/** Alert, its series while the incident lasts and else, and others that stand beside it. */
const incidents: readonly (readonly [string, string, string, string, Record<string, string>?])[] = [
  ['PortcullisDown', 'up{job="portcullis"}', '0', '1'],
  ['SiteNotAnswering', 'portcullis_site_up{site="s"}', '0', '1'],
  ['StopUnconfirmed', `portcullis_stops_unconfirmed{${cell}}`, '1', '0'],
  ['DeviceNotAtRest', `portcullis_cell_not_at_rest{${cell}}`, '1', '0'],
  ['SiteRestored', `portcullis_cell_latched{${cell},reason="site_restored"}`, '1', '0'],
  ['CellLatched', `portcullis_cell_latched{${cell},reason="agent_lost"}`, '1', '0'],
  ['LedgerFailing', `portcullis_agent_out_of_service{${agent},reason="ledger_failed"}`, '1', '0'],
  ['ClockSkew', `portcullis_agent_clock_skew_seconds{${agent}}`, '-9', '0'],
  ['LocalLatch', `portcullis_agent_out_of_service{${agent},reason="local_latch"}`, '1', '0'],
  ['AgentLost', `portcullis_agent_online{${agent}}`, '0', '1'],
  ['DeviceDown', `portcullis_device_up{${agent},server="d",reason="server_lost"}`, '0', '1'],
  ['QueueHeld', `portcullis_cell_holds{${cell}}`, '1', '0'],
  [
    'QueueNotMoving',
    `portcullis_cell_queued{${cell}}`,
    '2',
    '0',
    { [`portcullis_cell_running{${cell}}`]: '0' },
  ],
  ['ReviewExpiresSoon', 'portcullis_review_expires_seconds{site="s"}', '600', '9000'],
  ['ReviewsWaitLong', 'portcullis_review_oldest_seconds{site="s"}', '4000', '60'],
  [
    'JudgeBudgetNearlySpent',
    'portcullis_judge_spend_usd{site="s"}',
    '9.5',
    '1',
    { 'portcullis_judge_budget_usd{site="s"}': '10' },
  ],
]
/** Alerts on what rises: the series by steps of 15 s, while it lasts. */
const rising: readonly (readonly [string, string, string])[] = [
  [
    'JudgesUnavailable',
    'portcullis_reasons_total{site="s",of="decision",reason="depth_short"}',
    '3',
  ],
  [
    'RejectionsRepeat',
    'portcullis_reasons_total{site="s",of="decision",reason="breach_reject"}',
    '9',
  ],
  ['RunsEndAbnormally', 'portcullis_reasons_total{site="s",of="run",reason="agent_lost"}', '2'],
]

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** What may stand a while before anybody is called. */
const patient: Readonly<Record<string, string>> = { QueueHeld: '7m', QueueNotMoving: '17m' }
const nameOf = (series: string): string => series.replace(/\{.*/, '')
const metricNames = new Set(
  [...incidents, ...rising].map(([, series]) => nameOf(series)).filter((name) => name !== 'up'),
)

type Case = {
  name: string
  series: Record<string, string>
  checks: [at: string, firing: boolean][]
}

/** One test of promtool: an incident of some minutes, with quiet before and after it. */
function caseOf(name: string, series: Record<string, string>, over: string, fired: string): Case {
  return {
    name,
    series,
    checks: [
      ['45s', false],
      [fired, true],
      [over, false],
    ],
  }
}
const cases: Case[] = [
  ...incidents.map(([alert, series, on, off, beside = {}]) => {
    const lasts = patient[alert] === undefined ? 8 : 80
    const still = Object.fromEntries(Object.entries(beside).map(([of, v]) => [of, `${v}x200`]))
    const values = `${off}x4 ${on}x${lasts} ${off}x80`
    // Quiet for a minute; then at the latest a minute after it began.
    const over = `${Math.ceil(lasts / 4) + 12}m`
    return caseOf(alert, { [series]: values, ...still }, over, patient[alert] ?? '2m')
  }),
  ...rising.map(([alert, series, step]) =>
    caseOf(alert, { [series]: `0x4 0+${step}x4 ${4 * Number(step)}x300` }, '70m', '2m'),
  ),
]

function yamlOf(list: readonly Case[]): string {
  const tests = list.map(({ name, series, checks }) => ({
    interval: '15s',
    name,
    input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
    promql_expr_test: checks.map(([eval_time, firing]) => ({
      expr: `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`,
      eval_time,
      exp_samples: [{ labels: '{}', value: firing ? 1 : 0 }],
    })),
  }))
  // JSON is YAML.
  return JSON.stringify({ rule_files: [rules], evaluation_interval: '15s', tests })
}

it('name only metrics that the gateway gives and reasons that exist', () => {
  const text = readFileSync(rules, 'utf8')
  const sources = ['stored', 'live'].map((name) =>
    readFileSync(path.join(root, `worker/metrics/${name}.ts`), 'utf8'),
  )
  for (const name of new Set(text.match(/portcullis_[a-z_]+/g))) {
    const stem = name.replace(/_(bucket|sum|count)$/, '')
    expect(sources.join(), name).toContain(`'${stem}'`)
  }
  const alternatives = [...text.matchAll(/reason=~"([^".*]+)"/g)].flatMap(([, list = '']) =>
    list.split('|'),
  )
  for (const reason of alternatives) expect(decisionReasonSchema.options).toContain(reason)
  const named = [...text.matchAll(/- alert: (\w+)/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(new Set(cases.map(({ name }) => name)))
  expect(named).toHaveLength(cases.length)
  expect(metricNames.size).toBeGreaterThan(12)
})

describe.runIf(hasPrometheus)('a real Prometheus', () => {
  it('fires each alert for its own incident within a minute, and clears it', () => {
    const file = path.join(folder, 'alerts.test.yml')
    writeFileSync(file, yamlOf(cases))
    const run = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' })
    expect(run.stdout + run.stderr).toContain('SUCCESS')
    expect(run.status).toBe(0)
    // The same with an incident that does not happen must fail: the table can.
    const [first] = cases
    const never = { ...first, series: { 'portcullis_site_up{site="s"}': '1x200' } } as Case
    writeFileSync(file, yamlOf([never]))
    expect(spawnSync('promtool', ['test', 'rules', file]).status).toBe(1)
  })

  describe('beside a real gateway', () => {
    let gateway: Gateway
    beforeAll(async () => {
      gateway = await startGateway()
      const { registry, proven } = await loadSite()
      const site = await createSite(gateway.url, gateway.operatorToken, {
        site: 'watched',
        registry,
        policy: policySchema.parse({}),
        proven,
      })
      const { kty, crv, x } = agentJwk
      const body = { agent: 'arm', cell: 'bench', jwk: { kty, crv, x } }
      await must(gateway.url, { method: 'POST', path: '/v1/agents', token: site.admin, body })
    })
    afterAll(() => gateway?.close())

    it('scrapes it with the metrics token and raises what is wrong', async () => {
      const port = await freePort()
      const config = {
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: [rules],
        scrape_configs: [
          {
            job_name: 'portcullis',
            authorization: { credentials: gateway.secrets.metrics_token },
            static_configs: [{ targets: [new URL(gateway.url).host] }],
          },
        ],
      }
      const file = path.join(folder, 'prometheus.yml')
      writeFileSync(file, JSON.stringify(config))
      const child = spawn('prometheus', [
        `--config.file=${file}`,
        `--storage.tsdb.path=${path.join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ])
      let log = ''
      child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
      const ask = async (query: string): Promise<number | null> => {
        const at = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(query)}`
        const answer = await fetch(at).catch(() => null)
        if (answer?.ok !== true) return null
        const { data } = (await answer.json()) as {
          data: { result: { value: [number, string] }[] }
        }
        return data.result[0] === undefined ? null : Number(data.result[0].value[1])
      }
      try {
        const within = { timeout: 60_000, interval: 500 }
        await expect.poll(() => ask('up{job="portcullis"}'), within).toBe(1)
        await expect.poll(() => ask('portcullis_site_up{site="watched"}'), within).toBe(1)
        expect(await ask('portcullis_credentials{site="watched",role="administrator"}')).toBe(1)
        // Its agent was never there: the rule sees it by itself.
        const pending = 'count(ALERTS{alertname="AgentLost",agent="arm"})'
        await expect.poll(() => ask(pending), within).toBe(1)
      } catch (cause) {
        throw new Error(log.split('\n').slice(-5).join('\n'), { cause })
      } finally {
        child.kill()
        await new Promise((resolve) => child.once('close', resolve))
      }
    })
  })
})
