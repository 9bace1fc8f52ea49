// The same again and again: a lock that is opened and closed fifty times, an arm that swings between two
// poses, a heater that is cycled, a channel that is flooded. Each step by itself is allowed; how often a
// device takes it, the site has not said.
import type { Family } from '../../protocol/acts.ts'
import limits from '../lexicon/repeats.json' with { type: 'json' }
import type { RoleValue, Scene, SceneAct, Step } from '../read/scene.ts'
import { unknown, valuesOf, type Rule } from './rule.ts'

/** What vessels hold bounds these; counting them would hold up every plate. */
const bounded = new Set<Family>(['matter', 'rest'])

function valueKey(value: RoleValue): string {
  switch (value.kind) {
    case 'thing':
    case 'place':
      return `${value.ref.key}/${value.ref.part ?? ''}`
    case 'quantity':
      return `${value.value.lo}..${value.value.hi}`
    case 'substance':
      return value.substance.raw
    case 'choice':
      return value.means ?? value.raw
    case 'flag':
      return String(value.value)
    case 'address':
    case 'text':
      return value.text
  }
}

/** What is said beside an act on a door or to somebody makes it no other act. */
const remarked = new Set<Family>(['barrier', 'speech'])

const identical = ({ act, family, roles }: SceneAct): string =>
  `${act} ${Object.entries(roles)
    .map(([role, values]) => {
      const told = remarked.has(family) ? values.filter(({ kind }) => kind !== 'text') : values
      return `${role}=${told.map(valueKey).join(',')}`
    })
    .join(' ')}`

type Counter = { readonly key: string; readonly max: number }

/** The counters that one act raises, each with the number from which a person is asked. */
function countersOf(act: SceneAct): Counter[] {
  const counters: Counter[] = [{ key: identical(act), max: limits.identical }]
  if (act.family === 'barrier') {
    for (const { ref } of valuesOf(act, 'barrier', 'thing', 'place')) {
      counters.push({ key: `barrier ${ref.key}`, max: limits.barrier })
    }
  }
  if (act.family === 'speech') {
    for (const { text } of valuesOf(act, 'to', 'address', 'text')) {
      counters.push({ key: `speech ${text.toLowerCase()}`, max: limits.speech })
    }
  }
  return counters
}

/** A sentence that the step carries out tells at least this count: "cycle the shaker twelve times". */
function isTold(scene: Scene, step: Step, count: number): boolean {
  return scene.sentences.some(
    ({ told, carried_by }) =>
      carried_by.includes(step.i) &&
      told.some(
        ({ dim, value, clause }) =>
          dim === 'count' && clause === 'order' && value !== null && value.lo >= count,
      ),
  )
}

/** Acts that one plan does more often than anybody has said they may be done. */
export const repeatedActs: Rule = {
  id: 'repeated_acts',
  check: ({ scene }) => {
    const counts = new Map<string, { max: number; count: number; step: Step; act: SceneAct }>()
    for (const step of scene.steps) {
      for (const act of step.acts.filter(({ family }) => !bounded.has(family))) {
        for (const { key, max } of countersOf(act)) {
          const known = counts.get(key)
          if (known === undefined) counts.set(key, { max, count: 1, step, act })
          else counts.set(key, { ...known, count: known.count + 1, step })
        }
      }
    }
    return {
      unknowns: [...counts.values()]
        .filter(({ count, max }) => count > max)
        // Doors and people are worn out by what was told as well; a device may be cycled as told.
        .filter(
          ({ act, step, count }) =>
            act.family === 'barrier' || act.family === 'speech' || !isTold(scene, step, count),
        )
        .map(({ step, act, count, max }) =>
          unknown(
            'ACT_REPEATED',
            { step },
            'How often this may be done in one plan is not known.',
            {
              act: act.act,
              count,
              at_most: max,
            },
          ),
        ),
    }
  },
}
