import { describe, expect, it } from 'vitest'
import { span } from '../../../test/support/span.ts'
import { metadataOf } from './metadata.ts'

const SAID = {
  'svc.observation.metadata.count': '5',
  'svc.observation.metadata.text': '"prod"',
  'svc.observation.metadata.nested': '{"a":{"b":true}}',
  'svc.observation.metadata.foreign': 'no JSON',
  'svc.trace.metadata.plan': '"free"',
}

const DECODED = { count: 5, text: 'prod', nested: { a: { b: true } }, foreign: 'no JSON', plan: 'free' }
const RAW = { count: '5', text: '"prod"', nested: '{"a":{"b":true}}', foreign: 'no JSON', plan: '"free"' }

describe('metadata values are decoded for SDKs that encode them:', () => {
  it.each([
    ['scope svc-sdk 6', 'svc-sdk@6.0.0', {}, DECODED],
    ['scope svc-sdk 5', 'svc-sdk@5.10.1', {}, RAW],
    ['scope svc-sdk without a version', 'svc-sdk', {}, RAW],
    ['a batch of the JavaScript SDK 6', 'my-tracer', { name: 'javascript', version: '6.0.0' }, DECODED],
    ['a batch of the JavaScript SDK 5', 'my-tracer', { name: 'javascript', version: '5.10.1' }, RAW],
    ['a batch of another SDK', 'my-tracer', { name: 'python', version: '6.0.0' }, RAW],
    ['a batch of an unknown sender', 'my-tracer', {}, RAW],
  ])('%s', (_, scope, sender, expected) => {
    expect(metadataOf(span({ scope, attributes: SAID }), sender)).toMatchObject(expected)
  })
})

it('the bare metadata key has an object or a single value', () => {
  const bare = (value: string) =>
    metadataOf(span({ scope: 'svc-sdk@6.0.0', attributes: { 'svc.observation.metadata': value } }), {})
  expect(bare('{"a":1}')).toEqual({ a: 1 })
  expect(bare('"alone"')).toEqual({ metadata: 'alone' })
  expect(bare('[1]')).toEqual({ metadata: [1] })
})

it('metadata of the observation replaces propagated metadata', () => {
  const attributes = { 'svc.trace.metadata.a': '1', 'svc.observation.metadata.a': '2', 'svc.metadata.b': '3' }
  expect(metadataOf(span({ scope: 'svc-sdk@6.0.0', attributes }), {})).toEqual({ a: 2, b: 3 })
})

it('spans of other scopes keep their remaining attributes as metadata', () => {
  const foreign = span({
    scope: '@svc/instrumentation-openai@6.0.0',
    attributes: { 'gen_ai.provider.name': 'openai', 'input.value': 'hi', 'svc.observation.metadata.a': 'x' },
    resource: { attributes: { 'service.name': 'shop' } },
  })
  expect(metadataOf(foreign, {})).toEqual({
    a: 'x',
    attributes: { 'gen_ai.provider.name': 'openai' },
    resourceAttributes: { 'service.name': 'shop' },
    scope: { name: '@svc/instrumentation-openai', version: '6.0.0', attributes: {} },
  })
})

it('a metadata key named __proto__ is an ordinary key', () => {
  const attributes = { 'svc.observation.metadata.__proto__': '{"polluted":true}' }
  const metadata = metadataOf(span({ scope: 'svc-sdk@6.0.0', attributes }), {})
  expect(Object.entries(metadata)).toEqual([['__proto__', { polluted: true }]])
})
