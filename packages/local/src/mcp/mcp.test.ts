import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../../test/support/api.ts'
import { fill } from '../../test/support/many-traces.ts'
import { basic } from '../../test/support/sdk.ts'
import { type LocalService, startLocal } from '../index.ts'

let local: LocalService
let client: Client
beforeAll(async () => {
  local = await startLocal()
  await fill(local, 60)
  client = new Client({ name: 'test', version: '1.0.0' })
  const authorization = basic(local.publicKey, local.secretKey)
  const url = new URL('/api/public/mcp', local.url)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization } } }))
})
afterAll(async () => {
  await client.close()
  await local.close()
})

const text = ({ content }: { content?: unknown }) => (content as { text: string }[]).map((part) => part.text).join('\n')

it('a client finds tools that only read, each with a schema', async () => {
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual([
    ...['list_traces', 'search_traces', 'show_trace', 'list_errors', 'diff_traces', 'trace_stats'],
    ...['list_prompts', 'list_datasets', 'doctor'],
  ])
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  expect(tools.find(({ name }) => name === 'show_trace')?.inputSchema).toMatchObject({ required: ['id'] })
  expect(tools.find(({ name }) => name === 'search_traces')?.inputSchema).toMatchObject({ required: ['text'] })
})

it('answers are text within the budget and the same rows as data, and say how to go on', async () => {
  const result = await client.callTool({ name: 'list_traces', arguments: { limit: 3 } })
  expect(text(result)).toMatch(/^## 3 traces, the newest first\n\nRecorded by an application/)
  expect(text(result)).toMatch(/- older traces: list_traces \{"limit":3,"until":"[^"]+"\}$/)
  const { rows } = result.structuredContent as { rows: { traceId: string }[] }
  expect(rows).toHaveLength(3)
  const { contents } = await client.readResource({ uri: `svc://traces/${rows[0]?.traceId}` })
  expect(contents[0]).toMatchObject({ mimeType: 'text/markdown', text: expect.stringContaining('GENERATION answer') })
})

it('what makes no sense is told to the agent', async () => {
  const wrong = await client.callTool({ name: 'show_trace', arguments: { id: 'f'.repeat(32) } })
  expect([wrong.isError, text(wrong)]).toEqual([true, expect.stringMatching(/^there is no trace f+/)])
  const unknown = await client.callTool({ name: 'list_traces', arguments: { nothing: true } })
  expect(unknown.isError).toBe(true)
})

it('doctor says what has arrived', async () => {
  expect(text(await client.callTool({ name: 'doctor', arguments: {} }))).toContain(
    'The newest observation started at 2',
  )
})

it('is guarded as the rest of the API: keys, Host, Origin, and JSON alone', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const status = async (
    more: Record<string, string>,
    { publicKey, secretKey } = local,
    body = JSON.stringify(ping),
  ) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      authorization: basic(publicKey, secretKey),
      'content-type': 'application/json',
      ...more,
    }
    return (await fetch(`${local.url}/api/public/mcp`, { method: 'POST', headers, body })).status
  }
  expect(await status({})).toBe(200)
  expect(await status({}, { ...local, secretKey: 'sk-wrong' })).toBe(401)
  expect(await status({ origin: 'http://evil.example' })).toBe(403)
  expect(await status({ 'content-type': 'text/plain' })).toBe(415)
  expect(await status({}, local, '['.repeat(100_000))).toBe(400)
  expect(await status({}, local, `[${'[],'.repeat(500_000)}1]`)).toBe(413)
  expect((await call(local, 'GET /mcp')).status).toBe(405)
})
