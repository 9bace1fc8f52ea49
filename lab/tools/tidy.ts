// House rules that no linter can say. Each rule looks at one source file and names the lines that
// break it; the test over the whole project, and the proof that every rule can fail, use this table.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** One source file of the project. `file` is relative to the root, with forward slashes. */
export type Source = { file: string; text: string }

export type Breach = { rule: string; file: string; line: number; text: string }

type Rule = {
  name: string
  /** Which files it is about. */
  about: (file: string) => boolean
  /** 1-based lines that break it. */
  check: (source: Source, decisions: string) => number[]
}

const linesMax = 400
const isCode = (file: string): boolean => file.endsWith('.ts')
const inRoom =
  (...rooms: string[]) =>
  (file: string): boolean =>
    isCode(file) && rooms.some((room) => file.startsWith(`${room}/`))

/** Lines whose code, without its comments, matches. */
function linesWith(text: string, pattern: RegExp): number[] {
  return text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line.replace(/\/\/.*$/, '')) ? [index + 1] : []))
}

/** Lines that match, comments included. */
function anyLinesWith(text: string, pattern: RegExp): number[] {
  return text.split('\n').flatMap((line, index) => (pattern.test(line) ? [index + 1] : []))
}

// Put together from pieces, so that this file does not break its own rules.
const unfinished = new RegExp(
  `\\b(${[
    ['TO', 'DO'],
    ['FIX', 'ME'],
    ['XX', 'X'],
  ]
    .map((w) => w.join(''))
    .join('|')})\\b`,
)
const homes = ['home', 'Users', 'work', 'root'].map((folder) => `/${folder}/`)
const machinePath = new RegExp(homes.join('|'))

export const rules: readonly Rule[] = [
  {
    name: 'a file has at most 400 lines, unless a decision record names it',
    about: isCode,
    check: ({ file, text }, decisions) => {
      const lines = text.split('\n').length - 1
      return lines > linesMax && !decisions.includes(file) ? [lines] : []
    },
  },
  {
    name: 'a file starts with a comment that says what it is for',
    about: isCode,
    check: ({ text }) => (/^(?:#!.*\n)?(?:\/\/|\/\*)/.test(text) ? [] : [1]),
  },
  {
    name: 'no `export *`',
    about: isCode,
    check: ({ text }) => linesWith(text, /^\s*export\s+\*/),
  },
  {
    name: 'nothing is left unfinished',
    about: () => true,
    check: ({ text }) => anyLinesWith(text, unfinished),
  },
  {
    name: 'no path of somebody’s machine',
    about: () => true,
    check: ({ text }) => anyLinesWith(text, machinePath),
  },
  {
    name: 'no write leaves the output gate',
    about: inRoom('durable-objects', 'worker', 'adapters'),
    check: ({ text }) => linesWith(text, /\ballowUnconfirmed\b/),
  },
  {
    name: 'a row is written by the names of its columns: a later release may have added one',
    about: inRoom('durable-objects', 'adapters', 'worker', 'robot-agent'),
    check: ({ text }) => linesWith(text, /\bINTO \w+ (?:VALUES|SELECT)\b/),
  },
  {
    name: 'no timers in ExecutionSession, unless a decision record names the file: they pin the object',
    about: (file) => /^durable-objects\/(?:execution-session\.ts|session\/)/.test(file),
    check: ({ file, text }, decisions) =>
      decisions.includes(file)
        ? []
        : linesWith(text, /\b(?:setTimeout|setInterval|scheduler\.wait)\b/),
  },
  {
    name: 'pure rooms take time and randomness as parameters',
    about: inRoom('protocol', 'verify', 'contain'),
    check: ({ text }) =>
      linesWith(
        text,
        /\bDate\.now\b|\bnew Date\(\s*\)|\bMath\.random\b|\bperformance\.now\b|\bgetRandomValues\b|\brandomUUID\b/,
      ),
  },
  {
    name: 'the console writes text as text',
    about: inRoom('console'),
    check: ({ text }) =>
      linesWith(text, /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b/),
  },
]

const skipped = new Set([
  'node_modules',
  '.git',
  '.build',
  '.tsbuild',
  '.wrangler',
  '.portcullis',
  'coverage',
  'reports',
])

async function walk(root: string, folder: string, into: string[]): Promise<void> {
  for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
    const file = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) {
      if (!skipped.has(entry.name)) await walk(root, file, into)
    } else if (/\.(?:ts|md|sql|html|css|toml|ya?ml)$/.test(entry.name)) into.push(file)
  }
}

/** All files that a rule may be about. Data files (JSON, JSON lines) hold other people's words. */
export async function readSources(root: string): Promise<Source[]> {
  const files: string[] = []
  await walk(root, '', files)
  return Promise.all(
    files.toSorted().map(async (file) => ({
      file,
      text: await readFile(path.join(root, file), 'utf8'),
    })),
  )
}

/** Everything that breaks a rule. */
export function breaches(sources: readonly Source[]): Breach[] {
  const decisions = sources
    .filter(({ file }) => file.startsWith('docs/decisions/'))
    .map(({ text }) => text)
    .join('\n')
  return sources.flatMap((source) =>
    rules
      .filter((rule) => rule.about(source.file))
      .flatMap((rule) =>
        rule.check(source, decisions).map((line) => ({
          rule: rule.name,
          file: source.file,
          line,
          text: (source.text.split('\n')[line - 1] ?? '').trim().slice(0, 120),
        })),
      ),
  )
}
