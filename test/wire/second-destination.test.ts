import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { app, cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'

let service: Service
let other: Server
const received: string[] = []

beforeAll(async () => {
  service = await startService()
  other = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    received.push(body)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  other.close()
  await service.close()
})

interface Value {
  readonly stringValue?: string
  readonly intValue?: number
  readonly arrayValue?: { readonly values: readonly Value[] }
}
interface Span {
  readonly name: string
  readonly attributes: readonly { readonly key: string; readonly value: Value }[]
}

function plain({ stringValue, intValue, arrayValue }: Value): unknown {
  return stringValue ?? intValue ?? arrayValue?.values.map(plain)
}

/** What arrived at the other destination. */
function spans(): Span[] {
  return received.flatMap((body) =>
    JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: Span[] }[] }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    ),
  )
}

async function chat(env: Readonly<Record<string, string>> = {}) {
  const { port } = other.address() as AddressInfo
  const second = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
  }
  received.length = 0
  await runNode([...PRELOAD, app('chat.mjs')], { cwd, env: { ...service.env, ...second, ...env } })
}

it('a mask works for other destinations as for the service', async () => {
  await chat({ SVC_CONFIG_FILE: 'env/mask.config.mjs' })
  expect(received.join()).toContain('(masked)')
  expect(received.join()).not.toContain('Say hello.')
})

it("a call arrives in the service's dialect there, and in GenAI conventions at other destinations", async () => {
  const before = service.local.spans().length
  await chat()

  const [ours] = service.local.spans().slice(before)
  expect(
    Object.keys(ours?.attributes ?? {}).filter((name) => /^gen_ai\..*(messages|usage|request\.[^m])/.test(name)),
  ).toEqual([])
  expect(ours?.attributes).toMatchObject({
    'svc.observation.input': '{"messages":[{"role":"user","content":"Say hello."}]}',
    'svc.observation.output': expect.stringMatching(/^\[\{"role":"assistant","content":".*"\}\]$/),
  })

  const theirs = spans().find(({ name }) => name === 'chat gpt-test')
  const attributes = Object.fromEntries((theirs?.attributes ?? []).map(({ key, value }) => [key, plain(value)]))
  const [answer] = JSON.parse(String(ours?.attributes['svc.observation.output']))
  expect(attributes).toEqual({
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-test',
    'gen_ai.response.model': 'gpt-test',
    'gen_ai.response.id': expect.any(String),
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': expect.any(Number),
    'gen_ai.usage.output_tokens': expect.any(Number),
    'gen_ai.usage.cache_read.input_tokens': expect.any(Number),
    'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"Say hello."}]}]',
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: answer.content }], finish_reason: 'stop' },
    ]),
    'server.address': '127.0.0.1',
    'server.port': expect.any(Number),
    'svc.internal.is_app_root': undefined,
  })
})
