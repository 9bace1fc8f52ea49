// The text format of Prometheus 0.0.4. Values of labels are escaped: a name never ends one.

export type Labels = Readonly<Record<string, string>>
export type Sample = { readonly labels: Labels; readonly value: number; readonly suffix?: string }
export type Family = {
  readonly name: string
  readonly help: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly samples: readonly Sample[]
}

const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('"', '\\"')

function line(name: string, { labels, value, suffix = '' }: Sample): string {
  const inner = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`)
  return `${name}${suffix}${inner.length > 0 ? `{${inner.join(',')}}` : ''} ${value}`
}

/** All families as one text; one without samples says that it is there and has nothing to tell. */
export function textOf(families: readonly Family[]): string {
  return families
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => line(name, sample)),
    ])
    .map((text) => `${text}\n`)
    .join('')
}

/** Samples of one histogram. `counts`: by upper bound in seconds, `Infinity` for what exceeds all. */
export function histogram(
  labels: Labels,
  bounds: readonly number[],
  counts: ReadonlyMap<number, number>,
  sum: number,
): Sample[] {
  let total = 0
  const buckets = [...bounds, Infinity].map((bound): Sample => {
    total += counts.get(bound) ?? 0
    const le = bound === Infinity ? '+Inf' : String(bound)
    return { labels: { ...labels, le }, value: total, suffix: '_bucket' }
  })
  return [
    ...buckets,
    { labels, value: sum, suffix: '_sum' },
    { labels, value: total, suffix: '_count' },
  ]
}
