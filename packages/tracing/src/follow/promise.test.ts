import { runInNewContext } from 'node:vm'
import { endOpenCalls } from '@svc/core/open-calls'
import { describe, expect, it } from 'vitest'
import { useTracing } from '../../test/support.ts'
import { observe, startActiveObservation } from '../index.ts'

const { attributes, spans } = useTracing()
const output = () => attributes('work')['svc.observation.output']

/** The unhandled errors while `work` ran, which are kept from the test runner. */
async function unhandledDuring(work: () => void): Promise<unknown[]> {
  const unhandled: unknown[] = []
  const others = process.rawListeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', (error) => unhandled.push(error))
  work()
  await new Promise(setImmediate)
  process.removeAllListeners('unhandledRejection')
  for (const listener of others) process.on('unhandledRejection', listener as NodeJS.UnhandledRejectionListener)
  return unhandled
}

describe('a promise', () => {
  it('that is not handled is still reported once, and a handled one is not', async () => {
    const error = new Error('boom')
    const unhandled = await unhandledDuring(() => void startActiveObservation('work', () => Promise.reject(error)))
    expect(unhandled).toEqual([error])
    const handled = await unhandledDuring(() => {
      startActiveObservation('work', () => Promise.reject(error)).catch(() => {})
    })
    expect(handled).toEqual([])
    expect(spans()).toHaveLength(2)
  })

  it('keeps additional methods of a library', async () => {
    const request = Object.assign(Promise.resolve('done'), { cancel: () => 'cancelled', id: 7 })
    const followed = observe(() => request, { name: 'work' })()
    expect([followed.cancel(), followed.id, await followed]).toEqual(['cancelled', 7, 'done'])
    expect(output()).toBe('done')
  })

  it('of another realm is followed, too', async () => {
    const foreign: Promise<string> = runInNewContext(`Promise.resolve('foreign')`)
    expect(foreign).not.toBeInstanceOf(Promise)
    expect(await observe(() => foreign, { name: 'work' })()).toBe('foreign')
    expect(output()).toBe('foreign')
  })

  it('of a stream is followed to the end of the stream', async () => {
    const stream = observe(
      async () =>
        (async function* () {
          yield 'a'
          yield 'b'
        })(),
      { name: 'work' },
    )
    const pieces = await stream()
    expect(spans()).toEqual([])
    for await (const _ of pieces) expect(spans()).toEqual([])
    expect(output()).toBe('ab')
  })

  it('that is pending at exit ends then, with a warning', () => {
    startActiveObservation('work', () => new Promise(() => {}))
    startActiveObservation('yours', () => new Promise(() => {}), { endOnExit: false })
    endOpenCalls()
    expect(spans().map(({ name }) => name)).toEqual(['work'])
    expect(attributes('work')['svc.observation.status_message']).toBe('the process ended before the result came')
  })
})
