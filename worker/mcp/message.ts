// A message of the MCP intake as the document shows it. What is in it is checked by the MCP library.
import { z } from 'zod'
import { jsonObjectSchema } from '../../protocol/json.ts'

const version = z.literal('2.0').describe('The version of JSON-RPC.')
const id = z.union([z.string(), z.number()])

export const mcpInputSchema = z.looseObject({
  jsonrpc: version,
  id: id.optional().describe('Names the request; left out of notifications.'),
  method: z.string().describe('The MCP method, e.g. `tools/call`.'),
  params: jsonObjectSchema.optional().describe('What the method takes.'),
})

export const mcpAnswerSchema = z.looseObject({
  jsonrpc: version,
  id: id.nullable().describe('Of the request that it answers.'),
  result: jsonObjectSchema.optional().describe('What the method gives; left out for an error.'),
  error: jsonObjectSchema.optional().describe('Why it gives nothing.'),
})
