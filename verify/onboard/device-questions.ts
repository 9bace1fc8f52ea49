// Questions about the things that described calls name: what each is, how far it may go, who can reach
// it, and whether it rests at the start of a day.
import { actSpec, type Dimension } from '../../protocol/acts.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import { deviceClassSchema } from '../../protocol/site-file.ts'
import type { Binding } from '../../protocol/tool-meaning.ts'
import { measuredOf } from '../../protocol/units.ts'
import { leavesOf, type Leaf } from './leaves.ts'
import { serverSays, type Proposal, type Question } from './question.ts'
import { classWords, wordsOf } from './words.ts'

type Mention = {
  readonly id: string
  readonly role: string
  readonly row: ToolEntry
  /** What the act sets on it: the limit's name, and the argument. */
  readonly sets: readonly {
    readonly quantity: string
    readonly leaf: Leaf | null
    readonly unit: string
  }[]
  readonly kind: 'thing' | 'place'
}

/** What the dry run calls the limit of a quantity. */
const limitNames: Readonly<Partial<Record<Dimension, string>>> = {
  temperature: 'temperature',
  rotation: 'rotation',
  acceleration: 'acceleration',
  pressure: 'pressure',
  flow: 'flow',
  power: 'power',
  speed: 'speed',
  fraction: 'fraction',
  force: 'force',
}
const volumeActs = new Set(['transfer', 'mix'])

function namesIn(one: Binding, leaves: ReadonlyMap<string, Leaf>): string[] {
  if (typeof one === 'string') return [...(leaves.get(one)?.values ?? [])]
  if ('const' in one) return typeof one.const === 'string' ? [one.const] : []
  return [...(leaves.get(one.arg)?.values ?? [])]
}

function mentionsOf(row: ToolEntry): Mention[] {
  const leaves = new Map(leavesOf(row.args_schema).map((leaf) => [leaf.at, leaf]))
  return (row.meaning?.acts ?? []).flatMap(({ act, bind }) => {
    const { roles } = actSpec(act)
    const sets = Object.entries(bind).flatMap(([role, one]) => {
      const spec = roles[role]
      if (spec?.kind !== 'quantity' || typeof one === 'string' || !('arg' in one)) return []
      const leaf = leaves.get(one.arg) ?? null
      // The unit that the row states says which quantity it is, where a role takes several.
      const stated = one.unit === undefined ? undefined : measuredOf(`1 ${one.unit}`)?.dim
      const dims = spec.dims ?? []
      const dim = dims.find((each) => each === stated) ?? dims[0]
      const quantity =
        volumeActs.has(act) && dim === 'volume'
          ? 'volume'
          : dim === undefined
            ? undefined
            : limitNames[dim]
      return quantity === undefined ? [] : [{ quantity, leaf, unit: one.unit ?? '1' }]
    })
    return Object.entries(bind).flatMap(([role, one]) => {
      const kind = roles[role]?.kind
      if (kind !== 'thing' && kind !== 'place') return []
      // The quantity belongs to the device of the act, not to what it acts upon.
      const own = role === 'device' || role === 'with' ? sets : []
      return namesIn(one, leaves).map((id) => ({ id, role, row, sets: own, kind }))
    })
  })
}

const declared = (registry: Registry): Set<string> =>
  new Set(
    [
      registry.devices,
      registry.places,
      registry.barriers,
      registry.zones,
      registry.kinds,
      registry.things,
      registry.streams,
    ]
      .flat()
      .flatMap(({ id, names }: { id: string; names?: readonly string[] }) => [
        id,
        ...(names ?? []),
      ]),
  )

const classOf = (text: string): string => {
  const found = new Set(wordsOf(text))
  return classWords.find(([, words]) => words.some((word) => found.has(word)))?.[0] ?? 'other'
}

function thingQuestion(id: string, mentions: readonly Mention[]): Question {
  const [first] = mentions
  if (first === undefined) throw new TypeError('a thing that nothing mentions')
  const device: Proposal = {
    label: `a device, class ${classOf(`${id} ${first.row.mcp_tool} ${first.row.description}`)}`,
    edits: [
      {
        path: ['devices', id],
        value: { id, class: classOf(`${id} ${first.row.mcp_tool} ${first.row.description}`) },
      },
    ],
  }
  const place: Proposal = {
    label: 'a place that people reach',
    edits: [
      { path: ['zones', 'people'], value: { id: 'people', people: 'always' } },
      { path: ['places', id], value: { id, zone: 'people' } },
    ],
  }
  const barrier: Proposal = {
    label: 'a lid, door, valve or vent',
    edits: [{ path: ['barriers', id], value: { id } }],
  }
  const vessel: Proposal = {
    label: 'a vessel (say its size: vessel 100 mL)',
    edits: [
      { path: ['kinds', `kind_of_${id}`], value: { id: `kind_of_${id}`, class: 'vessel' } },
      { path: ['things', id], value: { id, kind: `kind_of_${id}` } },
    ],
  }
  const ordered =
    first.role === 'barrier'
      ? [barrier, device]
      : first.kind === 'place'
        ? [place, device]
        : first.role === 'device' || first.role === 'with'
          ? [device, barrier, vessel]
          : [vessel, device, place]
  return {
    id: `thing:${id}`,
    kind: 'thing',
    ask: `What is ${id}?`,
    server_says: [...new Set(mentions.map(({ row }) => serverSays(row)))].join(' ').slice(0, 600),
    proposals: ordered.slice(0, 3),
    own: `device CLASS (${deviceClassSchema.options.join(', ')}), vessel VOLUME, place, barrier, or bin`,
    danger: first.kind === 'place' ? 55 : 50,
    about: [...new Set(mentions.map(({ row }) => row.name))],
  }
}

