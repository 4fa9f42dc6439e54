import { AsyncResource } from 'node:async_hooks'
import { expect, it, vi } from 'vitest'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation, startObservation } from '../index.ts'

const { spans, span } = useTracing()

/** Starts a span for each chunk, in the context of who reads it. */
function chunks(count: number): ReadableStream {
  let left = count
  const pull = (controller: ReadableStreamDefaultController) => {
    left -= 1
    if (left < 0) return controller.close()
    startObservation(`chunk ${left}`).end()
    controller.enqueue('a')
  }
  return new ReadableStream({ pull }, { highWaterMark: 0 })
}

it('all chunks of a piped stream are read inside the observation, whose context is entered once', async () => {
  const entered = vi.spyOn(AsyncResource.prototype, 'runInAsyncScope')
  const stream = observe(() => chunks(50), { name: 'work' })()
  await startActiveObservation('reader', () => stream.pipeTo(new WritableStream()))
  expect(entered.mock.calls.length).toBeLessThan(10)
  entered.mockRestore()
  const parents = spans().filter(({ name }) => name.startsWith('chunk'))
  expect(parents).toHaveLength(50)
  const { spanId } = span('work').spanContext()
  for (const { parentSpanContext } of parents) expect(parentSpanContext?.spanId).toBe(spanId)
})

it('a signal ends a pipe whose source never answers', async () => {
  const leaving = new AbortController()
  const stream = observe(() => new ReadableStream({ pull: () => new Promise(() => {}) }), { name: 'work' })()
  const piped = stream.pipeTo(new WritableStream(), { signal: leaving.signal })
  leaving.abort(new Error('gone'))
  await expect(piped).rejects.toThrow('gone')
  expect(stream.locked).toBe(false)
})
