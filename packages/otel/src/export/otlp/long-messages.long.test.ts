import { expect, it } from 'vitest'
import { plainSpan } from '../../../test/support/batches.ts'
import { spansIn } from '../../../test/support/protobuf.ts'
import { encodeSpan } from '../encode-span.ts'
import { OpenBatch } from '../open-batch.ts'
import { ProtobufWriter } from './writer.ts'

it('a span that is too long for one message is counted as lost, and the next one is sent', () => {
  const text = 'x'.repeat(30 * 1_048_576)
  const attributes = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`text${at}`, text]))
  expect(encodeSpan(plainSpan('long', { attributes }))).toBeUndefined()
  const next = plainSpan('next')
  const batch = new OpenBatch()
  batch.append(next.resource, next.instrumentationScope, encodeSpan(next) ?? new Uint8Array())
  expect(spansIn(batch.seal())).toMatchObject([{ name: 'next' }])
})

it('ProtobufWriter refuses a message whose length does not fit four bytes', () => {
  const writer = new ProtobufWriter()
  const start = writer.open(1)
  writer.raw(new Uint8Array(2 ** 28))
  expect(() => writer.close(start)).toThrow('a message is longer than 256 MiB')
})
