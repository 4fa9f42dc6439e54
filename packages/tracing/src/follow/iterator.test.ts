import { EventEmitter, on } from 'node:events'
import { trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { collectUntil } from '../../test/garbage.ts'
import { piecesOf } from '../../test/pieces.ts'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation, startObservation } from '../index.ts'

const { attributes, span, spans } = useTracing()
const output = () => attributes('work')['svc.observation.output']
const ended = () => spans().some(({ name }) => name === 'work')

function* letters() {
  yield 'a'
  yield 'b'
}

async function* asyncLetters() {
  yield 'a'
  await new Promise(setImmediate)
  startObservation('inside').end()
  yield 'b'
}

describe('a generator', () => {
  it('ends the observation with its last step', () => {
    const steps = observe(letters, { name: 'work' })()
    expect([steps.next().value, ended()]).toEqual(['a', false])
    expect([...steps]).toEqual(['b'])
    expect(output()).toBe('ab')
  })

  it('stays a generator, with its return value and values sent to it', () => {
    function* talk(): Generator<number, { sum: number }, number> {
      const more = yield 1
      return { sum: more + 1 }
    }
    const steps = observe(talk, { name: 'work' })()
    expect(Object.prototype.toString.call(steps)).toBe('[object Generator]')
    expect(steps.next().value).toBe(1)
    expect(steps.next(41)).toEqual({ done: true, value: { sum: 42 } })
    expect(output()).toBe('[1,{"sum":42}]')
  })

  it('runs its body inside the observation, and its consumer outside', () => {
    const steps = startActiveObservation('work', function* () {
      startObservation('inside').end()
      yield trace.getActiveSpan()
    })
    for (const active of steps) {
      expect(active).toBeDefined()
      expect(trace.getActiveSpan()).toBeUndefined()
    }
    expect(span('inside').parentSpanContext?.spanId).toBe(span('work').spanContext().spanId)
  })

  it('that is stopped early ends with the values read so far, after its own finally', () => {
    const order: string[] = []
    const steps = observe(
      function* () {
        try {
          yield* letters()
        } finally {
          order.push(ended() ? 'ended' : 'open')
        }
      },
      { name: 'work' },
    )()
    for (const letter of steps) {
      expect(letter).toBe('a')
      break
    }
    expect([order, output()]).toEqual([['open'], 'a'])
  })

  it('that throws rethrows the error and keeps the values read so far', () => {
    const error = new Error('boom')
    const throwing = observe(
      function* () {
        yield 'a'
        throw error
      },
      { name: 'work' },
    )
    expect(() => [...throwing()]).toThrow(error)
    expect(attributes('work')).toMatchObject({
      'svc.observation.output': 'a',
      'svc.observation.status_message': 'boom',
    })
    expect(() => startActiveObservation('other', letters).throw(error)).toThrow(error)
    expect(span('other').status.message).toBe('boom')
  })

  it('supports yield* and iterator helpers', () => {
    const helped = (steps: object) => steps as { map(fn: (letter: string) => string): Iterable<string> }
    function* both() {
      yield* observe(letters, { name: 'first' })()
      yield* helped(observe(letters, { name: 'second' })()).map((letter) => letter.toUpperCase())
    }
    expect([...both()].join('')).toBe('abAB')
    expect(spans().map(({ name }) => name)).toEqual(['first', 'second'])
  })

  it('may be compiled to an object with three methods', () => {
    const steps = letters()
    const compiled = {
      next: () => steps.next(),
      return: () => steps.return(),
      throw: (error: unknown) => steps.throw(error),
      [Symbol.iterator]() {
        return this
      },
    }
    expect([...observe(() => compiled, { name: 'work' })()]).toEqual(['a', 'b'])
    expect(output()).toBe('ab')
  })

  it('that is not read to its end ends with its last activity', async () => {
    ;(() => void observe(letters, { name: 'work' })().next())()
    const left = Date.now()
    await collectUntil(ended)
    expect(output()).toBe('a')
    const [seconds, nanoseconds] = span('work').endTime
    expect(seconds * 1_000 + nanoseconds / 1e6).toBeLessThanOrEqual(left + 1)
  })
})

