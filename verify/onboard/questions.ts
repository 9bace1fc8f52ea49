// What is not known of a site, as questions: most dangerous first, each with the server's own words and at
// most three proposals. Questions come from the file alone, so half a file is a valid state to stop in.
// Danger: an answer that is easier to give than to think about; so nothing is preselected.
import { actNames, actSpec, type Dimension } from '../../protocol/acts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import { isPhysical, type Registry, type ToolEntry } from '../../protocol/registry.ts'
import { unitOf } from '../../protocol/units.ts'
import { choiceMeanings } from '../../protocol/tool-meaning.ts'
import { alsoAct, alsoEdit, proposals, toldOf, uncoveredOf, type Description } from './describe.ts'
import { dangerOf, guessActs, harmless, mayOnlyRead } from './guess.ts'
import { leavesOf, type Leaf } from './leaves.ts'
import { deviceQuestions } from './device-questions.ts'
import { serverSays, wordsMax, type Proposal, type Question } from './question.ts'
import { ruleQuestions } from './rule-questions.ts'
import { wordsOf, stopWords } from './words.ts'

const shown = ({ acts }: Pick<Description, 'acts'>): string =>
  acts
    .map(({ act, bind, when, missing }) => {
      const roles = Object.entries(bind).map(([role, one]) => {
        if (typeof one === 'string') return `${role} = ${one}`
        return 'const' in one
          ? `${role} = "${String(one.const)}"`
          : `${role} = ${one.arg}${one.unit === undefined ? '' : ` in ${one.unit}`}`
      })
      const only =
        when === undefined
          ? ''
          : 'eq' in when
            ? `if ${when.arg} is ${String(when.eq)}: `
            : `if ${when.arg} is given: `
      const lacks = missing.length === 0 ? '' : `; not known: ${missing.join(', ')}`
      return `${only}${act} (${roles.join(', ')}${lacks})`
    })
    .join('; ')

function doesQuestion(registry: Registry, row: ToolEntry): Question {
  const found = proposals(registry, row)
  const families = found.flatMap(({ acts }) => acts.map(({ act }) => dangerOf[actSpec(act).family]))
  const reads = mayOnlyRead(toldOf(registry, row))
  return {
    id: `does:${row.name}`,
    kind: 'does',
    ask: 'What does this call do?',
    server_says: serverSays(row),
    proposals: found.map((one) => ({ label: shown(one), edits: one.edits })),
    own: `ACT ROLE=/argument ROLE="a name" (${actNames.join(', ')})`,
    // Nothing known of it: as dangerous as anything.
    danger: 100 + 10 * Math.max(reads ? 1 : 9, ...families),
    about: [row.name],
  }
}

/** Roles of the row's acts that nothing is bound to and that this kind of argument could carry. */
function freeRoles(row: ToolEntry, { type, unit }: Leaf): { act: number; role: string }[] {
  const dim = unit === null ? null : (unitOf(unit)?.dim ?? null)
  return (row.meaning?.acts ?? []).flatMap(({ act, bind }, i) =>
    Object.entries(actSpec(act).roles).flatMap(([role, { kind, dims }]) => {
      const fits =
        type === 'number'
          ? kind === 'quantity' && (dim === null || (dims ?? []).includes(dim))
          : type === 'flag'
            ? kind === 'flag'
            : kind !== 'quantity' && kind !== 'flag'
      const taken = bind[role]
      // A constant of a draft is a guess; an argument that names the thing is better.
      const free = taken === undefined || (typeof taken === 'object' && 'const' in taken)
      return fits && free ? [{ act: i, role }] : []
    }),
  )
}

const unitsOf: Readonly<Partial<Record<Dimension, string>>> = {
  volume: 'mL',
  temperature: 'Cel',
  time: 's',
  rotation: 'rpm',
  pressure: 'bar',
  flow: 'mL/min',
  fraction: '%',
  speed: 'mm/s',
  mass: 'g',
  length: 'mm',
  power: 'W',
  force: 'N',
  count: '1',
}

/** Acts that the call may do besides, by what its argument says of itself. */
function alsoProposals(row: ToolEntry, leaf: Leaf): Proposal[] {
  const told = { name: leaf.own.join('_'), says: leaf.says, leaves: [leaf], hints: {} }
  const known = new Set(row.meaning?.acts.map(({ act }) => act))
  return guessActs(told)
    .filter((act) => !known.has(act) && !harmless.has(act))
    .map((act) => alsoAct(row, act, leaf))
    .filter(({ used }) => used.length > 0)
    .map((bound) => ({
      label: `one more act: ${shown({ acts: [bound] })}`,
      edits: [alsoEdit(row, bound)],
    }))
}

function argumentQuestions(row: ToolEntry): Question[] {
  if (row.meaning === undefined || row.risk_class === 'read') return []
  const family = Math.max(...row.meaning.acts.map(({ act }) => dangerOf[actSpec(act).family]))
  return uncoveredOf(row).map((leaf) => {
    const roles = freeRoles(row, leaf).slice(0, 3)
    const options = roles.flatMap(({ act, role }): Proposal[] => {
      const one = row.meaning?.acts[act]
      if (one === undefined) return []
      const [dim] = actSpec(one.act).roles[role]?.dims ?? []
      const unit = leaf.unit ?? (dim === undefined ? null : (unitsOf[dim] ?? null))
      const quantity = leaf.type === 'number' && unit !== null
      const binding: JsonValue = quantity ? { arg: leaf.at, unit } : leaf.at
      const acts = row.meaning?.acts.map((a, i) =>
        i === act ? { ...a, bind: { ...a.bind, [role]: binding } } : a,
      )
      const said = leaf.unit === null ? ' (the server names no unit)' : ''
      const label = `${role} of ${one.act}${quantity ? `, in ${unit}${said}` : ''}`
      return [
        {
          label,
          edits: [
            { path: ['tools', row.name, 'meaning', 'acts'], value: acts as unknown as JsonValue },
          ],
        },
      ]
    })
    return {
      id: `argument:${row.name}${leaf.at}`,
      kind: 'argument' as const,
      ask: 'What does this argument change?',
      server_says: serverSays(row, leaf.at),
      proposals: [...options, ...alsoProposals(row, leaf)].slice(0, 3),
      own: 'inert:WHY (it changes nothing that a rule could read), or ROLE, or ROLE UNIT, or ACT (it brings one more act)',
      danger: 60 + family,
      about: [row.name],
    }
  })
}

