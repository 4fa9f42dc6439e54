import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cwd, PRELOAD } from '../preload/apps.ts'
import { runNode } from '../support/run.ts'
import { type Service, startService } from '../support/service.ts'
import { useFolder } from '../support/spans.ts'

const app = fileURLToPath(new URL('apps/planted.mjs', import.meta.url))
const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8')

let service: Service
let other: Server
let received: string[] = []
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

/** What the service and a collector get of the application, as text. */
async function sent(env: Readonly<Record<string, string>>) {
  received = []
  const before = service.local.spans().length
  const { port } = other.address() as AddressInfo
  const second = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `http://127.0.0.1:${port}/v1/traces`,
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
  }
  const { code, stderr } = await runNode([...PRELOAD, app], { cwd, env: { ...service.env, ...second, ...env } })
  const spans = service.local.spans().slice(before)
  return { code, stderr, spans, ours: JSON.stringify(spans), theirs: received.join('\n') }
}

const privateIn = (text: string) => text.match(/ada\d+@example\.com|4111111111111111/g) ?? []

it('without a mask every planted address arrives at both destinations', async () => {
  const { ours, theirs } = await sent({})
  for (const text of [ours, theirs])
    expect(new Set(privateIn(text))).toEqual(
      new Set(['4111111111111111', ...Array.from({ length: 16 }, (_, n) => `ada${n + 1}@example.com`)]),
    )
})

describe('with the mask of the documentation', () => {
  const [, example = ''] = /```js\n(const PRIVATE[\s\S]*?)```/.exec(page) ?? []
  const later = example.replace('({ data }) =>', 'async ({ data }) =>')

  it.each([
    ['as it is', example],
    ['as a promise', later],
  ])('no planted address reaches either destination (%s)', async (_, source) => {
    const file = join(useFolder(), 'svc.config.mjs')
    writeFileSync(file, source)
    const { code, stderr, spans, ours, theirs } = await sent({ SVC_CONFIG_FILE: file })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(privateIn(ours)).toEqual([])
    expect(privateIn(theirs)).toEqual([])
    // What is not private is there, in its form.
    const turn = spans.find(({ name }) => name === 'turn')
    expect(JSON.parse(String(turn?.attributes['svc.observation.input']))).toEqual({
      from: '[hidden]',
      lists: [['[hidden]', { mail: '[hidden]' }]],
    })
    expect(turn?.attributes['svc.observation.metadata.number']).toBe('"[hidden]"')
    expect(theirs).toContain('Found [hidden].')
    // What the page says that no mask sees.
    for (const text of ['user of propagateAttributes', 'a tag', 'propagated plan', 'a parameter', 'no such customer'])
      expect(ours).toContain(text)
  })

  it('shows nothing at either destination of what it fails on', async () => {
    const file = join(useFolder(), 'svc.config.mjs')
    writeFileSync(file, 'export default { mask: () => { throw new Error("broken") } }')
    const { ours, theirs, stderr } = await sent({ SVC_CONFIG_FILE: file })
    expect([...privateIn(ours), ...privateIn(theirs)]).toEqual([])
    expect(theirs).toContain('fully masked')
    expect(stderr).toContain('mask failed for')
  })
})

it('what SVC_REDACT names is hidden at both destinations, but for keys of JSON', async () => {
  const { ours, theirs } = await sent({ SVC_REDACT: 'email,card' })
  for (const text of [ours, theirs]) {
    expect(new Set(privateIn(text))).toEqual(new Set(['ada3@example.com', 'ada9@example.com']))
    expect(text).toMatch(/\[email:[\da-f]{4}\]/)
  }
})

it('without content only what code writes by hand is recorded', async () => {
  const { ours, theirs, spans } = await sent({ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'false' })
  const byHand = ['4111111111111111', ...[6, 7, 8, 9, 10, 13, 14, 15].map((n) => `ada${n}@example.com`)]
  for (const text of [ours, theirs]) expect(new Set(privateIn(text))).toEqual(new Set(byHand))
  for (const { name, attributes } of spans.filter((span) => /^(?:look|fail|chat)/.test(span.name)))
    expect([name, Object.keys(attributes).filter((key) => /put$|messages|definitions|instructions/.test(key))]).toEqual(
      [name, []],
    )
})
