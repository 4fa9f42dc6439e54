import { describe, expect, it, vi } from 'vitest'
import { type Handler, wrapHandler } from './wrap-handler.ts'

/** A wrapped handler, and the order of what happens. */
function wrapped(handler: Handler) {
  const order: string[] = []
  const follow = () => ({
    run: <T>(work: () => T) => work(),
    settle: async (error?: unknown) => {
      await Promise.resolve()
      order.push(`delivered${error === undefined ? '' : ` with ${String(error)}`}`)
    },
  })
  return { handler: wrapHandler(handler, follow), order }
}

describe('the platform has an outcome once it is delivered:', () => {
  it('a result', async () => {
    const { handler, order } = wrapped(async () => 'result')
    expect(await handler({}, {})).toBe('result')
    expect(order).toEqual(['delivered'])
  })

  it.each<[string, Handler]>([
    ['a rejection', () => Promise.reject(new Error('no'))],
    [
      'an error',
      () => {
        throw new Error('no')
      },
    ],
  ])('%s', async (_, fails) => {
    const { handler, order } = wrapped(fails)
    await expect(handler({}, {})).rejects.toThrow('no')
    expect(order).toEqual(['delivered with Error: no'])
  })

  it.each([
    ['callback', [null, 'result'], 'delivered'],
    ['callback', ['no'], 'delivered with no'],
    ['done', [undefined, 'result'], 'delivered'],
    ['fail', ['no'], 'delivered with no'],
    ['succeed', ['result'], 'delivered'],
  ])('%s', async (name, answer, delivered) => {
    const { handler, order } = wrapped((_event, context, callback) => {
      const answers = { ...(context as object), callback } as Record<string, (...answer: unknown[]) => void>
      answers[name]?.(...answer)
    })
    const given = await new Promise<unknown[]>((resolve) => {
      const take = (...given: unknown[]) => {
        order.push('answered')
        resolve(given)
      }
      expect(handler({}, { done: take, fail: take, succeed: take }, take)).toBeUndefined()
    })
    expect(given).toEqual(answer)
    expect(order).toEqual([delivered, 'answered'])
  })
})

it('an invocation without a promise or a callback is over when the handler returns', async () => {
  const { handler, order } = wrapped((_event, _context) => 'ignored')
  expect(handler({}, {})).toBe('ignored')
  await new Promise(setImmediate)
  expect(order).toEqual(['delivered'])
})

it('a wrapped handler looks like the handler itself', () => {
  const mark = Symbol.for('aws.lambda.runtime.handler.streaming')
  const own = (_event: unknown, _stream: unknown, _context: unknown) => {}
  const { handler } = wrapped(Object.assign(own, { [mark]: 'response' }) as Handler)
  expect([handler.length, handler.name, Reflect.get(handler, mark)]).toEqual([3, 'own', 'response'])
})

it('of a handler that streams, the stream is passed on as it is', () => {
  const stream = Object.assign(vi.fn(), { done: vi.fn() })
  const seen: unknown[] = []
  const own: Handler = (...args) => seen.push(...args)
  Reflect.set(own, Symbol.for('aws.lambda.runtime.handler.streaming'), 'response')
  wrapped(own).handler({}, stream, {})
  expect(seen[1]).toBe(stream)
})

it('a handler whose invocation cannot be followed is called', () => {
  const fails = () => {
    throw new Error('no')
  }
  for (const follow of [fails, () => undefined]) expect(wrapHandler(() => 'result', follow)({}, {})).toBe('result')
})
