// The evaluation prompt of the panel: what stands in which section, one prompt for all judges. What a
// seat may cite is what stands here, and a prompt that is too long for its budget is not sent.
import type { Floor } from '../../protocol/finding.ts'
import type { JsonValue } from '../../protocol/json.ts'
import type { MemoryMatch } from '../../protocol/memory.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Policy } from '../../protocol/policy.ts'
import type { Registry } from '../../protocol/registry.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { Evidence } from '../../protocol/evidence.ts'
import { limits } from '../../protocol/limits.ts'
import type { Hiding } from '../hide/index.ts'
import { vocabularyOf } from './citation.ts'
import { citableIds, knowledgeLines, ruleId, toolId, type Knowledge } from './context.ts'
import type { PromptPart } from './port.ts'
import { asksQuestions, evaluationHead, judgeSystemPrompts } from './prompt-texts.ts'
import { questionsOf, type Question } from './questions.ts'
import type { ReplyContext } from './reply.ts'
import { delimiterFor, fence, marked, markedJson, type Delimiter } from './spotlight.ts'

function toolsJson(plan: Plan, registry: Registry): JsonValue {
  const used = new Set(plan.nodes.map((node) => node.tool))
  return registry.tools
    .filter((tool) => used.has(tool.name))
    .map((tool) => ({
      tool: tool.name,
      risk_class: tool.risk_class,
      description: tool.description,
      emits: tool.emits,
      sink: tool.sink,
    }))
}

/** What the site file says of the things that the plan names, and its short lists. */
function siteJson(plan: Plan, registry: Registry): JsonValue {
  const said = JSON.stringify(planJson(plan)).toLowerCase()
  const named = (row: { readonly id: string; readonly names: readonly string[] }): boolean =>
    [row.id, ...row.names].some((name) => said.includes(name.toLowerCase()))
  const { sandboxes, signers, network, records, streams, zones } = registry
  const picked = {
    zones,
    streams,
    devices: registry.devices.filter(named),
    barriers: registry.barriers.filter((row) => named(row) || said.includes(row.device ?? '\0')),
    places: registry.places.filter(named),
    things: registry.things.filter(named),
    kinds: registry.kinds.filter(({ id }) =>
      registry.things.some((thing) => thing.kind === id && named(thing)),
    ),
    substances: registry.substances.filter(named),
    records,
    network,
    sandboxes,
    signers,
  }
  return JSON.parse(JSON.stringify(picked)) as JsonValue
}

function checksJson(floor: Floor, memory: readonly MemoryMatch[], evidence: Evidence): JsonValue {
  return {
    level: floor.level,
    sigma_advisory: floor.sigma >= floor.tau_advisory,
    findings: floor.findings
      .slice(0, 40)
      .map((f) => ({ code: f.code, effect: f.effect, at: f.at, kg: f.kg })),
    breaches: evidence.breaches
      .slice(0, 40)
      .map((b) => ({ code: b.code, verdict: b.verdict, at: b.at, rule: b.rule ?? null })),
    unknown: evidence.unknowns.slice(0, 40).map((u) => ({ code: u.code, at: u.at, what: u.what })),
    memory: memory.map((m) => ({ basis: m.basis, codes: m.codes, effect: m.effect })),
  }
}

/** The plan without who proposes it: a judge must not judge by the name of a model. */
function planJson(plan: Plan): JsonValue {
  return {
    goal: plan.goal,
    instructions: plan.instructions,
    nodes: plan.nodes.map((node) => ({
      id: node.id,
      tool: node.tool,
      args: node.args,
      depends_on: node.depends_on,
      sandbox: node.sandbox,
      ...(node.when === undefined ? {} : { when: node.when as JsonValue }),
      ...(node.require === undefined ? {} : { require: node.require as JsonValue }),
      ...(node.always === undefined ? {} : { always: node.always }),
    })),
  }
}

export type JudgePromptInput = {
  readonly version: Policy['prompt_version']
  readonly plan: Plan
  readonly registry: Registry
  readonly floor: Floor
  readonly memory: readonly MemoryMatch[]
  readonly evidence: Evidence
  /** One plain sentence for each step of the dry run and each fact of its trace; [] when none was made. */
  readonly steps: readonly string[]
  readonly knowledge: Knowledge
  /** Chooses the question of known answer and where it stands; the same for every seat of a plan. */
  readonly seed: string
  /** Random, at least 120 bits, fresh for the plan and unknown to planners. */
  readonly delimiter: string
  /** What of it no vendor may read. */
  readonly hiding: Hiding
}

/** Everything of the prompt but the request id, which differs from call to call. */
export type JudgePrompt = {
  readonly system: string
  readonly parts: readonly PromptPart[]
  readonly delimiter: Delimiter
  /** What a reply is held against: what stood in the prompt, and nothing else. */
  readonly context: ReplyContext
  /** Estimated from above: the whole prompt, and what of it the plan brought. */
  readonly tokens: number
  readonly planTokens: number
}

