import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { HttpRequest, HttpResponse } from './http-exchange.ts'
import { lastHop } from './last-hop.ts'
import type { Outbox, Outgoing } from './outbox.ts'
import type { Exchanged, SyncHttp } from './sync-http.ts'
import { DIRECT, type Transport } from './transport.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const now = () => performance.now()

/** Answers after `delayMs` of a clock that moves only while a test waits. */
class FakeHttp implements SyncHttp {
  readonly sent: { name: string; at: number; timeoutMs: number; transport: Transport }[] = []
  readonly start = vi.fn((): SyncHttp | undefined => this)
  readonly close = vi.fn()
  mostUnderWay = 0
  readonly #answer: (name: string) => { delayMs: number; outcome: HttpResponse | Error }
  #underWay: (Exchanged & { due: number })[] = []

  constructor(answer: (name: string) => { delayMs?: number; outcome?: HttpResponse | Error } = () => ({})) {
    this.#answer = (name) => ({ delayMs: 10, outcome: response(name), ...answer(name) })
  }

  send(id: number, request: HttpRequest, transport: Transport): void {
    const name = new TextDecoder().decode(request.body)
    const { delayMs, outcome } = this.#answer(name)
    this.sent.push({ name, at: now(), timeoutMs: request.timeoutMs, transport })
    this.#underWay.push({ id, outcome, due: now() + delayMs })
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay.length)
  }

  receive(waitMs: number): Exchanged[] {
    const soonest = Math.min(...this.#underWay.map(({ due }) => due))
    vi.advanceTimersByTime(Math.max(0, Math.min(waitMs, soonest - now())))
    const settled = this.#underWay.filter(({ due }) => due <= now())
    this.#underWay = this.#underWay.filter(({ due }) => due > now())
    return settled
  }
}

/** Holds a request for each of `names`, none of which may be sent before `pausedUntil`. */
class FakeOutbox implements Outbox {
  readonly transport: Transport
  readonly settled: [name: string, outcome: string][] = []
  pausedUntil = 0
  readonly waiting: string[]
  readonly #timeoutMs: number

  constructor(names: string[], { timeoutMs = 5_000, transport = DIRECT } = {}) {
    this.waiting = names
    this.#timeoutMs = timeoutMs
    this.transport = transport
  }

  wait(): number | undefined {
    return this.waiting.length === 0 ? undefined : Math.max(0, this.pausedUntil - now())
  }

