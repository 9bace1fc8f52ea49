// Cost accounting: list prices of the models of the default seats as data, and the operator's own table
// over them. A price that is not there makes the cost unknown, never zero.
import { z } from 'zod'
import type { ModelSeat } from '../../protocol/policy.ts'
import type { SeatEstimate } from '../../verify/decide/depth.ts'
import type { ModelUsage } from '../../verify/panel/port.ts'
import { charsPerToken } from '../../verify/panel/prompts.ts'
import listed from './prices.json' with { type: 'json' }

const priceSchema = z.strictObject({
  /** US dollars per million tokens. */
  input: z.number().min(0),
  output: z.number().min(0),
  /** Reading from and writing to a prompt cache; as plain input when not given. */
  cache_read: z.number().min(0).optional(),
  cache_write: z.number().min(0).optional(),
})
const pricesSchema = z.record(z.string().max(120), priceSchema)
export type Prices = z.infer<typeof pricesSchema>

/** List prices when this was written; the operator's table goes before them. */
const listPrices: Prices = pricesSchema.parse(listed)

/** Reads `MODEL_PRICES`; what cannot be read leaves every price unknown. */
export function parsePrices(text: string | undefined): Prices {
  if (text === undefined || text.trim() === '') return listPrices
  try {
    const parsed = pricesSchema.safeParse(JSON.parse(text))
    return parsed.success ? { ...listPrices, ...parsed.data } : {}
  } catch {
    return {}
  }
}

/** Tokens of one answer as the vendor counted them. */
export type TokenCounts = {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
}

export function usageOf(model: string, tokens: TokenCounts, prices: Prices): ModelUsage {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined
  const cost =
    price === undefined
      ? null
      : (tokens.input * price.input +
          tokens.cacheRead * (price.cache_read ?? price.input) +
          tokens.cacheWrite * (price.cache_write ?? price.input) +
          tokens.output * price.output) /
        1_000_000
  return {
    input_tokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    output_tokens: tokens.output,
    cost_usd: cost,
  }
}

/** An upper bound of what a seat costs: the whole prompt uncached and the longest answer. */
export function estimateSeat(seat: ModelSeat, promptChars: number, prices: Prices): SeatEstimate {
  const usage = usageOf(
    seat.model,
    {
      input: Math.ceil(promptChars / charsPerToken),
      cacheRead: 0,
      cacheWrite: 0,
      output: seat.max_tokens,
    },
    prices,
  )
  const cost = usage.cost_usd === null ? null : usage.cost_usd * seat.samples
  return { name: seat.name, cost_usd: cost, ms: null }
}
