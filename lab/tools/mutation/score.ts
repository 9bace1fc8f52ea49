// What a run over mutants comes to, file by file. A mutant that no test can tell from the product, because
// nothing that it does differs, is excused by a row with its reason.

export type Mutant = {
  readonly file: string
  readonly mutator: string
  readonly status: string
  /** Line number, and the line as it stands. */
  readonly at: number
  readonly line: string
  /** What the mutant replaces, and by what. */
  readonly text: string
  readonly replacement: string
}

/** Names a mutant by what it does and not by where: lines move. */
export type Excuse = {
  readonly file: string
  /** The line on which it begins, without the space around. */
  readonly line: string
  readonly text: string
  /** Left out: every replacement of this text. */
  readonly replacement?: string
  readonly reason: string
}

/** Of the mutants that change behaviour, in per cent. */
const leastScore = 90
const killed: ReadonlySet<string> = new Set(['Killed', 'Timeout', 'RuntimeError'])
const alive: ReadonlySet<string> = new Set(['Survived', 'NoCoverage'])

const fits = (excuse: Excuse, mutant: Mutant): boolean =>
  excuse.file === mutant.file &&
  excuse.line === mutant.line &&
  excuse.text === mutant.text &&
  (excuse.replacement ?? mutant.replacement) === mutant.replacement

type Point = { readonly line: number; readonly column: number }

/** What stands in `source` from `start` to before `end`; lines and columns count from 1. */
export function placeOf(
  source: string,
  { start, end }: { readonly start: Point; readonly end: Point },
): Pick<Mutant, 'at' | 'line' | 'text'> {
  const lines = source.split('\n')
  const whole = lines.slice(start.line - 1, end.line)
  const last = whole.length - 1
  const text = whole
    .map((line, i) =>
      line.slice(i === 0 ? start.column - 1 : 0, i === last ? end.column - 1 : undefined),
    )
    .join('\n')
  return { at: start.line, line: (lines[start.line - 1] ?? '').trim(), text }
}

export type Row = { file: string; mutants: number; killed: number; excused: number; score: number }

/** The table; what is wrong with it; and the survivors that nobody excused. */
export function tableOf(
  mutants: readonly Mutant[],
  excuses: readonly Excuse[],
): { rows: Row[]; wrong: string[]; survivors: Mutant[] } {
  const counted = mutants.filter(({ status }) => killed.has(status) || alive.has(status))
  const survivors = counted.filter(
    (one) => alive.has(one.status) && !excuses.some((excuse) => fits(excuse, one)),
  )
  const files = [...new Set(counted.map(({ file }) => file))].sort()
  const rowOf = (file: string, own: readonly Mutant[]): Row => {
    const dead = own.filter(({ status }) => killed.has(status)).length
    const left = survivors.filter((one) => own.includes(one)).length
    const score = Math.round((1000 * dead) / Math.max(1, dead + left)) / 10
    return { file, mutants: own.length, killed: dead, excused: own.length - dead - left, score }
  }
  const rows = files.map((file) =>
    rowOf(
      file,
      counted.filter((one) => one.file === file),
    ),
  )
  const low = rows.filter(({ score }) => score < leastScore)
  const idle = excuses.filter(
    (excuse) =>
      files.includes(excuse.file) &&
      !counted.some((one) => alive.has(one.status) && fits(excuse, one)),
  )
  return {
    rows: [...rows, rowOf('all', counted)],
    wrong: [
      ...low.map(
        ({ file, score }) => `${file}: ${score} % of its mutants are killed, not ${leastScore}`,
      ),
      ...idle.map(({ file, text }) => `${file}: no surviving mutant of ${text}: its excuse goes`),
    ],
    survivors,
  }
}
