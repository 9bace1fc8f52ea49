// The official MCP client against /mcp of a real gateway, with a real agent on the demo cell: submit, follow
// the progress, read the results. What HTTP tells of the same run is the same.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../../../lab/local/client.ts'
import { stageOfFile, threeNodes } from './harness.ts'

const stage = stageOfFile()
let client: Client

beforeAll(async () => {
  const { url } = stage().lab
  client = new Client({ name: 'a planner', version: '1' })
  const headers = { authorization: `Bearer ${stage().planner()}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }),
  )
})
afterAll(() => client.close())

type Structured = Record<string, unknown>

/** The events of a plan over HTTP, until the stream ends. */
async function eventsOf(plan: string): Promise<{ event: string; data: Structured }[]> {
  const headers = { authorization: `Bearer ${stage().planner()}` }
  const answer = await fetch(`${stage().lab.url}/v1/plans/${plan}/events`, { headers })
  const blocks = (await answer.text()).split('\n\n').filter((text) => text.startsWith('event:'))
  return blocks.map((block) => {
    const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
    return { event, data: JSON.parse(data) as Structured }
  })
}

async function use(name: string, args: Structured, onprogress?: (line: string) => void) {
  const answer = await client.callTool(
    { name, arguments: args },
    onprogress && { onprogress: ({ message }) => onprogress(message ?? '') },
  )
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content))
  return answer.structuredContent as Structured
}

describe('the official MCP client', () => {
  test('is told what the server is, and the shape of every answer', async () => {
    expect(client.getInstructions()).toContain('who_am_i')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('get_result')
    for (const tool of tools) {
      expect([tool.name, typeof tool.title, tool.outputSchema?.['type']]).toStrictEqual([
        tool.name,
        'string',
        'object',
      ])
    }
  })

  test('submits a plan, follows its steps and reads what each device answered', async () => {
    await stage().stand()
    const me = await use('who_am_i', {})
    expect(me).toMatchObject({ subject: 'planner-wetlab-01', role: 'planner' })
    const sent = await use('submit_plan', { plan: threeNodes, wait_s: 20 })
    expect(sent).toMatchObject({ verdict: 'accept' })
    const plan = String(sent['plan'])
    const events = eventsOf(plan)
    const lines: string[] = []
    const last = await use('follow_plan', { plan, wait_s: 60 }, (line) => lines.push(line))
    expect(last).toMatchObject({ state: 'completed', waiting_for: null })
    // What a sample record holds may name people, and this planner may not read such labels.
    const steps = lines.filter((line) => /^n[123] /.test(line))
    expect(steps).toStrictEqual([
      'n1 (lims.read_sample): started.',
      'n1 (lims.read_sample): succeeded; its result is withheld (labels).',
      'n2 (liquid_handler.transfer): started.',
      'n2 (liquid_handler.transfer): succeeded; its result can be read.',
      'n3 (lims.write_result): started.',
      'n3 (lims.write_result): succeeded; its result can be read.',
    ])
    const nodes = last['nodes'] as { id: string; started_ms: number; ended_ms: number }[]
    expect(nodes.map(({ id }) => id)).toStrictEqual(['n1', 'n2', 'n3'])
    for (const node of nodes) expect(node.ended_ms).toBeGreaterThanOrEqual(node.started_ms)

    const result = await use('get_result', { plan, node: 'n2' })
    expect(result).toMatchObject({ nid: 'n2', tool: 'liquid_handler.transfer', withheld: null })
    const path = `/v1/sessions/${String(last['session'])}/nodes/n2/result`
    const token = stage().planner()
    expect(await must(stage().lab.url, { method: 'GET', path, token })).toStrictEqual(result)
    await expect(use('get_result', { plan, node: 'n9' })).rejects.toThrow('not_found')

    const told = await events
    const happened = told.filter(({ event }) => event === 'node').map(({ data }) => data)
    expect(happened.map(({ id, what }) => `${String(id)} ${String(what)}`)).toStrictEqual(
      threeNodes.nodes.flatMap(({ id }) => [`${id} started`, `${id} succeeded`]),
    )
    for (const { at_ms, what, result: read } of happened) {
      expect([typeof at_ms, read !== null]).toStrictEqual(['number', what === 'succeeded'])
    }
    expect(happened.at(3)?.['result']).toStrictEqual({ href: path, withheld: null })
    expect(told.at(-1)).toMatchObject({ event: 'status', data: last })
  })
})