/** Enumerations bound to a choice whose values have no meaning yet. */
function valueQuestions(row: ToolEntry): Question[] {
  const out: Question[] = []
  const leaves = new Map(leavesOf(row.args_schema).map((leaf) => [leaf.at, leaf]))
  for (const { act, bind } of row.meaning?.acts ?? []) {
    for (const [role, one] of Object.entries(bind)) {
      const at = typeof one === 'string' ? one : 'arg' in one ? one.arg : null
      const leaf = at === null ? undefined : leaves.get(at)
      const words = choiceMeanings[role]
      if (leaf === undefined || words === undefined || leaf.values === null) continue
      if (actSpec(act).roles[role]?.kind !== 'choice') continue
      if ((row.meaning?.choices ?? []).some((choice) => choice.at === at)) continue
      out.push({
        id: `values:${row.name}${leaf.at}`,
        kind: 'values',
        ask: 'What do these values mean?',
        server_says: serverSays(row, leaf.at),
        proposals: [],
        own: leaf.values.map((value) => `${value}=${Object.keys(words).join('|')}`).join(' '),
        danger: 70,
        about: [row.name],
      })
    }
  }
  return out
}

/** Tools of the same server that may bring a device to rest, and need to be told nothing. */
const isStop = (row: ToolEntry): boolean =>
  wordsOf(row.mcp_tool).some((word) => stopWords.has(word))

/** Stops that must be told which device: arguments of a stop are constant, so it would be one of several. */
function stopsOfOne(own: readonly ToolEntry[]): string {
  return own
    .filter(isStop)
    .flatMap((row) =>
      leavesOf(row.args_schema)
        .filter(({ required, values }) => required && (values?.length ?? 0) > 1)
        .map(
          ({ at, values }) =>
            ` ${row.mcp_tool} has to be told ${at}, and a stop has constant arguments: it would stop one of ` +
            `${(values ?? []).join(', ')} and not the others.`,
        ),
    )
    .join('')
    .slice(0, wordsMax)
}

function stopQuestions(registry: Registry): Question[] {
  const servers = [...new Set(registry.tools.map(({ server }) => server))]
  return servers.flatMap((server) => {
    const own = registry.tools.filter((row) => row.server === server)
    const open = own.filter(
      (row) => row.safe_stop === null && row.meaning !== undefined && isPhysical(row.risk_class),
    )
    const asked = (registry.notes?.['no_safe_stop'] ?? []) as readonly string[]
    if (open.length === 0 || asked.includes(server)) return []
    const stops = own.filter(
      (row) => isStop(row) && leavesOf(row.args_schema).every((leaf) => !leaf.required),
    )
    const take = (stop: ToolEntry): Proposal => ({
      label: `${stop.mcp_tool} without arguments`,
      edits: open.map((row) => ({
        path: ['tools', row.name, 'safe_stop'],
        value: { mcp_tool: stop.mcp_tool, args: {} },
      })),
    })
    const none: Proposal = {
      label:
        'there is none: a stop ends the process of the server and nobody can say that the device rests',
      edits: [{ path: ['notes', 'no_safe_stop'], value: [...asked, server] }],
    }
    return [
      {
        id: `stop:${server}`,
        kind: 'stop' as const,
        ask: `Which call brings the devices of ${server} to rest?${stopsOfOne(own)}`,
        server_says: own
          .map(({ mcp_tool }) => mcp_tool)
          .join(', ')
          .slice(0, wordsMax),
        proposals: [...stops.slice(0, 2).map(take), none],
        own: 'TOOL, or TOOL {"json":"arguments"}',
        danger: 95,
        about: open.map(({ name }) => name),
      },
    ]
  })
}

function plannerQuestions(registry: Registry): Question[] {
  if (Object.keys(registry.planners).length > 0 || registry.tools.length === 0) return []
  const capabilities = [...new Set(registry.tools.map(({ capability }) => capability))]
  return [
    {
      id: 'planner:',
      kind: 'planner',
      ask: 'Which planner may call these tools?',
      server_says: '',
      proposals: [
        {
          label: 'planner-1, all of them',
          edits: [{ path: ['planners', 'planner-1'], value: { capabilities } }],
        },
      ],
      own: 'the name of the planner, as its credential has it',
      danger: 10,
      about: registry.tools.map(({ name }) => name),
    },
  ]
}

/** Every open question, most dangerous first; the order of equals is that of the file. */
export function questionsOf(registry: Registry): Question[] {
  const all = [
    ...registry.tools
      .filter((row) => row.meaning === undefined)
      .map((row) => doesQuestion(registry, row)),
    ...registry.tools.flatMap((row) => [...argumentQuestions(row), ...valueQuestions(row)]),
    ...stopQuestions(registry),
    ...deviceQuestions(registry),
    ...ruleQuestions(registry),
    ...plannerQuestions(registry),
  ]
  return all.toSorted((a, b) => b.danger - a.danger)
}
