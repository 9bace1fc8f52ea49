// Which JSON numbers are taken: those that RFC 8785 (JCS) writes with the same mathematical value.
// Otherwise a reviewer would read one number while the robot receives another.

/** Sign, digits without zeros at either end, and the power of ten of the last digit. */
function decimal(text: string): { digits: string; exponent: number } {
  const [mantissa = '', power = '0'] = text.replace(/^-/, '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const all = whole + fraction
  let start = 0
  while (start < all.length && all[start] === '0') start++
  let end = all.length
  while (end > start && all[end - 1] === '0') end--
  if (start === end) return { digits: '', exponent: 0 }
  return {
    digits: all.slice(start, end),
    exponent: Number(power) - fraction.length + (all.length - end),
  }
}

/**
 * The value of a JSON number's text, or null when a double cannot carry it unchanged: beyond
 * ±(2^53 − 1) (RFC 7493 §2.2), more digits than a double holds, overflow, underflow, or −0.
 * `1.0` and `1e2` are taken: another spelling of the same number is no change of meaning.
 */
export function exactNumber(text: string): number | null {
  const value = Number(text)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || Object.is(value, -0)) return null
  const written = String(value)
  if (written === text) return value
  const asked = decimal(text)
  const kept = decimal(written)
  return asked.digits === kept.digits && asked.exponent === kept.exponent ? value : null
}
