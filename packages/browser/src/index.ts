export type { ScoreBody, ScoreDataType } from '@svc/core/score'
export { SvcBrowserClient, type SvcBrowserClientOptions } from './client.ts'
export { SvcBrowserError, type SvcBrowserErrorDetails } from './error.ts'
