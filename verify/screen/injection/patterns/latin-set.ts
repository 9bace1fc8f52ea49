// The same speech acts in further languages written in words. Every language fills the same slots;
// letters are without accents, as the fold leaves them (ß is ss, ё is е, apostrophes are spaces).
import type { Category, PatternRow, PatternSet } from '../types.ts'

/** What a language must say for its rows to exist. A missing slot leaves its rows out. */
export interface Words {
  readonly drop: string
  readonly prior: string
  readonly order: string
  /** The verb where it ends the sentence. */
  readonly dropLast?: string
  readonly all: string
  readonly before: string
  readonly newTask: string
  readonly fromNow: string
  readonly act: string
  readonly youAreNow: string
  readonly show: string
  readonly hidden: string
  readonly your: string
  readonly noLimits: string
  readonly hush: string
  readonly person: string
  readonly mark: string
  readonly it: string
  readonly good: string
  readonly off: string
  readonly protection: string
  readonly send: string
  /** A rank claimed by the text. */
  readonly claim?: string
  /** An approval ordered. */
  readonly approve?: string
  readonly secret: string
  /** For each row, a text that must hit; by the row's short name. */
  readonly examples: Readonly<Partial<Record<string, string>>>
}

interface Template {
  readonly name: string
  readonly category: Category
  readonly weight: number
  readonly pattern: string
  readonly reason: string
  readonly negatable?: boolean
}

const templates: readonly Template[] = [
  {
    name: 'override',
    category: 'override',
    weight: 0.86,
    negatable: true,
    pattern: '<drop>~3 <prior>~2 <order>',
    reason: 'Drop earlier instructions.',
  },
  {
    name: 'override-after',
    category: 'override',
    weight: 0.86,
    negatable: true,
    pattern: '<drop>~3 <order>~2 <prior>',
    reason: 'The same, adjective last.',
  },
  {
    name: 'override-last',
    category: 'override',
    weight: 0.84,
    pattern: '<prior>~2 <order>~3 <dropLast>',
    reason: 'The same, verb last.',
  },
  {
    name: 'override-plain',
    category: 'override',
    weight: 0.5,
    negatable: true,
    pattern: '<drop>~2 <order>',
    reason: 'The same, without saying which.',
  },
  {
    name: 'override-all',
    category: 'override',
    weight: 0.8,
    negatable: true,
    pattern: '<drop>~1 <all>~5 <before>',
    reason: 'Drop everything before.',
  },
  {
    name: 'override-blank',
    category: 'override',
    weight: 0.5,
    pattern: '<drop>~1 <all>',
    reason: 'Drop everything.',
  },
  {
    name: 'new-task',
    category: 'new-task',
    weight: 0.72,
    pattern: '<newTask>',
    reason: 'A new task announced.',
  },
  {
    name: 'from-now',
    category: 'new-task',
    weight: 0.76,
    pattern: '<fromNow>',
    reason: 'A lasting change of behaviour.',
  },
  { name: 'role', category: 'role', weight: 0.77, pattern: '<act>', reason: 'A persona assigned.' },
  {
    name: 'role-now',
    category: 'role',
    weight: 0.78,
    pattern: '<youAreNow>',
    reason: 'A new identity declared.',
  },
  {
    name: 'leak',
    category: 'prompt-leak',
    weight: 0.82,
    negatable: true,
    pattern: '<show>~5 <hidden>',
    reason: 'Hidden instructions asked for.',
  },
  {
    name: 'leak-your',
    category: 'prompt-leak',
    weight: 0.77,
    negatable: true,
    pattern: '<show>~3 <your>~2 <order>',
    reason: 'The model’s own instructions asked for.',
  },
  {
    name: 'no-limits',
    category: 'jailbreak',
    weight: 0.55,
    pattern: '<noLimits>',
    reason: 'Freedom from rules promised.',
  },
  {
    name: 'conceal',
    category: 'concealment',
    weight: 0.6,
    pattern: '<hush>~2 <person>',
    reason: 'Hiding something from people.',
  },
  {
    name: 'mark',
    category: 'reviewer',
    weight: 0.78,
    negatable: true,
    pattern: '<mark>~2 <it>~4 <good>',
    reason: 'A verdict dictated.',
  },
  {
    name: 'guard-off',
    category: 'safety-bypass',
    weight: 0.5,
    negatable: true,
    pattern: '<off>~3 <protection>',
    reason: 'Protection switched off.',
  },
  {
    name: 'approve',
    category: 'reviewer',
    weight: 0.56,
    negatable: true,
    pattern: '<approve>',
    reason: 'An approval of the plan ordered.',
  },
  {
    name: 'claim',
    category: 'privilege',
    weight: 0.5,
    pattern: '<claim>',
    reason: 'A rank that would excuse the request.',
  },
  {
    name: 'exfil',
    category: 'exfiltration',
    weight: 0.52,
    negatable: true,
    pattern: '<send>~4 <secret>',
    reason: 'Secrets sent away.',
  },
]

export function latinSet(language: string, words: Words): PatternSet {
  const { examples, ...slots } = words
  const filled = slots as Readonly<Record<string, string>>
  const patterns: PatternRow[] = []
  for (const { name, pattern, ...rest } of templates) {
    const needed = [...pattern.matchAll(/<([A-Za-z]+)>/g)].map((m) => m[1] ?? '')
    if (needed.some((slot) => filled[slot] === undefined)) continue
    const example = examples[name]
    patterns.push({
      ...rest,
      id: `${language}-${name}`,
      pattern: pattern.replaceAll(
        /<([A-Za-z]+)>/g,
        (_, slot: string) => `(?:${filled[slot] ?? ''})`,
      ),
      examples: example === undefined ? [] : [example],
    })
  }
  return { language, view: 'words', slots: {}, patterns }
}
