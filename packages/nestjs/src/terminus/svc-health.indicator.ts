import { Injectable } from '@nestjs/common'
import type { SvcHealth as ExportHealth } from '@svc/core/health'
import { getRuntime } from '@svc/core/registry'

/** Reports the state of delivery as a health indicator of `@nestjs/terminus`. */
export interface SvcHealth {
  /** Always up: an application that cannot be traced works all the same. */
  readonly status: 'up'
  /** `degraded` when what was sent last did not arrive, `off` where nothing is sent. */
  readonly state: 'ok' | 'degraded' | 'off'
  /** Spans that wait or are under way. */
  readonly queued: number
  /** Spans that were lost since the start, if any were. */
  readonly dropped?: number
  /** When spans arrived last: ISO 8601. */
  readonly lastSuccess?: string
  /** When spans did not arrive last: ISO 8601. */
  readonly lastFailure?: string
  /** Why they did not. */
  readonly reason?: string
}

/**
 * Tells health checks how delivery is doing. Never down: telemetry is no reason to take an application out of service.
 *
 * @example
 * this.health.check([() => this.svc.isHealthy()])
 */
@Injectable()
export class SvcHealthIndicator {
  /** @param key name in the result of the check. Default `svc`. */
  isHealthy<Key extends string = 'svc'>(key: Key = 'svc' as Key): Record<Key, SvcHealth> {
    return { [key]: healthOf(getRuntime()?.health?.()) } as Record<Key, SvcHealth>
  }
}

function healthOf(delivery: ExportHealth | undefined): SvcHealth {
  if (!delivery || delivery.state === 'off') return { status: 'up', state: 'off', queued: 0 }
  const { pending, lastSuccess, lastFailure } = delivery
  const dropped = Object.values(delivery.dropped).reduce((sum, spans) => sum + spans, 0)
  const isDegraded = lastFailure !== undefined && (lastSuccess === undefined || lastFailure.at >= lastSuccess)
  return {
    status: 'up',
    state: isDegraded ? 'degraded' : 'ok',
    queued: pending,
    ...(dropped > 0 ? { dropped } : {}),
    ...(lastSuccess === undefined ? {} : { lastSuccess: new Date(lastSuccess).toISOString() }),
    ...(lastFailure ? { lastFailure: new Date(lastFailure.at).toISOString(), reason: lastFailure.reason } : {}),
  }
}
