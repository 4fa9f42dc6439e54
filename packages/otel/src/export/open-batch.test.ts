import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { encoded, plainSpan } from '../../test/support/batches.ts'
import { spansIn } from '../../test/support/protobuf.ts'
import { OpenBatch } from './open-batch.ts'
import { fieldsOf } from './otlp/reader.ts'

type Resource = ReadableSpan['resource']
type Scope = ReadableSpan['instrumentationScope']

const resourceOf = (attributes: object, more: object = {}) => ({ attributes, ...more }) as Resource

function append(batch: OpenBatch, resource: Resource, scope: Scope, ...names: string[]): void {
  for (const name of names) {
    const span = plainSpan(name, { attributes: { of: name } })
    batch.append(resource, scope, encoded(span))
  }
}

/** The messages of a request as they are nested: names of spans, by scope, by resource. */
function outline(request: Uint8Array): string[][][] {
  const inside = (message: Uint8Array, field: number) =>
    [...fieldsOf(message)].filter(({ number }) => number === field).map(({ content }) => content)
  const names = spansIn(request).map(({ name }) => name)
  return inside(request, 1).map((resource) =>
    inside(resource, 2).map((scope) => inside(scope, 2).map(() => names.shift() ?? '')),
  )
}

describe('an open batch', () => {
  it('writes each resource and each scope once, in any order of spans', () => {
    const [one, two] = [resourceOf({ 'service.name': 'one' }), resourceOf({ 'service.name': 'two' })]
    const [a, b] = [{ name: 'a', version: '1', schemaUrl: 'https://schema' }, { name: 'b' }]
    const batch = new OpenBatch()
    append(batch, one, a, '1')
    append(batch, one, b, '2')
    append(batch, two, a, '3')
    append(batch, one, a, '4', '5')
    append(batch, one, b, '6')
    const request = batch.seal()
    expect(outline(request)).toEqual([
      [
        ['1', '4', '5'],
        ['2', '6'],
      ],
      [['3']],
    ])
    const places = spansIn(request).map(({ name, scope, resource, attributes }) => ({
      of: attributes.of,
      name,
      scope,
      resource: resource['service.name'],
    }))
    expect(places).toEqual([
      { of: '1', name: '1', scope: 'a', resource: 'one' },
      { of: '4', name: '4', scope: 'a', resource: 'one' },
      { of: '5', name: '5', scope: 'a', resource: 'one' },
      { of: '2', name: '2', scope: 'b', resource: 'one' },
      { of: '6', name: '6', scope: 'b', resource: 'one' },
      { of: '3', name: '3', scope: 'a', resource: 'two' },
    ])
  })

  it('has the number of its spans, their bytes and their resources', () => {
    const batch = new OpenBatch()
    const resource = resourceOf({})
    append(batch, resource, { name: 'a' }, '1', '2')
    const span = encoded(plainSpan('3'))
    const size = batch.size
    batch.append(resource, { name: 'b' }, span)
    expect(batch.spans).toBe(3)
    expect(batch.size).toBe(size + span.length)
    expect([...batch.resources]).toEqual([resource])
  })

  it('copies the bytes of a span', () => {
    const batch = new OpenBatch()
    const span = encoded(plainSpan('kept'))
    batch.append(resourceOf({}), { name: 'a' }, span)
    span.fill(0)
    expect(spansIn(batch.seal())).toMatchObject([{ name: 'kept' }])
  })

  it('is empty after sealing, and later spans do not change the sealed bytes', () => {
    const batch = new OpenBatch()
    const [one, two] = [resourceOf({ n: 1 }), resourceOf({ n: 2 })]
    append(batch, one, { name: 'a' }, '1')
    const first = batch.seal()
    const copy = first.slice()
    expect([batch.spans, batch.size, [...batch.resources]]).toEqual([0, 0, []])
    append(batch, two, { name: 'b' }, '2', '3')
    const second = batch.seal()
    expect(outline(second)).toEqual([[['2', '3']]])
    expect(spansIn(second)).toMatchObject([{ resource: { n: 2 } }, { resource: { n: 2 } }])
    expect(first).toEqual(copy)
  })

  it('without spans is an empty request', () => {
    expect(new OpenBatch().seal()).toHaveLength(0)
  })

  it('has the resource attributes known when it is sealed', () => {
    const attributes: Record<string, string> = { 'service.name': 'one' }
    const batch = new OpenBatch()
    append(batch, resourceOf(attributes), { name: 'a' }, '1')
    attributes['host.name'] = 'h1'
    expect(spansIn(batch.seal())[0]?.resource).toEqual({ 'service.name': 'one', 'host.name': 'h1' })
  })

  it('may have a resource that is larger than all its spans', () => {
    const batch = new OpenBatch()
    append(batch, resourceOf({ large: 'x'.repeat(200_000) }), { name: 'a' }, '1')
    expect(spansIn(batch.seal())[0]?.resource.large).toHaveLength(200_000)
  })

  it('grows beyond its first buffer', () => {
    const batch = new OpenBatch()
    const text = 'x'.repeat(1_000)
    for (let at = 0; at < 500; at++) {
      batch.append(resourceOf({}), { name: 'a' }, encoded(plainSpan(`s${at}`, { attributes: { text } })))
    }
    expect(spansIn(batch.seal()).map(({ name }) => name)).toEqual(Array.from({ length: 500 }, (_, at) => `s${at}`))
  })
})

