import { bind } from '../api/bind.ts'
import { SCORE_ENDPOINTS } from '../api/endpoints.ts'
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
  return new ScoreManager({
    api: bind({ scores: SCORE_ENDPOINTS }, backgroundConnection(settings)),
    clock: hostClock,
    environment: settings.environment,
    flushAt: settings.flushAt,
    flushEvery: settings.flushInterval * 1_000,
    exitTimeout: settings.shutdownTimeout * 1_000,
    destination: settings.baseUrl ?? 'the service',
  })
}
