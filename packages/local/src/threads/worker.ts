import { parentPort, workerData } from 'node:worker_threads'
import type { Answer } from '../http/answer.ts'
import { answered } from '../http/answered.ts'
import { type BodyLimits, checkLength } from '../http/body.ts'
import { matchRoute, type Route } from '../http/router.ts'
import { boundedRows } from '../store/bounded.ts'
import { openForReading } from '../store/database.ts'
import { ReadStore } from '../store/read-store.ts'
import { Store } from '../store/store.ts'
import type { Question, ThreadData, ThreadReply } from './thread.ts'

// The program of the threads that thread.ts starts. Each loads only what it answers: the first request waits for that.
const { file, keys, writes } = workerData as ThreadData
const answering = writes
  ? import('./writes.ts').then(({ WRITES }) =>
      answers(WRITES, { keys, store: new Store(file, { ...writes, waits: true }) }),
    )
  : Promise.all([import('./reads.ts'), import('../mcp/endpoint.ts')]).then(([{ READS }, { mcpRoute }]) =>
      answers([...READS, mcpRoute(READS)], { keys, store: new ReadStore(openForReading(file), boundedRows) }),
    )

parentPort?.on('message', async (question: Question) => {
  const answer = await answering
  const { body, ...rest } = await answer(question)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const reply: ThreadReply = { id: question.id, answer: { ...rest, ...(bytes && { body: bytes }) } }
  parentPort?.postMessage(reply, bytes ? [bytes.buffer as ArrayBuffer] : [])
})

function answers<Service>(routes: readonly Route<Service>[], service: Service) {
  return ({ method, path, query, headers, body = NO_BODY }: Question): Promise<Answer> => {
    const match = matchRoute(routes, method, path)
    return answered(`${method} ${path}`, async () => {
      if (!match || 'allowed' in match) throw new Error('no route of a thread')
      const { route, params } = match
      const read = async (limits?: BodyLimits) => checkLength(Buffer.from(body.buffer), limits)
      const call = { method, path, params, query: new URLSearchParams(query), headers, left, body: read }
      return route.handle(call, service)
    })
  }
}

/** Never aborts: a thread finishes what it has started. */
const left = new AbortController().signal
const NO_BODY = new Uint8Array()
