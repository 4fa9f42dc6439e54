import { ROOT_CONTEXT } from '@opentelemetry/api'
import { Ending, follow } from '@svc/tracing/adapters'
import { describe, expect, it } from 'vitest'
import { followers, followStream } from './followers-edge.ts'

/** What the application receives for a result, and what is recorded of it, with the ends of the observation. */
function following(result: unknown) {
  const recorded: unknown[] = []
  const recorder = {
    captureOutput: true,
    output: (text: string | undefined) => void recorded.push(text),
    failed: (error: unknown) => void recorded.push(error),
    endAtExit() {},
    end: () => void recorded.push('ended'),
  }
  return { received: follow(result, new Ending(ROOT_CONTEXT, recorder, followers)), recorded }
}

const streamOf = (...pieces: string[]) =>
  new ReadableStream<string>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

async function* steps(): AsyncGenerator<string> {
  yield 'one '
  yield 'two'
}

async function read(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

describe('in an edge runtime, what an observed function returns is recorded', () => {
  it('once a promise has settled', async () => {
    const { received, recorded } = following(Promise.resolve({ done: true }))
    expect(recorded).toEqual([])
    expect(await received).toEqual({ done: true })
    expect(recorded).toEqual(['{"done":true}', 'ended'])
  })

  it.each([
    ['a stream', () => streamOf('one ', 'two')],
    ['a generator', steps],
    ['an iterable', () => ({ [Symbol.asyncIterator]: steps })],
  ])('once %s that a promise brings has been read', async (_, make) => {
    const { received, recorded } = following(Promise.resolve<AsyncIterable<string>>(make()))
    const chunks = await received
    expect(recorded).toEqual([])
    expect(await read(chunks as AsyncIterable<string>)).toBe('one two')
    expect(recorded).toEqual(['one two', 'ended'])
  })

  it('and a stream that is locked already stays what it is', () => {
    const stream = streamOf('one')
    stream.getReader()
    const { received, recorded } = following(stream)
    expect(received).toBe(stream)
    expect(recorded).toEqual(['ended'])
  })

  it('and streams are followed by another stream, which a response can take', async () => {
    const listened: unknown[] = []
    const followed = followStream(streamOf('one'), {
      context: ROOT_CONTEXT,
      onChunk: (chunk) => void listened.push(chunk),
      done: () => void listened.push('ended'),
      fail() {},
      expectFrom() {},
    })
    expect(await read(followed as AsyncIterable<string> & object)).toBe('one')
    expect(listened).toEqual(['one', 'ended'])
  })
})
