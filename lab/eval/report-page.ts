// The report as Markdown and its two pictures as SVG. Pure: the same report gives the same bytes.
import type { Paired, Report, Scores, Share } from './report.ts'

const fraction = (value: Share): string =>
  value.n === 0
    ? '–'
    : `${value.share.toFixed(3)} [${value.ci95.map((end) => end.toFixed(3)).join(', ')}]`
const hits = (value: Share): string => `${value.hits} of ${value.n}`
const pair = (value: Paired): string =>
  `+${value.gained} −${value.lost}, ${value.difference.toFixed(3)} ` +
  `[${value.ci95.map((end) => end.toFixed(3)).join(', ')}], p ${value.p_sign.toFixed(3)}`

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

const scoreHead = [
  'against labels',
  "against models' majority",
  'reject accepted',
  'accept rejected',
  'accept recall',
  'review load',
]
const scoreCells = (one: Scores): string[] => [
  fraction(one.against_labels),
  fraction(one.against_majority),
  hits(one.reject_accepted),
  hits(one.accept_rejected),
  fraction(one.accept_recall),
  fraction(one.review_load),
]

/** The whole report as Markdown. */
export function reportMarkdown(report: Report): string {
  const { spending } = report
  const parts = [
    '# Report of the panel',
    `${report.n} labelled plans, ${report.heard} of them judged by models, ${report.chiefs} with a ` +
      `chief; ${report.unlabelled} packets without a three-way label are left out. Proportions with ` +
      'Wilson intervals at 95 %; paired differences against the gateway: plans gained and lost, the ' +
      'difference in accuracy with its interval, and the exact sign test.',
    '## The gateway',
    table(scoreHead, [scoreCells(report.gateway)]),
    '## Laws of decision',
    table(
      ['law', ...scoreHead, 'paired with the gateway'],
      report.laws.map((law) => [law.name, ...scoreCells(law), pair(law.against_gateway)]),
    ),
    report.laws.map((law) => `- **${law.name}**: ${law.says}.`).join('\n'),
    '![laws](laws.svg)',
    '## Size of the panel',
    'Every choice of seats of that size, pooled.',
    table(
      [
        'seats',
        'panels',
        'against labels',
        'reject accepted',
        'accept rejected',
        'accept recall',
        'review load',
      ],
      report.ensembles.map((one) => [
        String(one.size),
        String(one.panels),
        fraction(one.against_labels),
        hits(one.reject_accepted),
        hits(one.accept_rejected),
        fraction(one.accept_recall),
        fraction(one.review_load),
      ]),
    ),
    '![sizes](sizes.svg)',
    '## One part off in turn',
    table(
      ['without', ...scoreHead, 'paired with the gateway'],
      report.ablations.map((one) => [one.name, ...scoreCells(one), pair(one.against_gateway)]),
    ),
    '## One kind of finding off in turn',
    table(
      ['without', 'plans that have it', 'verdicts changed', 'paired with the gateway'],
      report.rules.map((one) => [
        one.code,
        String(one.plans),
        String(one.verdicts_changed),
        pair(one.against_gateway),
      ]),
    ),
    '## By class of concern',
    grouped(report.by_concern),
    '## By category',
    grouped(report.by_category),
    '## Cost and time',
    table(
      [
        'calls',
        'answered',
        'cost (USD)',
        'without a price',
        'tokens p50 / p95',
        'call ms p50 / p95',
      ],
      [
        [
          String(spending.calls),
          String(spending.answered),
          spending.cost_usd === null ? 'not known' : String(spending.cost_usd),
          String(spending.unpriced),
          `${spending.tokens_per_plan_p50} / ${spending.tokens_per_plan_p95}`,
          `${spending.call_ms_p50} / ${spending.call_ms_p95}`,
        ],
      ],
    ),
    '## Where the gateway differs from the label',
    table(
      ['plan', 'label', 'gateway', "models' majority"],
      report.differs.map((one) => [one.id, one.label, one.verdict, one.majority ?? 'not asked']),
    ),
  ]
  return `${parts.join('\n\n')}\n`
}

function grouped(groups: Report['by_concern']): string {
  return table(
    ['', 'against labels', 'reject accepted', 'accept rejected'],
    Object.entries(groups).map(([name, one]) => [
      name,
      `${hits(one.against_labels)}, ${fraction(one.against_labels)}`,
      hits(one.reject_accepted),
      hits(one.accept_rejected),
    ]),
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Horizontal bars from 0 to 1 with their intervals. */
export function barsSvg(title: string, bars: readonly { name: string; value: Share }[]): string {
  const [left, width, row] = [190, 300, 22]
  const height = 34 + bars.length * row
  const x = (share: number): string => (left + share * width).toFixed(1)
  const lines = bars.map(({ name, value }, i) => {
    const y = 34 + i * row
    const [low = 0, high = 0] = value.ci95
    const mid = (y + 7).toFixed(1)
    return [
      `<text x="${left - 8}" y="${y + 11}" text-anchor="end">${escaped(name)}</text>`,
      `<rect x="${left}" y="${y}" width="${(value.share * width).toFixed(1)}" height="14" fill="#6b8fb3"/>`,
      `<line x1="${x(low)}" y1="${mid}" x2="${x(high)}" y2="${mid}" stroke="#222"/>`,
      `<text x="${left + width + 8}" y="${y + 11}">${value.share.toFixed(2)}</text>`,
    ].join('\n')
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 60}" height="${height}" ` +
      'font-family="sans-serif" font-size="11">',
    `<text x="${left}" y="20" font-size="13">${escaped(title)}</text>`,
    ...lines,
    '</svg>\n',
  ].join('\n')
}

/** The pictures of a report, by file name. */
export function reportPictures(report: Report): Record<string, string> {
  return {
    'laws.svg': barsSvg(
      'accuracy against labels, by law',
      report.laws.map((law) => ({ name: law.name, value: law.against_labels })),
    ),
    'sizes.svg': barsSvg(
      'accuracy against labels, by size of the panel',
      report.ensembles.map((one) => ({ name: `${one.size} seats`, value: one.against_labels })),
    ),
  }
}
