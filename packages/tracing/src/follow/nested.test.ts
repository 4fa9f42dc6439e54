import { PassThrough, Readable } from 'node:stream'
import { from, lastValueFrom, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { piecesOf } from '../../test/pieces.ts'
import { useTracing } from '../../test/support.ts'
import { observe } from '../index.ts'

const { attributes, lines, spans } = useTracing()

/** Each kind of result, and one way to read it. */
const RESULTS: Record<string, readonly [make: () => object, read: (result: never) => unknown]> = {
  promise: [async () => 'ab', (result: Promise<string>) => result],
  // biome-ignore lint/suspicious/noThenProperty: a thenable is one of the kinds.
  thenable: [() => ({ then: (done: (text: string) => void) => done('ab') }), (result: PromiseLike<string>) => result],
  generator: [
    function* () {
      yield* 'ab'
    },
    (result: Iterable<string>) => [...result],
  ],
  'async generator': [
    async function* () {
      yield* 'ab'
    },
    piecesOf,
  ],
  'web stream': [() => new Response('ab').body as ReadableStream, piecesOf],
  'node stream': [() => Readable.from(['a', 'b']), piecesOf],
  observable: [() => from(['a', 'b']), (result: Observable<string>) => lastValueFrom(result)],
  'async iterable': [() => ({ [Symbol.asyncIterator]: () => Readable.from(['a', 'b']).iterator() }), piecesOf],
}

describe('a result that passes through several observed functions', () => {
  it.each(Object.entries(RESULTS))('is followed by each of them: %s', async (_, [make, read]) => {
    const inner = observe(make, { name: 'inner' })
    const outer = observe(() => inner(), { name: 'outer' })
    await read(outer() as never)
    expect(
      spans()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['inner', 'outer'])
    for (const name of ['inner', 'outer']) expect(attributes(name)['svc.observation.output']).toBe('ab')
    expect(lines()).toEqual([])
  })
})

it('a result that is shared by many calls is followed by at most ten of them', () => {
  const shared = new PassThrough()
  const log = observe(() => shared, { name: 'log' })
  for (let call = 0; call < 1_000; call += 1) expect(log()).toBe(shared)
  expect(spans()).toHaveLength(990)
  shared.emit('close')
  expect(spans()).toHaveLength(1_000)
  expect(Object.hasOwn(shared, 'emit')).toBe(false)
})
