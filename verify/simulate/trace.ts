// What the dry run gives: the state before and after each step as intervals and three-valued flags,
// what was found, and one plain sentence a step. It goes into the packet; reviewer, floor, rules,
// judges and monitor read this and simulate nothing themselves.
import type { FindingCode } from '../../protocol/finding-codes.ts'
import type { FactName } from '../../protocol/condition.ts'
import type { Interval, SubstanceRef } from '../read/scene.ts'

/** Three values: unknown is never safe. */
export type Tri = true | false | null

/** What one vessel or part holds. */
export type Content = {
  readonly substance: SubstanceRef
  /** µL; the interval of what may be there. */
  readonly volume: Interval
  /** Where it was drawn from: a label never beats what was drawn. */
  readonly drawn_from: string | null
}

export type FactValue =
  | { readonly kind: 'quantity'; readonly value: Interval; readonly unit: string }
  | { readonly kind: 'flag'; readonly value: Tri }
  | { readonly kind: 'word'; readonly value: string | null }
  | { readonly kind: 'contents'; readonly value: readonly Content[] | null }

export type FactChange = {
  readonly thing: string
  readonly part: string | null
  readonly fact: FactName
  readonly before: FactValue | null
  readonly after: FactValue | null
}

/** A finding of the dry run or of a rule over it: closed codes, the place and small facts. */
export type TraceFinding = {
  readonly kind: 'breach' | 'unknown'
  readonly code: FindingCode
  /** What a breach does; an unknown always escalates. */
  readonly verdict: 'escalate' | 'reject'
  /** JSON pointer of the node or argument. */
  readonly at: string
  /** Rule of the site file, when one was touched. */
  readonly rule: string | null
  readonly facts: Readonly<Record<string, string | number | boolean>>
  readonly remedy: string | null
}

export type TraceStep = {
  readonly node: string
  readonly at: string
  /** One plain sentence: what happens, with the values that it happens with. */
  readonly sentence: string
  readonly changes: readonly FactChange[]
  /** Whether it runs in every run of the plan and does exactly this: else its changes are one case of several. */
  readonly sure: boolean
  /** Rules whose `if` held, or may hold, here. */
  readonly rules: readonly string[]
}

export type Trace = {
  readonly steps: readonly TraceStep[]
  readonly findings: readonly TraceFinding[]
  /** Facts that the run started from and that something rested on, for the comparison at bind. */
  readonly rested_on: readonly {
    readonly thing: string
    readonly part: string | null
    readonly fact: FactName
  }[]
  /** What is still on, open or flowing at the end of some path. */
  readonly left_on: readonly {
    readonly thing: string
    readonly fact: FactName
    readonly shown: string
  }[]
  /** Which kinds of permission were found for which step: rules or limits that cover it. */
  readonly covered: readonly { readonly step: number; readonly act: number; readonly by: string }[]
}
