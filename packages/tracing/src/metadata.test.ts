import { fromMetadataText } from '@svc/core/json'
import { configureGlobalLogger } from '@svc/core/log'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import { startObservation } from './index.ts'

const PREFIX = 'svc.observation.metadata'
const { lines, spans } = useTracing()

/** JSON has no minus zero, and of a key that comes twice it keeps one. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
const anyJson = fc.jsonValue({ noUnicodeString: false }).map(plain)

function decoded(metadata: unknown): Map<string, unknown> {
  const before = spans().length
  startObservation('work', { metadata }).update({ input: 'i', output: 'o' }).end()
  const { attributes, droppedAttributesCount } = spans()[before] as NonNullable<ReturnType<typeof spans>[number]>
  expect(attributes).toMatchObject({ 'svc.observation.input': 'i', 'svc.observation.output': 'o' })
  expect(droppedAttributesCount).toBe(0)
  const metadataKeys = Object.keys(attributes).filter((key) => key === PREFIX || key.startsWith(`${PREFIX}.`))
  return new Map(metadataKeys.map((key) => [key, fromMetadataText(String(attributes[key]))]))
}

it('any JSON value of metadata is read back equal', () => {
  fc.assert(
    fc.property(fc.string(), anyJson, (key, value) => {
      const expected = value === null ? [] : [[`${PREFIX}.${key}`, value]]
      expect([...decoded(Object.fromEntries([[key, value]]))]).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})

it('a map of metadata has its keys', () => {
  expect([...decoded(new Map([['plan', 'pro']]))]).toEqual([[`${PREFIX}.plan`, 'pro']])
})

it('metadata that is not an object is read back equal under the bare key', () => {
  const noObject = fc.oneof(
    fc.string(),
    fc.boolean(),
    fc.array(anyJson),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  fc.assert(
    fc.property(noObject, (metadata) => {
      expect([...decoded(metadata)]).toEqual([[PREFIX, plain(metadata)]])
    }),
  )
})

it('each of many metadata keys is read back equal, or named in a warning', () => {
  const entries = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,12}$/), anyJson), {
    selector: ([key]) => key,
    minLength: 100,
    maxLength: 180,
    size: 'max',
  })
  fc.assert(
    fc.property(entries, (pairs) => {
      // A fresh logger, because a kind of warning is logged 20 times.
      configureGlobalLogger({ prefix: 'svc:', enableTimestamp: false })
      const before = lines().length
      const back = decoded(Object.fromEntries(pairs))
      const warning = lines().slice(before).join('\n')
      for (const [key, value] of pairs) {
        const name = `${PREFIX}.${key}`
        if (back.has(name)) expect(back.get(name)).toEqual(value)
        else if (value !== null) expect(warning).toMatch(new RegExp(`(: |, )${key}[.,]`))
      }
      expect(lines().length - before).toBeLessThanOrEqual(1)
    }),
    { numRuns: 50 },
  )
})

it('bytes as metadata are one value, whatever their number', () => {
  expect([...decoded(new Uint8Array(1_000))]).toEqual([[PREFIX, '[Uint8Array: 1000 bytes]']])
})

it('a value without a JSON form is reported at most 20 times a minute', () => {
  for (let request = 0; request < 50; request += 1) startObservation('work', { metadata: { done: () => {} } }).end()
  expect(lines()).toEqual(Array(20).fill('svc: [WARN] metadata "done" is dropped: function has no JSON form.'))
})

it('any value of metadata is accepted without an exception', () => {
  const anything = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withObjectString: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  })
  fc.assert(
    fc.property(anything, (value) => {
      startObservation('work', { input: value, output: value, metadata: value }).end()
      startObservation('work', value as never)
        .update(value as never)
        .end(value as never)
    }),
    { numRuns: 300 },
  )
})
