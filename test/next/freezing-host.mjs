// A host that freezes as Vercel and others do: it tells of `waitUntil`, and stops the process as soon as the response of a
// request is out and what was given to `waitUntil` is done. It says so, and whoever reads it wakes the process with SIGCONT.
// Loaded with --import.
import { AsyncLocalStorage } from 'node:async_hooks'
import { writeSync } from 'node:fs'
import { Server } from 'node:http'

const requests = new AsyncLocalStorage()
globalThis[Symbol.for('@next/request-context')] = { get: () => requests.getStore() }

const { emit } = Server.prototype
Server.prototype.emit = function (...args) {
  const [event, request, response] = args
  if (event !== 'request') return emit.apply(this, args)
  const awaited = new Set()
  const waitUntil = (work) => {
    awaited.add(work)
    void work.finally(() => awaited.delete(work))
  }
  response.once('close', async () => {
    while (awaited.size > 0) await Promise.allSettled(awaited)
    const name = request.headers['x-freeze']
    if (!name) return
    writeSync(1, `frozen after ${name}\n`)
    process.kill(process.pid, 'SIGSTOP')
  })
  return requests.run({ waitUntil }, () => emit.apply(this, args))
}
