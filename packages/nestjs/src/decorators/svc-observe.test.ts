import 'reflect-metadata'
import { startActiveObservation } from '@svc/tracing'
import { lastValueFrom, of, toArray } from 'rxjs'
import { beforeEach, describe, expect, it } from 'vitest'
import { drawn } from '../../test/app.ts'
import type { SvcSettings } from '../settings.ts'
import { SvcService } from '../svc.service.ts'
import { memory } from '../testing/memory.ts'
import { SvcTesting } from '../testing/svc-testing.ts'
import { captureOf } from '../transport/capture.ts'
import type { Marks } from './marks.ts'
import { SvcObserve } from './svc-observe.ts'

const kept = memory()
const svc = new SvcTesting(kept)
beforeEach(() => svc.reset())

/** Leaves metadata on a method, as other decorators do. */
const Marked = (key: string | symbol) => (_target: object, _name: string, descriptor: PropertyDescriptor) =>
  Reflect.defineMetadata(key, `${String(key)} is here`, descriptor.value)
const SYMBOL = Symbol('symbol')

class Agent {
  calls = 0

  @Marked('above')
  @SvcObserve()
  @Marked('below')
  @Marked(SYMBOL)
  named(_one: string, _two: number): string {
    this.calls += 1
    return `call ${this.calls}`
  }

  @SvcObserve({ captureInput: true, captureOutput: true, asType: 'agent', name: 'think' })
  async captured(question: string): Promise<{ answer: string }> {
    return { answer: question.toUpperCase() }
  }

  @SvcObserve({ captureInput: true, captureOutput: true })
  observable() {
    return of('a', 'b')
  }

  @SvcObserve({ captureOutput: true })
  async *generator() {
    yield 'a'
    yield 'b'
  }

  @SvcObserve()
  lazy() {
    return {
      executed: 0,
      // biome-ignore lint/suspicious/noThenProperty: query builders are like that.
      then(done: (value: string) => void) {
        this.executed += 1
        done('rows')
      },
    }
  }

  @SvcObserve()
  broken(): never {
    throw new Error('no model')
  }

  @SvcObserve({ root: true })
  async job(): Promise<string> {
    new SvcService().identify({ userId: 'ada' })
    return startActiveObservation('inside', async () => 'done')
  }

  @SvcObserve()
  static make(): Agent {
    return new Agent()
  }
}

describe('without content', () => {
  beforeEach(() => {
    const SLOT = Symbol.for('svc.calls.6')
    const before: unknown = Reflect.get(globalThis, SLOT)
    Reflect.set(globalThis, SLOT, { captureContent: false })
    return () => void Reflect.set(globalThis, SLOT, before)
  })

  it('a method records neither arguments nor results, whatever its decorator says', async () => {
    expect(await new Agent().captured('private')).toEqual({ answer: 'PRIVATE' })
    expect(await lastValueFrom(new Agent().observable().pipe(toArray()))).toEqual(['a', 'b'])
    const spans = await svc.spans()
    expect(spans.map(({ input, output }) => [input, output])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('a handler captures nothing, and its root takes nothing from models', () => {
    const marks = { captureInput: true, captureOutput: undefined } as Marks
    expect(captureOf(marks, { captureOutput: true } as SvcSettings)).toEqual({ input: false, output: false })
  })
})

describe('@Observe', () => {
  it('keeps name, length, this and all metadata of a method, set before or after it', () => {
    const { named } = Agent.prototype
    expect({ name: named.name, length: named.length }).toEqual({ name: 'named', length: 2 })
    const keys = ['above', 'below', SYMBOL]
    expect(keys.map((key) => Reflect.getMetadata(key, named))).toEqual(keys.map((key) => `${String(key)} is here`))
    const agent = new Agent()
    expect([agent.named('', 1), agent.named('', 1)]).toEqual(['call 1', 'call 2'])
  })

  it('names the observation after class and method, and records no input or output by default', async () => {
    new Agent().named('secret', 1)
    Agent.make()
    expect(await svc.spans()).toMatchObject([
      { name: 'Agent.named', type: 'span', input: undefined, output: undefined },
      { name: 'Agent.make' },
    ])
  })

  it('records input and output according to its options', async () => {
    await expect(new Agent().captured('hi')).resolves.toEqual({ answer: 'HI' })
    expect(await svc.spans()).toMatchObject([{ name: 'think', type: 'agent', input: 'hi', output: '{"answer":"HI"}' }])
  })

  it('follows Observables and generators to their end', async () => {
    const agent = new Agent()
    expect(await lastValueFrom(agent.observable().pipe(toArray()))).toEqual(['a', 'b'])
    const pieces: string[] = []
    for await (const piece of agent.generator()) pieces.push(piece)
    expect(pieces).toEqual(['a', 'b'])
    expect(await svc.spans()).toMatchObject([
      { name: 'Agent.observable', output: 'ab' },
      { name: 'Agent.generator', output: 'ab' },
    ])
  })

  it('does not execute a lazy thenable', async () => {
    const query = new Agent().lazy()
    expect(query.executed).toBe(0)
    expect(await svc.spans()).toEqual([])
    expect(await query).toBe('rows')
    expect(query.executed).toBe(1)
    expect(await svc.spans()).toMatchObject([{ name: 'Agent.lazy' }])
  })

  it('passes errors on and records them', async () => {
    expect(() => new Agent().broken()).toThrow('no model')
    expect(await svc.spans()).toMatchObject([{ name: 'Agent.broken', level: 'ERROR', statusMessage: 'no model' }])
  })

  it('starts a new trace with root: true, in which SvcService.identify works', async () => {
    await startActiveObservation('outer', () => new Agent().job())
    const spans = await svc.spans()
    expect(drawn(spans)).toBe('Agent.job (ada)\n  inside (ada)\nouter')
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2)
  })

  it('makes a trace public by updateTrace for `true` alone, not for a text such as "false"', async () => {
    for (const value of [true, 'false', 1, false]) {
      startActiveObservation(String(value), () => new SvcService().updateTrace({ public: value as true }))
    }
    const spans = await svc.spans()
    expect(spans.filter(({ attributes }) => attributes['svc.trace.public']).map(({ name }) => name)).toEqual(['true'])
  })

  it('throws if it is used on anything but a method', () => {
    expect(() => SvcObserve()(Agent.prototype, 'size', { get: () => 1 })).toThrow(
      'svc: @SvcObserve() on size needs a method: it decorates something else.',
    )
  })
})
