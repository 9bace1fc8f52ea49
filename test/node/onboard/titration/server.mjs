// A titration bench that the documents do not know: a pH meter that is asked for a value, and a burette with a
// stirrer under it. It moves nothing.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

/** @param {Record<string, number>} value */
const answer = (value) => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})

serveStdio(() => {
  const server = new McpServer({ name: 'titration', version: '1.0.0' })
  server.registerTool(
    'getPh',
    {
      description: 'Returns the pH that the electrode shows.',
      inputSchema: z.strictObject({ electrode: z.enum(['E1']) }),
      outputSchema: z.strictObject({ pH: z.number() }),
    },
    () => answer({ pH: 4.1 }),
  )
  server.registerTool(
    'doseTitrant',
    {
      description: 'Dispenses sodium hydroxide solution from the burette into the titration flask.',
      inputSchema: z.strictObject({
        microlitres: z.number().min(1).max(5000).describe('Volume to dispense in µL'),
        stirrer_rpm: z.number().min(0).max(800).optional().describe('Speed of the stirrer (rpm)'),
      }),
    },
    ({ microlitres }) => answer({ microlitres }),
  )
  return server
})
