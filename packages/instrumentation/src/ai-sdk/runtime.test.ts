import type { Transformer } from 'node:stream/web'
import { context, createContextKey, ROOT_CONTEXT, SpanStatusCode, trace } from '@opentelemetry/api'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { finishedSpans, forgetSpans, recordSpans } from '../../test/spans.ts'
import { runtime } from './runtime.ts'
import { tracked } from './tracked.ts'

recordSpans()
beforeEach(forgetSpans)
afterAll(() => {
  trace.disable()
  context.disable()
})

const PIECES = [
  { type: 'text-delta', id: '1', delta: 'Good ' },
  { type: 'text-delta', id: '1', delta: 'day' },
]
const KEY = createContextKey('where')
const call = { name: 'ai.streamText.doStream' }

interface Asking {
  readonly stream: () => ReadableStream
  /** Whether the SDK reads the stream through a transformer of ours. */
  readonly observed?: boolean
  readonly signal?: AbortSignal
}

/** Calls a model within its span, as the edited SDK does. The tap of the stream ends the span. */
async function ask({ stream, observed = false, signal }: Asking): Promise<ReadableStream> {
  const model = { doStream: async () => ({ stream: stream() }) } as never
  const tracer = tracked(trace.getTracer('test'), { dialect: 'ai' })
  const answer = await tracer.startActiveSpan(call.name, () =>
    runtime.model(model, undefined, observed).doStream({ abortSignal: signal }),
  )
  return (answer as { stream: ReadableStream }).stream
}

async function drained(stream: ReadableStream): Promise<unknown[]> {
  const pieces: unknown[] = []
  for await (const piece of stream) pieces.push(piece)
  return pieces
}

const broken = () =>
  new ReadableStream({
    start: (controller) => controller.enqueue(PIECES[0]),
    pull: (controller) => controller.error(new TypeError('the line is cut')),
  })

const ended = () =>
  finishedSpans().map(({ status, attributes }) => ({
    ...(status.code === SpanStatusCode.ERROR ? { error: status.message } : {}),
    outcome: attributes['svc.observation.metadata.outcome'],
    text: attributes['ai.response.text'],
  }))

describe('a model stream that is read by code without edits', () => {
  it('is passed on unchanged and recorded', async () => {
    const stream = await ask({ stream: () => ReadableStream.from(PIECES) })
    expect(await drained(stream)).toEqual(PIECES)
    // The SDK ends the span itself.
    expect(ended()).toEqual([])
  })

  it('ends early with the output so far when its reader leaves', async () => {
    const reader = (await ask({ stream: () => ReadableStream.from(PIECES) })).getReader()
    await reader.read()
    await reader.cancel()
    expect(ended()).toEqual([{ outcome: '"stopped early"', text: expect.stringMatching(/^Good /) }])
  })

  it.each([
    ['is cancelled when the application gives up', undefined, { outcome: '"cancelled"' }],
    ['fails at the end of its time', new DOMException('too slow', 'TimeoutError'), { error: 'too slow' }],
  ])('%s', async (_, reason, expected) => {
    const gone = new AbortController()
    const reader = (await ask({ stream: () => ReadableStream.from(PIECES), signal: gone.signal })).getReader()
    await reader.read()
    gone.abort(reason)
    await reader.cancel()
    expect(ended()).toMatchObject([expected])
  })

  it('fails with its own error, which the reader receives', async () => {
    const stream = await ask({ stream: broken })
    await expect(drained(stream)).rejects.toThrow('the line is cut')
    expect(ended()).toMatchObject([{ error: 'the line is cut', text: 'Good ' }])
  })

  it('is left unchanged if it is locked already', async () => {
    const stream = ReadableStream.from(PIECES)
    const reader = stream.getReader()
    expect(await ask({ stream: () => stream })).toBe(stream)
    reader.releaseLock()
  })
})

describe('a model stream that the SDK pipes through a transformer', () => {
  it('stays the same stream and is tapped where it is read, in the context of the reader', async () => {
    const stream = await ask({ stream: () => ReadableStream.from(PIECES), observed: true })
    const places: unknown[] = []
    const transformer = {
      calls: 0,
      transform(this: { calls: number }, piece: unknown, controller: TransformStreamDefaultController) {
        this.calls += 1
        places.push(context.active().getValue(KEY))
        controller.enqueue(piece)
      },
    }
    const observed = context.with(ROOT_CONTEXT.setValue(KEY, 'reader'), () => runtime.tap(stream, transformer))
    const reader = stream.pipeThrough(new TransformStream(observed as Transformer)).getReader()
    expect((await reader.read()).value).toEqual(PIECES[0])
    await reader.cancel()
    expect([transformer.calls > 0, new Set(places)]).toEqual([true, new Set(['reader'])])
    expect(ended()).toEqual([{ outcome: '"stopped early"', text: expect.stringMatching(/^Good /) }])
  })

  it('is not tapped if no model created it', () => {
    const transformer = {}
    expect(runtime.tap(new ReadableStream(), transformer)).toBe(transformer)
  })
})

it('stream chunks that cannot be read are passed on', async () => {
  const hostile = {
    get type() {
      throw new Error('no')
    },
  }
  const stream = await ask({ stream: () => ReadableStream.from([hostile, ...PIECES]) })
  expect(await drained(stream)).toEqual([hostile, ...PIECES])
})
