// One run of a plan with references: the session's step function on one side, the agent's own decision from
// its own stored answers on the other, and between any two steps either may be cut off and begin again from
// what it had written.
import { decideNode, type NodeDecision } from '../../../contain/decide-node.ts'
import { resolvedDigest } from '../../../contain/resolve.ts'
import { step } from '../../../contain/session.ts'
import {
  openedState,
  type Effect,
  type FrameRecord,
  type SessionBinding,
  type SessionEvent,
  type SessionState,
} from '../../../contain/session-state.ts'
import { conversionOf, unchanged, type Conversion } from '../../../protocol/conversion.ts'
import type { NodeProgress } from '../../../protocol/frames.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { limits } from '../../../protocol/limits.ts'
import { nodeResultSchema, type NodeResult } from '../../../protocol/node-result.ts'
import { comparisonsOf } from '../../../protocol/plan-needs.ts'
import type { PlanNode } from '../../../protocol/plan.ts'
import { err, ok } from '../../../protocol/result.ts'
import type { NodeTokenClaims, ReportClaims } from '../../../protocol/tokens.ts'
import { resultOf } from '../../../robot-agent/result-of.ts'
import { row } from '../../shared/referring-plan.ts'
import { bindingOf, t0 } from '../../shared/schedule-binding.ts'
import type { ModelNode } from './reference-model.ts'

const results = {
  '/x': { quantity: 'mass', unit: 'mg', kind: 'observed' },
  '/s': { quantity: null, kind: 'observed' },
} as const

/** The binding of these nodes, with the conversions as they are fixed. */
export function bind(
  nodes: readonly ModelNode[],
  claims: Map<string, NodeTokenClaims>,
): SessionBinding {
  const bare = bindingOf(nodes, t0 + 1_000_000, claims)
  const conversions: Conversion[] = []
  const planned = bare.context.plan.nodes.map((node, i): PlanNode => {
    const { takes = [], when = null, require = null } = nodes[i] ?? {}
    const args = Object.fromEntries(takes.map((from, k) => [`t${k}`, { $from: from }]))
    const full: PlanNode = {
      ...node,
      args: { ...args, fixed: node.id },
      ...(when === null ? {} : { when }),
      ...(require === null ? {} : { require }),
    }
    const add = (at: string, unit: string | undefined) => {
      const by = unit === 'ug' ? conversionOf('mg', 'ug') : unchanged
      conversions.push({ node: node.id, at, ...(by ?? unchanged), whole: false })
    }
    for (const [k, from] of takes.entries()) if ('unit' in from) add(`/args/t${k}`, from.unit)
    for (const { at, comparison } of comparisonsOf(full)) {
      if (comparison.unit !== undefined) add(at, comparison.unit)
    }
    return full
  })
  const context = { ...bare.context, plan: { ...bare.context.plan, nodes: planned }, conversions }
  return { ...bare, context, rows: [row('arm.move', results), row('camera.read', results)] }
}

export type Called = {
  readonly nid: string
  readonly args: JsonObject
  readonly session_digest: string
  readonly agent_digest: string
}

export type Ran = {
  readonly calls: readonly Called[]
  readonly skipped: ReadonlyMap<string, readonly (string | number | boolean)[]>
  readonly final: SessionState
  /** How often the agent decided otherwise than the session before it would have moved. */
  readonly refused: number
}

export type Sides = {
  readonly step: typeof step
  /** What the agent sees of the binding. */
  readonly agent: (binding: SessionBinding) => SessionBinding
  /** What a cut leaves of the session. */
  readonly cut: (state: SessionState) => SessionState
}

/** As written and read again: state by value, answers by their text. */
export const cleanCut = (state: SessionState): SessionState => ({
  ...structuredClone(state),
  results: new Map(
    [...state.results].map(([nid, one]) => [
      nid,
      nodeResultSchema.parse(JSON.parse(JSON.stringify(one))),
    ]),
  ),
})

export class ReferenceRun {
  readonly #nodes: readonly ModelNode[]
  readonly #claims = new Map<string, NodeTokenClaims>()
  readonly #binding: SessionBinding
  readonly #sides: Sides
  readonly #cuts: readonly ('none' | 'session' | 'agent' | 'both')[]
  readonly #frames = new Map<string, FrameRecord>()
  /** The agent's ledger: node → answer as text, and outcomes. */
  readonly #ledger = new Map<string, { outcome: NodeProgress; text: string | null }>()
  readonly #calls: Called[] = []
  readonly #skipped = new Map<string, readonly (string | number | boolean)[]>()
  #state: SessionState
  #boot = 0
  #fids = 0
  #steps = 0
  #refused = 0

  constructor(
    nodes: readonly ModelNode[],
    cuts: readonly ('none' | 'session' | 'agent' | 'both')[],
    sides: Sides,
  ) {
    this.#nodes = nodes
    this.#cuts = cuts
    this.#sides = sides
    this.#binding = bind(nodes, this.#claims)
    this.#state = openedState(this.#binding, limits.reportGraceMs)
  }

  async run(): Promise<Ran> {
    this.#hello()
    for (let turn = 0; turn < 100 && this.#state.ended_ms === null; turn++) await this.#node()
    return {
      calls: this.#calls,
      skipped: this.#skipped,
      final: this.#state,
      refused: this.#refused,
    }
  }

  #play(event: SessionEvent): readonly Effect[] {
    const { state, effects } = this.#sides.step(this.#binding, this.#state, event, t0 + 1)
    this.#state = state
    for (const effect of effects) {
      if (effect.do === 'record') this.#frames.set(effect.fid, effect.record)
    }
    return effects
  }

