// Reads the word lists of the injection screen and fills the acts with each language's words.
// The files are built in and their shapes are held by a gate (test/node/screen/injection-lexicon.test.ts),
// not at each start: reading them through the schema takes longer than all the rest of the set-up.
import actsPlan from './injection/acts-plan.json' with { type: 'json' }
import actsSpaced from './injection/acts-spaced.json' with { type: 'json' }
import actsUnspaced from './injection/acts-unspaced.json' with { type: 'json' }
import anyConfig from './injection/any-config.json' with { type: 'json' }
import anyMarkers from './injection/any-markers.json' with { type: 'json' }
import ar from './injection/ar.json' with { type: 'json' }
import de from './injection/de.json' with { type: 'json' }
import enChat from './injection/en-chat.json' with { type: 'json' }
import enClaim from './injection/en-claim.json' with { type: 'json' }
import enDecide from './injection/en-decide.json' with { type: 'json' }
import enForge from './injection/en-forge.json' with { type: 'json' }
import enHarm from './injection/en-harm.json' with { type: 'json' }
import enJailbreak from './injection/en-jailbreak.json' with { type: 'json' }
import enJudge from './injection/en-judge.json' with { type: 'json' }
import enLeak from './injection/en-leak.json' with { type: 'json' }
import enNewTask from './injection/en-new-task.json' with { type: 'json' }
import enOverride from './injection/en-override.json' with { type: 'json' }
import enPlot from './injection/en-plot.json' with { type: 'json' }
import enReviewer from './injection/en-reviewer.json' with { type: 'json' }
import enRole from './injection/en-role.json' with { type: 'json' }
import enRules from './injection/en-rules.json' with { type: 'json' }
import enSetup from './injection/en-setup.json' with { type: 'json' }
import enTerse from './injection/en-terse.json' with { type: 'json' }
import es from './injection/es.json' with { type: 'json' }
import fr from './injection/fr.json' with { type: 'json' }
import hi from './injection/hi.json' with { type: 'json' }
import idn from './injection/id.json' with { type: 'json' }
import it from './injection/it.json' with { type: 'json' }
import ja from './injection/ja.json' with { type: 'json' }
import ko from './injection/ko.json' with { type: 'json' }
import nl from './injection/nl.json' with { type: 'json' }
import pl from './injection/pl.json' with { type: 'json' }
import pt from './injection/pt.json' with { type: 'json' }
import ru from './injection/ru.json' with { type: 'json' }
import th from './injection/th.json' with { type: 'json' }
import tr from './injection/tr.json' with { type: 'json' }
import vi from './injection/vi.json' with { type: 'json' }
import zh from './injection/zh.json' with { type: 'json' }
import type { PatternRow, PatternSet } from '../screen/injection/types.ts'
import type { InjectionFile } from './schema.ts'

type Rows = Extract<InjectionFile, { kind: 'rows' }>
type Acts = Extract<InjectionFile, { kind: 'acts' }>
type Language = Extract<InjectionFile, { kind: 'language' }>

/** The files as they stand, in the order in which their rows are tried. */
export const injectionFiles: Readonly<Record<string, unknown>> = {
  'en-override': enOverride,
  'en-new-task': enNewTask,
  'en-role': enRole,
  'en-leak': enLeak,
  'en-reviewer': enReviewer,
  'en-judge': enJudge,
  'en-plot': enPlot,
  'en-claim': enClaim,
  'en-setup': enSetup,
  'en-forge': enForge,
  'en-harm': enHarm,
  'en-terse': enTerse,
  'en-jailbreak': enJailbreak,
  'en-decide': enDecide,
  'en-rules': enRules,
  'en-chat': enChat,
  'any-markers': anyMarkers,
  'any-config': anyConfig,
  'acts-spaced': actsSpaced,
  'acts-unspaced': actsUnspaced,
  'acts-plan': actsPlan,
  de,
  fr,
  es,
  it,
  pt,
  nl,
  pl,
  ru,
  tr,
  id: idn,
  vi,
  zh,
  ja,
  ko,
  th,
  ar,
  hi,
}

type Pieces = string | readonly string[]

const joined = (pieces: Pieces): string => (typeof pieces === 'string' ? pieces : pieces.join(''))

const slotsOf = (slots: Readonly<Record<string, readonly Pieces[]>>): Record<string, string> =>
  Object.fromEntries(Object.entries(slots).map(([k, v]) => [k, v.map(joined).join('|')]))

const setOfRows = ({ language, view, slots, rows }: Rows): PatternSet => ({
  language,
  view,
  slots: slotsOf(slots),
  patterns: rows.map(rowOf),
})

/** Leaves absent fields absent, which `exactOptionalPropertyTypes` asks for. */
function rowOf(row: Rows['rows'][number]): PatternRow {
  const {
    id,
    category,
    weight,
    pattern,
    reason,
    examples,
    counter_examples,
    negatable,
    order,
    needs,
  } = row
  return {
    id,
    category,
    weight,
    pattern: joined(pattern),
    reason,
    examples,
    ...(counter_examples === undefined ? {} : { counter_examples }),
    ...(negatable === undefined ? {} : { negatable }),
    ...(order === undefined ? {} : { order }),
    ...(needs === undefined ? {} : { needs }),
  }
}

/** The slots that a pattern names. */
const slotsIn = (pattern: Pieces): string[] =>
  [...joined(pattern).matchAll(/<([a-z_0-9]+)>/g)].map((m) => m[1] ?? '')

/** One language's rows for one list of acts; an act of which a slot has no words is left out. */
function setOfFill(language: string, fill: Language['fills'][number], acts: Acts): PatternSet {
  const patterns = acts.rows
    .filter(({ pattern }) => slotsIn(pattern).every((slot) => fill.words[slot] !== undefined))
    .map(({ name, ...act }): PatternRow => {
      const counter = fill.counter_examples?.[name]
      return rowOf({
        ...act,
        id: `${language}-${name}`,
        examples: fill.examples[name] ?? [],
        ...(counter === undefined ? {} : { counter_examples: counter }),
      })
    })
  const { script } = fill
  const slots = slotsOf(fill.words)
  return script === undefined
    ? { language, view: 'words', slots, patterns }
    : { language, view: 'scan', script, slots, patterns }
}

/** All shipped pattern sets, built anew. */
export function loadInjectionSets(): readonly PatternSet[] {
  const files = Object.values(injectionFiles) as readonly InjectionFile[]
  const sets = files.flatMap((file) => (file.kind === 'rows' ? [setOfRows(file)] : []))
  for (const acts of files) {
    if (acts.kind !== 'acts') continue
    for (const file of files) {
      if (file.kind !== 'language') continue
      for (const fill of file.fills) {
        if (fill.acts === acts.acts) sets.push(setOfFill(file.language, fill, acts))
      }
    }
  }
  return sets
}
