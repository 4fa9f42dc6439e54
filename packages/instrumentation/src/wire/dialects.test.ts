import { createRequire } from 'node:module'
import * as openai from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { GEMINI, MESSAGES, RESPONSES } from '../../test/api-dialects.ts'
import { type DialectServer, recordedBy, startDialectServer } from '../../test/dialect-server.ts'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { recordWire } from '../../test/wire.ts'
import { PATCHES } from '../patches.ts'

// Chat completions are compared beside OpenAI's client.

const load = (folder: string, name: string) =>
  createRequire(new URL(`../../../../test/instrumentation/${folder}/`, import.meta.url))(name)
const anthropic = load('anthropic', 'anthropic-1')
const genai = load('google-genai', 'genai-3')
PATCHES.openai(openai)
PATCHES.anthropic(anthropic)
PATCHES['google-genai'](genai)

let server: DialectServer
recordSpans()
recordWire()
beforeAll(async () => {
  server = await startDialectServer()
})
afterAll(() => server.close())

const model = 'model-test'
const content = 'How is the weather?'
const messages = [{ role: 'user', content }]

/** Each API with its answers, how the vendor's client asks it, and its request. */
const APIS = {
  messages: {
    dialects: MESSAGES,
    ask: async (url: string, stream: boolean) =>
      new anthropic.Anthropic({ baseURL: url.replace('/v1', ''), apiKey: 'none' }).messages.create({
        ...{ model, messages, max_tokens: 100, stream },
      }),
    path: () => '/messages',
    body: { model, messages, max_tokens: 100 },
  },
  gemini: {
    dialects: GEMINI,
    ask: async (baseUrl: string, stream: boolean) => {
      const { models } = new genai.GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl, apiVersion: '' } })
      return models[stream ? 'generateContentStream' : 'generateContent']({ model, contents: content })
    },
    path: (stream: boolean) => `/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: content }] }] },
  },
  responses: {
    dialects: RESPONSES,
    ask: async (baseURL: string, stream: boolean) =>
      new openai.OpenAI({ baseURL, apiKey: 'none' }).responses.create({ model, input: content, stream }),
    path: () => '/responses',
    body: { model, input: content },
  },
}

async function endings() {
  await vi.waitUntil(() => finishedSpans().length > 0, 60_000)
  return finishedSpans().map(({ attributes, status }) => ({
    ...recordedBy(attributes),
    isFailed: status.code === 2,
    hasBegun: 'svc.observation.completion_start_time' in attributes,
  }))
}

async function readAll(asked: Promise<unknown>): Promise<void> {
  for await (const _ of (await asked) as AsyncIterable<unknown>);
}

async function fetchAll(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  await answer.text().catch(() => {})
}

describe.each(Object.entries(APIS))('%s', (_api, { dialects, ask, path, body }) => {
  describe.each(Object.entries(dialects))('%s', (name, { expected }) => {
    const recorded = () => finishedSpans().map(({ attributes }) => recordedBy(attributes))

    it.each([false, true])("by the vendor's client (streamed: %s)", async (stream) => {
      forgetSpans()
      const asked = ask(server.urlOf(name), stream)
      await (stream ? readAll(asked) : asked)
      expect(recorded()).toEqual([expected])
    })

    it.each([false, true])('by the request (streamed: %s)', async (stream) => {
      forgetSpans()
      await fetchAll(server.urlOf(name) + path(stream), { ...body, stream })
      expect(recorded()).toEqual([expected])
    })

    // Wherever it breaks: within thoughts or the arguments of a call, or when all was said and counted but the end.
    const chunks = dialects[name]?.chunks ?? []
    it.each(chunks.map((_, at) => at).slice(1))(
      'a stream that breaks after %i pieces keeps what was said',
      async (pieces) => {
        const url = server.urlOf(name, pieces)
        forgetSpans()
        await readAll(ask(url, true)).catch(() => {})
        const byClient = await endings()
        forgetSpans()
        await fetchAll(url + path(true), { ...body, stream: true })
        expect(await endings()).toEqual(byClient)
        const { id, model, text = '', thinking = '', calls = [] } = expected
        const [said] = byClient
        expect(byClient).toEqual([expect.objectContaining({ id, model, isFailed: true })])
        const output = [said?.thinking, said?.text, ...(said?.calls ?? [])].join('')
        if (said?.text ?? said?.thinking) expect(said?.hasBegun).toBe(true)
        if (pieces === chunks.length - 1 && pieces > 1) expect(output).toBe([thinking, text, ...calls].join(''))
      },
    )

    it('has tokens that add up to the total', () => {
      const { total, web_search_requests, ...parts } = expected.usage
      expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total)
    })
  })
})
