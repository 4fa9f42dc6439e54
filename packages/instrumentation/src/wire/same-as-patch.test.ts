import * as openai from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { cases } from '../../test/cases.ts'
import { recordSpans } from '../../test/spans.ts'
import { keepingFetch, recordedBy, recordWire, type SentRequest, sendAgain } from '../../test/wire.ts'
import { patchOpenAI } from '../openai/patch.ts'

recordSpans()
beforeAll(() => {
  patchOpenAI(openai)
  recordWire()
})

/**
 * Cases that end otherwise than by the last byte, whose requests call no model, or are not sent by the `fetch` that keeps
 * them. What a library knows beyond its requests stays with its patch: retries as one call, uploads, tool loops.
 */
const OTHERS =
  /abort|leaving|left|retr|runTools|speech|transcri|image|parse|AzureOpenAI|listing|timeout|breaks|in the loop/i

describe.each(Object.entries(cases).filter(([title]) => !OTHERS.test(title)))('openai: %s', (_, { does }) => {
  it('is recorded by the request as by the library', async () => {
    const sent: SentRequest[] = []
    const byLibrary = await recordedBy(async (url) => {
      const client = new openai.OpenAI({
        baseURL: `${url}/v1`,
        apiKey: 'none',
        fetch: keepingFetch(sent),
        maxRetries: 0,
      })
      await does({ openai, client, url })
    })
    expect(byLibrary.length).toBeGreaterThan(0)
    const byRequest = await recordedBy((url) => sendAgain(sent, url))
    expect(byRequest).toEqual(byLibrary)
  })
})