  /** Between two steps: whoever is cut off begins again from what it had written. True when one was. */
  #maybeCut(): boolean {
    const cut = this.#cuts[this.#steps++] ?? 'none'
    const running = [...this.#state.nodes.values()].some(({ state }) => state === 'executing')
    if (cut === 'none') return false
    if (cut === 'session' || cut === 'both') this.#state = this.#sides.cut(this.#state)
    // Another process of the agent takes over between nodes alone.
    if ((cut === 'agent' || cut === 'both') && !running) this.#boot++
    this.#play({ type: 'lost', proven_left: 0 })
    this.#hello()
    return true
  }

  #hello(): void {
    const boot_id = `boot-${this.#boot}`
    const fid = `f${++this.#fids}`
    this.#play({ type: 'hello', fid, boot_id, older_lives: false, ledger: [] })
  }

  #framed(body: string) {
    const fid = `f${++this.#fids}`
    return { fid, body, seen: this.#frames.get(fid) ?? null, boot_id: `boot-${this.#boot}` }
  }

  /** The agent's own view, read from its ledger each time. */
  #decide(nid: string): NodeDecision {
    const { context, rows } = this.#sides.agent(this.#binding)
    const node = context.plan.nodes.find(({ id }) => id === nid)
    if (node === undefined) throw new TypeError(`no node ${nid}`)
    const read = [...this.#ledger].flatMap(([id, { text }]): [string, NodeResult][] =>
      text === null ? [] : [[id, nodeResultSchema.parse(JSON.parse(text))]],
    )
    const progress = new Map([...this.#ledger].map(([id, { outcome }]) => [id, outcome]))
    return decideNode({ context, rows, progress, results: new Map(read) }, node)
  }

  /** One node from pull to report. */
  async #node(): Promise<void> {
    const pulled = this.#play({ type: 'pull', ...this.#framed('pull') })
    const token = pulled.flatMap((effect) =>
      effect.do === 'send' && effect.frame.type === 'token' ? [effect.frame.nid] : [],
    )
    const nid = token[0]
    if (nid === undefined || this.#maybeCut()) return
    const decision = this.#decide(nid)
    if (decision.do === 'end') {
      this.#refused++
      const { reason } = decision.ending
      this.#play({ type: 'abort', reason, detail: nid, ...this.#framed('abort') })
      return
    }
    if (decision.do === 'skip') return this.#skip(nid, decision.values)
    const claims = this.#claims.get(nid)
    if (claims === undefined) throw new TypeError(`no token of ${nid}`)
    const start = { sub: 'agent-1', sid: 'sess_a', nid, jti: claims.jti, ctx: claims.ctx } as const
    const presented = {
      nid,
      opened: { text: `token ${nid}`, jti: claims.jti, claims },
      start: ok({ ...start, nonce: 'n', cn: 'c', iat_ms: t0 }),
    }
    const framed = this.#framed(`start ${nid}`)
    this.#play({ type: 'start', ...framed, ...presented })
    if (this.#maybeCut()) return
    const granted = { authority: ok(undefined), connected: true } as const
    const effects = this.#play({ type: 'authorized', ...framed, ...presented, ...granted })
    const go = effects.find((effect) => effect.do === 'go')
    if (go === undefined) return
    const planned = this.#binding.context.plan.nodes.find(({ id }) => id === nid)
    // What `go` names, and what the agent compares it with before it calls.
    const session_digest = await resolvedDigest(go.args ?? planned?.args ?? {})
    const agent_digest = await resolvedDigest(decision.args)
    this.#calls.push({ nid, args: decision.args, session_digest, agent_digest })
    const same = session_digest === agent_digest
    this.#report(nid, same ? (this.#nodes.find(({ id }) => id === nid)?.answers ?? null) : null)
  }

  #report(nid: string, answers: ModelNode['answers']): void {
    const data = Object.fromEntries(
      Object.entries(answers ?? {}).filter(([, value]) => value !== undefined),
    ) as JsonObject
    const failed = answers === null
    // As the agent takes an answer, and written before it is told.
    const { result } = resultOf({ structuredContent: data })
    const text = failed ? null : JSON.stringify(result)
    this.#ledger.set(nid, { outcome: failed ? 'failed' : 'succeeded', text })
    const signed = text === null ? {} : { result: nodeResultSchema.parse(JSON.parse(text)) }
    this.#tell(nid, { outcome: failed ? 'failed' : 'succeeded', actuated: true }, signed)
  }

  #skip(nid: string, values: readonly (string | number | boolean)[]): void {
    this.#ledger.set(nid, { outcome: 'skipped', text: null })
    this.#skipped.set(nid, values)
    this.#tell(nid, { outcome: 'skipped', actuated: false, values: [...values] }, {})
  }

  #tell(
    nid: string,
    claims: Pick<ReportClaims, 'outcome' | 'actuated'> & Partial<ReportClaims>,
    more: { readonly result?: NodeResult },
  ): void {
    const jti = this.#claims.get(nid)?.jti
    const about = { sub: 'agent-1', sid: 'sess_a', nid, ctx: this.#binding.ctx } as const
    const times = { started_ms: t0 + 1, ended_ms: t0 + 1 }
    const digest = more.result === undefined ? null : `result:${'A'.repeat(43)}`
    const report =
      jti === undefined
        ? err('signature' as const)
        : ok({ ...about, jti, reason: null, result_digest: digest, ...times, ...claims })
    const text = `report ${nid}`
    // The report may have to be told again on a later connection: it is the same one.
    this.#maybeCut()
    this.#play({ type: 'report', nid, text, report, ...more, ...this.#framed(text) })
    if (this.#maybeCut()) {
      this.#play({ type: 'report', nid, text, report, ...more, ...this.#framed(text) })
    }
  }
}
