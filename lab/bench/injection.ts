// Speed of the injection screen: ours in workerd and in Node, peers in Node in the same run, and growth
// over 1k to 64k characters that are made to cost time.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { vard } from '@andersmyrmel/vard'
import { build } from 'esbuild'
import { checkInjection } from 'llm_guardrail'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import {
  defaultInjectionLibrary,
  defaultThresholds,
  screenTexts,
} from '../../verify/screen/injection/index.ts'
import { benchCase, quantile, type BenchCase } from './case.ts'

const root = path.join(import.meta.dirname, '..', '..')

/** Texts that a plan holds: lab sentences and attacks, some joined to paragraphs. */
function corpus(): string[] {
  const lines = ['benign-lab.jsonl', 'injection-own.jsonl']
    .flatMap((file) => readFileSync(path.join(root, 'test/data', file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { text: string }).text)
  const paragraphs = Array.from({ length: 40 }, (_, i) => lines.slice(i * 6, i * 6 + 6).join(' '))
  return [...lines, ...paragraphs]
}

/** Texts that are made to cost time, each aimed at another part of the screen. */
export const hostile: Readonly<Record<string, string>> = {
  'one verb': 'ignore ',
  'verbs and objects': 'ignore previous all the x ',
  'spread letters': 'i g n o r e ',
  'one long word': 'a',
  'near misses': 'ignroe prevoius instrctions ',
  'cue words': 'reveal system prompt without instructions ',
  'short encoded runs': '69676e6f7265 ',
  'open markers': '<!-- < ![a](https://x ',
  'leet words': '1gn0r3 4ll ',
  'Chinese verbs': '忽略所有',
  'lab prose': 'Aspirate 50 uL of buffer from the reservoir and dispense it into column 1. ',
}

export const hostileText = (unit: string, chars: number): string =>
  unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)

async function startWorker(): Promise<Miniflare> {
  // workerd reads modules only below the folder that it starts in.
  const scriptPath = path.join(root, '.build', 'bench-injection.js')
  await build({
    entryPoints: ['lab/bench/workerd/injection-worker.ts'],
    outfile: scriptPath,
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'esnext',
    conditions: ['workerd', 'worker', 'browser', 'import'],
    logLevel: 'error',
  })
  const options = { modules: true, scriptPath, compatibilityDate: '2026-10-01' }
  return new Miniflare(convertV4MiniflareOptions(options))
}

/** Milliseconds of one pass over `texts` in workerd, several times: with work less without. */
async function inWorkerd(origin: URL, texts: readonly string[], reps: number): Promise<number[]> {
  const ask = async (n: number): Promise<number> => {
    const started = performance.now()
    const response = await fetch(new URL(`/?reps=${n}`, origin))
    await response.text()
    if (!response.ok) throw new Error(`injection: ${response.status}`)
    return performance.now() - started
  }
  // After a long computation the client must first notice which of its connections have closed.
  await setTimeout(100)
  const posted = await fetch(origin, { method: 'POST', body: JSON.stringify(texts) })
  await posted.text()
  const out: number[] = []
  for (let round = -4; round < 12; round += 1) {
    const empty = await ask(0)
    const full = await ask(reps)
    if (round >= 0) out.push(Math.max(0, full - empty) / reps)
  }
  return out
}

/** Milliseconds for each text, its fastest of three. */
async function each(texts: readonly string[], run: (text: string) => unknown): Promise<number[]> {
  for (const text of texts.slice(0, 60)) await run(text)
  const out: number[] = []
  for (const text of texts) {
    let best = Number.POSITIVE_INFINITY
    for (let i = 0; i < 3; i += 1) {
      const started = performance.now()
      await run(text)
      best = Math.min(best, performance.now() - started)
    }
    out.push(best)
  }
  return out
}

/** Each text as if it were seen for the first time: peers remember nothing either. */
function ours(text: string): unknown {
  const library = defaultInjectionLibrary()
  library.clean.forget()
  return screenTexts([{ at: '', text }], { library, thresholds: defaultThresholds })
}

async function perText(texts: readonly string[]): Promise<BenchCase> {
  const strict = vard.strict()
  return benchCase('injection screen, one text of a plan (Node)', 'ms', {
    own: await each(texts, ours),
    peers: {
      '@andersmyrmel/vard strict': await each(texts, (text) => strict.safeParse(text)),
      'llm_guardrail checkInjection': await each(texts, (text) => checkInjection(text)),
    },
  })
}

async function growth(origin: URL): Promise<BenchCase[]> {
  const out: BenchCase[] = []
  const strict = vard.strict()
  for (const chars of [1_000, 4_000, 16_000, 64_000]) {
    const worst: { name: string; samples: number[] }[] = []
    for (const [name, unit] of Object.entries(hostile)) {
      worst.push({ name, samples: await inWorkerd(origin, [hostileText(unit, chars)], 2) })
    }
    const slowest = worst.toSorted((a, b) => quantile(b.samples, 0.5) - quantile(a.samples, 0.5))[0]
    if (slowest === undefined) continue
    const name = `injection screen, slowest of ${worst.length} hostile texts, ${chars} characters: ${slowest.name} (workerd)`
    const same = hostileText(hostile[slowest.name] ?? '', chars)
    // The peer refuses longer texts by their length alone, which would compare nothing.
    const peers =
      chars > 4_000
        ? {}
        : { '@andersmyrmel/vard strict (Node)': await each([same], (t) => strict.safeParse(t)) }
    out.push(benchCase(name, 'ms', { own: slowest.samples, peers }))
  }
  return out
}

/** All cases of this file. */
export async function cases(): Promise<BenchCase[]> {
  const texts = corpus()
  const mf = await startWorker()
  try {
    const origin = await mf.ready
    const passes = await inWorkerd(origin, texts, 1)
    const mean = passes.map((ms) => ms / texts.length)
    return [
      benchCase(`injection screen, mean of ${texts.length} texts of a plan (workerd)`, 'ms', {
        own: mean,
      }),
      await perText(texts),
      ...(await growth(origin)),
    ]
  } finally {
    await mf.dispose()
  }
}
