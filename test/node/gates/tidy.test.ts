// The house rules over the whole project, and for each of them a planted violation that it catches:
// a rule that cannot fail guards nothing.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { breaches, readSources, rules } from '../../../lab/tools/tidy.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')

/** One file per rule that breaks exactly that rule. */
const planted: Record<string, { file: string; text: string }> = {
  'a file has at most 400 lines, unless a decision record names it': {
    file: 'protocol/long.ts',
    text: `// Long.\n${'const a = 1\n'.repeat(400)}`,
  },
  'a file starts with a comment that says what it is for': {
    file: 'protocol/silent.ts',
    text: 'const a = 1\n',
  },
  'no `export *`': { file: 'adapters/all.ts', text: "// All.\nexport * from './other.ts'\n" },
  'nothing is left unfinished': {
    file: 'docs/plan.md',
    text: `${['TO', 'DO'].join('')}: finish\n`,
  },
  'no path of somebody’s machine': {
    file: 'docs/where.md',
    text: `See ${['', 'home', 'somebody'].join('/')}.\n`,
  },
  'no write leaves the output gate': {
    file: 'durable-objects/loose.ts',
    text: '// Loose.\nput(1, { allowUnconfirmed: true })\n',
  },
  'a row is written by the names of its columns: a later release may have added one': {
    file: 'durable-objects/row.ts',
    text: `// Row.\nsql.exec('INSERT INTO more VALUES (?, ?)', 1, 2)\n`,
  },
  'no timers in ExecutionSession, unless a decision record names the file: they pin the object': {
    file: 'durable-objects/session/timer.ts',
    text: '// Timer.\nsetTimeout(f, 1)\n',
  },
  'pure rooms take time and randomness as parameters': {
    file: 'contain/now.ts',
    text: '// Now.\nexport const at = Date.now()\n',
  },
  'the console writes text as text': {
    file: 'console/markup.ts',
    text: '// Markup.\nnode.innerHTML = text\n',
  },
}

describe('house rules', () => {
  it('are kept by every file of the project', async () => {
    const sources = await readSources(root)
    expect(sources.length).toBeGreaterThan(100)
    const found = breaches(sources).map((b) => `${b.file}:${b.line} ${b.rule}: ${b.text}`)
    expect(found).toEqual([])
  })

  it.each(rules.map((rule) => rule.name))('catch a planted violation: %s', (name) => {
    const source = planted[name]
    if (source === undefined) throw new TypeError(`no violation is planted for: ${name}`)
    expect(breaches([source]).map((breach) => breach.rule)).toEqual([name])
  })

  it('let a long file pass when a decision record names it', () => {
    const long = planted['a file has at most 400 lines, unless a decision record names it']
    if (long === undefined) throw new TypeError('planted')
    const record = { file: 'docs/decisions/0099-long.md', text: `We keep ${long.file} whole.\n` }
    expect(breaches([long, record])).toEqual([])
  })

  it('look at code and not at what a comment says about it', () => {
    const text = '// Never Date.now() here.\nexport const a = 1 // not Math.random\n'
    expect(breaches([{ file: 'verify/quiet.ts', text }])).toEqual([])
  })
})
