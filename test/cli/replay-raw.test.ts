import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { LocalService } from '@svc/local'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runNode } from '../support/run.ts'
import { startPatient } from '../support/service.ts'

const SVC = fileURLToPath(new URL('../../packages/cli/bin/svc.js', import.meta.url))
const APP = fileURLToPath(new URL('./support/raw-app.mjs', import.meta.url))

let local: LocalService
let vendor: Server
let url: string
let cwd: string
/** What the vendor was asked. */
const asked: string[] = []

beforeAll(async () => {
  local = await startPatient()
  vendor = createServer(async (request, response) => {
    const { messages, input } = JSON.parse(await text(request))
    const question: string = messages?.[0].content ?? input
    const time = asked.filter((each) => each === question).length
    asked.push(question)
    await ANSWERS[question]?.[time]?.(response)
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
  cwd = mkdtempSync(join(tmpdir(), 'svc-raw-'))
})
afterAll(async () => {
  vendor.closeAllConnections()
  vendor.close()
  await local.close()
  rmSync(cwd, { recursive: true })
})

const delta = (content: string, rest = {}) =>
  `data: ${JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content } }], obfuscation: 'x7', ...rest })}\n\n`
const DELTAS = [delta('Schön'), delta('e Grü'), delta('ße aus Zürich.'), 'data: [DONE]\n\n'].join('')
const whole = (content: string) =>
  JSON.stringify({ id: 'c-2', choices: [{ index: 0, message: { role: 'assistant', content }, own: 'field' }] })
const named = (value: { type: string }) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
const EVENTS = [
  {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 3 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'ping' },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Gr' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'üße' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 4 } },
  { type: 'message_stop' },
]
  .map(named)
  .join('')

/** Writes a text in pieces of so many bytes, which no vendor would cut so, in turns of the event loop. */
async function write(response: ServerResponse, body: string, size: number) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': `req_${size}`, 'set-cookie': 'a=b' })
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += size) {
    response.write(bytes.subarray(at, at + size))
    await setImmediate()
  }
}

const streamed = (body: string, size: number) => (response: ServerResponse) =>
  write(response, body, size).then(() => response.end())

const JSON_TYPE = { 'content-type': 'application/json' }
const answered = (body: string | Buffer, headers?: Readonly<Record<string, string>>) => (response: ServerResponse) =>
  response.writeHead(200, { ...JSON_TYPE, ...headers }).end(body)
const refused = (response: ServerResponse) =>
  response.writeHead(429, { ...JSON_TYPE, 'retry-after-ms': '1', 'x-request-id': 'req_first' }).end('{"error":{}}')

/** By what is asked: the answer to the first request, and to the next one. */
const ANSWERS: Readonly<Record<string, readonly ((response: ServerResponse) => unknown)[]>> = {
  openai: [streamed(DELTAS, 61)],
  anthropic: [streamed(EVENTS, 47)],
  fetch: [streamed(DELTAS, 13)],
  http: [streamed(DELTAS, 19)],
  'left early': [streamed(DELTAS, 61)],
  'asked again': [refused, answered(whole('at last'))],
  compressed: [answered(gzipSync(whole('packed')), { 'content-encoding': 'gzip' })],
  'a lost connection': [(response) => write(response, DELTAS, 101).then(() => response.destroy())],
  embeddings: [answered('{"data":[{"index":0,"embedding":[0.5,-1]}],"model":"m","usage":{}}')],
}

const options = (env = {}) => ({ cwd, env: { ...local.env, ...env } })
const record = (env = {}) =>
  runNode([SVC, 'run', '--', process.execPath, APP, url], options({ SVC_RECORD: 'raw', ...env }))
const traceOf = () => local.spans().at(-1)?.traceId ?? ''

it('SVC_RECORD=raw has a replay give an application the same bytes in the same pieces, and nobody is asked', async () => {
  const recorded = await record()
  expect(recorded).toMatchObject({ code: 0, stderr: '' })
  const trace = traceOf()
  const exported = await runNode([SVC, 'traces', 'export', trace], options())
  writeFileSync(join(cwd, 'trace.json'), exported.stdout)
  expect(exported.stdout).not.toContain('set-cookie')
  const before = asked.length
  const replayed = await runNode([SVC, 'replay', 'trace.json', '--', process.execPath, APP, url], options())
  expect(replayed).toEqual({ ...recorded, stderr: 'svc replay: 10 of 10 recorded calls answered\n' })
  expect(asked).toHaveLength(before)
})