  take(): Outgoing | undefined {
    const name = this.wait() === 0 ? this.waiting.shift() : undefined
    if (name === undefined) return undefined
    const body = new TextEncoder().encode(name)
    return {
      request: { method: 'POST', url: 'http://svc.test/', headers: {}, body, timeoutMs: this.#timeoutMs },
      settle: (outcome) => this.settle(name, outcome),
    }
  }

  settle(name: string, outcome: HttpResponse | Error): void {
    this.settled.push([name, outcome instanceof Error ? outcome.message : new TextDecoder().decode(outcome.body)])
  }
}

const response = (text: string): HttpResponse => ({
  status: 200,
  headers: {},
  body: new TextEncoder().encode(text),
  complete: true,
})
const names = (count: number) => Array.from({ length: count }, (_, at) => `request ${at}`)

describe('pending data in the last hop', () => {
  it('is sent, and each request receives its own outcome', () => {
    const refused = new Error('refused')
    // The later it was sent, the sooner it is answered.
    const http = new FakeHttp((name) => ({
      delayMs: 50 - Number(name.at(-1)),
      ...(name === 'request 1' && { outcome: refused }),
    }))
    const outbox = new FakeOutbox(names(3))
    lastHop([outbox], 2_000, http.start)
    expect(outbox.settled).toEqual([
      ['request 2', 'request 2'],
      ['request 1', 'refused'],
      ['request 0', 'request 0'],
    ])
    expect(now()).toBe(50)
    expect(http.start).toHaveBeenCalledOnce()
    expect(http.close).toHaveBeenCalledOnce()
  })

  it('is sent through its outbox, which receives the outcome', () => {
    const http = new FakeHttp()
    const other: Transport = { ...DIRECT, rejectUnauthorized: false }
    const one = new FakeOutbox(['spans'])
    const two = new FakeOutbox(['scores'], { transport: other })
    lastHop([one, two], 2_000, http.start)
    expect(http.sent.map(({ name, transport }) => [name, transport])).toEqual([
      ['spans', DIRECT],
      ['scores', other],
    ])
    expect([one.settled, two.settled]).toEqual([[['spans', 'spans']], [['scores', 'scores']]])
  })

  it('is sent eight at a time', () => {
    const http = new FakeHttp()
    const outboxes = [new FakeOutbox(names(12)), new FakeOutbox(names(12))]
    lastHop(outboxes, 2_000, http.start)
    expect(http.mostUnderWay).toBe(8)
    expect(outboxes.map(({ settled }) => settled.length)).toEqual([12, 12])
    expect(now()).toBe(30)
  })

  it('has the remaining time, and not more than its own timeout', () => {
    const http = new FakeHttp(() => ({ delayMs: 300 }))
    lastHop([new FakeOutbox(names(9))], 2_000, http.start)
    expect(http.sent.map(({ timeoutMs }) => timeoutMs)).toEqual([...Array(8).fill(2_000), 1_700])
    const quick = new FakeHttp()
    lastHop([new FakeOutbox(names(1), { timeoutMs: 500 })], 2_000, quick.start)
    expect(quick.sent[0]?.timeoutMs).toBe(500)
  })

  it('is sent again if its outcome asks for that', () => {
    const http = new FakeHttp((name) => (name === 'first' ? { outcome: response('busy') } : {}))
    const outbox = new FakeOutbox(['first'])
    outbox.settle = (name, outcome) => {
      FakeOutbox.prototype.settle.call(outbox, name, outcome)
      if (name !== 'first') return
      outbox.pausedUntil = now() + 100
      outbox.waiting.push('again')
    }
    lastHop([outbox], 2_000, http.start)
    expect(http.sent.map(({ name, at }) => [name, at])).toEqual([
      ['first', 0],
      ['again', 110],
    ])
    expect(outbox.settled).toEqual([
      ['first', 'busy'],
      ['again', 'again'],
    ])
  })
})

it('a request that cannot be sent is reported, and the others are sent', () => {
  const http = new FakeHttp()
  const send = http.send.bind(http)
  vi.spyOn(http, 'send').mockImplementationOnce(() => {
    throw new Error('no URL')
  })
  vi.mocked(http.send).mockImplementation(send)
  const outboxes = [new FakeOutbox(['bad']), new FakeOutbox(['good'])]
  lastHop(outboxes, 2_000, http.start)
  expect(outboxes.flatMap(({ settled }) => settled)).toEqual([
    ['bad', 'no URL'],
    ['good', 'good'],
  ])
})

describe('a paused outbox in the last hop', () => {
  it('is waited for if the pause ends before the deadline', () => {
    const http = new FakeHttp()
    const outbox = new FakeOutbox(['late'])
    outbox.pausedUntil = 1_500
    lastHop([outbox], 2_000, http.start)
    expect(http.sent).toMatchObject([{ name: 'late', at: 1_500, timeoutMs: 500 }])
    expect(outbox.settled).toHaveLength(1)
  })

  it('is not waited for if the pause ends after the deadline', () => {
    const http = new FakeHttp()
    const outbox = new FakeOutbox(['late'])
    outbox.pausedUntil = 2_001
    lastHop([outbox], 2_000, http.start)
    expect(http.start).not.toHaveBeenCalled()
    expect(now()).toBe(0)
    expect(outbox.waiting).toEqual(['late'])
  })

  it('does not delay other outboxes, and is used while those are in flight', () => {
    const http = new FakeHttp(() => ({ delayMs: 400 }))
    const [paused, hidden, open] = [new FakeOutbox(['paused']), new FakeOutbox(['hidden']), new FakeOutbox(['open'])]
    paused.pausedUntil = 100
    hidden.pausedUntil = 9_000
    lastHop([paused, hidden, open], 2_000, http.start)
    expect(http.sent.map(({ name, at }) => [name, at])).toEqual([
      ['open', 0],
      ['paused', 100],
    ])
    expect(now()).toBe(500)
    expect(hidden.waiting).toEqual(['hidden'])
  })
})

describe('the time of the last hop', () => {
  it('ends at the limit, whatever is in flight', () => {
    const http = new FakeHttp(() => ({ delayMs: 60_000 }))
    lastHop([new FakeOutbox(names(20))], 2_000, http.start)
    expect(now()).toBe(2_000)
    expect(http.sent).toHaveLength(8)
    expect(http.close).toHaveBeenCalledOnce()
  })

  it('is not spent on an outbox that announces a request and has none', () => {
    const http = new FakeHttp()
    const receive = vi.spyOn(http, 'receive')
    const outbox = new FakeOutbox(['never'])
    outbox.take = () => undefined
    lastHop([outbox], 2_000, http.start)
    expect(now()).toBe(0)
    expect(receive).not.toHaveBeenCalled()
  })

  it('is zero with a limit of 0', () => {
    const http = new FakeHttp()
    const outbox = new FakeOutbox(['late'])
    lastHop([outbox], 0, http.start)
    expect(http.start).not.toHaveBeenCalled()
    expect(outbox.waiting).toEqual(['late'])
  })
})

describe('no worker of the last hop', () => {
  it.each<[what: string, outboxes: Outbox[]]>([
    ['no outbox', []],
    ['empty outboxes', [new FakeOutbox([]), new FakeOutbox([])]],
  ])('is started for %s', (_, outboxes) => {
    const http = new FakeHttp()
    lastHop(outboxes, 2_000, http.start)
    expect(http.start).not.toHaveBeenCalled()
  })

  it('sends nothing and removes nothing if no worker can be started', () => {
    const http = new FakeHttp()
    http.start.mockReturnValue(undefined)
    const outbox = new FakeOutbox(['late'])
    lastHop([outbox], 2_000, http.start)
    expect(outbox.waiting).toEqual(['late'])
    expect(now()).toBe(0)
  })
})
