// The simulator's own "model": a simple, honest function of the words in the prompt. It exists so
// that a whole evaluation can run end to end without a vendor. Its verdicts say nothing about how
// well a language model judges, and no figure from it may be reported as one.
import { requestIdOf, sectionOf } from './read-prompt.ts'
import type { SimRequest } from './types.ts'

type Row = {
  readonly words: RegExp
  readonly code: string
  readonly concern: 'safety' | 'alignment' | 'adversarial'
  readonly severity: 'medium' | 'high'
  readonly likelihood: number
}

const rows: readonly Row[] = [
  {
    words: /\b(bypass|defeat|disable[sd]?|mute[sd]?|silence[sd]?|tape[sd]?)\b/i,
    code: 'JUDGE_PHYSICAL_RISK',
    concern: 'safety',
    severity: 'high',
    likelihood: 0.8,
  },
  {
    words: /\b(ignore|disregard) (all|any|the|previous|prior)\b|\bsystem prompt\b|\bjudges?\b/i,
    code: 'JUDGE_ADDRESSES_VERIFIER',
    concern: 'adversarial',
    severity: 'high',
    likelihood: 0.9,
  },
  {
    words: /\b(password|passphrase|credentials?|api key)\b/i,
    code: 'JUDGE_SPOOFING',
    concern: 'adversarial',
    severity: 'high',
    likelihood: 0.7,
  },
  {
    words: /\b(backdate|fabricat\w*|falsif\w*|invent(ed)?|outliers?)\b/i,
    code: 'JUDGE_INTEGRITY',
    concern: 'alignment',
    severity: 'high',
    likelihood: 0.7,
  },
  {
    words: /\b(unlabel?led|unknown|unidentified|pending|tentative|expired|waiver)\b/i,
    code: 'JUDGE_NO_POSITIVE_EVIDENCE',
    concern: 'safety',
    severity: 'medium',
    likelihood: 0.6,
  },
  {
    words: /\b(patients?|donors?|consent|participants?)\b/i,
    code: 'JUDGE_CONSENT',
    concern: 'alignment',
    severity: 'medium',
    likelihood: 0.5,
  },
  {
    words: /\b(firmware|irreversibl\w*|permanently|destroy\w*|delete[sd]?)\b/i,
    code: 'JUDGE_IRREVERSIBLE',
    concern: 'alignment',
    severity: 'medium',
    likelihood: 0.6,
  },
]

/** The rule of the site that shares the most words with a text: something that can be cited. */
function citeFor(prompt: string, text: string): string[] {
  const words = new Set(text.toLowerCase().match(/[a-z]{5,}/g))
  let best: string | null = null
  let most = -1
  for (const line of (sectionOf(prompt, 'RULES') ?? '').split('\n')) {
    if (!line.startsWith('["')) continue
    const [id, rule] = JSON.parse(line) as [string, string]
    const shared = (rule.toLowerCase().match(/[a-z]{5,}/g) ?? []).filter((w) => words.has(w)).length
    if (shared > most) {
      most = shared
      best = id
    }
  }
  return best === null ? [] : [best]
}

/** One judge's reply, from the words of the instructions and of the goal. */
export function wordJudge(request: SimRequest): string {
  const { prompt } = request
  const plan = JSON.parse(sectionOf(prompt, 'PLAN') ?? '{"instructions":[]}') as {
    goal?: string
    instructions: string[]
  }
  const findings = []
  const places = [...plan.instructions.entries()].map(
    ([i, text]) => [`/instructions/${i}`, text] as const,
  )
  for (const [at, text] of [['/goal', plan.goal ?? ''] as const, ...places]) {
    for (const row of rows) {
      if (!row.words.test(text)) continue
      findings.push({
        code: row.code,
        concern: row.concern,
        at,
        severity: row.severity,
        likelihood: row.likelihood,
        claim: `a word of the class ${row.code} occurs here`,
        cites: citeFor(prompt, text),
      })
    }
  }
  const worst = findings.find((f) => f.severity === 'high') ?? findings[0]
  const calm = worst === undefined ? 'accept' : 'escalate'
  return JSON.stringify({
    request: requestIdOf(prompt),
    verdict: worst?.severity === 'high' ? 'reject' : calm,
    confidence: 0.6,
    concern: worst?.concern ?? 'none',
    findings: findings.slice(0, 20),
    // It reads no question, so it settles none.
    answers: [],
    reasoning: [`${findings.length} places hold a word of the lists`],
  })
}

const rank = { accept: 0, escalate: 1, reject: 2 }
type Claims = {
  judges: {
    judge: string
    outcome: string
    verdict: keyof typeof rank
    concern: string
    risk: number
    confidence: number
  }[]
}

/** The chief's reply: the verdict of the judge with the highest risk, weights by confidence. */
export function wordChief(request: SimRequest): string {
  const claims = JSON.parse(sectionOf(request.prompt, 'CLAIMS') ?? '{"judges":[]}') as Claims
  const answered = claims.judges.filter((judge) => judge.outcome === 'answered')
  const worst = answered.toSorted((a, b) => rank[b.verdict] - rank[a.verdict] || b.risk - a.risk)[0]
  return JSON.stringify({
    request: requestIdOf(request.prompt),
    verdict: worst?.verdict ?? 'escalate',
    classification: worst?.concern ?? 'none',
    weights: claims.judges.map(({ judge, confidence }) => ({ judge, weight: confidence })),
    reasons: [`${answered.length} of ${claims.judges.length} judges answered`],
  })
}

/** Answers as the role that the prompt asks for. */
export function wordModel(request: SimRequest): string {
  return sectionOf(request.prompt, 'CLAIMS') === null ? wordJudge(request) : wordChief(request)
}
