import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Arrival, Fault } from './fault.ts'

/** An endpoint with a fault, in a process of its own (endpoint.ts), which says what it took. */
export interface FaultyIntake {
  readonly url: string
  readonly port: number
  /** How often each span was taken, by name. */
  readonly taken: ReadonlyMap<string, number>
  readonly requests: readonly Arrival[]
  /** Resolves when so many different spans were taken; false after `ms`, or when it is closed. */
  has(spans: number, ms: number): Promise<boolean>
  /** Listens, where it does not. */
  open(): Promise<void>
  /** After this, all that it took is counted. */
  close(): Promise<void>
}

/** What an endpoint is told, one after the other: it answers each. */
export type Question = { readonly fault: Fault } | 'open' | 'close'
export type News = { readonly answer: unknown } | { readonly arrival: Arrival } | { readonly taken: readonly string[] }

const ENDPOINT = fileURLToPath(new URL('./endpoint.ts', import.meta.url))
const FLAGS = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']

/** Processes whose endpoint is closed: the next one is made there. They end with this one. */
const idle: ChildProcess[] = []

export async function startFaultyIntake(fault: Fault = {}): Promise<FaultyIntake> {
  const child = idle.pop() ?? fork(ENDPOINT, { serialization: 'advanced', execArgv: FLAGS })
  const taken = new Map<string, number>()
  const requests: Arrival[] = []
  const waiting = new Set<(isClosed: boolean) => void>()
  let answered = Promise.withResolvers<unknown>()

  const hear = (news: News) => {
    if ('answer' in news) answered.resolve(news.answer)
    else if ('arrival' in news) requests.push(news.arrival)
    else {
      for (const name of news.taken) taken.set(name, (taken.get(name) ?? 0) + 1)
      for (const check of waiting) check(false)
    }
  }
  const fail = (code: number | null) => answered.reject(new Error(`the endpoint has ended (${code})`))
  child.on('message', hear).on('exit', fail)
  const ask = async (question: Question): Promise<unknown> => {
    answered = Promise.withResolvers()
    child.ref()
    child.channel?.ref()
    child.send(question)
    const answer = await answered.promise
    child.unref()
    child.channel?.unref()
    return answer
  }
  const close = async () => {
    await ask('close')
    for (const check of waiting) check(true)
    child.off('message', hear).off('exit', fail)
    idle.push(child)
  }
  let closed: Promise<void> | undefined
  const port = (await ask({ fault: sendable(fault) })) as number
  return {
    url: `${fault.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    taken,
    requests,
    has: (spans, ms) =>
      new Promise((resolve) => {
        const end = (result: boolean) => {
          clearTimeout(timer)
          waiting.delete(check)
          resolve(result)
        }
        const check = (isClosed: boolean) => {
          if (taken.size >= spans || isClosed) end(taken.size >= spans)
        }
        const timer = setTimeout(() => end(false), ms)
        waiting.add(check)
        check(false)
      }),
    open: async () => void (await ask('open')),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

/** A certificate may know how it is removed: that stays here. */
function sendable({ tls, ...fault }: Fault): Fault {
  const data = Object.entries(tls ?? {}).filter(([, value]) => typeof value !== 'function')
  return tls ? { ...fault, tls: Object.fromEntries(data) as typeof tls } : fault
}
