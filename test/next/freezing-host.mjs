// A host that freezes as Vercel and others do: it tells of `waitUntil`, and stops the process, for ever, as soon as the
// response of a request is out and what was given to `waitUntil` is done. Loaded with --import.
import { AsyncLocalStorage } from 'node:async_hooks'
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
    if (request.headers['x-freeze']) process.kill(process.pid, 'SIGKILL')
  })
  return requests.run({ waitUntil }, () => emit.apply(this, args))
}
