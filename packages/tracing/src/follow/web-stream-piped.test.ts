import { trace } from '@opentelemetry/api'
import { describe, expect, it, vi } from 'vitest'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation, startObservation } from '../index.ts'

const { attributes, span, spans } = useTracing()
const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/** What source and destination are asked for, in order. */
type Log = unknown[][]
type Follow = (stream: ReadableStream) => ReadableStream

const asItIs: Follow = (stream) => stream
const followed: Follow = (stream) => observe(() => stream, { name: 'work' })()
const followedTwice: Follow = (stream) => observe(() => followed(stream), { name: 'outer' })()

/** A source of these chunks. An error among them is how it fails. */
function sourceOf(log: Log, chunks: readonly unknown[], isOpen = false): ReadableStream {
  const left = [...chunks]
  return new ReadableStream(
    {
      async pull(controller) {
        log.push(['pull'])
        await turn()
        const chunk = left.shift()
        if (chunk instanceof Error) controller.error(chunk)
        else if (chunk !== undefined) controller.enqueue(chunk)
        else if (!isOpen) controller.close()
        else await new Promise(() => {})
      },
      cancel: (reason) => void log.push(['cancel', reason]),
    },
    { highWaterMark: 0 },
  )
}

interface Sink {
  write?(chunk: unknown, controller: WritableStreamDefaultController): unknown
  close?(): unknown
}

function sinkTo(log: Log, { write, close }: Sink = {}, highWaterMark = 1): WritableStream {
  return new WritableStream(
    {
      async write(chunk, controller) {
        log.push(['write', chunk])
        await turn()
        await write?.(chunk, controller)
        log.push(['written', chunk])
      },
      close: () => {
        log.push(['close'])
        return close?.() as undefined
      },
      abort: (reason) => void log.push(['abort', reason]),
    },
    { highWaterMark },
  )
}

const BROKEN = new Error('broken')
const FULL = new Error('full')
const throwing = (error: unknown) => () => {
  throw error
}

type Scenario = (log: Log, follow: Follow) => Promise<unknown>

