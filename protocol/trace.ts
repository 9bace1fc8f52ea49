// One trace from a planner's request to the call of a tool (W3C Trace Context, version 00). Ids of spans follow
// from the trace and from what they are about, so that each part of the path knows its parent without being
// told, and a repetition makes no second span. Ids are no secret and decide nothing.

export type TraceContext = {
  /** 32 hexadecimal digits. */
  readonly trace_id: string
  /** 16 hexadecimal digits: the span that everything here is below; null where the trace begins here. */
  readonly parent_id: string | null
  readonly sampled: boolean
}

/** The longest `traceparent` that is read; later versions may add to it. */
export const traceparentCharsMax = 100

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/

/** Reads a `traceparent`; null for everything that is none: a trace is never a reason to refuse. */
export function parseTraceparent(text: string | null | undefined): TraceContext | null {
  if (text === null || text === undefined || text.length > traceparentCharsMax) return null
  const [, version, trace_id = '', parent_id = '', flags = ''] = pattern.exec(text) ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(trace_id)) return null
  if (/^0+$/.test(parent_id) || (version === '00' && text.length !== 55)) return null
  return { trace_id, parent_id, sampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/** FNV-1a over UTF-16 units with another start for each seed; 32 bits. */
function fnv(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)) >>> 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

const hex = (text: string, words: number): string =>
  Array.from({ length: words }, (_, seed) =>
    fnv(text, seed + 1)
      .toString(16)
      .padStart(8, '0'),
  ).join('')

/** The trace of a plan: the one that its planner brought, else one that begins with it. */
export function traceOf(plan_id: string, brought: string | undefined): TraceContext {
  const context = parseTraceparent(brought)
  return context ?? { trace_id: hex(`trace/${plan_id}`, 4), parent_id: null, sampled: true }
}

/** The span of a plan, of its run (`session`), or of one step of it (`session`, `node`). */
export function spanIdOf({ trace_id }: TraceContext, ...about: readonly string[]): string {
  return hex(JSON.stringify([trace_id, ...about]), 2)
}

/** What is handed on to whoever works below a span. */
export function traceparentOf({ trace_id, sampled }: TraceContext, span_id: string): string {
  return `00-${trace_id}-${span_id}-${sampled ? '01' : '00'}`
}
