// Two projects in one run: `node` for pure code and whole processes, `workerd` for the real runtime.
import { createHash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import SlowFirst from './lab/tools/slow-first.ts'
import demoRegistry from './lab/site/lc7/registry.json' with { type: 'json' }
import testKeys from './test/vectors/keys.json' with { type: 'json' }

/** Only for the tests: with it they create their sites. */
const operatorToken = 'operator-of-the-test-deployment'
const metricsToken = 'metrics-of-the-test-deployment'
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/**
 * Left to itself the runner keeps one core free: on two cores everything would run in one row. The longest files
 * start processes and wait for them more than half of their time, so there are more workers than cores.
 */
const maxWorkers = Math.max(3, availableParallelism() - 1)

/** After it a test counts as hanging, on a machine with ten other things to do as well; nothing is measured by it. */
const hangsMs = 300_000

/** A stand-in of the platform's mail: it keeps what it is handed, and tells it. */
const mailStandIn = `
import { WorkerEntrypoint } from 'cloudflare:workers'
const kept = []
export class Mail extends WorkerEntrypoint {
  send(mail) {
    kept.push(mail)
    return { messageId: String(kept.length) }
  }
  sent() {
    return kept
  }
}
export default { fetch: () => new Response(null, { status: 404 }) }
`

// Files share their workers (`isolate: false`): to load the product anew for each of them took longer than
// most tests. So no test may leave anything behind in its process: no variable, no timer, no mocked module.
export default defineConfig({
  test: {
    maxWorkers,
    sequence: { sequencer: SlowFirst },
    reporters: ['default', './lab/tools/totals-reporter.ts'],
    projects: [
      {
        test: {
          name: 'node',
          maxWorkers,
          environment: 'node',
          isolate: false,
          include: ['test/node/**/*.test.ts'],
          setupFiles: ['./test/node/support/folders.ts'],
          globalSetup: ['./test/fake/own-temp.ts', './test/fake/bundled.ts'],
          testTimeout: hangsMs,
          hookTimeout: hangsMs,
        },
      },
      // Whole worlds in simulated time: the objects without their platform, which the test plays.
      {
        resolve: {
          alias: {
            'cloudflare:workers': path.join(import.meta.dirname, 'test/sim/gateway/platform.ts'),
          },
        },
        test: {
          name: 'sim',
          maxWorkers,
          environment: 'node',
          include: ['test/sim/**/*.test.ts'],
          setupFiles: ['./test/sim/setup.ts'],
          globalSetup: ['./test/fake/own-temp.ts'],
          testTimeout: 300_000,
        },
      },
      async () => ({
        plugins: [
          cloudflareTest({
            remoteBindings: false,
            wrangler: { configPath: './wrangler.local.toml' },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations(
                  path.join(import.meta.dirname, 'migrations'),
                ),
                TEST_REGISTRY: demoRegistry,
                TEST_OPERATOR_TOKEN: operatorToken,
                TEST_METRICS_TOKEN: metricsToken,
                OPERATOR_TOKEN_SHA256: sha256(operatorToken),
                METRICS_TOKEN_SHA256: sha256(metricsToken),
                SIGNING_KEYS: JSON.stringify([testKeys.gateway]),
                // The webhook of the tests is on this machine.
                PRIVATE_HOSTS: JSON.stringify(['127.0.0.1']),
                MAIL_FROM: 'gateway@gateway.test',
                CONSOLE_URL: 'https://gateway.test',
              },
              serviceBindings: {
                MAIL: { name: 'mail-local', entrypoint: 'Mail' },
                TEST_MAIL: { name: 'mail-local', entrypoint: 'Mail' },
              },
              workers: [
                {
                  name: 'mail-local',
                  compatibilityDate: '2026-10-01',
                  modules: true,
                  script: mailStandIn,
                },
                {
                  name: 'vectorize-local',
                  compatibilityDate: '2026-10-01',
                  modules: true,
                  scriptPath: './.build/vectorize.js',
                  durableObjects: { STORE: { className: 'VectorStore', useSQLite: true } },
                },
              ],
            },
          }),
        ],
        test: {
          name: 'workerd',
          maxWorkers,
          isolate: false,
          include: ['test/workerd/**/*.test.ts'],
          exclude: ['test/workerd/session/**'],
          setupFiles: ['./test/workerd/setup.ts'],
          globalSetup: [
            './test/fake/own-temp.ts',
            './test/fake/vendor-global.ts',
            './test/fake/webhook-global.ts',
          ],
          testTimeout: hangsMs,
          hookTimeout: hangsMs,
        },
      }),
      // ExecutionSession beside stand-ins of its neighbours, whose answers a test can choose.
      {
        plugins: [
          cloudflareTest({
            main: './test/workerd/session/worker.ts',
            remoteBindings: false,
            miniflare: {
              compatibilityDate: '2026-10-01',
              bindings: {
                DEPLOYMENT: 'test',
                SIGNING_KEYS: JSON.stringify([testKeys.gateway]),
                HOSTILE_SESSIONS: process.env['PORTCULLIS_HOSTILE'] ?? '200',
                HOSTILE_SEED: process.env['PORTCULLIS_SEED'] ?? String(Date.now() % 2 ** 31),
              },
              durableObjects: {
                EXECUTION_SESSION: { className: 'ExecutionSession', useSQLite: true },
                SITE_HUB: { className: 'SiteHub', useSQLite: true },
                PLAN_REVIEW: { className: 'PlanReview', useSQLite: true },
                SITE_KEEPER: { className: 'SiteKeeper', useSQLite: true },
              },
            },
          }),
        ],
        test: {
          name: 'session',
          maxWorkers,
          isolate: false,
          include: ['test/workerd/session/**/*.test.ts'],
          setupFiles: ['./test/workerd/session/setup.ts'],
          globalSetup: ['./test/fake/own-temp.ts'],
          testTimeout: hangsMs,
          hookTimeout: hangsMs,
        },
      },
    ],
  },
})
