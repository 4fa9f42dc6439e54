import * as openai from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DialectServer, recordedBy, startDialectServer } from '../../test/dialect-server.ts'
import { ABOUT, DIALECTS } from '../../test/dialects.ts'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { recordWire } from '../../test/wire.ts'
import { observeOpenAI } from './observe.ts'
import { patchOpenAI } from './patch.ts'

let server: DialectServer
recordSpans()
recordWire()
beforeAll(async () => {
  patchOpenAI(openai)
  server = await startDialectServer()
})
afterAll(() => server.close())

const request = { model: 'model-test', messages: [{ role: 'user' as const, content: 'How is the weather?' }] }

async function ask({ chat: { completions } }: openai.OpenAI, stream: boolean): Promise<unknown> {
  if (!stream) return completions.create(request)
  for await (const _ of await completions.create({ ...request, stream }));
  return undefined
}

/** Ways to ask a vendor, by whom they are recorded. */
const WAYS: Readonly<Record<string, (baseURL: string, stream: boolean) => Promise<unknown>>> = {
  'the client of OpenAI': (baseURL, stream) => ask(new openai.OpenAI({ baseURL, apiKey: 'none' }), stream),
  async 'the request'(baseURL, stream) {
    const body = JSON.stringify({ ...request, stream })
    return (await fetch(`${baseURL}/chat/completions`, { method: 'POST', body })).text()
  },
}
const ways = Object.entries(WAYS).flatMap(([by, ask]) =>
  [false, true].map((stream) => ({ by, ask, stream, way: stream ? 'streamed' : 'whole' })),
)

describe.each(Object.entries(DIALECTS))('%s', (name, { expected }) => {
  it.each(ways)('$way, recorded by $by', async ({ ask, stream }) => {
    forgetSpans()
    await ask(server.urlOf(name), stream)
    expect(finishedSpans().map(({ attributes }) => recordedBy(attributes))).toEqual([{ ...ABOUT, ...expected }])
  })

  const { text, thinking, calls, ...beside } = expected
  it.each([false, true])('by observeOpenAI, in the words of the vendor (streamed: %s)', async (stream) => {
    forgetSpans()
    await ask(observeOpenAI(new openai.OpenAI({ baseURL: server.urlOf(name), apiKey: 'none' })), stream)
    const [{ attributes = {} } = {}] = finishedSpans()
    expect(recordedBy(attributes)).toEqual({ ...ABOUT, ...beside })
    const output = String(attributes['svc.observation.output']).replaceAll(/<\/reasoning><reasoning>/g, '')
    for (const fact of [text, thinking, calls && 'weather']) expect(output).toContain(fact ?? '')
  })

  it('has tokens that add up to the total', () => {
    const { total, web_search_requests, ...parts } = expected.usage
    expect(Object.values(parts).reduce((sum, count) => sum + count, 0)).toBe(total)
  })
})
