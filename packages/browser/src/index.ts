export {
  type ScoreBody,
  type ScoreBody as SvcBrowserScoreBody,
  ScoreDataType,
  ScoreDataType as SvcScoreDataType,
} from '@svc/core/score'
export { SvcBrowserClient, type SvcBrowserClientOptions, type SvcBrowserScoreResult } from './client.ts'
export { SvcBrowserError, type SvcBrowserErrorDetails } from './error.ts'
