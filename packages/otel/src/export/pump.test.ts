import { context } from '@opentelemetry/api'
import { isTracingSuppressed } from '@opentelemetry/core'
import type { HttpRequest, HttpResponse, HttpSender } from '@svc/core/http-exchange'
import type { Outbox } from '@svc/core/outbox'
import { DIRECT } from '@svc/core/transport'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Pump } from '../../../core/src/delivery/pump.ts'
import { networkError, responseOf, taken } from '../../test/support/responses.ts'
import { withContextManager } from '../../test/support/tracing.ts'

withContextManager()

/** An outbox of numbered requests, as many at once as `places`, and a sender that answers when a test says so. */
function pumping(count: number, places = 4) {
  const waiting = Array.from({ length: count }, (_, at) => at)
  const settled: [number, HttpResponse | Error][] = []
  const answers: { resolve: (response: HttpResponse) => void; reject: (error: unknown) => void }[] = []
  const sent: string[] = []
  let underWay = 0
  let pause = 0
  const outbox: Outbox = {
    transport: DIRECT,
    wait() {
      if (waiting.length === 0) return undefined
      return underWay < places ? pause : undefined
    },
    take() {
      if (this.wait() !== 0) return undefined
      const id = waiting.shift() as number
      underWay++
      const request: HttpRequest = {
        method: 'POST',
        url: `http://x/${id}`,
        headers: {},
        body: new Uint8Array(),
        timeoutMs: 1,
      }
      return {
        request,
        settle: (outcome) => {
          underWay--
          settled.push([id, outcome])
        },
      }
    },
  }
  const sender: HttpSender = {
    send: ({ url }) => {
      sent.push(url)
      return new Promise((resolve, reject) => answers.push({ resolve, reject }))
    },
    close() {},
  }
  const parts = { outbox, sender, sent, settled, answers }
  const pauseFor = (ms: number) => {
    pause = ms
  }
  return { ...parts, pump: new Pump(outbox, sender), pauseFor }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('an outbox that the pump sends', () => {
  it('is sent with the concurrency that it allows', async () => {
    const { pump, sent, answers, settled } = pumping(6)
    pump.run()
    expect(sent).toEqual(['http://x/0', 'http://x/1', 'http://x/2', 'http://x/3'])
    answers[2]?.resolve(taken)
    await turn()
    expect(sent).toHaveLength(5)
    for (const { resolve } of answers) resolve(taken)
    await turn()
    for (const { resolve } of answers) resolve(taken)
    await turn()
    expect(settled.map(([id]) => id)).toEqual([2, 0, 1, 3, 4, 5])
  })

  it('is settled with the response or the error', async () => {
    const { pump, answers, settled } = pumping(3)
    const error = networkError('ECONNRESET')
    pump.run()
    answers[0]?.resolve(responseOf(503))
    answers[1]?.reject(error)
    answers[2]?.reject('odd')
    await turn()
    expect(settled).toEqual([
      [0, responseOf(503)],
      [1, error],
      [2, new Error('odd')],
    ])
  })

  it('causes no spans', () => {
    const suppressed: boolean[] = []
    const { outbox } = pumping(1)
    const sender: HttpSender = {
      send: async () => {
        suppressed.push(isTracingSuppressed(context.active()))
        return taken
      },
      close() {},
    }
    new Pump(outbox, sender).run()
    expect(suppressed).toEqual([true])
  })
})

describe('the pump timer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('fires when the outbox requests it', () => {
    const { pump, sent, pauseFor } = pumping(1)
    pauseFor(5_000)
    pump.run()
    vi.advanceTimersByTime(4_999)
    pauseFor(0)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(1)
    expect(sent).toHaveLength(1)
  })

  it('fires at least every minute, to drop batches that are too old', () => {
    const { pump, outbox, pauseFor } = pumping(1)
    pauseFor(86_400_000)
    const take = vi.spyOn(outbox, 'take')
    pump.run()
    vi.advanceTimersByTime(180_000)
    expect(take).toHaveBeenCalledTimes(4)
  })

  it('is set once, and not while the outbox is empty', () => {
    const { pump, sent, pauseFor } = pumping(1)
    pauseFor(5_000)
    for (let at = 0; at < 10; at++) pump.run()
    expect(vi.getTimerCount()).toBe(1)
    pauseFor(0)
    pump.run()
    expect([sent.length, vi.getTimerCount()]).toEqual([1, 0])
  })

  it('is cleared when the pump is stopped', () => {
    const { pump, sent, pauseFor } = pumping(1)
    pauseFor(5_000)
    pump.run()
    pump.stop()
    expect(vi.getTimerCount()).toBe(0)
    pauseFor(0)
    vi.advanceTimersByTime(60_000)
    expect(sent).toEqual([])
  })

  it('keeps no process alive', () => {
    vi.useRealTimers()
    const started = vi.spyOn(globalThis, 'setTimeout')
    const { pump, pauseFor } = pumping(1)
    pauseFor(5_000)
    pump.run()
    expect(started.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false])
    pump.stop()
    started.mockRestore()
  })
})
