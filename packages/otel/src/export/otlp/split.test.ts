import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { encoded, names, namesIn, plainSpan, requestOf } from '../../../test/support/batches.ts'
import { spansIn } from '../../../test/support/protobuf.ts'
import { OpenBatch } from '../open-batch.ts'
import { fieldsOf } from './reader.ts'
import { countSpans, splitRequest } from './split.ts'
import { ProtobufWriter } from './writer.ts'

/** Chance that repeats itself: a failure is found again. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** A request of `spans` spans of all sizes, in resources and scopes that alternate. */
function anyRequest(seed: number, spans: number): { request: Uint8Array<ArrayBuffer>; sent: string[] } {
  const next = chance(seed)
  const resources = names(1 + next(3)).map((name) => ({ attributes: { name }, schemaUrl: `https://${name}` }))
  const scopes = names(1 + next(4)).map((name) => ({ name, version: '1', schemaUrl: `https://${name}` }))
  const batch = new OpenBatch()
  const sent: string[] = []
  for (let at = 0; at < spans; at++) {
    const resource = resources[next(resources.length)] as unknown as ReadableSpan['resource']
    const scope = scopes[next(scopes.length)] as ReadableSpan['instrumentationScope']
    const span = encoded(plainSpan(`s${at}`, { attributes: { text: 'x'.repeat(next(300)) } }))
    batch.append(resource, scope, span)
    sent.push(`${resource.attributes.name} ${scope.name} ${hex(span)}`)
  }
  return { request: batch.seal(), sent }
}

/** Each span with its resource, its scope and its bytes. */
function spansOf(request: Uint8Array): string[] {
  const places = spansIn(request).map(({ resource, scope }) => `${resource.name} ${scope}`)
  const inside = (messages: Uint8Array[], field: number) =>
    messages.flatMap((message) => [...fieldsOf(message)].filter(({ number }) => number === field))
  const scopes = inside(
    inside([request], 1).map(({ content }) => content),
    2,
  )
  const spans = inside(
    scopes.map(({ content }) => content),
    2,
  )
  return spans.map(({ bytes }, at) => `${places[at]} ${hex(bytes)}`)
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

describe('the halves of an OTLP request', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => [seed, 1 + seed * 2] as const))(
    'contain every span once with its bytes, scope and resource: seed %d, %d spans',
    (seed, count) => {
      const { request, sent } = anyRequest(seed, count)
      const [one, two] = splitRequest(request)
      expect([...spansOf(one), ...spansOf(two)].sort()).toEqual(sent.sort())
      expect([countSpans(one), countSpans(two)]).toEqual([Math.ceil(count / 2), Math.floor(count / 2)])
    },
  )

  it('keep the order of the spans', () => {
    const resource = plainSpan('').resource
    const request = requestOf(...names(7).map((name) => plainSpan(name, { resource })))
    expect(splitRequest(request).map(namesIn)).toEqual([
      ['s0', 's1', 's2', 's3'],
      ['s4', 's5', 's6'],
    ])
  })

  it('become single spans if they are split repeatedly', () => {
    const { request, sent } = anyRequest(7, 100)
    const single = (part: Uint8Array): string[] => {
      const spans = countSpans(part)
      return spans <= 1 ? spansOf(part) : splitRequest(part).flatMap(single)
    }
    expect(single(request).sort()).toEqual(sent.sort())
  })

  it('of one span are the request and undefined', () => {
    const request = requestOf(plainSpan('alone'))
    const [one, two] = splitRequest(request)
    expect(one).toEqual(request)
    expect(two).toHaveLength(0)
  })

  it('of an empty request are undefined', () => {
    expect(splitRequest(new Uint8Array()).map(({ length }) => length)).toEqual([0, 0])
  })

  it('retain only their own bytes', () => {
    const { request } = anyRequest(3, 50)
    for (const half of splitRequest(request)) expect(half.buffer.byteLength).toBe(half.length)
  })

  it('keep unknown fields', () => {
    const writer = new ProtobufWriter()
    writer.raw(requestOf(plainSpan('a'), plainSpan('b')))
    writer.string(99, 'from the future')
    for (const half of splitRequest(writer.view())) {
      expect([...fieldsOf(half)].map(({ number }) => number)).toContain(99)
    }
  })

  it('cause a RangeError for an invalid request', () => {
    const request = requestOf(...names(4).map((name) => plainSpan(name)))
    expect(() => splitRequest(request.subarray(0, request.length - 3))).toThrow(RangeError)
  })
})
