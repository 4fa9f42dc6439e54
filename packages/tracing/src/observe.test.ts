import { SpanStatusCode, trace } from '@opentelemetry/api'
import { isLeftEmpty } from '@svc/core/left-empty'
import { beforeEach, describe, expect, it } from 'vitest'
import { useTracing } from '../test/support.ts'
import { observe, updateActiveObservation } from './index.ts'

const { attributes, lines, span, spans } = useTracing()
const input = (name: string) => attributes(name)['svc.observation.input']
const output = (name: string) => attributes(name)['svc.observation.output']

describe('an observed function', () => {
  it('keeps its name, length, properties, prototype and kind', () => {
    async function search(query: string, limit: number) {
      return `${query}:${limit}`
    }
    const observed = observe(Object.assign(search, { version: 2 }))
    expect([observed.name, observed.length, observed.version]).toEqual(['search', 2, 2])
    expect(Object.prototype.toString.call(observed)).toBe('[object AsyncFunction]')
  })

  it('keeps `this`, also in a class with private fields', () => {
    class Shop {
      readonly #name = 'shop'
      greet = observe(function greet(this: Shop, who: string) {
        return `${this.#name}: ${who}`
      })
    }
    expect(new Shop().greet('you')).toBe('shop: you')
    expect([input('greet'), output('greet')]).toEqual(['you', 'shop: you'])
  })

  it('called with new creates an object and no observation', () => {
    class Thing {
      readonly made = true
    }
    const Observed = observe(Thing as unknown as () => Thing) as unknown as typeof Thing
    expect(new Observed()).toBeInstanceOf(Thing)
    expect(spans()).toEqual([])
  })

  it('creates one observation per call, with its own trace', () => {
    const work = observe(() => 1, { name: 'work', asType: 'tool' })
    work()
    work()
    expect(new Set(spans().map((each) => each.spanContext().traceId)).size).toBe(2)
    expect(attributes('work')['svc.observation.type']).toBe('tool')
  })

  it('is the active observation while it runs', () => {
    const inner = observe(() => trace.getActiveSpan()?.spanContext().spanId, { name: 'inner' })
    const outer = observe(() => inner(), { name: 'outer' })
    expect(outer()).toBe(span('inner').spanContext().spanId)
    expect(span('inner').parentSpanContext?.spanId).toBe(span('outer').spanContext().spanId)
  })

  it('without a name is recorded as anonymous-function, and the name option wins', () => {
    observe(() => 1)()
    observe(function named() {}, { name: 'option' })()
    expect(spans().map(({ name }) => name)).toEqual(['anonymous-function', 'option'])
  })

  it('requires a function', () => {
    expect(() => observe(null as never)).toThrow(new TypeError('svc: observe(fn) needs a function, got null.'))
  })
})

describe('input', () => {
  it('is undefined without arguments, the one argument, or the list of several', () => {
    const work = (name: string) => observe((..._: unknown[]) => undefined, { name })
    work('none')()
    work('one')({ a: 1 })
    work('two')('a', 2)
    expect([input('none'), input('one'), input('two')]).toEqual([undefined, '{"a":1}', '["a",2]'])
  })

  it('is a snapshot of the arguments at the call', () => {
    observe((list: number[]) => list.push(3), { name: 'work' })([1, 2])
    expect([input('work'), output('work')]).toEqual(['[1,2]', '3'])
  })

  it('can be omitted, like output', async () => {
    const options = { captureInput: false, captureOutput: false }
    observe((_: string) => 'secret', { name: 'value', ...options })('secret')
    await observe(async (_: string) => 'secret', { name: 'promise', ...options })('secret')
    ;[
      ...observe(
        function* (_: string) {
          yield 'secret'
        },
        { name: 'generator', ...options },
      )('secret'),
    ]
    expect(() =>
      observe(
        () => {
          throw new Error('secret')
        },
        { name: 'error', ...options },
      )(),
    ).toThrow('secret')
    for (const name of ['value', 'promise', 'generator', 'error']) {
      expect([name, input(name), output(name)]).toEqual([name, undefined, undefined])
    }
  })
})

describe('output', () => {
  it('is the returned or resolved value', async () => {
    observe(() => ({ a: 1 }), { name: 'value' })()
    await observe(async () => 'text', { name: 'promise' })()
    expect([output('value'), output('promise')]).toEqual(['{"a":1}', 'text'])
  })

  it('of an array is the list, and the array is returned unchanged', () => {
    const list = [1, 2]
    expect(observe(() => list, { name: 'work' })()).toBe(list)
    expect(output('work')).toBe('[1,2]')
  })

  it.each([undefined, null, () => 1])('is not recorded for %s', (value) => {
    observe(() => value, { name: 'work' })()
    expect(attributes('work')).not.toHaveProperty('svc.observation.output')
  })
})

