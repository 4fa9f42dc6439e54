import { context, trace } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { collectUntil } from '../../test/garbage.ts'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation, startObservation } from '../index.ts'

const { attributes, span, spans } = useTracing()
const output = () => attributes('work')['svc.observation.output']

/** A query builder in the manner of knex: every method gives the builder itself, `then` executes. */
class Query implements PromiseLike<string[]> {
  executed = 0
  readonly parts: string[] = []

  where(part: string): this {
    this.parts.push(part)
    return this
  }

  // biome-ignore lint/suspicious/noThenProperty: that is what a query builder is.
  then<A = string[], B = never>(
    onFulfilled?: ((rows: string[]) => A | PromiseLike<A>) | null,
    onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.executed += 1
    startObservation('driver').end()
    const rows = this.parts.includes('broken') ? Promise.reject(new Error('syntax')) : Promise.resolve(this.parts)
    return rows.then(onFulfilled, onRejected)
  }
}

describe('a query builder', () => {
  it('that is passed through is not executed, and stays the same object', async () => {
    const query = new Query()
    expect(startActiveObservation('work', () => query)).toBe(query)
    expect(await observe(async () => ({ query }))()).toEqual({ query })
    await new Promise(setImmediate)
    expect(query.executed).toBe(0)
    expect(JSON.stringify(query)).toBe('{"executed":0,"parts":[]}')
    expect(Object.keys(query)).toEqual(['executed', 'parts'])
  })

  it('ends the observation when it is awaited, also after further building', async () => {
    const query = observe(() => new Query(), { name: 'work' })()
    query.where('a').where('b')
    expect(spans()).toEqual([])
    expect(await query).toEqual(['a', 'b'])
    expect([query.executed, output()]).toEqual([1, '["a","b"]'])
    expect(span('driver').parentSpanContext?.spanId).toBe(span('work').spanContext().spanId)
  })

  it('runs as often as it is awaited, and is followed the first time', async () => {
    const query = observe(() => new Query(), { name: 'work' })()
    await query
    await query
    expect([query.executed, spans().filter(({ name }) => name === 'work').length]).toEqual([2, 1])
    expect(Object.hasOwn(query, 'then')).toBe(false)
  })

  it('that fails rejects as without observation', async () => {
    const query = observe(() => new Query().where('broken'), { name: 'work' })()
    await expect(query.then((rows) => rows)).rejects.toThrow('syntax')
    expect(attributes('work')['svc.observation.status_message']).toBe('syntax')
    const again = observe(() => new Query().where('broken'))()
    expect(await again.then(null, (error) => String(error))).toBe('Error: syntax')
  })

  it('continues in the context of the await, not inside the observation', async () => {
    const query = startActiveObservation('work', () => new Query())
    const key = Symbol('here')
    const here = await context.with(context.active().setValue(key, 'caller'), () =>
      query.then(() => [context.active().getValue(key), trace.getActiveSpan()]),
    )
    expect(here).toEqual(['caller', undefined])
  })

  it('that throws in then() rethrows', () => {
    const error = new Error('sync')
    const broken = {
      // biome-ignore lint/suspicious/noThenProperty: that is what is tested.
      then(_: () => void) {
        throw error
      },
    }
    expect(() => startActiveObservation('work', () => broken).then(() => {})).toThrow(error)
    expect(span('work').status.message).toBe('sync')
  })

  it('that is never awaited ends with the time it was returned', async () => {
    const before = Date.now()
    ;(() => void startActiveObservation('work', () => new Query()))()
    const after = Date.now()
    await collectUntil(() => spans().length > 0)
    const [seconds, nanoseconds] = span('work').endTime
    const ended = seconds * 1_000 + nanoseconds / 1e6
    expect(ended).toBeGreaterThanOrEqual(before)
    expect(ended).toBeLessThanOrEqual(after + 1)
  })

  it('that is frozen ends the observation at once', async () => {
    const query = Object.freeze(new Query())
    expect(startActiveObservation('work', () => query)).toBe(query)
    expect(spans()).toHaveLength(1)
  })
})

describe('a promise subclass', () => {
  class Request extends Promise<string> {
    parsed = 0
    // biome-ignore lint/suspicious/noThenProperty: libraries do that, to parse an answer when it is asked for.
    override then<A = string, B = never>(
      onFulfilled?: ((value: string) => A | PromiseLike<A>) | null,
      onRejected?: ((error: unknown) => B | PromiseLike<B>) | null,
    ): Promise<A | B> {
      this.parsed += 1
      return super.then(onFulfilled, onRejected)
    }
  }
  const request = () => new Request((resolve) => resolve('answer'))

  it('stays the same object, and its then() is called only by the application', async () => {
    const made = request()
    const followed = observe(() => made, { name: 'work' })()
    await new Promise(setImmediate)
    expect([followed === made, made.parsed]).toEqual([true, 0])
    expect([await followed, output()]).toEqual(['answer', 'answer'])
  })

  it('is followed through catch, finally and Promise.all', async () => {
    await observe(request, { name: 'catch' })().catch(() => 'caught')
    await observe(request, { name: 'finally' })().finally(() => {})
    await Promise.all([observe(request, { name: 'all' })()])
    expect(spans().map(({ name }) => name)).toEqual(['catch', 'finally', 'all'])
  })
})

describe('a then property that is not a promise method', () => {
  it('receives its own arguments', () => {
    const recipe = {
      steps: [] as unknown[],
      // biome-ignore lint/suspicious/noThenProperty: a word like any other.
      then(...step: unknown[]) {
        this.steps.push(...step)
        return this
      },
    }
    expect(
      startActiveObservation('work', () => recipe)
        .then('boil')
        .then('stir', 3),
    ).toBe(recipe)
    expect(startActiveObservation('again', () => recipe).then()).toBe(recipe)
    expect(recipe.steps).toEqual(['boil', 'stir', 3])
    expect(spans().map(({ name }) => name)).toEqual(['work', 'again'])
  })
})
