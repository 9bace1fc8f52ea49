// A double times an exact fraction plus another, rounded once to the nearest double, ties to even. Done
// in whole numbers: floating point would round at every step, and elsewhere at other steps.
import type { Conversion } from '../protocol/conversion.ts'

type Fraction = { readonly num: bigint; readonly den: bigint }

const bits = new DataView(new ArrayBuffer(8))

/** The exact value of a finite double. */
function exactly(value: number): Fraction {
  bits.setFloat64(0, value)
  const raw = bits.getBigUint64(0)
  const power = Number((raw >> 52n) & 0x7ffn)
  const fraction = raw & 0xf_ffff_ffff_ffffn
  const size = power === 0 ? fraction : fraction | 0x10_0000_0000_0000n
  const num = raw >> 63n === 1n ? -size : size
  const shift = (power === 0 ? 1 : power) - 1_075
  return shift >= 0 ? { num: num << BigInt(shift), den: 1n } : { num, den: 1n << BigInt(-shift) }
}

const lengthOf = (n: bigint): number => n.toString(2).length

/** Exact: the product is a double, or beyond all doubles. */
function timesPowerOfTwo(value: number, power: number): number {
  const half = Math.trunc(power / 2)
  return value * 2 ** half * 2 ** (power - half)
}

/** The double nearest to a fraction with a denominator above zero; of two equally near the even one. */
function nearest({ num, den }: Fraction): number {
  if (num === 0n) return 0
  const size = num < 0n ? -num : num
  // 66 bits or more of the quotient, and a last bit that remembers whether anything was left.
  const shift = 66 + lengthOf(den) - lengthOf(size)
  const [top, bottom] = shift >= 0 ? [size << BigInt(shift), den] : [size, den << BigInt(-shift)]
  const quotient = ((top / bottom) << 1n) | (top % bottom === 0n ? 0n : 1n)
  const scale = shift + 1
  const length = lengthOf(quotient)
  // The smallest doubles have fewer digits.
  const drop = Math.max(length - 53, scale - 1_074)
  const unit = 1n << BigInt(drop)
  const rest = quotient & (unit - 1n)
  const half = unit >> 1n
  let kept = quotient >> BigInt(drop)
  if (rest > half || (rest === half && (kept & 1n) === 1n)) kept += 1n
  const value = timesPowerOfTwo(Number(kept), drop - scale)
  return num < 0n ? -value : value
}

/** `value × scale + offset`, rounded once. `value` is finite. */
export function converted(
  value: number,
  { scale, offset }: Pick<Conversion, 'scale' | 'offset'>,
): number {
  const { num, den } = exactly(value)
  const [sn, sd, on, od] = [...scale, ...offset].map(BigInt) as [bigint, bigint, bigint, bigint]
  return nearest({ num: num * sn * od + on * den * sd, den: den * sd * od })
}
