import { ownSettingsOf, type SvcClientOptions } from '../options.ts'
import { DirectScores } from './direct-scores.ts'
import { ScoreManager } from './score-manager.ts'
import { scoreTarget } from './score-sender.ts'

/** `createScoreManager` for edge runtimes, which loads as little code as possible. */
export function createScoreManager(options: SvcClientOptions = {}): ScoreManager {
  const { settings } = ownSettingsOf(options)
  const target = scoreTarget(settings)
  return new ScoreManager(target && new DirectScores(settings, target), settings.environment)
}
