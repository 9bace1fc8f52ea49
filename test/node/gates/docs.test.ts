// What the documents tell people to type exists, and what they link to is there: a first command that
// fails is the worst introduction.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSources } from '../../../lab/tools/tidy.ts'

const root = path.join(import.meta.dirname, '..', '..', '..')

const documents = async () =>
  (await readSources(root)).filter(({ file }) => file.endsWith('.md') && !file.includes('/data/'))

async function scripts(): Promise<Set<string>> {
  const { scripts: named } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  ) as { scripts: Record<string, string> }
  return new Set(Object.keys(named))
}

/** Every npm command in a text: `npm test`, `npm run -s eval`. */
function commandsIn(text: string): string[] {
  const commands = /\bnpm run (?:-s )?([a-z][a-z:]*)|\bnpm (test|start)\b/g
  return [...text.matchAll(commands)].flatMap(([, run, short]) => run ?? short ?? [])
}

/** Every relative link in a Markdown text, without its anchor. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].flatMap(([, target]) =>
    target === undefined || /^[a-z]+:/.test(target) ? [] : [target],
  )
}

describe('the documents', () => {
  it('name only commands that exist', async () => {
    const known = await scripts()
    const unknown = (await documents()).flatMap(({ file, text }) =>
      commandsIn(text)
        .filter((name) => !known.has(name))
        .map((name) => `${file}: npm run ${name}`),
    )
    expect(unknown).toEqual([])
  })

  it('link only to files that exist', async () => {
    const dead = (await documents()).flatMap(({ file, text }) =>
      linksIn(text)
        .filter((target) => !existsSync(path.join(root, path.dirname(file), target)))
        .map((target) => `${file}: ${target}`),
    )
    expect(dead).toEqual([])
  })

  it('would be caught with a wrong command or a dead link', () => {
    expect(commandsIn('Run `npm ci && npm run -s nothing`, then `npm test`.')).toEqual([
      'nothing',
      'test',
    ])
    expect(linksIn('See [a](docs/a.md#part), [b](https://example.org) and [c](c.md).')).toEqual([
      'docs/a.md',
      'c.md',
    ])
  })

  it('give the README’s two commands to a fresh machine', async () => {
    const readme = await readFile(path.join(root, 'README.md'), 'utf8')
    expect(readme).toContain('npm ci && npm run demo')
    expect(readme).toContain('npm ci && npm test')
    const ci = await readFile(path.join(root, '.ci', 'run'), 'utf8')
    expect(ci.trimEnd().split('\n').at(-1)).toBe('npm test')
  })
})
