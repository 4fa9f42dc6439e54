import { readFileSync } from 'node:fs'
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { TextPromptClient } from '@svc/client'
import { boundedText } from '@svc/core/bounded-json'
import { toJson, toMetadataText, toText } from '@svc/core/json'
import { setSvcTracerProvider, startObservation } from '@svc/tracing'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { useBench } from './api-support.ts'

// Each value of the table in docs/tracing.md goes through each door by which values come in.
const bench = useBench()
const spans = new InMemorySpanExporter()
setSvcTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }))
afterAll(() => setSvcTracerProvider(null))

const FAILED = '"<failed to serialize>"'

/** The rows: an expression, and the JSON of its value in an observation and in a request; undefined for nothing. */
function tableOfDocs(): readonly (readonly [code: string, recorded: string | undefined, sent: string | undefined])[] {
  const page = readFileSync(new URL('../../docs/tracing.md', import.meta.url), 'utf8')
  const [table = ''] = /\| Value \| In an observation.*?(?=\n\n)/s.exec(page) ?? []
  const json = (cell = '') => /^`(.*)`$/.exec(cell)?.[1]
  return table
    .split('\n')
    .slice(2)
    .map((row) => row.slice(2, -1).split(' | '))
    .map(([code, recorded, sent]) => [json(code) ?? '', json(recorded), json(sent?.trim()) ?? json(recorded)])
}

const rows = tableOfDocs()
const evaluated = (code: string): unknown => new Function(`return (${code})`)()

it('the table has what can go wrong', () => {
  expect(rows.length).toBeGreaterThan(30)
  expect(rows.map(([code]) => code)).toContain('undefined')
})

describe('a value of the table is written as the table says', () => {
  it.each(rows)('%s, in an observation', (code, recorded) => {
    const value = evaluated(code)
    const observation = startObservation('values', { input: value, metadata: { value } })
    observation.update({ output: value })
    observation.end()
    const { attributes } = spans.getFinishedSpans().at(-1) as ReadableSpan
    const whole = [attributes['svc.observation.input'], attributes['svc.observation.output']]
    expect([...whole, attributes['svc.observation.metadata.value']]).toEqual([
      ...Array(2).fill(textOf(recorded)),
      recorded,
    ])
  })

  it.each(rows)('%s, as a variable of a prompt', (code, recorded) => {
    const facts = { name: 'p', version: 1, config: {}, labels: [], tags: [] }
    const compiled = () => new TextPromptClient({ ...facts, prompt: '{{value}}' }).compile({ value: evaluated(code) })
    if (recorded === FAILED) expect(compiled).toThrow('"value" cannot be written as JSON')
    else expect(compiled()).toBe(textOf(recorded) ?? '')
  })

  it.each(rows)('%s, in scores, dataset items and comments', async (code, _, sent) => {
    const client = bench.client()
    const value = evaluated(code)
    client.score.create({ traceId: 'a'.repeat(32), name: 'n', value: 1, metadata: { value } })
    const fields = { input: value, expectedOutput: [value], metadata: { value } }
    const request = { objectId: 'o', objectType: 'TRACE', projectId: 'p', content: value }
    await Promise.allSettled([
      client.flush(),
      client.dataset.createItem({ datasetName: 'none', ...fields }),
      client.api.comments.create(request as never),
    ])
    const bodies = bench.local
      .calls()
      .slice(-3)
      .flatMap(({ body }) => body as Record<string, unknown>[])
    const parsed = sent === undefined ? undefined : JSON.parse(sent)
    expect(bodies.find(({ datasetName }) => datasetName)).toMatchObject({
      ...(sent !== undefined && { input: parsed }),
      expectedOutput: [parsed ?? null],
      metadata: sent === undefined ? {} : { value: parsed },
    })
    expect(bodies.find(({ name }) => name === 'n')?.metadata).toEqual(sent === undefined ? {} : { value: parsed })
    expect(bodies.find(({ objectId }) => objectId)?.content).toEqual(parsed)
  })
})

describe('any value', () => {
  const writers = { toJson, toText, toMetadataText, boundedText }

  it('is written without an error, and what is sent is JSON', () => {
    const any = fc.anything({
      ...{ withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true },
      ...{ withNullPrototype: true, withSparseArray: true, withUnicodeString: true },
    })
    fc.assert(
      fc.property(any, any, fc.boolean(), (one, thrown, isCyclic) => {
        const fail = () => {
          throw thrown
        }
        const traps = new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail })
        const value = {
          one,
          traps,
          list: [one],
          toJSON: undefined as unknown,
          get broken() {
            return fail()
          },
        }
        if (isCyclic) value.toJSON = value
        for (const write of Object.values(writers)) for (const each of [one, traps, value]) write(each)
        expect(JSON.parse(toJson(value) ?? '')).toMatchObject({ broken: expect.stringMatching(/^\[Throws: /) })
      }),
    )
  })

  it('of JSON comes out as it went in', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = JSON.stringify(value)
        expect([toJson(value), toMetadataText(value) ?? 'null']).toEqual([json, json])
        expect(toText(value) ?? null).toEqual(typeof value === 'string' || value === null ? value : json)
      }),
    )
  })
})

/** JSON as text: a note in the place of bytes, or of what failed, is no JSON, while a date and a large number are. */
function textOf(json: string | undefined): string | undefined {
  return json && /^"[[<]/.test(json) ? (JSON.parse(json) as string) : json
}
