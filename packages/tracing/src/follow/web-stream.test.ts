import { Readable } from 'node:stream'
import { trace } from '@opentelemetry/api'
import { describe, expect, it, vi } from 'vitest'
import { collectUntil } from '../../test/garbage.ts'
import { piecesOf } from '../../test/pieces.ts'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation, startObservation } from '../index.ts'

const { attributes, span, spans } = useTracing()
const output = () => attributes('work')['svc.observation.output']
const ended = () => spans().some(({ name }) => name === 'work')

const streamOf = (...chunks: unknown[]) => {
  const left = [...chunks]
  return new ReadableStream({
    pull(controller) {
      if (left.length > 0) controller.enqueue(left.shift())
      else controller.close()
    },
  })
}
const followed = (stream: ReadableStream) => observe(() => stream, { name: 'work' })()

/** The ways in which an application, or a library, reads a stream. */
const READINGS: Record<string, (stream: ReadableStream<string>) => Promise<string>> = {
  'for await': async (stream) => (await piecesOf(stream)).join(''),
  values: async (stream) => (await piecesOf(stream.values())).join(''),
  reader: async (stream) => {
    const reader = stream.getReader()
    let text = ''
    for (let step = await reader.read(); !step.done; step = await reader.read()) text += step.value
    return text
  },
  pipeTo: async (stream) => {
    const chunks: string[] = []
    await stream.pipeTo(new WritableStream({ write: (chunk) => void chunks.push(chunk) }))
    return chunks.join('')
  },
  pipeThrough: async (stream) => new Response(stream.pipeThrough(new TextEncoderStream())).text(),
  tee: async (stream) => {
    const [left, right] = stream.tee()
    const [text] = await Promise.all([piecesOf(left), piecesOf(right)])
    return text.join('')
  },
  'Readable.fromWeb': async (stream) => (await Readable.fromWeb(stream as never).toArray()).join(''),
}

