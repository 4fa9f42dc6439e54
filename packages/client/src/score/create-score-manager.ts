import type { HttpRequest } from '@svc/core/http-exchange'
import type { Transport } from '@svc/core/transport'
import { bind } from '../api/bind.ts'
import { SCORE_ENDPOINTS } from '../api/endpoints.ts'
import { callOf } from '../api/request.ts'
import type { Connection } from '../api/send.ts'
import { hostClock } from '../clock.ts'
import { backgroundConnection } from '../connect.ts'
import { type ClientSettings, type SvcClientOptions, settingsOf } from '../options.ts'
import { ScoreManager } from './score-manager.ts'

/**
 * The scores of `SvcClient` by themselves, for programs that send nothing else and want to load nothing else.
 *
 * @example
 * const scores = createScoreManager()
 * scores.create({ traceId, name: 'user-feedback', value: 1 })
 */
export function createScoreManager(options: SvcClientOptions = {}): ScoreManager {
  return scoreManagerOf(settingsOf(options))
}

/** {@link createScoreManager} where the settings are known. */
export function scoreManagerOf(settings: ClientSettings): ScoreManager {
  const connection = backgroundConnection(settings)
  return new ScoreManager({
    api: bind({ scores: SCORE_ENDPOINTS }, connection),
    lastHop: settings.baseUrl === undefined ? undefined : lastHopOver(connection, settings.transport),
    clock: hostClock,
    environment: settings.environment,
    flushAt: settings.flushAt,
    flushEvery: settings.flushInterval * 1_000,
    exitTimeout: settings.shutdownTimeout * 1_000,
    destination: settings.baseUrl ?? 'the service',
  })
}

/** Batches as requests for a process that ends: what {@link bind} makes of the same row needs the event loop. */
function lastHopOver(connection: Connection, transport: Transport) {
  const [method = '', path = ''] = SCORE_ENDPOINTS.create.split(' ')
  return {
    transport,
    requestOf(batch: readonly string[]): HttpRequest {
      const body = batch.map((text): unknown => JSON.parse(text))
      const { url, init, timeoutMs } = callOf({ method, path, query: undefined, body, options: {} }, connection)
      return {
        method: 'POST',
        url,
        headers: init.headers as Record<string, string>,
        body: new TextEncoder().encode(init.body as string),
        timeoutMs,
      }
    },
  }
}
