import type { Target } from '@svc/core/delivery/outbox-parts'
import type { SvcHealth } from '@svc/core/health'
import { serviceHeaders } from '@svc/core/service-headers'
import type { OwnSettings } from '../options.ts'

/** What brings scores to the service. Scores are JSON texts here. */
export interface ScoreWay {
  /** Takes a score, or says that there is no room. @returns whether it did */
  add(text: string): boolean
  /** The same, in a request of its own. Resolves when the service has it. @throws {SvcScoreError} with the reason */
  deliver(id: string, text: string): Promise<void>
  /** Resolves when all is sent, or when it is no use to wait; what was lost so far is said. Never rejects. */
  flush(): Promise<void>
  /** The same, no longer than the end of the process may take: what is still here then is lost, and is said to be. */
  shutdown(): Promise<void>
  health(): SvcHealth
}

/** Where scores go; undefined where there is nowhere to send to. */
export function scoreTarget(settings: OwnSettings): Target | undefined {
  if (settings.baseUrl === undefined) return undefined
  const headers = serviceHeaders(settings, { 'content-type': 'application/json' })
  return { url: `${settings.baseUrl}/api/public/scores`, headers }
}
