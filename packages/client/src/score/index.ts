export type { ScoreBody, ScoreDataType } from '@svc/core/score'
export type { SvcClientOptions } from '../options.ts'
export { createScoreManager } from './create-score-manager.ts'
export type { ScoreData, ScoreManager } from './score-manager.ts'
