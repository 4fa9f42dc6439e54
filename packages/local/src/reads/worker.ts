import { parentPort, workerData } from 'node:worker_threads'
import { answered } from '../http/answered.ts'
import { matchRoute } from '../http/router.ts'
import type { ReadService } from '../service.ts'
import { openForReading } from '../store/database.ts'
import { ReadStore } from '../store/read-store.ts'
import type { Question, Reply, ThreadData } from './read-thread.ts'
import { READS } from './reads.ts'

// The program of the thread that read-thread.ts starts.
const { file, keys } = workerData as ThreadData
const service: ReadService = { keys, store: new ReadStore(openForReading(file)) }

parentPort?.on('message', async (question: Question) => {
  parentPort?.postMessage({ id: question.id, answer: await answerTo(question) } satisfies Reply)
})

function answerTo({ method, path, query, host }: Question) {
  const match = matchRoute(READS, method, path)
  return answered(`${method} ${path}`, async () => {
    if (!match || 'allowed' in match) throw new Error('no read')
    const { route, params } = match
    const call = { method, path, params, query: new URLSearchParams(query), headers: { host }, left, body: emptyBody }
    return route.handle(call, service)
  })
}

/** Reads are not cancelled. */
const left = new AbortController().signal
const emptyBody = () => Promise.resolve(Buffer.alloc(0))
