import { once } from 'node:events'
import { isMainThread, Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { isThread } from './thread.ts'

it('a process is no thread, and a thread is one', async () => {
  expect(isThread()).toBe(!isMainThread)
  const code = `require('node:worker_threads').parentPort.postMessage((${isThread})(process))`
  const thread = new Worker(code, { eval: true })
  const [answer] = await once(thread, 'message')
  expect(answer).toBe(true)
})