const SCENARIOS: Record<string, Scenario> = {
  'a source that ends': (log, follow) => follow(sourceOf(log, ['a', 'b', 'c'])).pipeTo(sinkTo(log)),
  'a source that fails': (log, follow) => follow(sourceOf(log, ['a', BROKEN])).pipeTo(sinkTo(log)),
  'a source that fails while a chunk is written': (log, follow) => {
    const stream = new ReadableStream({ start: (controller) => void setImmediate(() => controller.error(BROKEN)) })
    return follow(stream).pipeTo(sinkTo(log))
  },
  'an empty source': (log, follow) => follow(sourceOf(log, [])).pipeTo(sinkTo(log)),
  'a source that cannot be cancelled': (log, follow) => {
    const stream = new ReadableStream({ cancel: throwing(BROKEN), pull: (controller) => controller.enqueue('a') })
    return follow(stream).pipeTo(sinkTo(log, { write: throwing(FULL) }))
  },
  'a source of bytes': async (log, follow) => {
    const chunks = [new Uint8Array([1, 2]), new Uint8Array([3])]
    const stream = new ReadableStream({
      type: 'bytes',
      pull(controller) {
        const chunk = chunks.shift()
        if (chunk) controller.enqueue(chunk)
        else controller.close()
      },
    })
    return follow(stream).pipeTo(sinkTo(log))
  },
  'a destination that fails': (log, follow) =>
    follow(sourceOf(log, ['a', 'b'])).pipeTo(sinkTo(log, { write: throwing(FULL) })),
  'a destination that fails while nothing is written': (log, follow) => {
    const write = (_: unknown, controller: WritableStreamDefaultController) =>
      void setImmediate(() => setImmediate(() => controller.error(FULL)))
    return follow(sourceOf(log, ['a'], true)).pipeTo(sinkTo(log, { write }))
  },
  'a destination that cannot be closed': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log, { close: throwing(FULL) })),
  'a destination that fails with its last write': (log, follow) => {
    const write = (_: unknown, controller: WritableStreamDefaultController) => controller.error(FULL)
    return follow(sourceOf(log, ['a', 'b'])).pipeTo(sinkTo(log, { write }))
  },
  'a destination that fails before it is closed': (log, follow) => {
    const write = (_: unknown, controller: WritableStreamDefaultController) =>
      void setImmediate(() => controller.error(FULL))
    return follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log, { write }))
  },
  'a destination that is closed': async (log, follow) => {
    const destination = sinkTo(log)
    await destination.close()
    return follow(sourceOf(log, ['a'])).pipeTo(destination)
  },
  'a destination that is being closed': (log, follow) => {
    const destination = sinkTo(log, { close: turn })
    void destination.close()
    return follow(sourceOf(log, ['a'])).pipeTo(destination)
  },
  'a destination that has failed': async (log, follow) => {
    const destination = sinkTo(log)
    await destination.abort(FULL)
    return follow(sourceOf(log, ['a'])).pipeTo(destination)
  },
  'a destination with room for several chunks': (log, follow) =>
    follow(sourceOf(log, ['a', 'b', 'c', 'd'])).pipeTo(sinkTo(log, {}, 3)),
  'a destination that is locked': (log, follow) => {
    const destination = sinkTo(log)
    destination.getWriter()
    return follow(sourceOf(log, ['a'])).pipeTo(destination)
  },
  'no destination': (log, follow) => follow(sourceOf(log, ['a'])).pipeTo(undefined as never),
  'a stream that is piped already': async (log, follow) => {
    const stream = follow(sourceOf(log, ['a', 'b']))
    const first = stream.pipeTo(sinkTo(log))
    const second = await stream.pipeTo(sinkTo(log)).catch((error: unknown) => error)
    expect(() => stream.getReader()).toThrow(TypeError)
    return [second, await first]
  },
  'a signal that aborts while a chunk is read': (log, follow) => {
    const abort = new AbortController()
    setImmediate(() => setImmediate(() => setImmediate(() => setImmediate(() => abort.abort(BROKEN)))))
    return follow(sourceOf(log, ['a'], true)).pipeTo(sinkTo(log), { signal: abort.signal })
  },
  'a signal that aborts while a chunk is written': (log, follow) => {
    const abort = new AbortController()
    const write = () => abort.abort(BROKEN)
    return follow(sourceOf(log, ['a', 'b'])).pipeTo(sinkTo(log, { write }), { signal: abort.signal })
  },
  'a signal that aborts while a write fails': (log, follow) => {
    const abort = new AbortController()
    const write = async () => {
      abort.abort(BROKEN)
      await turn()
      throw FULL
    }
    return follow(sourceOf(log, ['a', 'b'])).pipeTo(sinkTo(log, { write }), { signal: abort.signal })
  },
  'a signal that aborts in a write that fails': (log, follow) => {
    const abort = new AbortController()
    const write = () => {
      abort.abort(BROKEN)
      throw FULL
    }
    return follow(sourceOf(log, ['a', 'b'])).pipeTo(sinkTo(log, { write }), { signal: abort.signal })
  },
  'a signal that has aborted': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), { signal: AbortSignal.abort(BROKEN) }),
  'a signal that never aborts': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), { signal: new AbortController().signal }),
  'something else than a signal': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), { signal: {} as AbortSignal }),
  'options that prevent nothing': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), { preventClose: false, preventAbort: false }),
  'no options': (log, follow) => follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), null as never),
  preventClose: (log, follow) => follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), { preventClose: true }),
  preventAbort: (log, follow) => follow(sourceOf(log, [BROKEN])).pipeTo(sinkTo(log), { preventAbort: true }),
  preventCancel: (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log, { write: throwing(FULL) }), { preventCancel: true }),
  'preventClose that options inherit': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), Object.create({ preventClose: true })),
  'preventAbort that options inherit': (log, follow) =>
    follow(sourceOf(log, [BROKEN])).pipeTo(sinkTo(log), Object.create({ preventAbort: true })),
  'options that are none': (log, follow) => follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log), 'none' as never),
  'a destination with a getWriter of its own': (log, follow) =>
    follow(sourceOf(log, ['a'])).pipeTo(Object.assign(sinkTo(log), { getWriter: throwing(FULL) })),
  'a destination that fails when the source ends': async (_, follow) => {
    const { stream, source } = openSource()
    const sinks: WritableStreamDefaultController[] = []
    const piped = follow(stream).pipeTo(new WritableStream({ start: (controller) => void sinks.push(controller) }))
    await turn()
    source.close()
    sinks[0]?.error(FULL)
    return piped
  },
  'a destination that is no longer read': async (log, follow) => {
    const { readable, writable } = new TransformStream()
    const piped = follow(sourceOf(log, ['a', 'b', 'c'])).pipeTo(writable)
    const reader = readable.getReader()
    await reader.read()
    return Promise.all([piped, reader.cancel(FULL)])
  },
  'a source with a chunk after the signal': async (log, follow) => {
    const abort = new AbortController()
    const { stream, source } = openSource()
    const piped = follow(stream).pipeTo(sinkTo(log), { signal: abort.signal })
    await turn()
    abort.abort(BROKEN)
    source.enqueue('a')
    return piped
  },
  'a source that closes right before the signal': async (log, follow) => {
    const abort = new AbortController()
    const { stream, source } = openSource()
    const piped = follow(stream).pipeTo(sinkTo(log), { signal: abort.signal })
    await turn()
    source.close()
    abort.abort(BROKEN)
    return piped
  },
  'a signal while a destination that has failed still writes': (log, follow) => {
    const abort = new AbortController()
    const write = (_: unknown, controller: WritableStreamDefaultController) => {
      controller.error(FULL)
      setImmediate(() => abort.abort(BROKEN))
      return new Promise(() => {})
    }
    return follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log, { write }), { signal: abort.signal })
  },
  'a destination that fails before its write does': (log, follow) => {
    const write = (_: unknown, controller: WritableStreamDefaultController) => {
      controller.error(FULL)
      throw new Error('too late')
    }
    return follow(sourceOf(log, ['a'])).pipeTo(sinkTo(log, { write }))
  },
  'a signal whose first listener keeps it from others': (log, follow) => {
    const abort = new AbortController()
    abort.signal.addEventListener('abort', (event) => event.stopImmediatePropagation())
    setImmediate(() => abort.abort(BROKEN))
    return follow(sourceOf(log, [], true)).pipeTo(sinkTo(log), { signal: abort.signal })
  },
  'a stream that is read after it was piped': async (log, follow) => {
    const stream = follow(sourceOf(log, ['a']))
    await stream.pipeTo(sinkTo(log))
    const reader = stream.getReader()
    return [await reader.closed, await reader.read()]
  },
}

