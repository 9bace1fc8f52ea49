// One line per event on stderr: time, level, event, facts. For people first, and regular enough to
// parse. Nothing secret is ever a fact: no tokens, no keys.
export type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>
export type Log = (level: 'info' | 'warn' | 'error', event: string, facts?: Facts) => void

/** A value as it stands in a line: bare when it is one word, quoted otherwise. */
function shown(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value)
  const short = value.length > 200 ? `${value.slice(0, 200)}…` : value
  return /^[\w.:/@#+-]+$/.test(short) ? short : JSON.stringify(short)
}

/** `2026-01-01T00:00:00.000Z info  node_started session=… node=…` */
export function logLine(at: Date, level: string, event: string, facts: Facts): string {
  const words = Object.entries(facts)
    .filter((pair): pair is [string, string | number | boolean | null] => pair[1] !== undefined)
    .map(([key, value]) => `${key}=${shown(value)}`)
  return [at.toISOString(), level.padEnd(5), event, ...words].join(' ')
}

/** The same as one JSON object: for collectors. */
export function logJson(at: Date, level: string, event: string, facts: Facts): string {
  // The line's own names come last: no fact can pass for them.
  return JSON.stringify({ ...facts, at: at.toISOString(), level, event })
}

/** One line per event on stderr, as text or as JSON. */
export function stderrLog(format: 'text' | 'json'): Log {
  const line = format === 'json' ? logJson : logLine
  return (level, event, facts = {}) => {
    process.stderr.write(`${line(new Date(), level, event, facts)}\n`)
  }
}
