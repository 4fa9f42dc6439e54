import { builtin } from './builtin.ts'
import { httpSender } from './delivery/send-http.ts'
import { type HttpSender, NoResponseError } from './http-exchange.ts'
import type { ExitThreadData, SyncAnswer, SyncQuestion } from './sync-http.ts'

// The program of the worker of sync-http.ts: sends what comes through the port, and counts the answers, for which the
// other thread waits. `pnpm exit-thread` makes exit-thread-code.ts of it and what it imports.

const threads = builtin('node:worker_threads') as typeof import('node:worker_threads')
const { port, arrived } = threads.workerData as ExitThreadData
const senders = new Map<string, HttpSender>()

port.on('message', async (question: SyncQuestion) => {
  port.postMessage(await answerTo(question))
  Atomics.add(arrived, 0, 1)
  Atomics.notify(arrived, 0)
})

async function answerTo({ id, request, transport, trust }: SyncQuestion): Promise<SyncAnswer> {
  try {
    const { protocol } = new URL(request.url)
    const key = protocol + JSON.stringify(transport)
    const sender = senders.get(key) ?? (httpSender(transport, trust) as HttpSender)
    senders.set(key, sender)
    return { id, response: await sender.send(request) }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    return { id, error: { message, code, ...(error instanceof NoResponseError && { timeoutMs: request.timeoutMs }) } }
  }
}
