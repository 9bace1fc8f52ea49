// `npm run kg:build -- [--sources DIR] [--site DIR] [--out DIR]`: builds the knowledge graph.
import { buildGraph } from './build.ts'
import { stderrProgress } from './progress.ts'
import { SourceError } from './source.ts'
import { writeGraph } from './write.ts'
import { optionsOf } from './options.ts'

const usage = `usage: npm run kg:build -- [--sources DIR] [--site DIR] [--out DIR] [--accept-changed]
  --sources DIR     folder of source folders (see docs/knowledge-graph.md); without it the
                    graph is built from npm packages and own facts alone
  --site DIR        a site's lab context, manuals and incidents; screened for instructions
  --out DIR         where the graph goes (default .build/kg)
  --accept-changed  read sources whose digest is not the pinned one`

async function main(): Promise<number> {
  const values = optionsOf({
    sources: { type: 'string' },
    site: { type: 'string' },
    out: { type: 'string', default: '.build/kg' },
    'accept-changed': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  })
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  try {
    const graph = await buildGraph({
      sourcesDir: values.sources ?? null,
      siteDir: values.site ?? null,
      // Loaded only when it is needed: its pattern tables take time to compile.
      screen: values.site === undefined ? null : (await import('./screen.ts')).screenText,
      progress: stderrProgress(),
      acceptChanged: values['accept-changed'],
    })
    const manifest = writeGraph(graph, values.out)
    for (const name of graph.absent) process.stderr.write(`note: source folder ${name} is absent\n`)
    for (const q of graph.site?.quarantined ?? []) {
      process.stderr.write(`quarantined: ${q.file} ${q.item}: ${q.reason}\n`)
    }
    process.stdout.write(
      `${JSON.stringify({ graph_version: manifest.graph_version, ...graph.stats }, null, 2)}\n`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    process.stderr.write(`error: ${error.message}\nThe old graph, if any, is unchanged.\n`)
    return 1
  }
}

process.exitCode = await main()
