// What an administrator puts in force: names that cannot be taken for one another, closed argument
// schemas, patterns that run in linear time, and texts that carry no instructions.
// Danger: a poisoned tool description or rule that later speaks to a judge (CWE-1427, ATLAS AML.T0110).
import type { JsonValue } from '../../protocol/json.ts'
import { limits } from '../../protocol/limits.ts'
import { toPointer, type PathStep } from '../../protocol/pointer.ts'
import type { Violation, ViolationCode } from '../../protocol/reasons.ts'
import type { Registry, ToolEntry } from '../../protocol/registry.ts'
import { siteMeaningOf } from '../../protocol/site-file.ts'
import { groupMs } from '../../protocol/stop-order.ts'
import { nameClashes } from '../read/things.ts'
import { preconditionFaults } from './approve-preconditions.ts'
import { outputSchemaViolations, schemaViolations } from './approve-schema.ts'
import { skeleton } from './names.ts'
import { carriesInstructions } from './sigma.ts'

export type Approval = {
  readonly violations: Violation[]
  /** Tools whose texts carry instructions: registered, but plans that use them are blocked. */
  readonly quarantined: string[]
}

type Add = (code: ViolationCode, path: readonly PathStep[], message: string) => void

/** Tool names: plain ASCII words joined by dots, underscores or hyphens. */
const canonicalName = /^[A-Za-z][A-Za-z0-9]*(?:[._-][A-Za-z0-9]+)*$/

/** Domains: lower case, no trailing dot, no port. */
const canonicalDomain = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/

type Named = { readonly name: string; readonly path: readonly PathStep[] }

/** Refuses repeats, names out of form and names that read like an earlier one of the same kind. */
function distinctNames(names: readonly Named[], form: RegExp, add: Add): void {
  const bySkeleton = new Map<string, string>()
  for (const { name, path } of names) {
    if (!form.test(name)) {
      add('name_not_canonical', path, `"${name}" is not in canonical form`)
    }
    const key = skeleton(name)
    const before = bySkeleton.get(key)
    if (before === name) add('name_duplicate', path, `"${name}" is listed twice`)
    else if (before !== undefined) {
      add('name_not_canonical', path, `"${name}" reads like "${before}"`)
    }
    bySkeleton.set(key, before ?? name)
  }
}

const listed = (base: readonly PathStep[], list: readonly string[]): Named[] =>
  list.map((name, i) => ({ name, path: [...base, i] }))

const printable = /^[\u0021-\u007e]+$/

function distinct(registry: Registry, add: Add): void {
  const { tools, planners } = registry
  distinctNames(
    tools.map(({ name }, i) => ({ name, path: ['tools', i, 'name'] })),
    canonicalName,
    add,
  )
  distinctNames(
    Object.keys(planners).map((name) => ({ name, path: ['planners', name] })),
    printable,
    add,
  )
  distinctNames(listed(['sandboxes'], registry.sandboxes), printable, add)
  distinctNames(listed(['signers'], registry.signers), printable, add)
  const { domains } = registry.network
  distinctNames(listed(['network', 'domains'], domains), canonicalDomain, add)
}

/** Two things that fold to one name are one thing to every plan that names it. */
function namesOfThings(registry: Registry, add: Add): void {
  for (const { is, first, second, name } of nameClashes(registry)) {
    add('name_not_canonical', [], `${is} "${second}" is named like "${first}": "${name}"`)
  }
}

/** Capabilities are compared exactly, so one that is misspelt would deny or grant in silence. */
function capabilities(registry: Registry, add: Add): void {
  const needed = new Set(registry.tools.map(({ capability }) => capability))
  for (const [planner, { capabilities: held }] of Object.entries(registry.planners)) {
    for (const [i, capability] of held.entries()) {
      if (needed.has(capability)) continue
      const path = ['planners', planner, 'capabilities', i]
      add('capability_unknown', path, `no tool needs "${capability}"`)
    }
  }
}

/** A group whose time cannot be read would be waited for by none: the next one would stop with it. */
function stopTimes(registry: Registry, add: Add): void {
  for (const [i, { groups }] of registry.stops.entries()) {
    for (const [j, { within }] of groups.entries()) {
      if (groupMs(within) !== null) continue
      const most = limits.stopGroupMsMax / 1_000
      const message = `"${within}" is no time to ${most} s, such as "2 s"`
      add('schema', ['stops', i, 'groups', j, 'within'], message)
    }
  }
}

