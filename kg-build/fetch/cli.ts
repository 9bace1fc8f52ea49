// `npm run kg:fetch -- [--out DIR]`: downloads the fetchable sources from their pinned origins.
import { stderrProgress } from '../progress.ts'
import { fetchAll } from './fetch.ts'
import { byHand, fetchSources } from './manifest.ts'
import { optionsOf } from '../options.ts'

const values = optionsOf({ out: { type: 'string', default: '.build/sources' } })

const bar = stderrProgress().start('fetch', fetchSources.length)
const report = await fetchAll({ sources: fetchSources, outDir: values.out, bar })
bar.end()
for (const r of report) process.stdout.write(`${r.state} ${r.source} ${r.message}\n`)
for (const [name, note] of Object.entries(byHand)) {
  process.stdout.write(`by hand ${name}: ${note}\n`)
}
process.stdout.write(`next: npm run kg:build -- --sources ${values.out}\n`)
process.exitCode = report.some((r) => r.state === 'failed') ? 1 : 0
