import { onExit } from '@svc/core/exit'
import { DIRECT } from '@svc/core/transport'

/**
 * Holds names for a server and delivers them at the end of the process, each as the body of a request that also says
 * how: `first by flush`, `first by last hop`. Where there is no server, nothing listens to the end.
 *
 * @param needsEventLoop whether only a flush can deliver them
 */
export function deliverTo(url, { needsEventLoop = false, timeoutMs = 60_000 } = {}) {
  if (!url) return () => {}
  const waiting = []
  const flushes = []
  let underWay = 0
  const take = () => {
    underWay += 1
    return waiting.shift()
  }
  const settle = () => {
    underWay -= 1
  }
  const outbox = {
    transport: DIRECT,
    wait: () => (waiting.length > 0 ? 0 : undefined),
    take() {
      const body = Buffer.from(`${take()} by last hop`)
      return { request: { method: 'POST', url, headers: {}, body, timeoutMs: 600_000 }, settle }
    },
  }
  const registration = onExit({
    timeoutMs,
    pending: () => waiting.length + underWay > 0,
    needsEventLoop: () => needsEventLoop && waiting.length + underWay > 0,
    outbox: () => (needsEventLoop ? undefined : outbox),
    async flush() {
      while (waiting.length > 0) flushes.push(fetch(url, { method: 'POST', body: `${take()} by flush` }).then(settle))
      await Promise.all(flushes)
    },
  })
  return (name) => {
    waiting.push(name)
    registration.listen()
    registration.added()
  }
}
