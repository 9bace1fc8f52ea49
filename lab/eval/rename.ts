// A one-to-one renaming of a lab to meaningless ids: every tool, argument key, server, device, zone,
// place, barrier, kind, thing, stream, channel, host, planner and declared field, in site file,
// inventory, arguments and wherever prose names one of them. Rules that judge by what a thing does
// and not by what it is called give the same verdicts and findings both ways.
import type { JsonObject, JsonValue } from '../../protocol/json.ts'
import { provenDigests, stillProven, type ProvenRows } from '../../protocol/proven.ts'
import type { Registry } from '../../protocol/registry.ts'
import type { CellRecord } from '../../protocol/state.ts'
import { freshNames, proseRenamer, type Names } from './rename-names.ts'

export type RowParts = {
  readonly plan: Record<string, unknown>
  readonly state: CellRecord | null
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Members whose values are words of the format and never names of the lab. */
const words = new Set(
  'class people fact act limit role group hazard listed substance read_by total over'.split(' '),
)

/** Every string of a value through `change`; keys and words of the format stay. */
function strings<T>(value: T, change: (text: string) => string): T {
  const walk = (v: unknown): unknown => {
    if (typeof v === 'string') return change(v)
    if (Array.isArray(v)) return v.map(walk)
    if (!isObject(v)) return v
    return Object.fromEntries(
      Object.entries(v).map(([key, item]) => [
        key,
        words.has(key) && typeof item === 'string' ? item : walk(item),
      ]),
    )
  }
  return walk(value) as T
}

/** Keys of `properties` at every depth of a schema. */
function* argKeys(schema: JsonValue | undefined): Generator<string> {
  if (!isObject(schema)) return
  const { properties, items } = schema
  for (const [key, inner] of Object.entries(isObject(properties) ? properties : {})) {
    yield key
    yield* argKeys(inner)
  }
  yield* argKeys(items)
}

type Declared = { readonly id: string; readonly names: readonly string[] }

function* declaredNames(site: Registry): Generator<string> {
  const lists: readonly (readonly Declared[])[] = [
    site.zones,
    site.places,
    site.devices,
    site.barriers,
    site.kinds,
    site.things,
    site.streams,
  ]
  for (const { id, names } of lists.flat()) yield* [id, ...names]
  for (const tool of site.tools) yield* [tool.name, tool.mcp_tool, tool.server, tool.capability]
  for (const tool of site.tools) if (tool.safe_stop !== null) yield tool.safe_stop.mcp_tool
  yield* Object.keys(site.planners)
  yield* site.sandboxes
  yield* site.signers
  yield* site.network.channels.map(({ id }) => id)
  yield* site.network.domains
  yield* site.network.hosts
  yield* site.network.pages.map(({ host }) => host)
  for (const stop of site.stops) yield stop.cell
}

/** Fields of records that a site declares; a plan may also write one whose name begins like them. */
function declaredFields(site: Registry): string[] {
  const { person_prefixes: _prefixes, ...fields } = site.records
  return Object.values(fields).flat()
}

const wordsOf = (name: string): string[] => name.split(/[\s_-]+/).filter((word) => word !== '')

/** Pointer of arguments with every segment renamed; `*` and numbers stay. */
const pointer = (at: string, keys: Names): string =>
  at
    .split('/')
    .map((segment) => keys.get(segment) ?? segment)
    .join('/')

type ArgumentKinds = Readonly<Record<'chemistry' | 'fields', ReadonlySet<string>>>

export class Renaming {
  readonly #names = new Map<string, string>()
  readonly #keys = new Map<string, string>()
  readonly #fieldWords = new Map<string, string>()
  readonly #spoken: Names
  readonly #prose: (text: string) => string
  readonly #fresh = freshNames()
  readonly #site: Registry

  constructor(site: Registry) {
    this.#site = site
    for (const name of declaredNames(site)) this.#add(name)
    for (const domain of site.network.domains) this.#addLabel(domain)
    // Word by word: a field is also known by the words that it begins with.
    for (const word of declaredFields(site).flatMap(wordsOf)) {
      if (!this.#fieldWords.has(word)) this.#fieldWords.set(word, this.#fresh(word))
    }
    for (const field of declaredFields(site)) {
      if (!this.#names.has(field)) this.#names.set(field, this.#field(field) ?? field)
    }
    for (const { args_schema } of site.tools) {
      for (const key of argKeys(args_schema)) {
        if (!this.#keys.has(key)) this.#keys.set(key, this.#fresh('key'))
      }
    }
    // Fields and other declared words that only data carry are no names in prose.
    this.#spoken = new Map([...this.#names].filter(([name]) => !this.#isField(name)))
    this.#prose = proseRenamer(this.#spoken)
  }

  #isField(name: string): boolean {
    return declaredFields(this.#site).includes(name)
  }

  /** A field of which every word stands in a declared one, word by word; null for any other text. */
  #field(name: string): string | null {
    const made = wordsOf(name).map((word) => this.#fieldWords.get(word))
    return made.length > 0 && made.every((word) => word !== undefined) ? made.join('_') : null
  }

  /** `help.vendor.example` is spoken of as `help vendor`: by its host without what its pattern fixes. */
  #addLabel(domain: string): void {
    const label = domain.split('.')[0] ?? ''
    const made = this.#names.get(domain)?.split('.')[0]
    if (made !== undefined && label.length > 2) this.#names.set(label, made)
  }

  #add(name: string): string {
    const known = this.#names.get(name)
    if (known !== undefined) return known
    const [, article, bare] = /^(the|an?)\s+(\S.*)$/i.exec(name) ?? []
    const spoken = (): string =>
      article === undefined || bare === undefined
        ? this.#fresh(name)
        : `${article} ${this.#add(bare)}`
    const made = this.#keeps(name) ? name : spoken()
    this.#names.set(name, made)
    return made
  }

  /** Ids of persons' records carry a declared prefix that rules read: they are data, not names. */
  #keeps(name: string): boolean {
    return this.#site.records.person_prefixes.some((prefix) => name.startsWith(prefix))
  }

  /** The pointer of a finding in the renamed plan, with the old keys. */
  pointerBack(at: string): string {
    return pointer(at, new Map([...this.#keys].map(([from, to]) => [to, from])))
  }

  #exact(text: string, own: Names = this.#names): string {
    return own.get(text) ?? this.#names.get(text) ?? text
  }

  #schema(schema: JsonValue): JsonValue {
    if (Array.isArray(schema)) return schema.map((item) => this.#schema(item as JsonValue))
    if (typeof schema === 'string') return this.#exact(schema)
    if (!isObject(schema)) return schema
    const out: Record<string, JsonValue> = {}
    for (const [word, inner] of Object.entries(schema)) {
      if (word === 'properties' && isObject(inner)) {
        const renamed = Object.entries(inner).map(
          ([key, item]) => [this.#keys.get(key) ?? key, this.#schema(item)] as const,
        )
        out[word] = Object.fromEntries(renamed)
      } else if (word === 'required' && Array.isArray(inner)) {
        out[word] = inner.map((key) => this.#keys.get(String(key)) ?? String(key))
      } else if (word === 'description' && typeof inner === 'string') {
        out[word] = this.#prose(inner)
      } else out[word] = this.#schema(inner)
    }
    return out
  }

  #tool(tool: Registry['tools'][number]): Registry['tools'][number] {
    const { meaning } = tool
    const at = (p: string): string => pointer(p, this.#keys)
    const binding = (bound: unknown): unknown => {
      if (typeof bound === 'string') return at(bound)
      if (!isObject(bound)) return bound
      const out: Record<string, unknown> = { ...bound }
      for (const word of ['arg', 'unit_arg']) {
        if (typeof out[word] === 'string') out[word] = at(out[word])
      }
      for (const word of ['const', 'default', 'of']) {
        if (typeof out[word] === 'string') out[word] = this.#exact(out[word])
      }
      return out
    }
    const changed = {
      ...tool,
      name: this.#exact(tool.name),
      description: this.#prose(tool.description),
      capability: this.#exact(tool.capability),
      args_schema: this.#schema(tool.args_schema) as JsonObject,
      server: this.#exact(tool.server),
      mcp_tool: this.#exact(tool.mcp_tool),
      safe_stop:
        tool.safe_stop === null
          ? null
          : { ...tool.safe_stop, mcp_tool: this.#exact(tool.safe_stop.mcp_tool) },
    }
    if (meaning === undefined) return changed
    const acts = meaning.acts.map((act) => ({
      ...act,
      bind: Object.fromEntries(Object.entries(act.bind).map(([r, b]) => [r, binding(b)])),
      ...(act.when === undefined
        ? {}
        : {
            when:
              'eq' in act.when
                ? { arg: at(act.when.arg), eq: strings(act.when.eq, (t) => this.#exact(t)) }
                : { ...act.when, arg: at(act.when.arg) },
          }),
    }))
    const inert = meaning.inert.map((row) => ({ ...row, at: at(row.at) }))
    const choices = meaning.choices.map((row) => ({ ...row, at: at(row.at) }))
    return { ...changed, meaning: { ...meaning, acts, inert, choices } } as typeof tool
  }

  /** The rows of the renamed site that are proven: those whose own row is, since it is the same lab. */
  async proven(stated: ProvenRows, renamed: Registry): Promise<ProvenRows> {
    const still = await stillProven(this.#site.tools, stated)
    const digests = await provenDigests(renamed.tools)
    const pairs = this.#site.tools.flatMap(({ name }, i) => {
      const other = renamed.tools[i]?.name
      const row = other === undefined ? undefined : digests[other]
      return Object.hasOwn(still, name) && other !== undefined && row !== undefined
        ? [[other, row] as const]
        : []
    })
    return Object.fromEntries(pairs)
  }

  /** The site file with every declared name changed. */
  registry(): Registry {
    const site = this.#site
    const name = (text: string): string => this.#exact(text)
    const rules = site.rules.map((rule) => ({
      ...rule,
      text: this.#prose(rule.text),
      ...(rule.if === undefined ? {} : { if: strings(rule.if, name) }),
      ...(rule.needs === undefined ? {} : { needs: strings(rule.needs, name) }),
      ...(rule.remedy === undefined ? {} : { remedy: this.#prose(rule.remedy) }),
    }))
    const planners = Object.entries(site.planners).map(([planner, entry]) => [
      name(planner),
      strings(entry, name),
    ])
    // Chemistry is no name: substances keep theirs, and graph ids mean the same in every lab.
    const { substances, tools, rules: _rules, planners: _planners, notes: _notes, ...rest } = site
    return {
      ...strings(rest, name),
      substances,
      tools: tools.map((tool) => this.#tool(tool)),
      planners: Object.fromEntries(planners) as Registry['planners'],
      rules,
    }
  }

  /** Arguments of a tool that name substances (chemistry is no name of a thing) or fields of records. */
  #argumentKinds(tool: string): ArgumentKinds {
    const acts = this.#site.tools.find(({ name }) => name === tool)?.meaning?.acts ?? []
    const bound = (...roles: readonly string[]): ReadonlySet<string> =>
      new Set(
        acts.flatMap(({ bind }) =>
          roles.flatMap((role) => {
            const to = bind[role]
            if (typeof to === 'string') return [to]
            return to !== undefined && 'arg' in to ? [to.arg] : []
          }),
        ),
      )
    return { chemistry: bound('substance'), fields: bound('field', 'fields') }
  }

  /** A plan and the record of its cell with every declared or inventoried name changed. */
  row(row: RowParts): RowParts {
    const own = new Map<string, string>()
    for (const { thing, names } of row.state?.inventory ?? []) {
      for (const name of [thing, ...names]) own.set(name, this.#add(name))
    }
    // One search for all: the longest name wins, whoever declared it.
    const prose = proseRenamer(new Map([...this.#spoken, ...own]))
    /** Text that a person reads, or a name that stands alone. */
    const text = (value: string): string => own.get(value) ?? this.#names.get(value) ?? prose(value)
    const args = (value: unknown, at: string, read: ArgumentKinds): unknown => {
      if (typeof value === 'string') {
        if (read.chemistry.has(at)) return value
        return (read.fields.has(at) ? this.#field(value) : null) ?? text(value)
      }
      if (Array.isArray(value)) return value.map((item) => args(item, `${at}/*`, read))
      if (!isObject(value)) return value
      if (Object.hasOwn(value, '$from')) return value
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          this.#keys.get(key) ?? key,
          args(item, `${at}/${key}`, read),
        ]),
      )
    }
    const { nodes, ...prosePart } = row.plan
    const renamed = (Array.isArray(nodes) ? nodes : []).map((node: Record<string, unknown>) => ({
      ...node,
      tool: this.#exact(String(node['tool'])),
      args: args(node['args'], '', this.#argumentKinds(String(node['tool']))),
      ...(typeof node['sandbox'] === 'string' ? { sandbox: this.#exact(node['sandbox']) } : {}),
    }))
    const state = row.state === null ? null : strings(row.state, (value) => this.#exact(value, own))
    return { plan: { ...strings(prosePart, text), nodes: renamed }, state }
  }
}
