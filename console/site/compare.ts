// What differs between the site file in force and a new one: by section, by entry (its id or name, not its
// place in the list), down to the value. Whoever approves reads this and not two files.

/** A difference at one value: `null` where there is none. */
export type Change = { at: string; before: string | null; after: string | null }
export type Entry = {
  name: string
  change: 'new' | 'gone' | 'changed'
  changes: Change[]
}
export type Section = { section: string; entries: Entry[] }

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What an entry of a list is called: its id or name, else its place. */
function nameOf(value: unknown, index: number): string {
  if (isObject(value)) {
    for (const key of ['id', 'name', 'cell']) {
      const name = value[key]
      if (typeof name === 'string') return name
    }
    // A starting fact: a thing and one of its facts.
    const { thing, part, fact } = value
    if (typeof thing === 'string' && typeof fact === 'string') {
      return [thing, part, fact].filter((word) => typeof word === 'string').join(' ')
    }
  }
  return typeof value === 'string' ? value : String(index + 1)
}

/** The entries of a section by name; two of one name are kept apart by their place. */
export function entriesOf(section: unknown): Map<string, unknown> {
  if (Array.isArray(section)) {
    const out = new Map<string, unknown>()
    for (const [i, value] of (section as readonly unknown[]).entries()) {
      const name = nameOf(value, i)
      out.set(out.has(name) ? `${name} (${i + 1})` : name, value)
    }
    return out
  }
  return isObject(section) ? new Map(Object.entries(section)) : new Map([['', section]])
}

const shown = (value: unknown): string | null =>
  value === undefined ? null : typeof value === 'string' ? value : JSON.stringify(value)

/** Every value that differs, by its place. Lists of plain values are one value: their order may mean something. */
function changesOf(before: unknown, after: unknown, at: string): Change[] {
  const isDeep = isObject(before) && isObject(after)
  if (isDeep) {
    const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return keys.flatMap((key) =>
      changesOf(before[key], after[key], at === '' ? key : `${at} / ${key}`),
    )
  }
  const [old, now] = [shown(before), shown(after)]
  return old === now ? [] : [{ at, before: old, after: now }]
}

function entry(name: string, before: unknown, after: unknown): Entry | null {
  if (before === undefined) return { name, change: 'new', changes: changesOf({}, after, '') }
  if (after === undefined) return { name, change: 'gone', changes: [] }
  const changes = changesOf(before, after, '')
  return changes.length === 0 ? null : { name, change: 'changed', changes }
}

/** Sections that differ, each with its entries that do. */
export function compared(before: object, after: object): Section[] {
  const old = new Map(Object.entries(before))
  const next = new Map(Object.entries(after))
  const sections = [...new Set([...old.keys(), ...next.keys()])]
  return sections.flatMap((section) => {
    const one = old.has(section) ? entriesOf(old.get(section)) : new Map<string, unknown>()
    const two = next.has(section) ? entriesOf(next.get(section)) : new Map<string, unknown>()
    const names = [...new Set([...one.keys(), ...two.keys()])]
    const entries = names.flatMap((name) => entry(name, one.get(name), two.get(name)) ?? [])
    return entries.length === 0 ? [] : [{ section, entries }]
  })
}