describe('an error', () => {
  it('is recorded as level, message and output, and rethrown unchanged', async () => {
    const error = new TypeError('boom')
    const thrown = observe(
      () => {
        throw error
      },
      { name: 'thrown' },
    )
    expect(thrown).toThrow(error)
    await expect(observe(() => Promise.reject(error), { name: 'rejected' })()).rejects.toBe(error)
    for (const name of ['thrown', 'rejected']) {
      expect(attributes(name)).toMatchObject({
        'svc.observation.level': 'ERROR',
        'svc.observation.status_message': 'boom',
        'svc.observation.output': '{"error":"TypeError: boom"}',
      })
      expect(span(name).status.code).toBe(SpanStatusCode.UNSET)
    }
  })

  it.each<[what: string, message: string, output: string, thrown: object]>([
    ['its text', 'Function threw an error', 'odd', { toString: () => 'odd' }],
    ['its fields if it is a plain object', 'Function threw an error', '{\\"code\\":5}', { code: 5 }],
    ['the message of a plain object', 'no model', 'no model', { message: 'no model' }],
  ])('of no class has %s', async (_, message, words, error) => {
    await expect(observe(() => Promise.reject(error), { name: 'work' })()).rejects.toBe(error)
    expect(attributes('work')).toMatchObject({
      'svc.observation.status_message': message,
      'svc.observation.output': `{"error":"${words}"}`,
    })
  })

  it('that cannot be converted to text is rethrown unchanged', () => {
    const error = Object.create(null)
    let caught: unknown
    try {
      observe(
        () => {
          throw error
        },
        { name: 'work' },
      )()
    } catch (thrown) {
      caught = thrown
    }
    expect(caught).toBe(error)
    expect(output('work')).toBe('{"error":"<failed to serialize>"}')
  })
})

it('observe with endOnExit: false records the call and does not end the observation', () => {
  const failing = observe(
    () => {
      updateActiveObservation({ metadata: { tried: true } })
      throw new Error('boom')
    },
    { name: 'work', endOnExit: false },
  )
  expect(failing).toThrow('boom')
  expect(spans()).toEqual([])
})

it('input and output that are not captured on purpose are not derived from model calls', () => {
  observe(() => 1, { name: 'quiet', captureOutput: false })()
  observe(() => 1, { name: 'work' })()
  expect(isLeftEmpty(span('quiet'), 'input')).toBe(false)
  expect(isLeftEmpty(span('quiet'), 'output')).toBe(true)
  expect(isLeftEmpty(span('work'), 'output')).toBe(false)
})

it('updateActiveObservation updates the observed call from inside', () => {
  observe(() => updateActiveObservation({ metadata: { cached: true } }), { name: 'work' })()
  expect(attributes('work')['svc.observation.metadata.cached']).toBe('true')
})

it('arguments and results that throw when read cause no error', async () => {
  const throws = () => {
    throw new Error('no')
  }
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const hostile = [
    proxy,
    new Proxy({}, { get: throws, has: throws, ownKeys: throws, getPrototypeOf: throws }),
    Object.defineProperty({}, 'then', { get: throws }),
    Object.freeze({ subscribe: throws, '@@observable': throws }),
    { toJSON: throws },
  ]
  const same = observe((value: object) => value, { name: 'work' })
  for (const value of hostile) expect(Object.is(same(value), value)).toBe(true)
  expect(spans()).toHaveLength(hostile.length)
  expect(lines()).toEqual([])
})

describe('without content', () => {
  const SLOT = Symbol.for('svc.calls.6')
  beforeEach(() => {
    Reflect.set(globalThis, SLOT, { captureContent: false })
    return () => Reflect.deleteProperty(globalThis, SLOT)
  })

  it.each([{}, { captureInput: true, captureOutput: true }])(
    'an observed function records neither arguments nor results, whatever its options say (%j)',
    (options) => {
      observe((text: string) => text, { name: 'work', ...options })('private')
      const fail = () => {
        throw new Error('broken')
      }
      expect(observe(fail, { name: 'fails', ...options })).toThrow('broken')
      expect([input('work'), output('work'), input('fails'), output('fails')]).toEqual(Array(4).fill(undefined))
      expect(attributes('fails')['svc.observation.status_message']).toBe('broken')
    },
  )

  it('chunks of a stream are not recorded', () => {
    const stream = observe(
      function* () {
        yield 'private'
      },
      { name: 'stream' },
    )
    expect([...stream()]).toEqual(['private'])
    expect(output('stream')).toBeUndefined()
  })

  it('what code writes by hand is recorded', () => {
    observe(() => updateActiveObservation({ input: 'mine', output: 'too' }), { name: 'work' })()
    expect([input('work'), output('work')]).toEqual(['mine', 'too'])
  })
})