describe('a web stream', () => {
  it.each(Object.entries(READINGS))('is followed to its end when it is read by %s', async (_, reading) => {
    const stream = streamOf('a', 'b', 'c')
    const given = followed(stream)
    expect([given === stream, given.locked, ended()]).toEqual([true, false, false])
    expect(await reading(given)).toBe('abc')
    expect(output()).toBe('abc')
  })

  it('lists no property that it did not list before', () => {
    const stream = followed(streamOf('a'))
    expect(Reflect.ownKeys({ ...stream })).toEqual(Reflect.ownKeys({ ...streamOf('a') }))
  })

  it('is followed into a Response', async () => {
    const response = new Response(followed(streamOf(...['a', 'b'].map((text) => new TextEncoder().encode(text)))))
    expect([await response.text(), output()]).toEqual(['ab', 'ab'])
  })

  it('is locked while it is read, and unlocked when the reader is released', async () => {
    const stream = followed(streamOf('a', 'b'))
    const reader = stream.getReader()
    expect(stream.locked).toBe(true)
    expect(() => stream.getReader()).toThrow(TypeError)
    expect((await reader.read()).value).toBe('a')
    reader.releaseLock()
    expect([stream.locked, ended()]).toEqual([false, false])
    expect(await piecesOf(stream)).toEqual(['b'])
    expect(output()).toBe('ab')
  })

  it('is not pulled before it is read', async () => {
    const pull = vi.fn((controller: ReadableStreamDefaultController) => controller.enqueue('a'))
    const stream = followed(new ReadableStream({ pull }, { highWaterMark: 0 }))
    await new Promise(setImmediate)
    expect(pull).not.toHaveBeenCalled()
    await stream.getReader().read()
    expect(pull).toHaveBeenCalledOnce()
  })

  it('produces its chunks inside the observation', async () => {
    const left = ['first', 'second', 'third']
    const source = {
      async pull(controller: ReadableStreamDefaultController) {
        await undefined
        startObservation(left[0] ?? '').end()
        controller.enqueue(left.shift())
        if (left.length === 0) controller.close()
      },
    }
    const stream = startActiveObservation('work', () => new ReadableStream(source, { highWaterMark: 0 }))
    for await (const _ of stream) expect(trace.getActiveSpan()).toBeUndefined()
    const { spanId } = span('work').spanContext()
    const parents = ['first', 'second', 'third'].map((name) => span(name).parentSpanContext?.spanId)
    expect(parents).toEqual([spanId, spanId, spanId])
  })

  it('that is cancelled ends the observation, and cancels its source', async () => {
    const cancel = vi.fn()
    const unread = followed(new ReadableStream({ cancel }))
    await unread.cancel('enough')
    expect([cancel.mock.calls, ended()]).toEqual([[['enough']], true])
    const left = observe(() => streamOf('a', 'b'), { name: 'left' })()
    for await (const _ of left) break
    expect(attributes('left')['svc.observation.output']).toBe('a')
  })

  it('that fails passes the error on, after earlier chunks', async () => {
    const error = new Error('boom')
    const steps = [
      (controller: ReadableStreamDefaultController) => controller.enqueue('a'),
      (controller: ReadableStreamDefaultController) => controller.error(error),
    ]
    const stream = followed(new ReadableStream({ pull: (controller) => steps.shift()?.(controller) }))
    await expect(piecesOf(stream)).rejects.toBe(error)
    expect(attributes('work')).toMatchObject({
      'svc.observation.output': 'a',
      'svc.observation.status_message': 'boom',
    })
  })

  it('of bytes supports BYOB readers', async () => {
    const bytes = new ReadableStream({
      type: 'bytes',
      start(controller) {
        controller.enqueue(new TextEncoder().encode('abcd'))
        controller.close()
      },
    })
    const reader = followed(bytes).getReader({ mode: 'byob' })
    const first = await reader.read(new Uint8Array(2))
    const second = await reader.read(new Uint8Array(10))
    expect([first.value, second.value].map((part) => new TextDecoder().decode(part))).toEqual(['ab', 'cd'])
    expect((await reader.read(new Uint8Array(1))).done).toBe(true)
    expect(output()).toBe('abcd')
  })

  it('of bytes supports BYOB readers on branches of tee()', async () => {
    const bytes = new ReadableStream({ type: 'bytes', start: (controller) => controller.close() })
    for (const branch of followed(bytes).tee()) expect((await read(branch)).done).toBe(true)

    function read(branch: ReadableStream) {
      return branch.getReader({ mode: 'byob' }).read(new Uint8Array(1))
    }
  })

  it('is not probed for BYOB support by default readers, because the exception is expensive', async () => {
    const stream = streamOf('a', 'b')
    const getReader = vi.spyOn(stream, 'getReader')
    await piecesOf(followed(stream))
    expect(getReader.mock.calls).toEqual([[]])
    expect(() => followed(streamOf('a')).getReader({ mode: 'byob' })).toThrow(TypeError)
  })

  it('that is locked already is left unchanged', () => {
    const stream = streamOf('a')
    const reader = stream.getReader()
    expect(followed(stream)).toBe(stream)
    expect([ended(), Object.keys(stream), Object.hasOwn(stream, 'getReader')]).toEqual([true, [], false])
    reader.releaseLock()
  })

  it('that is never read ends with the time it was returned', async () => {
    ;(() => void followed(streamOf('a')))()
    await collectUntil(ended)
    expect(ended()).toBe(true)
  })
})

describe('a native web stream', () => {
  /** As browsers and edge runtimes have them: its methods are not JavaScript, and who reads it does not call them. */
  function nativeStream(stream: ReadableStream): ReadableStream {
    const getReader = stream.getReader.bind(stream)
    Object.defineProperty(stream, 'getReader', { value: getReader })
    return stream
  }

  it('is returned as an equivalent stream', async () => {
    const stream = nativeStream(streamOf('a', 'b'))
    const given = followed(stream)
    expect(given).not.toBe(stream)
    expect(given).toBeInstanceOf(ReadableStream)
    expect(ended()).toBe(false)
    expect(await ReadableStream.prototype.values.call(given).next()).toEqual({ done: false, value: 'a' })
  })

  it('is followed however it is read or cancelled', async () => {
    const given = followed(nativeStream(streamOf('a', 'b')))
    expect(await piecesOf(given)).toEqual(['a', 'b'])
    expect(output()).toBe('ab')
    const cancel = vi.fn()
    await observe(() => nativeStream(new ReadableStream({ cancel })))().cancel('enough')
    expect(cancel).toHaveBeenCalledWith('enough')
  })
})
