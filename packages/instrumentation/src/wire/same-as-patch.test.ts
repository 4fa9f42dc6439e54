import type { Attributes } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { startModelServer } from '@svc-examples/model-server'
import * as openai from 'openai'
import { beforeAll, describe, expect, it } from 'vitest'
import { cases } from '../../test/cases.ts'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { keepingFetch, recordWire, type SentRequest } from '../../test/wire.ts'
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
    const byRequest = await recordedBy(async (url) => {
      for (const { path, headers, body } of sent) {
        await (await fetch(url + path, { method: 'POST', headers, body })).text()
      }
    })
    expect(byRequest).toEqual(byLibrary)
  })
})

async function recordedBy(act: (url: string) => Promise<void>): Promise<unknown[]> {
  forgetSpans()
  const server = await startModelServer()
  await act(server.url)
  await server.close()
  return finishedSpans().map(fieldsOf)
}

function fieldsOf(span: ReadableSpan) {
  const { name, kind, status, instrumentationScope, attributes } = span
  return { name, kind, status, scope: instrumentationScope.name, attributes: comparable(attributes) }
}

/** Of a time only whether it is known. A refusal is named by the class of the library, or by its status. */
function comparable({ 'server.port': _, ...attributes }: Attributes): Attributes {
  const time = attributes['svc.observation.completion_start_time'] && 'known'
  const type = attributes['error.type'] && 'known'
  return { ...attributes, 'svc.observation.completion_start_time': time, 'error.type': type }
}
