import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type LocalService, startLocal } from '@svc/local'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { fill } from '../../packages/local/test/support/many-traces.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))

let local: LocalService
let cwd: string
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
  local = await startLocal()
  await fill(local, 51)
})
afterAll(async () => {
  await local.close()
  rmSync(cwd, { recursive: true })
})

async function connected(...flags: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const env = { PATH: process.env.PATH ?? '', ...local.env }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SVC, 'mcp', ...flags], env, cwd }))
  onTestFinished(() => client.close())
  return client
}

const text = ({ content }: { content?: unknown }) => (content as { text: string }[]).map((part) => part.text).join('\n')

it('svc mcp answers over stdio, and only reads', async () => {
  const client = await connected()
  const { tools } = await client.listTools()
  expect(tools.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([])
  expect(text(await client.callTool({ name: 'list_errors', arguments: {} }))).toContain('2×  TOOL search_docs')
  const doctor = text(await client.callTool({ name: 'doctor', arguments: {} }))
  expect(doctor).toMatch(/^## What stands in the way of traces from this folder\n[\s\S]*warning: no package\.json in /)
})

it('svc mcp --allow-write creates scores and items of datasets, and says why it cannot', async () => {
  const client = await connected('--allow-write')
  const [{ traceId = '' } = {}] = local.traces()
  const score = await client.callTool({ name: 'create_score', arguments: { traceId, name: 'helpful', value: 1 } })
  expect(text(score)).toBe('The score is stored.')
  expect(await local.waitForScores(1)).toMatchObject([{ traceId, name: 'helpful', value: 1 }])
  const missing = { datasetName: 'nothing', input: { q: 1 }, sourceTraceId: traceId }
  const item = await client.callTool({ name: 'create_dataset_item', arguments: missing })
  expect([item.isError, text(item)]).toEqual([true, expect.stringContaining('404')])
})