describe('an async generator', () => {
  it('ends the observation with its last step, and runs its body inside', async () => {
    const read: string[] = []
    for await (const letter of observe(asyncLetters, { name: 'work' })()) {
      expect(trace.getActiveSpan()).toBeUndefined()
      read.push(letter)
    }
    expect([read, output()]).toEqual([['a', 'b'], 'ab'])
    expect(span('inside').parentSpanContext?.spanId).toBe(span('work').spanContext().spanId)
  })

  it('that is stopped early or fails ends the observation', async () => {
    for await (const _ of observe(asyncLetters, { name: 'left' })()) break
    expect(attributes('left')['svc.observation.output']).toBe('a')
    const failing = startActiveObservation('failed', async function* () {
      yield* asyncLetters()
      throw new Error('boom')
    })
    await expect(piecesOf(failing)).rejects.toThrow('boom')
    expect(span('failed').status.message).toBe('boom')
  })

  it('like events.on() is followed as well', async () => {
    const emitter = new EventEmitter()
    const ticks = observe(() => on(emitter, 'tick', { close: ['end'] }), { name: 'work' })()
    emitter.emit('tick', 1)
    emitter.emit('tick', 2)
    emitter.emit('end')
    expect(await piecesOf(ticks)).toEqual([[1], [2]])
    expect(output()).toBe('[[1],[2]]')
  })

  it('accepts concurrent next() calls', async () => {
    const steps = observe(asyncLetters, { name: 'work' })()
    const results = await Promise.all([steps.next(), steps.next(), steps.next()])
    expect(results.map(({ value }) => value)).toEqual(['a', 'b', undefined])
    expect(output()).toBe('ab')
  })

  it('records its output with endOnExit: false, and does not end the observation', async () => {
    let active: unknown
    const work = observe(
      async function* () {
        active = trace.getActiveSpan()
        yield* asyncLetters()
      },
      { name: 'work', endOnExit: false },
    )
    await piecesOf(work())
    expect(ended()).toBe(false)
    ;(active as { end(): void }).end()
    expect(output()).toBe('ab')
  })
})

describe('an async iterable', () => {
  class Chunks {
    constructor(readonly from: AsyncIterable<unknown>) {}
    [Symbol.asyncIterator]() {
      return this.from[Symbol.asyncIterator]()
    }
  }

  it('is followed by its first iteration, and stays the same object', async () => {
    const chunks = new Chunks(asyncLetters())
    const followed = await observe(async () => chunks, { name: 'work' })()
    expect(followed).toBe(chunks)
    expect(await piecesOf(followed)).toEqual(['a', 'b'])
    expect(output()).toBe('ab')
    expect(Object.keys(chunks)).toEqual(['from'])
  })

  it('may have its own next(), such as a cursor', async () => {
    class Cursor {
      readonly rows = [{ id: 1 }, { id: 2 }]
      async next() {
        return this.rows.shift() ?? null
      }
      async *[Symbol.asyncIterator]() {
        for (let row = await this.next(); row; row = await this.next()) yield row
      }
    }
    const cursor = observe(() => new Cursor(), { name: 'work' })()
    expect(await cursor.next()).toEqual({ id: 1 })
    expect(await piecesOf(cursor)).toEqual([{ id: 2 }])
    expect(output()).toBe('[{"id":2}]')
  })

  it('may be its own hand-written iterator', async () => {
    let count = 0
    const counter = {
      async next() {
        count += 1
        return count < 3 ? { done: false as const, value: count } : { done: true as const, value: undefined }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
    expect(await piecesOf(observe(() => counter, { name: 'work' })())).toEqual([1, 2])
    expect(output()).toBe('[1,2]')
  })

  it('that fails to open rethrows the error', async () => {
    const error = new Error('closed')
    const broken = {
      [Symbol.asyncIterator]() {
        throw error
      },
    }
    expect(() => startActiveObservation('work', () => broken)[Symbol.asyncIterator]()).toThrow(error)
    expect(span('work').status.message).toBe('closed')
  })

  it('with a frozen iterator ends when it is opened', async () => {
    const frozen = { [Symbol.asyncIterator]: () => Object.freeze(asyncLetters()) }
    expect(await piecesOf(observe(() => frozen, { name: 'work' })())).toEqual(['a', 'b'])
    expect(ended()).toBe(true)
  })
})
