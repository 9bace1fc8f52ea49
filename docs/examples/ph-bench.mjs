// A bench with a pH meter and an acid pump, as an MCP server: the two tools of the tutorial in
// docs/site-file.md. It moves nothing; a real one would talk to its devices here.
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

let ph = 8.2
/** @param {Record<string, number>} value */
const answer = (value) => ({
  content: [{ type: 'text', text: JSON.stringify(value) }],
  structuredContent: value,
})

serveStdio(() => {
  const server = new McpServer({ name: 'ph-bench', version: '1.0.0' })
  server.registerTool(
    'read_ph',
    {
      description: 'Read the pH of the beaker with the probe.',
      annotations: { readOnlyHint: true },
    },
    () => answer({ ph }),
  )
  server.registerTool(
    'pump_acid',
    {
      description: 'Pump acid from its bottle into the beaker.',
      inputSchema: z.strictObject({
        volume_ml: z.number().min(0.1).max(10).describe('how much to pump (mL)'),
        pump: z.enum(['pump_1']),
      }),
    },
    ({ volume_ml }) => {
      ph -= 0.1 * volume_ml
      return answer({ pumped_ml: volume_ml })
    },
  )
  return server
})
