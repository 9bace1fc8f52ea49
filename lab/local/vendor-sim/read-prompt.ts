// Reads the gateway's own prompts back, as a careful reader would: by the fence of the request. Used
// by the word model and by tests that check what was really sent.

/** The request id that the answer must repeat; '' when the prompt names none. */
export function requestIdOf(prompt: string): string {
  return /\nThe request id is ([A-Za-z0-9-]+)\. Judge/.exec(`\n${prompt}`)?.[1] ?? ''
}

/** The body of a fenced section with the marks taken off; null when there is no such section. */
export function sectionOf(prompt: string, name: string): string | null {
  const open = new RegExp(`^<<<${name} ([a-z0-9]{24,64})>>>$`, 'm').exec(prompt)
  if (open === null) return null
  const key = open[1] ?? ''
  const from = open.index + open[0].length + 1
  const to = prompt.indexOf(`\n<<<END ${name} ${key}>>>`, from)
  if (to < 0) return null
  const mark = `${key.slice(-8)}| `
  return prompt
    .slice(from, to)
    .split('\n')
    .map((line) => (line.startsWith(mark) ? line.slice(mark.length) : line))
    .join('\n')
}

/** Names of the sections in their order. */
export function sectionNames(prompt: string): string[] {
  return [...prompt.matchAll(/^<<<([A-Z]+) [a-z0-9]{24,64}>>>$/gm)].map((match) => match[1] ?? '')
}
