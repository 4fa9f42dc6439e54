import type { Attributes } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { exporting } from '../test/support/tracing.ts'
import { enriched } from './enrich.ts'
import type { ReadableSpan } from './sdk.ts'

async function sent(attributes: Attributes, startTime = 1_700_000_000_000): Promise<Attributes> {
  const { tracer, exported } = exporting({ shouldExportSpan: () => true })
  tracer('app').startSpan('s', { attributes, startTime }).end()
  const { 'svc.internal.is_app_root': _, ...rest } = (await exported())[0]?.attributes ?? {}
  return rest
}

describe('attributes of other instrumentations', () => {
  it.each([
    [['error'], undefined, 'ERROR'],
    ['["error"]', undefined, 'ERROR'],
    [['error'], 'WARNING', 'WARNING'],
    [['stop'], undefined, undefined],
  ])(
    'have a level if only the reason of the end tells that a model failed: %j, %s',
    async (reasons, level, expected) => {
      const given = { 'gen_ai.response.finish_reasons': reasons, ...(level && { 'svc.observation.level': level }) }
      expect((await sent(given))['svc.observation.level']).toBe(expected)
    },
  )

  it("have the time of the first token in Mastra's words", async () => {
    const time = '2026-01-01T00:00:00.000Z'
    expect(await sent({ 'mastra.completion_start_time': time })).toMatchObject({
      'svc.observation.completion_start_time': time,
    })
  })

  it('are renamed for cache writes', async () => {
    expect(await sent({ 'gen_ai.usage.cache_write.input_tokens': 7 })).toEqual({
      'gen_ai.usage.cache_creation.input_tokens': 7,
    })
  })

  it('do not overwrite a name that the service knows', async () => {
    const both = { 'gen_ai.usage.cache_write.input_tokens': 7, 'gen_ai.usage.cache_creation.input_tokens': 8 }
    expect(await sent(both)).toEqual({ 'gen_ai.usage.cache_creation.input_tokens': 8 })
  })

  it('have the time to the first chunk converted to a timestamp, quoted as in the SDK', async () => {
    expect(await sent({ 'gen_ai.response.time_to_first_chunk': 1.25 })).toEqual({
      'gen_ai.response.time_to_first_chunk': 1.25,
      'svc.observation.completion_start_time': '"2023-11-14T22:13:21.250Z"',
    })
  })

  it("may have the AI SDK's name for the time to the first chunk", async () => {
    expect(await sent({ 'gen_ai.client.operation.time_to_first_chunk': 1.25 })).toEqual({
      'gen_ai.client.operation.time_to_first_chunk': 1.25,
      'svc.observation.completion_start_time': '"2023-11-14T22:13:21.250Z"',
    })
  })

  it.each([{ 'gen_ai.operation.name': 'rerank' }, { 'ai.operationId': 'ai.rerank.doRerank' }])(
    'mark reranking as a retriever: %j',
    async (attributes) => {
      expect(await sent(attributes)).toEqual({ ...attributes, 'svc.observation.type': 'retriever' })
      const typed = { ...attributes, 'svc.observation.type': 'tool' }
      expect(await sent(typed)).toEqual(typed)
    },
  )

  it("mark what Google's ADK puts together of several tools as no tool", async () => {
    const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': '(merged tools)' }
    expect(await sent(attributes)).toEqual({ ...attributes, 'svc.observation.type': 'span' })
  })

  it('keep an existing timestamp of the first chunk', async () => {
    const both = { 'gen_ai.response.time_to_first_chunk': 1, 'svc.observation.completion_start_time': '"x"' }
    expect(await sent(both)).toEqual(both)
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY, 'soon'])(
    'ignore an invalid time to the first chunk: %s',
    async (value) => {
      const attributes = { 'gen_ai.response.time_to_first_chunk': value }
      expect(await sent(attributes)).toEqual(attributes)
    },
  )
})

it.each([
  { 'svc.observation.output': 'the answer to a GET request' },
  { 'svc.observation.input': 'a question' },
  { 'http.route': '/chat' },
])('a span with nothing to translate is sent itself, not a copy: %j', (attributes) => {
  const span = { attributes, instrumentationScope: { name: 'svc-sdk' } } as unknown as ReadableSpan
  expect(
    enriched(
      span,
      () => undefined,
      (attributes) => attributes,
    ),
  ).toBe(span)
})
