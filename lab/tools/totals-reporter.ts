// Closes a vitest run with `N passed, N failed`, counted from the runner's own results. A file that
// could not be loaded and an error outside any test count as failures too.
import type { Reporter, TestModule } from 'vitest/node'

export default class Totals implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    const n = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const before = n.failed
      for (const test of module.children.allTests()) n[test.result().state]++
      if (!module.ok() && n.failed === before) n.failed++
    }
    process.on('exit', () => {
      const skipped = n.skipped > 0 ? `, ${n.skipped} skipped` : ''
      process.stdout.write(`${n.passed} passed, ${n.failed} failed${skipped}\n`)
    })
  }
}
