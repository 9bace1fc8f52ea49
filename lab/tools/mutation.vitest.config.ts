// The fast tests of the pure rooms, for `npm run test:mutation`: every mutant is played against these alone.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    environment: 'node',
    isolate: false,
    include: [
      'test/node/contain/**/*.test.ts',
      'test/node/decide/**/*.test.ts',
      'test/node/vectors/**/*.test.ts',
      'test/node/review/told-time.test.ts',
    ],
    env: { PORTCULLIS_SEED: '1', PORTCULLIS_RUNS: '300' },
    testTimeout: 60_000,
  },
})