/** Characters per token that an estimate assumes: low, so that the estimate is an upper bound. */
export const charsPerToken = 2.5

/** Where a question may point: the nodes, or the instructions of a plan without nodes. */
function placesOf(plan: Plan): string[] {
  if (plan.nodes.length > 0) return plan.nodes.map((_, i) => `/nodes/${i}`)
  return plan.instructions.map((_, i) => `/instructions/${i}`)
}

const jsonLines = (rows: readonly JsonValue[]): string =>
  rows.map((row) => JSON.stringify(row)).join('\n')

function questionLines(questions: readonly Question[]): string {
  return jsonLines(questions.map(({ number, subject, text }) => [number, subject, text]))
}

function hiddenKnowledge(knowledge: Knowledge, hideText: (text: string) => string): Knowledge {
  return {
    nodes: knowledge.nodes.map(({ id, category, title, text }) => ({
      id: hideText(id),
      category,
      title: hideText(title),
      text: hideText(text),
    })),
    edges: knowledge.edges.map((edge) => ({
      ...edge,
      from: hideText(edge.from),
      to: hideText(edge.to),
    })),
  }
}

/**
 * The evaluation prompt. The parts go from what is the same for all plans, over what is the same for
 * a site, to the plan itself, so that vendors can cache the longest possible head. The delimiter
 * differs from plan to plan. Errors: the delimiter was guessed, or the prompt is beyond its budget.
 */
export function judgePrompt(
  input: JudgePromptInput,
): Result<JudgePrompt, 'delimiter_in_data' | 'prompt_too_long'> {
  const { plan, registry, evidence } = input
  const { hide, hideText } = input.hiding
  const site = hide(siteJson(plan, registry))
  const said = hide(planJson(plan))
  const rules = jsonLines(registry.rules.map((rule) => [ruleId(rule.id), rule.text].map(hideText)))
  const { text: knowledge, kept } = knowledgeLines(hiddenKnowledge(input.knowledge, hideText))
  const tools = hide(toolsJson(plan, registry))
  const questions = asksQuestions[input.version]
    ? questionsOf(evidence.doubts, placesOf(plan), input.seed)
    : []
  const steps = input.steps.slice(0, limits.stepLinesMax).map(hideText)
  const asked = questionLines(questions.map((one) => ({ ...one, text: hideText(one.text) })))
  const told = jsonLines(steps.map((step, i) => [`step:${i + 1}`, step]))
  const checks = hide(checksJson(input.floor, input.memory, evidence))
  const data = [said, site, tools, checks].map((value) => JSON.stringify(value))
  const delimiter = delimiterFor(input.delimiter, [...data, knowledge, rules, asked, told])
  if (!delimiter.ok) return err(delimiter.error)
  const d = delimiter.value
  const siteSections = [
    fence('RULES', marked(rules === '' ? '(the site has no rules)' : rules, d), d),
    fence('SITE', markedJson(site, d), d),
  ].join('\n\n')
  const planSections = [
    fence('TOOLS', markedJson(tools, d), d),
    fence('KNOWLEDGE', marked(knowledge, d), d),
    fence('CHECKS', markedJson(checks, d), d),
    ...(steps.length === 0 ? [] : [fence('STEPS', marked(told, d), d)]),
    ...(questions.length === 0 ? [] : [fence('QUESTIONS', marked(asked, d), d)]),
    fence('PLAN', markedJson(said, d), d),
  ].join('\n\n')
  const system = judgeSystemPrompts[input.version]
  const tokensOf = (...texts: string[]): number =>
    Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / charsPerToken)
  const tokens = tokensOf(system, evaluationHead, siteSections, planSections)
  if (tokens > limits.promptTokensMax || tokensOf(planSections) > limits.planTokensMax) {
    return err('prompt_too_long')
  }
  const used = registry.tools.filter((tool) => plan.nodes.some((node) => node.tool === tool.name))
  // By their own ids: an answer gets back what was hidden in them before it is read.
  const nodes = input.knowledge.nodes.slice(0, kept.nodes.length)
  const citable = new Set(citableIds({ nodes, edges: [] }, registry))
  for (const tool of used) citable.add(toolId(tool.name))
  return ok({
    system,
    parts: [
      { text: evaluationHead, cache: true, ours: true },
      { text: siteSections, cache: true },
      { text: planSections, cache: true },
    ],
    delimiter: d,
    tokens,
    planTokens: tokensOf(planSections),
    context: {
      plan,
      citable,
      questions,
      seen: said,
      steps,
      site,
      isHidden: input.hiding.isHidden,
      vocabulary: vocabularyOf([siteJson(plan, registry), ...used.map((tool) => tool.args_schema)]),
    },
  })
}

/** The last part: which request this is. The answer must repeat it. */
export function requestLine(echo: string): PromptPart {
  return { text: `The request id is ${echo}. Judge the plan now.`, cache: false, ours: true }
}