describe('the part of an open batch since a position', () => {
  const [one, two] = [resourceOf({ n: 1 }), resourceOf({ n: 2 })]
  const [a, b] = [{ name: 'a' }, { name: 'b' }]

  it('is a complete request, and stays in the batch', () => {
    const batch = new OpenBatch()
    append(batch, one, a, '1', '2')
    append(batch, one, b, '3')
    const { size } = batch
    append(batch, one, b, '4')
    append(batch, two, b, '5')
    append(batch, one, a, '6')
    expect(outline(batch.since(size))).toEqual([[['6'], ['4']], [['5']]])
    expect(spansIn(batch.since(size))).toMatchObject([
      { name: '6', scope: 'a', resource: { n: 1 } },
      { name: '4', scope: 'b', resource: { n: 1 } },
      { name: '5', scope: 'b', resource: { n: 2 } },
    ])
    expect(batch.spans).toBe(6)
    expect(outline(batch.seal())).toEqual([
      [
        ['1', '2', '6'],
        ['3', '4'],
      ],
      [['5']],
    ])
  })

  it('is undefined without new spans, and everything since the beginning', () => {
    const batch = new OpenBatch()
    append(batch, one, a, '1', '2')
    expect(batch.since(batch.size)).toHaveLength(0)
    expect(batch.since(0).slice()).toEqual(batch.seal())
  })
})

describe('a spare buffer', () => {
  it('is reused if it is large enough, whatever its content was', () => {
    const batch = new OpenBatch()
    const buffer = new Uint8Array(100_000).fill(255).buffer
    append(batch, resourceOf({}), { name: 'a' }, '1', '2')
    const request = batch.seal(buffer)
    expect(request.buffer).toBe(buffer)
    expect(spansIn(request).map(({ name }) => name)).toEqual(['1', '2'])
  })

  it('is not used if it is too small', () => {
    const batch = new OpenBatch()
    append(batch, resourceOf({}), { name: 'a' }, ...Array.from({ length: 100 }, (_, at) => `s${at}`))
    const request = batch.seal(new ArrayBuffer(64))
    expect(spansIn(request)).toHaveLength(100)
  })
})

describe('malformed spans', () => {
  it.each<[what: string, resource: unknown, scope: unknown]>([
    ['no resource', undefined, { name: 'scope' }],
    ['a resource that is null', null, { name: 'scope' }],
    ['a resource without attributes', {}, { name: 'scope' }],
    ['a resource with null for attributes', { attributes: null }, { name: 'scope' }],
    ['no scope', { attributes: {} }, undefined],
    ['a scope without a name', { attributes: {} }, {}],
    ['a scope whose names are no texts', { attributes: {} }, { name: Symbol('x'), version: 7, schemaUrl: {} }],
    ['neither', undefined, undefined],
  ])('with %s are exported', (_, resource, scope) => {
    const batch = new OpenBatch()
    append(batch, resource as Resource, scope as Scope, 'odd')
    expect(spansIn(batch.seal())).toMatchObject([{ name: 'odd', resource: {} }])
  })

  it('lose unreadable resource attributes only', () => {
    const attributes = {
      get broken(): never {
        throw new Error('no')
      },
    }
    const batch = new OpenBatch()
    append(batch, resourceOf(attributes), { name: 'a' }, '1')
    expect(spansIn(batch.seal()).map(({ name }) => name)).toEqual(['1'])
  })

  it('lose an unencodable resource attribute only', () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const batch = new OpenBatch()
    append(batch, resourceOf({ before: 1, circular, after: 2 }), { name: 'a' }, '1')
    expect(spansIn(batch.seal())[0]?.resource).toEqual({ before: 1, after: 2 })
  })
})
