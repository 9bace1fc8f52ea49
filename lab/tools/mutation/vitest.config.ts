// The fast tests that reach one group of files: every mutant of the group is played against these alone.
// PORTCULLIS_MUTATION_TESTS names them, as `main.ts` reads them from `groups.json`.
import path from 'node:path'
import { defineConfig } from 'vitest/config'

const include = (
  process.env['PORTCULLIS_MUTATION_TESTS'] ?? 'test/node/contain/**/*.test.ts'
).split(',')

export default defineConfig({
  resolve: {
    alias: {
      'cloudflare:workers': path.join(import.meta.dirname, '../../../test/sim/gateway/platform.ts'),
    },
  },
  test: {
    environment: 'node',
    isolate: false,
    include,
    env: { PORTCULLIS_SEED: '1', PORTCULLIS_RUNS: '300' },
    testTimeout: 60_000,
  },
})
