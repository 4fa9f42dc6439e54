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

it('a call of a client is followed through each way to its response', async () => {
  const request = () => {
    const asResponse = async () => 'raw'
    const withResponse = async () => ({ data: 'parsed', response: await call.asResponse() })
    const call = Object.assign(new Call(async () => 'parsed'), { asResponse, withResponse })
    return call
  }
  const failing = () => Object.assign(request(), { asResponse: () => Promise.reject(new Error('down')) })
  await observe(request, { name: 'as' })().asResponse()
  await observe(request, { name: 'with' })().withResponse()
  await expect(observe(failing, { name: 'failed' })().asResponse()).rejects.toThrow('down')
  expect(spans().map(({ name }) => [name, attributes(name)['svc.observation.output']])).toEqual([
    ['as', 'raw'],
    ['with', '{"data":"parsed","response":"raw"}'],
    ['failed', '{"error":"Error: down"}'],
  ])
})

/** In the manner of openai: none of its methods calls another one. */
class Call extends Promise<string> {
  readonly #parsed: () => Promise<string>
  constructor(parsed: () => Promise<string>) {
    super((resolve) => resolve(''))
    this.#parsed = parsed
  }
  // biome-ignore lint/suspicious/noThenProperty: that is what is tested.
  override then = ((...given: never[]) => this.#parsed().then(...given)) as Promise<string>['then']
  override catch = ((handle: never) => this.#parsed().catch(handle)) as Promise<string>['catch']
  override finally = ((handle: never) => this.#parsed().finally(handle)) as Promise<string>['finally']
}

/** In the manner of knex: `catch` and `finally` call `then` without callbacks. */
class Builder implements PromiseLike<string> {
  readonly #run: () => Promise<string>
  constructor(run: () => Promise<string>) {
    this.#run = run
  }
  // biome-ignore lint/suspicious/noThenProperty: that is what is tested.
  then<A = string, B = never>(...given: Parameters<Promise<string>['then']>): Promise<A | B> {
    return this.#run().then(...given) as Promise<A | B>
  }
  catch(handle: (error: unknown) => string): Promise<string> {
    return this.then<string>().catch(handle)
  }
  finally(handle: () => void): Promise<string> {
    return this.then<string>().finally(handle)
  }
}

/** In the manner of bluebird: `catch` takes a class, too. */
class Filtering extends Call {
  override catch = ((kind: typeof Error, handle: (error: unknown) => string) =>
    this.then(undefined, (error) => (error instanceof kind ? handle(error) : Promise.reject(error)))) as never
}

type Thenable = Promise<string>
const thenables: Record<string, (run: () => Promise<string>) => Thenable> = {
  'a promise': (run) => run(),
  'a subclass': (run) => new (class extends Promise<string> {})((resolve, reject) => run().then(resolve, reject)),
  'a call of openai': (run) => new Call(run),
  'a query builder': (run) => new Builder(run) as unknown as Thenable,
}
const uses: Record<string, (made: Thenable) => Promise<unknown>> = {
  'await in try': async (made) => {
    try {
      await made
    } catch {}
  },
  'then(a, b)': (made) =>
    made.then(
      () => {},
      () => {},
    ),
  'then(a).catch(b)': (made) => made.then(() => {}).catch(() => {}),
  'catch(a)': (made) => made.catch(() => 'fallback'),
  'catch(a).then(b)': (made) => made.catch(() => 'fallback').then(() => {}),
  'catch(a).finally(b)': (made) => made.catch(() => 'fallback').finally(() => {}),
  'finally(a).catch(b)': (made) => made.finally(() => {}).catch(() => {}),
  'finally(a).then(b, c)': (made) =>
    made
      .finally(() => {})
      .then(
        () => {},
        () => {},
      ),
}
const forms = Object.keys(thenables).flatMap((kind) => Object.keys(uses).map((use) => [kind, use] as const))

describe.each(forms)('of %s, %s', (kind, use) => {
  const used = (run: () => Promise<string>) =>
    uses[use]?.(observe(() => thenables[kind]?.(run) as Thenable, { name: 'work' })())

  it('keeps level, message and end of an error', async () => {
    await used(() => Promise.reject(new Error('refused')))
    expect(attributes('work')).toMatchObject({
      'svc.observation.level': 'ERROR',
      'svc.observation.status_message': 'refused',
    })
  })

  it('keeps the result, and the context of the work and of the caller', async () => {
    await used(async () => {
      startObservation('inside').end()
      return 'answer'
    })
    expect(output()).toBe('answer')
    expect(attributes('work')['svc.observation.level']).not.toBe('ERROR')
    expect(span('inside').parentSpanContext?.spanId).toBe(span('work').spanContext().spanId)
  })
})

describe('a catch that takes more than a handler', () => {
  const refused = () => Promise.reject(new TypeError('refused'))
  const made = () => observe(() => new Filtering(refused), { name: 'work' })() as never as { catch: Method }
  type Method = (kind: unknown, handle: (error: Error) => string) => Promise<string>

  it('receives what it is given, and its handler runs in the context of the caller', async () => {
    const handled = await made().catch(TypeError, ({ message }) => `${message} ${trace.getActiveSpan()}`)
    expect(handled).toBe('refused undefined')
    expect(attributes('work')['svc.observation.status_message']).toBe('refused')
  })

  it('that does not handle the error has it, too', async () => {
    await expect(made().catch(RangeError, () => '')).rejects.toThrow('refused')
    expect(attributes('work')['svc.observation.status_message']).toBe('refused')
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
