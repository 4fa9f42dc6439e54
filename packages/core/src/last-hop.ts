import type { Outbox, Outgoing } from './outbox.ts'
import { syncHttp } from './sync-http.ts'

/** Concurrent requests: all of them share one worker and little time. */
const CONCURRENCY = 8

/**
 * Sends the requests of the outboxes while this thread blocks, at most `limitMs`. For the `exit` event and for a signal
 * that ends the process: the event loop does not run after those. Does nothing if no worker may be started.
 */
export function lastHop(outboxes: readonly Outbox[], limitMs: number, start = syncHttp): void {
  const deadline = performance.now() + limitMs
  const underWay = new Map<number, Outgoing>()
  let http: ReturnType<typeof start>
  let id = 0
  for (let left = limitMs; left > 0; left = deadline - performance.now()) {
    const wait = soonest(outboxes)
    if (underWay.size === 0 && wait > left) break
    http ??= start()
    if (!http) return
    const next = underWay.size < CONCURRENCY && wait === 0 ? firstOf(outboxes) : undefined
    if (next) {
      const { outgoing, outbox } = next
      const timeoutMs = Math.min(outgoing.request.timeoutMs, left)
      try {
        http.send(++id, { ...outgoing.request, timeoutMs }, outbox.transport)
        underWay.set(id, outgoing)
      } catch (error) {
        outgoing.settle(error as Error)
      }
      continue
    }
    if (wait === 0 && underWay.size === 0) {
      // The request of an outbox became too old at this moment.
      if (soonest(outboxes) === 0) break
      continue
    }
    for (const { id: settled, outcome } of http.receive(Math.min(left, wait || left))) {
      underWay.get(settled)?.settle(outcome)
      underWay.delete(settled)
    }
  }
  http?.close()
}

function soonest(outboxes: readonly Outbox[]): number {
  return Math.min(...outboxes.map((outbox) => outbox.wait() ?? Number.POSITIVE_INFINITY))
}

function firstOf(outboxes: readonly Outbox[]): { outbox: Outbox; outgoing: Outgoing } | undefined {
  for (const outbox of outboxes) {
    const outgoing = outbox.take()
    if (outgoing) return { outbox, outgoing }
  }
  return undefined
}