function limitQuestions(registry: Registry, mentions: readonly Mention[]): Question[] {
  const out = new Map<string, Question>()
  for (const { id, row, sets } of mentions) {
    const device = registry.devices.find((one) => one.id === id)
    if (device === undefined) continue
    for (const { quantity, leaf, unit } of sets) {
      if (device.limits[quantity] !== undefined) continue
      const key = `limit:${id}/${quantity}`
      const before = out.get(key)
      const range =
        leaf === null
          ? {}
          : {
              ...(leaf.min === null ? {} : { min: `${leaf.min} ${unit}` }),
              ...(leaf.max === null ? {} : { max: `${leaf.max} ${unit}` }),
            }
      const bounds =
        leaf?.max === null || leaf === null
          ? []
          : [
              {
                label: `what the server takes: ${leaf.min ?? 'any'} to ${leaf.max} ${unit}`,
                edits: [{ path: ['devices', id, 'limits', quantity], value: range as JsonValue }],
              },
            ]
      out.set(key, {
        id: key,
        kind: 'limit',
        ask: `How far may the ${quantity} of ${id} go?`,
        server_says: serverSays(row, leaf?.at),
        proposals: before?.proposals ?? bounds,
        own: `MIN..MAX UNIT, e.g. 4..60 ${unit}`,
        danger: 80,
        about: [...new Set([...(before?.about ?? []), row.name])],
      })
    }
  }
  return [...out.values()]
}

/** The device classes that move, so that who is near them matters most. */
function peopleQuestion(registry: Registry): Question[] {
  const open = registry.devices.filter(
    ({ zone, class: kind }) => zone === undefined && kind !== 'records' && kind !== 'computer',
  )
  if (open.length === 0) return []
  const into = (people: 'always' | 'when_open' | 'never', id: string): Proposal['edits'] => [
    { path: ['zones', id], value: { id, people } },
    ...open.map((device) => ({ path: ['devices', device.id, 'zone'], value: id })),
  ]
  return [
    {
      id: 'people:devices',
      kind: 'people',
      ask: `Who can reach ${open.map(({ id }) => id).join(', ')}?`,
      server_says: '',
      proposals: [
        { label: 'people at any time (an open bench)', edits: into('always', 'bench') },
        { label: 'people when its door or cover is open', edits: into('when_open', 'enclosure') },
        { label: 'nobody, ever', edits: into('never', 'closed_room') },
      ],
      own: 'the id of a zone of the file',
      danger: 75,
      about: open.map(({ id }) => id),
    },
  ]
}

/** Devices whose state at the start of a day nobody stated. */
function restQuestion(registry: Registry): Question[] {
  const known = new Set(registry.starts.map(({ thing }) => thing))
  const energy = new Set(
    registry.tools.flatMap((row) =>
      mentionsOf(row)
        .filter(({ role }) => role === 'device' || role === 'with')
        .map(({ id }) => id),
    ),
  )
  const open = registry.devices.filter(
    ({ id, class: kind }) => energy.has(id) && !known.has(id) && kind !== 'records',
  )
  if (open.length === 0) return []
  const rest = (id: string, limits: object): Proposal['edits'] => [
    { path: ['starts', '+'], value: { thing: id, fact: 'energised', value: false } },
    ...('temperature' in limits
      ? [{ path: ['starts', '+'], value: { thing: id, fact: 'temperature', value: '22 Cel' } }]
      : []),
  ]
  return [
    {
      id: 'rest:devices',
      kind: 'rest',
      ask: `Are ${open.map(({ id }) => id).join(', ')} off when a day starts? Who arms the cell confirms it each time.`,
      server_says: '',
      proposals: [
        {
          label: 'yes: off, and at room temperature where they heat',
          edits: open.flatMap(({ id, limits }) => rest(id, limits)),
        },
      ],
      own: 'no answer: then an operator records it for each run',
      danger: 40,
      about: open.map(({ id }) => id),
    },
  ]
}

export function deviceQuestions(registry: Registry): Question[] {
  const mentions = registry.tools.flatMap(mentionsOf)
  const known = declared(registry)
  const open = Map.groupBy(
    mentions.filter(({ id }) => !known.has(id)),
    ({ id }) => id,
  )
  return [
    ...[...open].map(([id, all]) => thingQuestion(id, all)),
    ...limitQuestions(registry, mentions),
    ...peopleQuestion(registry),
    ...restQuestion(registry),
  ]
}