function tool(entry: ToolEntry, i: number, add: Add): void {
  for (const { code, path, message } of schemaViolations(entry.args_schema)) {
    add(code, ['tools', i, 'args_schema', ...path], message)
  }
  for (const { code, path, message } of outputSchemaViolations(entry.output_schema ?? {})) {
    add(code, ['tools', i, 'output_schema', ...path], message)
  }
  if (!entry.definition_digest.startsWith('def:')) {
    add('digest_malformed', ['tools', i, 'definition_digest'], 'not a digest of a tool definition')
  }
  if (entry.risk_class === 'code' && !entry.sandbox_required) {
    add('sandbox_not_required', ['tools', i, 'sandbox_required'], 'a tool that runs code needs one')
  }
}

/** All strings below a value, with their places. */
function* strings(
  value: JsonValue,
  path: readonly PathStep[],
): Generator<[string, readonly PathStep[]]> {
  if (typeof value === 'string') yield [value, path]
  else if (Array.isArray(value)) {
    for (const [i, item] of (value as readonly JsonValue[]).entries())
      yield* strings(item, [...path, i])
  } else if (value !== null && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) yield* strings(item, [...path, key])
  }
}

/** Shorter strings are names and units; no instruction fits. */
const instructionCharsMin = 12

/** Description and every longer string of the schema and every reason in the meaning, each once. */
function textsOf(entry: ToolEntry): string[] {
  const reasons = (entry.meaning?.inert ?? []).map(({ reason }) => reason)
  const texts = [
    ...strings({ schema: entry.args_schema, output: entry.output_schema ?? {}, reasons }, []),
  ].map(([text]) => text)
  return [...new Set([entry.description, ...texts])].filter((x) => x.length >= instructionCharsMin)
}

/**
 * The texts that carry instructions. A site file has thousands of short ones, so they are asked about
 * together, and only a group that carries some is split.
 */
function speakers(texts: readonly string[]): string[] {
  if (texts.length === 0 || !carriesInstructions(texts)) return []
  if (texts.length === 1) return [...texts]
  const half = texts.length >> 1
  return [...speakers(texts.slice(0, half)), ...speakers(texts.slice(half))]
}

/** Texts of a site that are asked about together, at most: a piece of some milliseconds. */
const textsPerPiece = 128

/** Rules and reference texts go to judges as the site's own word: they may not carry instructions. */
function* siteTexts(registry: Registry, add: Add): Generator<void, void> {
  for (const [i, rule] of registry.rules.entries()) {
    if (carriesInstructions([rule.text])) {
      add('text_carries_instructions', ['rules', i, 'text'], `rule ${rule.id} speaks to a model`)
    }
    yield
  }
  const texts = [...strings(siteMeaningOf(registry) as unknown as JsonValue, [])]
  const long = [...new Set(texts.map(([text]) => text))].filter(
    (text) => text.length >= instructionCharsMin,
  )
  const speaking = new Set<string>()
  for (let i = 0; i < long.length; i += textsPerPiece) {
    for (const text of speakers(long.slice(i, i + textsPerPiece))) speaking.add(text)
    yield
  }
  for (const [text, path] of texts) {
    if (speaking.has(text)) {
      add('text_carries_instructions', path, 'a text of the site file speaks to a model')
    }
  }
}

/** The checks in pieces of some milliseconds: between two of them others may be let in. */
function* approval(registry: Registry): Generator<void, Approval> {
  const violations: Violation[] = []
  const add: Add = (code, path, message) => {
    if (violations.length < limits.violationsMax) {
      violations.push({ code, at: toPointer(path), message })
    }
  }
  distinct(registry, add)
  namesOfThings(registry, add)
  capabilities(registry, add)
  stopTimes(registry, add)
  yield
  for (const [i, entry] of registry.tools.entries()) {
    tool(entry, i, add)
    yield
  }
  for (const { path, message } of preconditionFaults(registry)) {
    add('precondition_invalid', path, message)
  }
  yield* siteTexts(registry, add)
  const quarantined: string[] = []
  for (const entry of registry.tools) {
    if (carriesInstructions(textsOf(entry))) quarantined.push(entry.name)
    yield
  }
  return { violations, quarantined: quarantined.toSorted() }
}

/**
 * Checks a registry before it is put in force. Violations refuse it as a whole; quarantined tools are
 * registered and blocked (TOOL_QUARANTINED), so that one poisoned server does not stop the laboratory.
 */
export function approveRegistry(registry: Registry): Approval {
  const pieces = approval(registry)
  for (;;) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
  }
}

/** Tools, rules or groups of texts between two pauses. */
const piecesAtOnce = 4

/** The same, for where others wait for the same thread: `pause` lets them in. */
export async function approveInPieces(
  registry: Registry,
  pause: () => Promise<void>,
): Promise<Approval> {
  const pieces = approval(registry)
  for (let n = 1; ; n++) {
    const piece = pieces.next()
    if (piece.done === true) return piece.value
    if (n % piecesAtOnce === 0) await pause()
  }
}
