// The one reading of a plan: steps with acts, quantities, things, substances and words. Every stage
// reads this and never a tool's name. Everything here is a value; nothing is judged.
import type { ActName, Dimension, Family } from '../../protocol/acts.ts'
import type { PlanNode } from '../../protocol/plan.ts'
import type { ToolEntry } from '../../protocol/registry.ts'

/** All values of a quantity that are possible, both ends included, in the scene's unit of `dim`. */
export type Interval = { readonly lo: number; readonly hi: number }

/** A name that was resolved against site file and inventory, whatever its spelling. */
export type ThingRef = {
  /** As it stands in the plan. */
  readonly raw: string
  /** The id in site file or inventory; null: nobody declared it. */
  readonly id: string | null
  /**
   * Identity for comparison: the id, else the folded spelling (case, separators, leading zeros
   * removed), so that two spellings of one unknown vessel are one vessel.
   */
  readonly key: string
  /** Well, tube or position in canonical form (`A1`), `*` for all, `col:3` for one column. */
  readonly part: string | null
  /** What it was resolved as. */
  readonly is:
    | 'device'
    | 'barrier'
    | 'zone'
    | 'place'
    | 'thing'
    | 'stream'
    | 'kind'
    | 'sandbox'
    | 'unknown'
  /** Kind of labware or class of device, by site file or inventory; null when not known. */
  readonly kind: string | null
}

/** A liquid or solid as named somewhere, resolved through site file and graph vocabulary. */
export type SubstanceRef = {
  readonly raw: string
  /** Ids of everything recognised in it (site substances, graph ids). */
  readonly ids: readonly string[]
  readonly groups: readonly string[]
  readonly hazards: readonly string[]
  /** °C; null when not known. */
  readonly boils: number | null
  readonly flash: number | null
  /** Every content word of the name was recognised. */
  readonly known: boolean
  readonly human: boolean
  readonly risk_group: number | null
  readonly controlled: boolean
  /** Content words that nobody knows. */
  readonly unread: readonly string[]
  /** Highest strength that the name tells; null when it tells none, which is never weak. */
  readonly percent: number | null
  /** mol/L. */
  readonly molar: number | null
}

export type RoleValue =
  | { readonly kind: 'thing' | 'place'; readonly at: string; readonly ref: ThingRef }
  | {
      readonly kind: 'quantity'
      readonly at: string
      readonly dim: Dimension
      readonly value: Interval
      /** As written, for sentences. */
      readonly shown: string
    }
  | { readonly kind: 'substance'; readonly at: string; readonly substance: SubstanceRef }
  | { readonly kind: 'text' | 'address'; readonly at: string; readonly text: string }
  | { readonly kind: 'flag'; readonly at: string; readonly value: boolean }
  | {
      readonly kind: 'choice'
      readonly at: string
      readonly raw: string
      /** The meaning that the row gives; null: none. */
      readonly means: string | null
    }

export type SceneAct = {
  readonly act: ActName
  readonly family: Family
  /** By role; several values only for roles that are bound to arrays. Absent: not bound or not given. */
  readonly roles: Readonly<Record<string, readonly RoleValue[]>>
  /** Roles that are needed and have no value. */
  readonly missing: readonly string[]
  /** Roles whose several values are what one reference may turn out to be: exactly one of them. */
  readonly one_of: readonly string[]
  readonly relative: boolean
  /** The call does it only for some values of a reference. */
  readonly maybe: boolean
}

export type Opacity =
  /** No meaning at all in the row. */
  | 'not_described'
  /** An argument is neither bound, inert nor an enumeration with meaning. */
  | 'argument_not_described'
  /** Text with a grammar of its own, without a list of what is allowed. */
  | 'free_program'

export type Step = {
  /** Position in the exact order of execution. */
  readonly i: number
  readonly node: PlanNode
  /** `/nodes/3`: the index in the plan as it was sent. */
  readonly at: string
  readonly row: ToolEntry | null
  readonly opaque: Opacity | null
  readonly acts: readonly SceneAct[]
  /** Arguments that the row declares inert, and those that nothing covers. */
  readonly inert: readonly string[]
  readonly uncovered: readonly string[]
  /** Runs in every run of the plan: no `when` on it or on anything it depends on. */
  readonly certain: boolean
  /** Ids of steps that are sure to have ended before it (by dependencies, not by tie-break). */
  readonly after: ReadonlySet<string>
  /** Every argument string, for screens and word rules, with what it was bound to. */
  readonly texts: readonly {
    readonly at: string
    readonly text: string
    readonly role: string | null
    readonly kind: RoleValue['kind'] | 'inert' | 'uncovered'
  }[]
}

/** A value told in words, in one clause of one instruction. */
export type Told = {
  readonly instruction: number
  /** UTF-16 span in the instruction. */
  readonly span: readonly [number, number]
  readonly dim: Dimension | null
  /** null: a number that could not be read as a quantity. */
  readonly value: Interval | null
  readonly shown: string
  /** The clause says that it must not, or only until, or speaks of the past. */
  readonly clause: 'order' | 'negated' | 'past' | 'condition' | 'remark'
}

/** A declared or id-like name told in words. */
export type Named = {
  readonly instruction: number
  readonly span: readonly [number, number]
  readonly raw: string
  readonly ref: ThingRef
  /** The kind of the clause that it stands in. */
  readonly clause: Told['clause']
}

/** Something that one clause says must not be done: a row of the lexicon, the clause's words and place. */
export type Forbids = {
  readonly row: string
  readonly words: readonly string[]
  /** UTF-16 span in the instruction. */
  readonly span: readonly [number, number]
}

export type Sentence = {
  readonly instruction: number
  readonly text: string
  /** Acts that its words ask for (by the intent lexicon); empty: none was read. */
  readonly asks: readonly ActName[]
  readonly told: readonly Told[]
  readonly named: readonly Named[]
  readonly forbids: readonly Forbids[]
  /** Rows of the same lexicon that the sentence orders. */
  readonly orders: readonly string[]
  /** Written in a language or script that the reader does not read. */
  readonly unread: boolean
  /** Indices of the steps that carry it out, by acts, names and values. */
  readonly carried_by: readonly number[]
}

export type Scene = {
  readonly goal: string
  readonly instructions: readonly string[]
  /** In the exact order of execution. */
  readonly steps: readonly Step[]
  readonly sentences: readonly Sentence[]
  /** Steps that no sentence asks for, by index. */
  readonly unasked: readonly number[]
  /** Declared things that the plan touches, by key. */
  readonly things: ReadonlyMap<string, ThingRef>
  readonly substances: readonly SubstanceRef[]
  /** True when the plan has no node. */
  readonly text_only: boolean
}
