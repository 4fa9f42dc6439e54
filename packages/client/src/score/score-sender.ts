import type { Target } from '@svc/core/delivery/outbox-parts'
import type { SvcHealth } from '@svc/core/health'
import { serviceHeaders } from '@svc/core/service-headers'
import type { OwnSettings } from '../options.ts'

/** Delivers scores, which are JSON strings here. */
export interface ScoreSender {
  /** Queues a score, or logs that the queue is full. @returns whether it is queued */
  add(text: string): boolean
  /**
   * Sends a score in a separate request. Resolves when the service has accepted it. @throws {SvcScoreError} with the
   * reason
   */
  deliver(id: string, text: string): Promise<void>
  /** Resolves when all scores are sent, or when waiting is pointless. Logs lost scores. Never rejects. */
  flush(): Promise<void>
  /** Flushes for the last time, within the shutdown time-out. Scores that are not sent by then are lost and logged. */
  shutdown(): Promise<void>
  health(): SvcHealth
}

/** Returns the URL and headers of scores; undefined without a valid base URL. */
export function scoreTarget(settings: OwnSettings): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  const headers = serviceHeaders(settings, { 'content-type': 'application/json' })
  return { url: `${settings.baseUrl}/api/public/scores`, headers }
}
