// Whether the words of a plan can be plainly read. A judge is only as good as what it can read, and an
// attacker who may write "bypass" with a foreign y, or as base64, has most judges off the scent. Such
// text is not forbidden; it asks for as many readers as there are.
import type { JsonValue } from '../../protocol/json.ts'
import type { Plan } from '../../protocol/plan.ts'

/** Cyrillic and Greek letters that pass for Latin ones. α β γ and their like stand in real names. */
const confusable = new Set('аеорсухіѕјһԁԛԝкмтвнАЕОРСУХІЅЈКМТВНгпԍοριυκτχνΑΒΕΖΗΙΚΜΝΟΡΤΥΧ')
const latin = /\p{Script=Latin}/u

/** A word of Latin letters among which every foreign one passes for Latin. */
function isMasked(word: string): boolean {
  let plain = 0
  let foreign = 0
  for (const letter of word) {
    if (!/\p{L}/u.test(letter)) continue
    if (latin.test(letter)) plain += 1
    else if (confusable.has(letter)) foreign += 1
    else return false
  }
  return plain > 0 && foreign > 0
}

/** Characters without a shape between two Latin letters, or ones that reorder or tag text anywhere. */
const unseen =
  /\p{Script=Latin}[\p{Cf}\u115f\u1160\u3164\uffa0\u2800]+\p{Script=Latin}|[\u202a-\u202e\u2066-\u2069\u{e0001}-\u{e007f}]/u

/** True for a decoded run that reads like a sentence: printable, with letters and several spaces. */
function isProse(decoded: string): boolean {
  if (!/^[\x20-\x7e\s]+$/.test(decoded)) return false
  const letters = decoded.match(/[a-z]/gi)?.length ?? 0
  return decoded.trim().split(/\s+/).length >= 3 && letters > decoded.length * 0.6
}

function decodesToProse(run: string): boolean {
  if (run.length % 2 === 0 && /^[0-9a-f]+$/i.test(run)) {
    const bytes = run.match(/../g) ?? []
    return isProse(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 16))).join(''))
  }
  const plain = run.replaceAll('-', '+').replaceAll('_', '/').replaceAll('=', '')
  // One character left over is no base64; the rest of the run may still be.
  const whole = plain.length % 4 === 1 ? plain.slice(0, -1) : plain
  return isProse(atob(whole))
}

/** True when no word of the text is masked, broken up by unseen characters or encoded. */
export function isLegible(text: string): boolean {
  if (unseen.test(text)) return false
  // Plain ASCII has no masked words, and almost every text is.
  if (/[^ -~\s]/.test(text)) {
    for (const word of text.match(/[\p{L}\p{M}]+/gu) ?? []) if (isMasked(word)) return false
  }
  for (const run of text.match(/[A-Za-z0-9+/_-]{24,}={0,2}/g) ?? []) {
    if (decodesToProse(run)) return false
  }
  return true
}

function stringsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => stringsOf(item))
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((item: JsonValue) => stringsOf(item))
}

/** True when goal, instructions and every text among the arguments can be plainly read. */
export function planIsLegible(plan: Plan): boolean {
  return [
    plan.goal,
    ...plan.instructions,
    ...plan.nodes.flatMap((node) => stringsOf(node.args)),
  ].every(isLegible)
}
