import type { Clock } from '@svc/core/delivery/clock'
import { type HttpRequest, type HttpResponse, type HttpSender, retryAfterMs } from '@svc/core/http-exchange'
import { after } from '@svc/core/timers'

/** Statuses that ask for another try (OTLP/HTTP specification, plus 408). */
const RETRIABLE: ReadonlySet<number> = new Set([408, 429, 502, 503, 504])

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 30_000

/** Time and chance, and sleep, replaceable in tests. */
export interface UploadClock extends Clock {
  sleep(ms: number): Promise<void>
}

export const hostUploadClock: UploadClock = {
  now: () => performance.now(),
  random: () => Math.random(),
  sleep: (ms) => new Promise((wake) => after(ms, wake)),
}

/**
 * A sender around a sender that tries again after network errors and retriable statuses, within the one
 * `timeoutMs` of the request: exponential pauses with full jitter, or what `Retry-After` asks for if that is longer.
 * A pause that does not fit into the time left ends it with the last answer or error.
 */
export function retrying(sender: HttpSender, clock: UploadClock = hostUploadClock): HttpSender {
  return {
    close: () => sender.close(),
    async send(request) {
      const deadline = clock.now() + request.timeoutMs
      for (let tries = 0; ; tries++) {
        const outcome = await attempt(sender, { ...request, timeoutMs: Math.max(1, deadline - clock.now()) })
        // `Retry-After: 0` must not become a loop without a pause against a server in need.
        const own = clock.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries)
        const pause = Math.max(outcome.pause ?? 0, own)
        if (outcome.final || clock.now() + pause >= deadline) return outcome.end()
        await clock.sleep(pause)
      }
    },
  }
}

interface Outcome {
  readonly final: boolean
  readonly pause: number | undefined
  end(): HttpResponse
}

async function attempt(sender: HttpSender, request: HttpRequest): Promise<Outcome> {
  try {
    const response = await sender.send(request)
    return { final: !RETRIABLE.has(response.status), pause: retryAfterMs(response), end: () => response }
  } catch (error) {
    const end = () => {
      throw error
    }
    return { final: false, pause: undefined, end }
  }
}
