// All jobs at once: `node bullmq.mjs <inline, process or thread> <socket of Redis>`.
import { Queue, Worker } from 'bullmq'
import processor from './processor.mjs'
import { ALL } from './work.mjs'

const [where, path] = process.argv.slice(2)
const options = { connection: { path, maxRetriesPerRequest: null }, concurrency: ALL.length }
const queue = new Queue(where, options)
const run = where === 'inline' ? processor : new URL('processor.mjs', import.meta.url)
const worker = new Worker(queue.name, run, { ...options, useWorkerThreads: where === 'thread' })
const ended = new Promise((resolve) => {
  let left = ALL.length
  const count = () => --left === 0 && resolve()
  worker.on('completed', count).on('failed', count)
})
await queue.addBulk(ALL.map(({ name, user }) => ({ name, data: { user } })))
await ended
await worker.close()
await queue.close()
