// What the tables hand to a mechanism, read as what it is.
import type { Args, Draft, Json, Random } from './draft.ts'

export type Params = Readonly<Record<string, Json>>
export type Mechanism = (draft: Draft, params: Params, random: Random) => boolean

export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
export const number = (value: Json | undefined): number =>
  typeof value === 'number' ? value : Number.NaN
export const args = (value: Json | undefined): Args =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

export type Step = { readonly tool: string; readonly args: Args }
export const stepsOf = (value: Json | undefined): Step[] =>
  (Array.isArray(value) ? value : []).map((one) => {
    const { tool, args: given } = args(one)
    return { tool: text(tool), args: args(given) }
  })

type FactName = Parameters<Draft['fact']>[1]
const factNames = 'open locked holds tip contents place temperature rotation energised people mass'
export const factName = (value: Json | undefined): FactName => {
  const name = factNames.split(' ').find((one) => one === value)
  if (name === undefined) throw new TypeError(`no such fact: ${JSON.stringify(value)}`)
  return name as FactName
}
export const scalar = (value: Json | undefined): string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : ''
