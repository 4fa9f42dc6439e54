import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { plain } from '../harness/plain.ts'
import { type Hostile, startHostile } from './program.ts'

let hostile: Hostile
beforeAll(async () => {
  hostile = await startHostile()
})
afterAll(() => hostile.close())

// Each run loads ten libraries; on a busy machine that takes long, and only the end of the run is waited for.
vi.setConfig({ testTimeout: 600_000 })

const everything = 'http,undici,openai,anthropic,groq,google-genai,ollama,cohere,mistral,bedrock,ai,langchain'

/** The requests that the models received, headers in their order. */
async function requestsWith(env: Readonly<Record<string, string>>, preload?: readonly string[]): Promise<unknown[]> {
  const before = hostile.service.models.requests().length
  const { signal, stderr } = await hostile.start(['asking.mjs'], { AI_SDK_LOG_WARNINGS: 'false', ...env }, preload)
    .ended
  expect([signal, stderr]).toEqual(['SIGTERM', ''])
  return hostile.service.models
    .requests()
    .slice(before)
    .map(({ path, headers, body }) => plain([path, Object.entries(headers), body])) as unknown[]
}

it('beside HTTP instrumentations no header is added to a request, or only traceparent if configured', async () => {
  const bare = await requestsWith({}, [])
  expect(bare).toHaveLength(20)
  expect(await requestsWith({ SVC_INSTRUMENTATIONS: everything })).toEqual(bare)
  const propagated = await requestsWith({ SVC_INSTRUMENTATIONS: everything, SVC_PROPAGATE_TO_VENDORS: 'true' })
  const added = propagated.map((request) => JSON.stringify(request).match(/\["traceparent","[^"]+"\],?/g) ?? [])
  // Around the request of a client that LangChain calls no span is active.
  expect(added.map(({ length }) => length)).toEqual([...Array.from({ length: 18 }, () => 1), 0, 0])
})

it('a key that a server sends back is in no span and no log line', async () => {
  const { stdout, stderr, signal } = await hostile.start(['keys.mjs'], { SVC_LOG_LEVEL: 'DEBUG' }).ended
  expect(signal).toBe('SIGTERM')
  expect(stdout + stderr).toContain('(hidden)')
  expect(stdout + stderr).not.toContain('not-to-be-seen')
  const spans = JSON.stringify(hostile.service.local.spans())
  expect(spans).toContain('(hidden)')
  expect(spans).not.toContain('not-to-be-seen')
})