/** A source that the test ends. */
function openSource() {
  const sources: ReadableStreamDefaultController[] = []
  const stream = new ReadableStream({ start: (controller) => void sources.push(controller) })
  return { stream, source: sources[0] as ReadableStreamDefaultController }
}

/** Everything that can be seen of a scenario. */
async function seen(scenario: Scenario, follow: Follow) {
  const log: Log = []
  const streams: ReadableStream[] = []
  const noted: Follow = (stream) => {
    const given = follow(stream)
    streams.push(given)
    return given
  }
  const [result] = await Promise.allSettled([scenario(log, noted)])
  await turn()
  return {
    result: kindOf(result),
    log: log.map((entry) => entry.map(kindOf)),
    locked: streams.map((each) => each.locked),
  }
}

/** The errors of Node's own have texts of their own. */
function kindOf(value: unknown): unknown {
  if (value instanceof TypeError) return 'TypeError'
  if (Array.isArray(value)) return value.map(kindOf)
  const { reason } = (value ?? {}) as { reason?: unknown }
  return reason instanceof TypeError ? 'rejected: TypeError' : value
}

describe('a followed stream is piped as any other:', () => {
  it.each(Object.entries(SCENARIOS))('%s', async (_, scenario) => {
    const expected = await seen(scenario, asItIs)
    expect(await seen(scenario, followed)).toEqual(expected)
    expect(await seen(scenario, followedTwice)).toEqual(expected)
  })
})

describe('a piped stream', () => {
  it('has its chunks as output', async () => {
    await followed(sourceOf([], ['a', 'b'])).pipeTo(sinkTo([]))
    expect(attributes('work')['svc.observation.output']).toBe('ab')
  })

  it('that fails says so', async () => {
    await expect(followed(sourceOf([], ['a', BROKEN])).pipeTo(sinkTo([]))).rejects.toBe(BROKEN)
    expect(attributes('work')).toMatchObject({
      'svc.observation.output': 'a',
      'svc.observation.status_message': 'broken',
    })
  })

  it('whose destination fails ends with what was read', async () => {
    const write = throwing(FULL)
    await expect(followed(sourceOf([], ['a', 'b'])).pipeTo(sinkTo([], { write }))).rejects.toBe(FULL)
    expect(attributes('work')['svc.observation.output']).toBe('a')
  })

  it('produces its chunks inside the observation, and is written outside of it', async () => {
    let left = 20
    const source = {
      async pull(controller: ReadableStreamDefaultController) {
        if (left % 2 === 0) await turn()
        startObservation(`inside ${left}`).end()
        controller.enqueue('a')
        if (--left === 0) controller.close()
      },
    }
    const stream = startActiveObservation('work', () => new ReadableStream(source, { highWaterMark: 0 }))
    const active: unknown[] = []
    const write = () => void active.push(trace.getActiveSpan())
    await stream.pipeTo(sinkTo([], { write }))
    expect(active).toEqual(Array.from({ length: 20 }, () => undefined))
    const { spanId } = span('work').spanContext()
    const inside = spans().filter(({ name }) => name.startsWith('inside'))
    expect(inside.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(active.map(() => spanId))
  })

  it.each([undefined, 'bytes' as const])('whose source (%s) never answers is ended by its signal', async (type) => {
    const leaving = new AbortController()
    const cancel = vi.fn()
    const source = new ReadableStream({ type: type as never, pull: () => new Promise(() => {}), cancel })
    const stream = followed(source)
    const piped = stream.pipeTo(new WritableStream(), { signal: leaving.signal })
    await turn()
    leaving.abort(BROKEN)
    await expect(piped).rejects.toBe(BROKEN)
    expect(cancel).toHaveBeenCalledWith(BROKEN)
    expect(stream.locked).toBe(false)
  })
})
