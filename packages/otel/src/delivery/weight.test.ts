import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import { expect, it } from 'vitest'
import { weightOf } from './weight.ts'

const spanOf = (parts: object) => parts as ReadableSpan

it('a span weighs its texts, those in lists and events included', () => {
  const empty = weightOf(spanOf({}))
  const events = [{ attributes: { stack: 'x'.repeat(20) } }, {}]
  expect(weightOf(spanOf({ attributes: { a: 'xyz', tags: ['ab', 'c'] }, events }))).toBe(empty + 26)
})

it('an attribute that throws when read does not keep a span from being weighed', () => {
  const attributes = {
    get broken(): never {
      throw new Error('no')
    },
  }
  expect(weightOf(spanOf({ attributes }))).toBe(weightOf(spanOf({})))
})
